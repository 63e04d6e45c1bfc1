"""Where the hexes of a board lie on the drawing."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping

from optimizer.model.grid import Layout, parse_coordinate
from optimizer.model.position import Board
from optimizer.render.geometry import INRADIUS, ORIGIN, RADIUS, Point, direction

_APART = 1.0


def coordinate_point(hex_id: str, layout: Layout) -> Point:
    """Return the centre of a hex by its coordinate: letters across if flat, letters down if pointy."""
    letter, number = parse_coordinate(hex_id)
    across, down = letter * 1.5 * RADIUS, number * INRADIUS
    return Point(across, down) if layout == "flat" else Point(down, across)


def _step(layout: Layout, side: int) -> Point:
    return direction(layout, side) * (2 * INRADIUS)


def _by_coordinate(board: Board) -> dict[str, Point] | None:
    """Place hexes by their names; None where the names disagree with the board's neighbours."""
    try:
        places = {hex_id: coordinate_point(hex_id, board.layout) for hex_id in board.printed}
    except ValueError:
        return None
    for hex_id, row in board.neighbors.items():
        for side, other in row.items():
            if other in places and (
                (places[other] - places[hex_id] - _step(board.layout, side)).length > _APART
            ):
                return None
    return places


def _by_neighbors(board: Board) -> dict[str, Point]:
    """Place hexes by walking over the neighbours; parts that do not hang together lie side by side."""
    links: dict[str, list[tuple[str, Point]]] = {hex_id: [] for hex_id in board.printed}
    for hex_id, row in board.neighbors.items():
        for side, other in sorted(row.items()):
            if other in links:
                links[hex_id].append((other, _step(board.layout, side)))
                links[other].append((hex_id, _step(board.layout, side) * -1))
    places: dict[str, Point] = {}
    left = 0.0
    for first in sorted(board.printed):
        if first in places:
            continue
        part = {first: ORIGIN}
        queue = deque([first])
        while queue:
            hex_id = queue.popleft()
            for other, way in links[hex_id]:
                if other not in part:
                    part[other] = part[hex_id] + way
                    queue.append(other)
        shift = Point(left - min(p.x for p in part.values()), 0)
        places.update({hex_id: point + shift for hex_id, point in part.items()})
        left = max(p.x for p in places.values()) + 3 * RADIUS
    return places


def place_hexes(board: Board) -> Mapping[str, Point]:
    """Return the centre of every hex of a board, in drawing units."""
    return _by_coordinate(board) or _by_neighbors(board)


def frame_of(centers: Iterable[Point], margin: float) -> tuple[Point, Point]:
    """Return the upper left corner and the size of a frame around hexes with these centres."""
    points = list(centers)
    xs, ys = [p.x for p in points], [p.y for p in points]
    corner = Point(min(xs) - RADIUS - margin, min(ys) - RADIUS - margin)
    size = Point(max(xs) - min(xs) + 2 * (RADIUS + margin), max(ys) - min(ys) + 2 * (RADIUS + margin))
    return corner, size

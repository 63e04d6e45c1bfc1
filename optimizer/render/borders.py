"""Hex sides that are more than a line: rivers, impassable borders, costs to cross, joined off-boards."""

from __future__ import annotations

from collections.abc import Mapping

from optimizer.model.grid import Layout
from optimizer.model.position import Board
from optimizer.model.tile import Tile
from optimizer.render import svg
from optimizer.render.geometry import Curve, Point, corner
from optimizer.render.style import tile_class

Spot = tuple[int, int]


def _spot(point: Point) -> Spot:
    """Return a corner of the map as a key: neighbours compute it with different rounding."""
    return round(point.x / 4), round(point.y / 4)


def _side(layout: Layout, center: Point, side: int) -> tuple[Point, Point]:
    return center + corner(layout, side), center + corner(layout, (side + 1) % 6)


def partition(tile: Tile, layout: Layout) -> str:
    """Return the lines that cut a hex: a river from corner to corner, in a gentle bend."""
    out = []
    for row in tile.partitions:
        start, end = corner(layout, int(row["a"])), corner(layout, int(row["b"]))
        aside = (end - start).unit.clockwise * 9
        one, two = start * 0.5 + aside, end * 0.5 - aside
        course = f"M{svg.pair(start)}C{svg.pair(one)} {svg.pair(two)} {svg.pair(end)}"
        out.append(svg.element("path", d=course, class_="river"))
    return "".join(out)


def _cost(value: int, at: Point) -> str:
    return svg.rect(at, 26, 16, class_="figure", rx=7.0) + svg.text(
        str(value), Point(at.x, at.y + 4.4), class_="bold", font_size="12"
    )


def borders(board: Board, places: Mapping[str, Point]) -> str:
    """Return all special borders of the hexes in ``places``, each once though both sides print it."""
    layout = board.layout
    walls: dict[tuple[Spot, Spot], tuple[Point, Point]] = {}
    waters: dict[tuple[Spot, Spot], tuple[str, int, Point, Point]] = {}
    joined: list[str] = []
    for hex_id, center in places.items():
        tile = board.printed[hex_id]
        for border in tile.borders:
            start, end = _side(layout, center, border.side)
            one, two = sorted((_spot(start), _spot(end)))
            key = (one, two)
            if border.kind == "impassable":
                walls.setdefault(key, (start, end))
            elif border.kind or border.cost:
                waters.setdefault(key, (border.kind, border.cost, start, end))
            elif board.neighbors[hex_id].get(border.side) in places:
                joined.append(_joint(Curve(start, end), tile_class(tile.color)))
    # Where a river cuts hexes, the impassable borders are the rest of its course.
    kind = "river" if any(tile.partitions for tile in board.printed.values()) else "wall"
    out = list(joined)
    out += [svg.path([Curve(start, end)], class_=f"{kind} impassable") for start, end in walls.values()]
    for kind, cost, start, end in waters.values():
        out.append(svg.path([Curve(start, end)], class_="mountain" if kind == "mountain" else "river"))
        if cost:
            out.append(_cost(cost, Curve(start, end).at(0.5)))
    return "".join(out)


def _joint(edge: Curve, class_: str) -> str:
    """Return a patch over the line between two hexes of one off-board."""
    aside = edge.heading(0).clockwise * 2.0
    a, b = edge.at(0.03), edge.at(0.97)
    return svg.polygon([a - aside, b - aside, b + aside, a + aside], class_=class_)

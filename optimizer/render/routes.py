"""Routes on the map: a line in the route's colour on its track, and a ring around every stop it visits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from optimizer.evaluation.report import RouteEvaluation
from optimizer.model.position import Position
from optimizer.render import svg
from optimizer.render.geometry import Curve, Point
from optimizer.render.parts import blob, extra_slots, stop_outline
from optimizer.render.stops import SLOT, skeleton
from optimizer.render.trains import train_color

_APART = 8.0  # between two routes on the same track
_RING = 6.5  # width of a ring

Piece = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Step:
    """One piece of track of a route, turned in the direction of travel. ``forward``: as on the tile."""

    piece: Piece
    curve: Curve
    forward: bool


def _curve_of(position: Position, places: Mapping[str, Point], piece: Piece) -> Curve | None:
    hex_id, index = piece
    if hex_id not in places:
        return None
    tile, rotation = position.tile_at(hex_id)
    if not 0 <= index < len(tile.paths):
        return None
    return skeleton(tile, rotation, position.board.layout).curves[index].moved(places[hex_id])


def _near(a: Point, b: Point) -> float:
    return (a - b).length


def trace(position: Position, places: Mapping[str, Point], pieces: Sequence[Piece]) -> list[Step]:
    """Return the curves of a route's track, each turned so that it goes on where the last one ended."""
    found = [(piece, curve) for piece in pieces if (curve := _curve_of(position, places, piece)) is not None]
    steps: list[Step] = []
    for index, (piece, curve) in enumerate(found):
        if steps:
            here = steps[-1].curve.end
            forward = _near(curve.start, here) <= _near(curve.end, here)
        elif index + 1 < len(found):
            after = found[index + 1][1]
            forward = min(_near(curve.end, after.start), _near(curve.end, after.end)) <= min(
                _near(curve.start, after.start), _near(curve.start, after.end)
            )
        else:
            forward = True
        steps.append(Step(piece, curve if forward else curve.reverse, forward))
    return steps


def _shifts(traces: Sequence[Sequence[Step]]) -> dict[tuple[int, Piece], float]:
    """Return how far each route lies off the middle of each piece: apart where several run side by side.

    The first route on a piece decides which side is which, so that the lines do not cross from piece to
    piece.
    """
    users: dict[Piece, list[tuple[int, bool]]] = {}
    for route, steps in enumerate(traces):
        for step in steps:
            row = users.setdefault(step.piece, [])
            if all(other != route for other, _ in row):
                row.append((route, step.forward))
    shifts: dict[tuple[int, Piece], float] = {}
    for piece, row in users.items():
        lead = row[0][1]
        for place, (route, forward) in enumerate(row):
            aside = (place - (len(row) - 1) / 2) * _APART
            shifts[route, piece] = aside if forward == lead else -aside
    return shifts


def _direct(position: Position, places: Mapping[str, Point], route: RouteEvaluation) -> list[Curve]:
    """Return straight lines from hex to hex, for a route whose track could not be found."""
    hexes = [hex_id for chain in route.connections for hex_id in chain if hex_id in places]
    hexes = hexes or [stop.hex for stop in route.stops if stop.hex in places]
    points = [places[hex_id] for hex_id in dict.fromkeys(hexes)]
    return [Curve(a, b) for a, b in pairwise(points)]


def route_lines(
    position: Position, places: Mapping[str, Point], routes: Sequence[RouteEvaluation]
) -> list[str]:
    """Return each route's line as markup, in the order of the routes."""
    traces = [trace(position, places, route.paths) for route in routes]
    shifts = _shifts(traces)
    out = []
    for index, (route, steps) in enumerate(zip(routes, traces, strict=True)):
        curves = [step.curve.offset(shifts[index, step.piece]) for step in steps]
        guess = not curves
        if guess:
            curves = _direct(position, places, route)
        if not curves:
            out.append("")
            continue
        paint = f"stroke:{train_color(position, route.train, index)}"
        line = svg.path(curves, class_="route guess" if guess else "route", style=paint)
        out.append(svg.path(curves, class_="route-edge") + line)
    return out


def _ends_at(
    position: Position, places: Mapping[str, Point], pieces: Sequence[Piece], hex_id: str, stop: int
) -> list[Point]:
    """Return where the track of a route ends at a stop: off-boards are as wide as their hex."""
    paths = position.tile_at(hex_id)[0].paths
    ends = []
    for piece in pieces:
        if piece[0] != hex_id or (curve := _curve_of(position, places, piece)) is None:
            continue
        if paths[piece[1]].a.stop == stop:
            ends.append(curve.start)
        elif paths[piece[1]].b.stop == stop:
            ends.append(curve.end)
    return ends


def stop_rings(
    position: Position, places: Mapping[str, Point], routes: Sequence[RouteEvaluation]
) -> list[str]:
    """Return the rings around visited stops, in the order of the routes; wider ones come first in each.

    A second route through the same stop has a wider ring outside that of the first.
    """
    uses: dict[tuple[str, int], int] = {}
    out: list[str] = []
    for index, route in enumerate(routes):
        rings: list[str] = []
        color = train_color(position, route.train, index)
        for stop in route.stops:
            tile, rotation = position.tile_at(stop.hex) if stop.hex in places else (None, 0)
            if tile is None:
                continue
            at = next((i for i, part in enumerate(tile.stops) if part.part == stop.part), -1)
            if at < 0:
                continue
            rank = uses.get((stop.hex, at), 0)
            uses[stop.hex, at] = rank + 1
            extra = extra_slots(tile, position.tokens_at(stop.hex))
            class_ = "ring" if stop.paid and stop.counted else "ring unpaid"
            if tile.stops[at].kind == "offboard":
                ends = _ends_at(position, places, route.paths, stop.hex, at)
                rings += [svg.circle(end, 12.0, class_=class_, style=f"fill:{color}") for end in ends]
                continue
            circles = stop_outline(tile, skeleton(tile, rotation, position.board.layout), at, extra)
            centers = [center + places[stop.hex] for center, _ in circles]
            radius = (circles[0][1] if tile.stops[at].kind != "city" else SLOT + 2) + _RING * (rank + 1)
            rings.append(blob(centers, radius, class_, color))
        out.append("".join(rings))
    return out

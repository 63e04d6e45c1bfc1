"""Where the stops of a tile go, and the curves of its track.

A stop with a printed place (``loc``) lies there. A lone stop lies in the middle, a town on a curve halfway
along it. Where a tile has several stops, each may lie anywhere on its own track, and of all arrangements
the one is taken that keeps them farthest apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import prod

from optimizer.model.grid import Layout
from optimizer.model.tile import End, Path, Tile
from optimizer.render.geometry import (
    ORIGIN,
    Curve,
    Point,
    direction,
    line,
    rim_distance,
    side_point,
    tangent_curve,
)

SLOT = 24.0  # radius of a city slot
LANE = 15.0  # between parallel tracks over one side

# How far from the middle a stop lies that has a place on the rim.
_OFF_CENTER = {"city": 50.0, "town": 52.0, "offboard": 40.0}
_ARROW_TIP = 42.0  # where track into an off-board ends

_ALONG = (0.5, 0.38, 0.62, 0.3, 0.7, 0.25, 0.75, 0.2, 0.8)  # where a stop may lie on its own curve
_OFF_JUNCTION = 30.0  # how far from the middle several junctions lie
_MOST_ARRANGEMENTS = 4000
_ENOUGH = 3.2 * SLOT  # between two stops


@dataclass(frozen=True)
class Skeleton:
    """A tile as seen: where its stops lie and the curve of each path, in the order of the tile.

    ``headings[i]`` is the direction of the track through stop i (where there is one), ``bars[i]`` tells
    whether a town is drawn as a bar across its track.
    """

    stops: tuple[Point, ...]
    headings: tuple[Point, ...]
    bars: tuple[bool, ...]
    curves: tuple[Curve, ...]


def _sides_of(tile: Tile, stop: int) -> tuple[int, ...]:
    return tuple(dict.fromkeys(side for path in tile.paths if stop in path.stops for side in path.sides))


def _through(layout: Layout, a: int, b: int) -> Curve:
    return tangent_curve(side_point(layout, a), direction(layout, a) * -1, side_point(layout, b))


def _outward(kind: str, slots: int) -> float:
    return _OFF_CENTER[kind] + (5.0 if slots > 1 else 0.0)


def _from_loc(loc: str, layout: Layout, rotation: int, far: float) -> Point:
    try:
        side = float(loc)
    except ValueError:
        return ORIGIN
    return direction(layout, (side + rotation) % 6) * far


def _candidates(tile: Tile, index: int, layout: Layout, rotation: int, alone: bool) -> list[Point]:
    """Return places for a stop, the likeliest first."""
    stop = tile.stops[index]
    far = _outward(stop.kind, stop.slots)
    if stop.loc:
        return [_from_loc(stop.loc, layout, rotation, far)]
    sides = [(side + rotation) % 6 for side in _sides_of(tile, index)]
    if alone:
        if stop.kind == "town" and len(sides) == 2:
            return [_through(layout, *sides).at(0.5)]
        return [ORIGIN]
    if not sides:
        return [direction(layout, half / 2) * (far - 6) for half in (3, 9, 1, 7, 5, 11, 0, 2, 4, 6, 8, 10)]
    if len(sides) == 1:
        return [direction(layout, sides[0]) * far]
    if len(sides) == 2:
        curve = _through(layout, *sides)
        inside = SLOT + 2 if stop.kind == "city" else 2 * SLOT / 3
        return [at for at in map(curve.at, _ALONG) if rim_distance(layout, at) > inside]
    total = ORIGIN
    for side in sides:
        total = total + direction(layout, side)
    if total.length < 0.5:
        return [ORIGIN, *(direction(layout, side) * far for side in sides)]
    middle = [total.unit * distance for distance in (far - 8, far - 20, far)]
    return middle + [direction(layout, side) * far for side in sides]


def _junctions(tile: Tile, layout: Layout, rotation: int) -> dict[int, Point]:
    """Return where junctions lie: a lone one in the middle, several each towards its own sides."""
    sides: dict[int, set[int]] = {}
    for path in tile.paths:
        for end in (path.a, path.b):
            if end.junction >= 0:
                sides.setdefault(end.junction, set()).update((side + rotation) % 6 for side in path.sides)
    if len(sides) < 2:
        return dict.fromkeys(sides, ORIGIN)
    places = {}
    for number, own in sorted(sides.items()):
        total = ORIGIN
        for side in sorted(own):
            total = total + direction(layout, side)
        places[number] = total.unit * _OFF_JUNCTION if total.length > 0.5 else ORIGIN
    return places


def _gap(places: Sequence[Point]) -> float:
    """Return how far apart the nearest two are; beyond what two cities need it makes no difference."""
    return min(_ENOUGH, *((a - b).length for i, a in enumerate(places) for b in places[i + 1 :]))


def _arrange(options: list[list[Point]]) -> tuple[Point, ...]:
    """Return one place for each stop so that the nearest two are far apart, the likeliest places first."""
    if prod(map(len, options)) > _MOST_ARRANGEMENTS:
        return _improve(options)
    best: tuple[Point, ...] = ()
    best_gap = -1.0
    for places in product(*options):
        gap = _gap(places)
        if gap > best_gap + 0.5:
            best, best_gap = places, gap
    return best


def _improve(options: list[list[Point]]) -> tuple[Point, ...]:
    """Place many stops: one after the other away from those before it, then each once more from all."""
    places: list[Point] = []
    for own in options:
        places.append(_farthest(own, places))
    for index, own in enumerate(options):
        places[index] = _farthest(own, places[:index] + places[index + 1 :])
    return tuple(places)


def _farthest(own: Sequence[Point], others: Sequence[Point]) -> Point:
    """Return the first of the places that are farthest from the nearest of the others."""
    return max(own, key=lambda at: min((round((at - other).length, 3) for other in others), default=0.0))


def _lane_shift(lane: tuple[int, int], layout: Layout, side: int) -> Point:
    width, index = lane
    return direction(layout, side).clockwise * ((index - (width - 1) / 2) * LANE)


def _curve(
    path: Path,
    tile: Tile,
    layout: Layout,
    rotation: int,
    stops: tuple[Point, ...],
    junctions: Mapping[int, Point],
) -> Curve:
    def at(end: End, lane: tuple[int, int]) -> Point:
        if end.side >= 0:
            side = (end.side + rotation) % 6
            return side_point(layout, side) + _lane_shift(lane, layout, side)
        return stops[end.stop] if end.stop >= 0 else junctions[end.junction]

    start, end = at(path.a, path.lane_a), at(path.b, path.lane_b)
    if path.a.side >= 0:
        side = (path.a.side + rotation) % 6
        if path.b.stop >= 0 and tile.stops[path.b.stop].kind == "offboard":
            return line(start, direction(layout, side) * _ARROW_TIP)
        return tangent_curve(start, direction(layout, side) * -1, end)
    if path.b.side >= 0:
        side = (path.b.side + rotation) % 6
        if path.a.stop >= 0 and tile.stops[path.a.stop].kind == "offboard":
            return line(direction(layout, side) * _ARROW_TIP, end)
        return tangent_curve(end, direction(layout, side) * -1, start).reverse
    return line(start, end)


def _heading(tile: Tile, index: int, curves: tuple[Curve, ...]) -> Point:
    for path, curve in zip(tile.paths, curves, strict=True):
        if path.a.stop == index:
            return curve.heading(0.0) if curve.length > 1 else Point(1, 0)
        if path.b.stop == index:
            return curve.heading(1.0) if curve.length > 1 else Point(1, 0)
    return Point(1, 0)


@lru_cache(maxsize=4096)
def skeleton(tile: Tile, rotation: int, layout: Layout) -> Skeleton:
    """Return where stops and track of a tile lie at a rotation."""
    count = len(tile.stops)
    junctions = _junctions(tile, layout, rotation)
    alone = count == 1 and not junctions
    options = [_candidates(tile, i, layout, rotation, alone) for i in range(count)]
    # Stops keep away from junctions, too: these are fixed, so each has one place to be.
    fixed = [[place] for place in junctions.values()]
    stops = (_arrange(options + fixed) if len(options + fixed) > 1 else tuple(o[0] for o in options))[:count]
    curves = tuple(_curve(path, tile, layout, rotation, stops, junctions) for path in tile.paths)
    ends = [sum(path.stops.count(i) for path in tile.paths) for i in range(count)]
    return Skeleton(
        stops=stops,
        headings=tuple(_heading(tile, i, curves) for i in range(count)),
        bars=tuple(stop.kind == "town" and ends[i] == 2 for i, stop in enumerate(tile.stops)),
        curves=curves,
    )

"""Tiles as flat integers, the form in which the native network reads them.

A hex is written as ``hex, stops, paths``, then ``kind, visit cost`` a stop, then 12 numbers a path:
``kind, at, width, lane`` for each end (kind 0 side, 1 stop, 2 junction), terminal, ferry, the town
whose rim the path uses up (-1 for none), and its track (0 broad, 1 narrow, 2 dual).
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from functools import lru_cache

from optimizer.model.position import Board
from optimizer.model.tile import TRACKS, End, Path, Tile, rotate

KIND_NUMBER = {"city": 0, "town": 1, "offboard": 2}
KEYS_PER_HEX = 128
TOWN_KEYS = 36
PIECE_KEYS = 66


@dataclass(frozen=True, slots=True)
class Shape:
    """A tile in one rotation: its record without the hex number, and what Python asks of it."""

    record: bytes
    stops: int
    cities: tuple[int, ...]
    kinds: bytes
    groups: tuple[tuple[str, int], ...]
    slots: tuple[int, ...]
    closed: tuple[int, ...]  # cities without slots: full from the start
    costs: tuple[tuple[int, int], ...]  # (kind, places taken) of stops that take none or more than one
    has_ferry: bool
    rims: tuple[int, ...]  # a path: the town whose rim it uses up, or -1


def _end(end: End, rotation: int, lane: tuple[int, int]) -> tuple[int, int, int, int]:
    if end.side >= 0:
        return 0, rotate(end.side, rotation), lane[0], lane[1]
    if end.stop >= 0:
        return 1, end.stop, 1, 0
    return 2, end.junction, 1, 0


def _rim_town(tile: Tile, path: Path) -> int:
    """Return the town whose place on the rim this path runs past, or -1 (rules reference, common 8.5)."""
    for end, other in ((path.a, path.b), (path.b, path.a)):
        if end.stop < 0 or other.side < 0 or tile.stops[end.stop].kind != "town":
            continue
        loc = tile.stops[end.stop].loc
        if loc is not None and loc.lstrip("-").isdigit() and int(loc) % 6 != other.side:
            return end.stop
    return -1


# By identity, since comparing tiles takes longer than all the rest; the tile kept in the entry holds its
# identity fast. Emptied when full, so that maps of passing requests do not pile up.
_SHAPES: dict[tuple[int, int], tuple[Tile, Shape]] = {}
_FIGURES: dict[tuple[int, tuple[str, ...], bool], tuple[Tile, tuple[int, ...]]] = {}
_MOST_KEPT = 16384


def shape_of(tile: Tile, rotation: int) -> Shape:
    """Return the flat form of a tile in one rotation (cached)."""
    known = _SHAPES.get((id(tile), rotation))
    if known is not None:
        return known[1]
    if len(_SHAPES) >= _MOST_KEPT:
        _SHAPES.clear()
    shape = _make_shape(tile, rotation)
    _SHAPES[id(tile), rotation] = (tile, shape)
    return shape


def _make_shape(tile: Tile, rotation: int) -> Shape:
    numbers = array("i", (len(tile.stops), len(tile.paths)))
    for stop in tile.stops:
        numbers.extend((KIND_NUMBER[stop.kind], stop.visit_cost))
    for path in tile.paths:
        numbers.extend(_end(path.a, rotation, path.lane_a))
        numbers.extend(_end(path.b, rotation, path.lane_b))
        numbers.extend((path.terminal, path.ferry, _rim_town(tile, path), TRACKS.index(path.track)))
    return Shape(
        record=numbers.tobytes(),
        stops=len(tile.stops),
        cities=tile.cities,
        kinds=bytes(KIND_NUMBER[stop.kind] for stop in tile.stops),
        groups=tuple((group, i) for i, stop in enumerate(tile.stops) for group in stop.groups),
        slots=tuple(stop.slots for stop in tile.stops),
        closed=tuple(stop for stop in tile.cities if not tile.stops[stop].slots),
        costs=tuple((KIND_NUMBER[stop.kind], stop.visit_cost) for stop in tile.stops if stop.visit_cost != 1),
        has_ferry=any(path.ferry for path in tile.paths),
        rims=tuple(_rim_town(tile, path) for path in tile.paths),
    )


def figures(tile: Tile, colors: tuple[str, ...], diesel: bool) -> tuple[int, ...]:
    """Return what each stop of a tile pays in a phase, before any train's multiplier (cached)."""
    known = _FIGURES.get((id(tile), colors, diesel))
    if known is not None:
        return known[1]
    if len(_FIGURES) >= _MOST_KEPT:
        _FIGURES.clear()
    paid = tuple(stop.revenue.value(colors, "D" if diesel else "") for stop in tile.stops)
    _FIGURES[id(tile), colors, diesel] = (tile, paid)
    return paid


@dataclass(frozen=True)
class FlatBoard:
    """A board's neighbours and printed track as integers."""

    index: dict[str, int]
    hexes: tuple[str, ...]
    neighbor: array[int]
    printed: tuple[tuple[str, bytes, Tile, Shape], ...]
    headers: tuple[bytes, ...]


@lru_cache(maxsize=64)
def flat_board(board: Board) -> FlatBoard:
    """Return the flat form of a board (cached by its key)."""
    hexes = tuple(board.neighbors)
    index = {hex_id: i for i, hex_id in enumerate(hexes)}
    neighbor = array("i", [-1] * (6 * len(hexes)))
    for hex_id, row in board.neighbors.items():
        for side, other in row.items():
            if other in index:
                neighbor[6 * index[hex_id] + side] = index[other]
                # Track is followed from either end, so one open direction is enough.
                neighbor[6 * index[other] + (side + 3) % 6] = index[hex_id]
    headers = tuple(array("i", (i,)).tobytes() for i in range(len(hexes)))
    printed = tuple(
        (hex_id, headers[index[hex_id]], tile, shape_of(tile, 0))
        for hex_id, tile in board.printed.items()
        if tile.paths
    )
    return FlatBoard(index, hexes, neighbor, printed, headers)

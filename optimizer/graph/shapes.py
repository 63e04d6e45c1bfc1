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
from optimizer.native.layout import Shape, ShapeTable

KIND_NUMBER = {"city": 0, "town": 1, "offboard": 2}
KEYS_PER_HEX = 128
TOWN_KEYS = 36
PIECE_KEYS = 66


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


def _make_shape(tile: Tile, rotation: int) -> Shape:
    numbers = [len(tile.stops), len(tile.paths)]
    for stop in tile.stops:
        numbers.extend((KIND_NUMBER[stop.kind], stop.visit_cost))
    for path in tile.paths:
        numbers.extend(_end(path.a, rotation, path.lane_a))
        numbers.extend(_end(path.b, rotation, path.lane_b))
        numbers.extend((path.terminal, path.ferry, _rim_town(tile, path), TRACKS.index(path.track)))
    return Shape(
        tile,
        numbers,
        [KIND_NUMBER[stop.kind] for stop in tile.stops],
        tile.cities,
        tuple((group, i) for i, stop in enumerate(tile.stops) for group in stop.groups),
        tuple(stop.slots for stop in tile.stops),
        tuple(stop for stop in tile.cities if not tile.stops[stop].slots),
        tuple((KIND_NUMBER[stop.kind], stop.visit_cost) for stop in tile.stops if stop.visit_cost != 1),
        any(path.ferry for path in tile.paths),
        tuple(_rim_town(tile, path) for path in tile.paths),
    )


SHAPES = ShapeTable(_make_shape)


@dataclass(frozen=True)
class FlatBoard:
    """A board's neighbours and printed track as integers."""

    index: dict[str, int]
    hexes: tuple[str, ...]
    neighbor: array[int]
    printed: tuple[tuple[str, Shape], ...]  # hexes with track


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
    printed = tuple(
        (hex_id, SHAPES.shape_of(tile, 0)) for hex_id, tile in board.printed.items() if tile.paths
    )
    return FlatBoard(index, hexes, neighbor, printed)

"""A position as arrays: track, stops, trains and bonuses by number, for bulk evaluation.

Ends of a path are numbers as in :mod:`optimizer.evaluation.track`: 0 to 5 a side, 100 + i a stop, 200 + k a
junction. Hexes, paths and stops are numbered through the whole map.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from optimizer.evaluation.track import JUNCTION, STOP, Map, Piece, Step
from optimizer.model.tile import STOP_KINDS, Stop, rotate

Ints = NDArray[np.int64]
KIND = {kind: i for i, kind in enumerate(STOP_KINDS)}
MAX_BITS = 62


class TooMany(ValueError):
    """More groups, sets or counters than bulk evaluation has bits for; the text says of what."""


class Network(NamedTuple):
    """Track and stops. Arrays are indexed by path (``p_``), stop (``s_``) or hex (``h_``)."""

    p_hex: Ints
    p_ends: Ints  # two ends a path
    p_stops: Ints  # the stop at each end, or -1
    p_keys: Ints  # three a path: what it uses up, or -1 (two sides, then track between stops or a rim town)
    p_terminal: Ints
    join_first: Ints  # path ends that join path end e: join_to[join_first[e]:join_first[e + 1]]
    join_to: Ints
    keys: Ints  # one number: how many keys there are
    key_kind: Ints  # 0 side, 1 track, 2 town
    s_hex: Ints
    s_part: Ints
    s_kind: Ints
    s_cost: Ints
    s_token: Ints
    s_blocked: Ints
    s_open: Ints
    s_groups: Ints  # bits
    s_sets: Ints  # bits of the sets of which a route visits one
    h_link: Ints  # has a ferry link
    h_ferry: Ints  # its stops are joined
    h_counters: Ints  # bits of the counters that count it
    h_sides: Ints  # six a hex: bits of the counters entered there


class Names(NamedTuple):
    """Numbers of the names that routes are given in."""

    hexes: dict[str, int]
    path: dict[tuple[str, int], int]
    stop: dict[tuple[str, int], int]  # (hex, part)


def bits(names: Iterable[Any], order: dict[Any, int], what: str) -> int:
    """Return a bit for each name; TooMany if they do not fit into a number."""
    found = 0
    for name in names:
        bit = order.setdefault(name, len(order))
        if bit > MAX_BITS:
            raise TooMany(f"more than {MAX_BITS} {what}")
        found |= 1 << bit
    return found


def ints(rows: Iterable[Any]) -> Ints:
    """Return numbers as an array."""
    return np.array(list(rows), dtype=np.int64)


class NetworkTables:
    """Numbers the map and writes it down."""

    def __init__(self, track: Map) -> None:
        position = track.position
        self.track = track
        self.hexes = sorted({*position.board.printed, *position.by_hex})
        self.index = {hex_id: i for i, hex_id in enumerate(self.hexes)}
        self.paths = [(h, i, piece) for h in self.hexes for i, piece in enumerate(track.pieces(h))]
        self.stops = [(h, i, stop) for h in self.hexes for i, stop in enumerate(track.tile(h).stops)]
        self.path_of = {(h, i): n for n, (h, i, _) in enumerate(self.paths)}
        self.stop_of = {(h, i): n for n, (h, i, _) in enumerate(self.stops)}
        self.keys: dict[tuple[int, str, int, int], int] = {}

    def names(self) -> Names:
        """Return the numbers of hexes, paths and stops."""
        stops = {(h, stop.part): n for n, (h, _, stop) in enumerate(self.stops)}
        return Names(self.index, self.path_of, stops)

    def build(self) -> Network:
        """Return the arrays."""
        rules = self.track.position.rules
        ferry = rules.ferry
        ends = [(piece.a, piece.b) for _, _, piece in self.paths]
        at_stops = [
            tuple(self.stop_of[h, end - STOP] if STOP <= end < JUNCTION else -1 for end in (piece.a, piece.b))
            for h, _, piece in self.paths
        ]
        keys = [self._keys_of(h, i, piece) for h, i, piece in self.paths]
        joins = [self._joined(n, end) for n in range(len(self.paths)) for end in (0, 1)]
        groups: dict[str, int] = {}
        counters = {counter.name: i for i, counter in enumerate(rules.counters)}
        if len(counters) > MAX_BITS or len(rules.stop_sets_once) > MAX_BITS:
            raise TooMany(f"more than {MAX_BITS} counters or sets of stops")
        stops = self.stops
        return Network(
            ints(self.index[h] for h, _, _ in self.paths),
            ints(ends).reshape(-1, 2),
            ints(at_stops).reshape(-1, 2),
            ints(keys).reshape(-1, 3),
            ints(piece.terminal for _, _, piece in self.paths),
            np.cumsum([0, *map(len, joins)], dtype=np.int64),
            ints(end for row in joins for end in row),
            ints([len(self.keys)]),
            ints(key[0] for key in self.keys),
            ints(self.index[h] for h, _, _ in stops),
            ints(stop.part for _, _, stop in stops),
            ints(KIND[stop.kind] for _, _, stop in stops),
            ints(stop.visit_cost for _, _, stop in stops),
            ints(self.track.has_token(h, i) for h, i, _ in stops),
            ints(self.track.blocks(h, i) for h, i, _ in stops),
            ints(stop.kind == "city" and self.track.is_open(h, i) for h, i, stop in stops),
            ints(bits(stop.groups, groups, "groups") for _, _, stop in stops),
            ints(
                sum(1 << k for k, members in enumerate(rules.stop_sets_once) if (h, i) in members)
                for h, i, _ in stops
            ),
            ints(any(piece.ferry for piece in self.track.pieces(h)) for h in self.hexes),
            ints(ferry is not None and h in ferry.hexes for h in self.hexes),
            ints(sum(1 << i for i, c in enumerate(rules.counters) if h in c.hexes) for h in self.hexes),
            ints(
                [
                    sum(1 << i for i, c in enumerate(rules.counters) if (h, side) in c.entries)
                    for side in range(6)
                ]
                for h in self.hexes
            ).reshape(-1, 6),
        )

    def _keys_of(self, hex_id: str, index: int, piece: Piece) -> tuple[int, int, int]:
        """Return what a path uses up (rules reference, common 8.5)."""
        found = [-1, -1, -1]
        for i, (end, lane) in enumerate(((piece.a, piece.lane_a), (piece.b, piece.lane_b))):
            if end < STOP:
                found[i] = self._key(0, hex_id, end, lane[1])
        at_stop = [end for end in (piece.a, piece.b) if STOP <= end < JUNCTION]
        if min(piece.a, piece.b) >= STOP:
            found[2] = self._key(1, hex_id, index, 0)
        elif at_stop:
            tile, rotation = self.track.position.tile_at(hex_id)
            town = tile.stops[at_stop[0] - STOP]
            side = min(piece.a, piece.b)
            if _on_rim(town) and rotate(int(town.loc or 0), rotation) != side:
                found[2] = self._key(2, hex_id, at_stop[0] - STOP, piece.lane(at_stop[0])[1])
        return found[0], found[1], found[2]

    def _key(self, kind: int, hex_id: str, number: int, lane: int) -> int:
        return self.keys.setdefault((kind, hex_id, number, lane), len(self.keys))

    def _joined(self, number: int, end: int) -> list[int]:
        """Return the path ends by which a route can go on that leaves a path by this end."""
        hex_id, index, piece = self.paths[number]
        leave, enter = (piece.a, piece.b) if end == 0 else (piece.b, piece.a)
        step = Step(hex_id, index, piece, enter, leave)
        where = hex_id if leave >= STOP else ""
        near = [where] if where else {*self.track.neighbors.get(hex_id, {}).values(), *self._back(hex_id)}
        found = []
        for other in sorted(near):
            for i, following in enumerate(self.track.pieces(other) if self.track.knows(other) else ()):
                entry = self.track.entry(step, other, following)
                if entry is not None:
                    found.append(2 * self.path_of[other, i] + (0 if entry == following.a else 1))
        return found

    def _back(self, hex_id: str) -> list[str]:
        """Return the hexes that have this one as a neighbour."""
        if not hasattr(self, "_behind"):
            self._behind: dict[str, list[str]] = {}
            for other, sides in self.track.neighbors.items():
                for near in sides.values():
                    self._behind.setdefault(near, []).append(other)
        return self._behind.get(hex_id, [])


def _on_rim(stop: Stop) -> bool:
    return stop.kind == "town" and stop.loc is not None and stop.loc.isdigit()

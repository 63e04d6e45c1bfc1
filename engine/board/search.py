"""Settling single tracks that the quick passes of `engine.board.network` leave open.

The walk may be followed backwards, from the track in question home to a starting stop, or forwards.
What makes a track unreachable is usually a loop near one of its ends, so that one of the two searches
fails soon: both are tried in turn with growing budgets.

Backwards and forwards the same walks are legal: no track, stop or hex side twice. Only the track itself may
lie with its far end on a side by which the walk has *entered* its hex.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from engine.board.face import Track
from engine.board.hexes import Hex

Piece = tuple[Hex, Track]
Crossing = tuple[Hex, int]
Node = tuple[Hex, int]


class Passage(Protocol):
    """Where walks start, which stops they may pass, and tracks that no walk reaches."""

    starts: list[Node]
    dead: set[Piece]

    def may_pass(self, node: Node) -> bool:
        """May walks go through this stop?"""


QUICK_STEPS = 300


class OutOfBudget(Exception):
    """A search was not finished within its number of steps."""


class HomeSearch:
    """A depth-first search from one track back to a starting stop.

    Without a budget no track is entered twice from the same end, which finds most walks. With one, all walks
    are tried, cut off wherever a flood over what is unused no longer leads home; raises OutOfBudget.
    """

    __slots__ = (
        "budget",
        "exhaustive",
        "far_side",
        "nodes",
        "on_walk",
        "own",
        "seen",
        "start",
        "used",
        "walker",
    )

    def __init__(
        self, walker: Passage, own: set[Node], hex_: Hex, track: Track, *, budget: int | None = None
    ) -> None:
        self.walker = walker
        self.own = own
        self.start = (hex_, track)
        self.exhaustive = budget is not None
        self.budget = QUICK_STEPS if budget is None else budget
        self.seen: set[tuple[Hex, int, int]] = set()
        self.nodes: set[Node] = set()
        self.used: set[Crossing] = set()  # hex sides in use, seen from the hex on the walk's side
        self.on_walk: set[Piece] = walker.dead | {self.start}
        self.far_side: Crossing | None = None

    def arrives(self) -> bool:
        """Is there a walk home by one of the ends?"""
        hex_, track = self.start
        for end in track.ends:
            far = next((side for side in track.sides if side != end), None)
            self.far_side = None if far is None else (hex_, far)
            if self._leave(hex_, track, end):
                return True
        return False

    def _before(self, hex_: Hex, track: Track, end: int) -> Iterator[tuple[Hex, Track, int]]:
        """What a walk may come from when it enters the track by this end: (hex, track, end by which it
        leaves).
        """
        if end >= 6:
            for other in hex_.piece.face.at_stop[end - 6]:
                if other is not track and not other.terminal:
                    yield hex_, other, end
            return
        neighbor = hex_.neighbors[end]
        back = (end + 3) % 6
        if neighbor is not None and neighbor.passable[back] is hex_:
            for other in neighbor.piece.face.at_side[back]:
                if other.narrow == track.narrow:
                    yield neighbor, other, back

    def _leave(self, hex_: Hex, track: Track, end: int) -> bool:
        if end >= 6:
            node = (hex_, end - 6)
            if node in self.own:
                return True
            if node in self.nodes or not self.walker.may_pass(node):
                return False
            self.nodes.add(node)
            found = any(self._enter(*step) for step in self._before(hex_, track, end))
            self.nodes.discard(node)
            return found
        here = (hex_, end)
        if here in self.used:
            return False
        neighbor = hex_.neighbors[end]
        there = (neighbor, (end + 3) % 6) if neighbor is not None else here
        self.used.update((here, there))
        found = any(self._enter(*step) for step in self._before(hex_, track, end))
        self.used.difference_update((here, there))
        return found

    def _enter(self, hex_: Hex, track: Track, entered: int) -> bool:
        """Goes on from a track that the walk leaves by the end `entered`."""
        piece = (hex_, track)
        if piece in self.on_walk or (hex_, entered) == self.far_side:
            return False
        self.budget -= 1
        if self.budget < 0:
            if self.exhaustive:
                raise OutOfBudget
            return False
        if not self.exhaustive:
            key = (hex_, track.index, entered)
            if key in self.seen:
                return False
            self.seen.add(key)
        far = [end for end in track.ends if end != entered]
        self.on_walk.add(piece)
        found = (not self.exhaustive or self._leads_home(hex_, track, far)) and any(
            self._leave(hex_, track, end) for end in far
        )
        self.on_walk.discard(piece)
        return found

    def _leads_home(self, hex_: Hex, track: Track, ends: list[int]) -> bool:
        """Does a flood from here over unused tracks, stops and sides lead home?"""
        seen: set[tuple[Hex, int, int]] = set()
        todo = [(hex_, track, end) for end in ends]
        while todo:
            here, piece, end = todo.pop()
            key = (here, piece.index, end)
            if key in seen:
                continue
            seen.add(key)
            if end >= 6:
                node = (here, end - 6)
                if node in self.own:
                    return True
                if node in self.nodes or not self.walker.may_pass(node):
                    continue
            elif (here, end) in self.used:
                continue
            for place, other, entered in self._before(here, piece, end):
                if (place, other) not in self.on_walk:
                    todo.extend((place, other, far) for far in other.ends if far != entered)
        return False

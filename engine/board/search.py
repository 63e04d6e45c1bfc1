"""Settling single tracks that the quick passes of `engine.board.network` leave open."""

from __future__ import annotations

from typing import Protocol

from engine.board.face import Track
from engine.board.hexes import Hex

Piece = tuple[Hex, Track]
Crossing = tuple[Hex, int]
Node = tuple[Hex, int]


class Passage(Protocol):
    """Where walks start and which stops they may pass."""

    starts: list[Node]

    def may_pass(self, node: Node) -> bool:
        """May walks go through this stop?"""


class HomeWalk:
    """A depth-first walk from one track back to a starting stop; finds most simple walks, not all."""

    __slots__ = ("nodes", "on_walk", "own", "seen", "start", "used", "walker")

    def __init__(self, walker: Passage, own: set[Node], hex_: Hex, track: Track) -> None:
        self.walker = walker
        self.own = own
        self.start = (hex_, track)
        self.seen: set[tuple[Hex, int, int]] = set()
        self.nodes: set[Node] = set()
        self.used: set[Crossing] = {(hex_, side) for side in track.sides}
        self.on_walk: set[Piece] = {self.start}

    def arrives(self) -> bool:
        """Does the walk get home by one of the ends?"""
        hex_, track = self.start
        return any(self._leave(hex_, track, end, track.narrow) for end in track.ends)

    def _leave(self, hex_: Hex, track: Track, end: int, narrow: bool) -> bool:
        if end >= 6:
            node = (hex_, end - 6)
            if node in self.own:
                return True
            if node in self.nodes or not self.walker.may_pass(node):
                return False
            self.nodes.add(node)
            found = any(
                other is not track and self._enter(hex_, other, end)
                for other in hex_.piece.face.at_stop[end - 6]
            )
            self.nodes.discard(node)
            return found
        neighbor = hex_.passable[end]
        back = (end + 3) % 6
        # track may connect one way only where a closed hex is left: a walk home must be allowed in its own
        # direction
        if neighbor is None or neighbor.passable[back] is not hex_ or (neighbor, back) in self.used:
            return False
        self.used.add((neighbor, back))
        found = any(
            other.narrow == narrow and self._enter(neighbor, other, back)
            for other in neighbor.piece.face.at_side[back]
        )
        self.used.discard((neighbor, back))
        return found

    def _enter(self, hex_: Hex, track: Track, entered: int) -> bool:
        key = (hex_, track.index, entered)
        piece = (hex_, track)
        if key in self.seen or piece in self.on_walk:
            return False
        far = [end for end in track.ends if end != entered]
        if any(end < 6 and (hex_, end) in self.used for end in far):
            return False
        if track.terminal and any(end >= 6 and (hex_, end - 6) not in self.own for end in far):
            return False
        self.seen.add(key)
        self.on_walk.add(piece)
        self.used.update((hex_, end) for end in far if end < 6)
        found = any(self._leave(hex_, track, end, track.narrow) for end in far)
        self.used.difference_update((hex_, end) for end in far if end < 6)
        self.on_walk.discard(piece)
        return found


class Search:
    """Is there a simple walk from a start onto one given track?"""

    __slots__ = ("crossed", "goal", "nodes", "own", "used", "walker")

    def __init__(self, walker: Passage, goal: Piece) -> None:
        self.walker = walker
        self.goal = goal
        self.own = set(walker.starts)
        self.nodes: set[Node] = set()
        self.crossed: set[Crossing] = set()
        self.used: set[Piece] = set()

    def run(self) -> bool:
        """Looks for such a walk."""
        for hex_, stop in self.walker.starts:
            self.nodes = {(hex_, stop)}
            if any(self._enter(hex_, track, 6 + stop) for track in hex_.piece.face.at_stop[stop]):
                return True
        return False

    def _enter(self, hex_: Hex, track: Track, entered: int) -> bool:
        piece = (hex_, track)
        if piece in self.used or any((hex_, side) in self.crossed for side in track.sides):
            return False
        self.used.add(piece)
        if piece == self.goal:
            return True
        if self._still_possible(hex_, track, entered) and self._leave(hex_, track, entered):
            return True
        self.used.discard(piece)
        return False

    def _leave(self, hex_: Hex, track: Track, entered: int) -> bool:
        for stop in track.stops:
            node = (hex_, stop)
            if 6 + stop == entered or node in self.nodes or node in self.own or track.terminal:
                continue
            if self.walker.may_pass(node):
                self.nodes.add(node)
                for other in hex_.piece.face.at_stop[stop]:
                    if other is not track and self._enter(hex_, other, 6 + stop):
                        return True
                self.nodes.discard(node)
        for side in track.sides:
            neighbor = hex_.passable[side]
            if side == entered or neighbor is None:
                continue
            self.crossed.add((hex_, side))
            back = (side + 3) % 6
            for other in neighbor.piece.face.at_side[back]:
                if other.narrow == track.narrow and self._enter(neighbor, other, back):
                    return True
            self.crossed.discard((hex_, side))
        return False

    def _still_possible(self, hex_: Hex, track: Track, entered: int) -> bool:
        """Does a flood from here over unused tracks, stops and sides lead to the goal?"""
        seen: set[tuple[Hex, int, int]] = set()
        todo = [(hex_, track, end) for end in track.ends if end != entered]
        while todo:
            here, piece, end = todo.pop()
            key = (here, piece.index, end)
            if key in seen:
                continue
            seen.add(key)
            if end < 6:
                beyond = here.passable[end]
                if beyond is None:
                    continue
                back = (end + 3) % 6
                candidates = [
                    other for other in beyond.piece.face.at_side[back] if other.narrow == piece.narrow
                ]
            else:
                beyond = here
                back = end
                node = (here, end - 6)
                if node in self.nodes or node in self.own or piece.terminal or not self.walker.may_pass(node):
                    continue
                candidates = [other for other in here.piece.face.at_stop[end - 6] if other is not piece]
            for other in candidates:
                if (beyond, other) in self.used or any(
                    (beyond, side) in self.crossed for side in other.sides
                ):
                    continue
                if (beyond, other) == self.goal:
                    return True
                todo.extend((beyond, other, far) for far in other.ends if far != back)
        return False

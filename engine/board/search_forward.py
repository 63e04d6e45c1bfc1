"""The search for a walk from a starting stop onto one given track, forwards (see `engine.board.search`)."""

from __future__ import annotations

from engine.board.face import Track
from engine.board.hexes import Hex
from engine.board.search import Crossing, Node, OutOfBudget, Passage, Piece


class GoalSearch:
    """Tries all simple walks, cut off wherever a flood no longer leads to the goal; raises OutOfBudget."""

    __slots__ = ("budget", "crossed", "goal", "nodes", "own", "used", "walker")

    def __init__(self, walker: Passage, goal: Piece, budget: int) -> None:
        self.budget = budget
        self.walker = walker
        self.goal = goal
        self.own = set(walker.starts)
        self.nodes: set[Node] = set()
        self.crossed: set[Crossing] = set()
        self.used: set[Piece] = set(walker.dead)

    def run(self) -> bool:
        """Is there such a walk?"""
        for hex_, stop in self.walker.starts:
            self.nodes = {(hex_, stop)}
            if any(self._enter(hex_, track, 6 + stop) for track in hex_.piece.face.at_stop[stop]):
                return True
        return False

    def _enter(self, hex_: Hex, track: Track, entered: int) -> bool:
        piece = (hex_, track)
        self.budget -= 1
        if self.budget < 0:
            raise OutOfBudget
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

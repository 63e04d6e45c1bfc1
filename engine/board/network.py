"""What a corporation reaches by track: exact simple walks, not a flood (rules: common 7).

Three passes give the exact answer quickly. A flood over (track, direction) finds everything that could be
reached. A depth-first walk that visits each track once finds most of it; all it finds is really reached. What
only the flood found (a few tracks behind loops, usually none) is settled one by one by a search that cuts off
wherever a flood over the unused rest of the map no longer leads to the goal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engine.board.face import Track
from engine.board.hexes import City, Hex
from engine.board.search import Crossing, HomeSearch, Node, OutOfBudget, Piece
from engine.board.search_forward import GoalSearch

Blocks = Callable[[City], bool]
Ends = Callable[[Hex, Track], bool]
Entries = dict[Hex, dict[int, set[frozenset[int]]]]


_NONE: frozenset[int] = frozenset()


class Network:
    """What is reached from some stops.

    `tracks`: indices of the reached tracks by hex; `nodes`: (hex, stop) at their ends and the starting stops;
    `sides[h]`: sides of hex h where new track would connect; `entries[h][e]`: how side e of hex h was
    reached: for each known walk the sides by which it had left h before (none for a walk that did not cross
    h). `inbound`: (hex, side) by which hexes could be entered from outside, even by walks that are not
    simple.
    """

    __slots__ = ("entries", "inbound", "nodes", "sides", "tracks")

    def __init__(
        self,
        starts: Iterable[Node],
        pieces: Iterable[Piece],
        entries: Entries | None = None,
        inbound: set[Crossing] | None = None,
    ) -> None:
        self.entries: Entries = entries if entries is not None else {}
        self.inbound: set[Crossing] = inbound if inbound is not None else set()
        tracks: dict[Hex, set[int]] = {}
        nodes: dict[Node, None] = {}
        sides: dict[Hex, set[int]] = {}
        for node in starts:
            nodes[node] = None
            hex_ = node[0]
            sides[hex_] = {side for side in range(6) if hex_.passable[side] is not None}
        for hex_, track in pieces:
            tracks.setdefault(hex_, set()).add(track.index)
            for stop in track.stops:
                nodes[hex_, stop] = None
            for side in track.sides:
                sides.setdefault(hex_, set()).add(side)
                other = hex_.passable[side]
                if other is not None:
                    sides.setdefault(other, set()).add((side + 3) % 6)
        self.tracks = tracks
        self.nodes = nodes
        self.sides = sides

    def cities(self) -> list[City]:
        """The reached cities."""
        found = [hex_.city_at(stop) for hex_, stop in self.nodes]
        return [city for city in found if city is not None]


class Walker:
    """Walks for one corporation. `blocks(city)`: may the corporation not pass this city?"""

    def __init__(self, starts: Iterable[Node], blocks: Blocks) -> None:
        self.starts = list(dict.fromkeys(starts))
        self.blocks = blocks
        self.dead: set[Piece] = set()  # tracks known not to be reached
        self._passable_stop: dict[Node, bool] = {}

    def may_pass(self, node: Node) -> bool:
        """Towns let everybody pass, off-boards nobody, cities as the blocking rule says."""
        answer = self._passable_stop.get(node)
        if answer is None:
            hex_, stop = node
            kind = hex_.face.stops[stop].kind
            if kind == "city":
                city = hex_.city_at(stop)
                answer = city is None or not self.blocks(city)
            else:
                answer = kind == "town"
            self._passable_stop[node] = answer
        return answer

    def network(self) -> Network:
        """Everything that is reached (common 7.3)."""
        possible, inbound = self._flood()
        reached: dict[Piece, None] = {}
        entries: Entries = {}
        self._walk_once(reached, entries, 1)
        if len(reached) < len(possible):
            self._walk_once(reached, entries, -1)  # the other way round, it meets other loops first
        while len(reached) < len(possible):
            hex_, track = next(piece for piece in possible if piece not in reached)
            if self.reaches(hex_, (track,)):
                reached[hex_, track] = None
            else:
                # what only a flood through this track gets to is not reached either
                self.dead.add((hex_, track))
                possible, inbound = self._flood()
        return Network(self.starts, reached, entries, inbound)

    def reaches(self, hex_: Hex, tracks: Iterable[Track]) -> bool:
        """Is one of these tracks of the hex reached? Walks can be followed from either end: first from the
        tracks home.
        """
        tracks = list(tracks)
        own = set(self.starts)
        return any(HomeSearch(self, own, hex_, track).arrives() for track in tracks) or any(
            self._settled(own, hex_, track) for track in tracks
        )

    def _settled(self, own: set[Node], hex_: Hex, track: Track) -> bool:
        """Exactly: is the track reached? Backward and forward search in turn, with growing budgets."""
        budget = 60
        while True:
            try:
                return HomeSearch(self, own, hex_, track, budget=budget).arrives()
            except OutOfBudget:
                pass
            try:
                return GoalSearch(self, (hex_, track), budget).run()
            except OutOfBudget:
                budget *= 4

    # -- upper bound -----------------------------------------------------------------------------------------

    def _flood(self) -> tuple[dict[Piece, None], set[Crossing]]:
        """Tracks that walks might reach, near ones first, and (hex, side) by which hexes might be entered."""
        dead = self.dead
        inbound: set[Crossing] = set()
        seen: set[tuple[Hex, int, int]] = set()  # (hex, track, side by which it is left, or 6 + stop)
        found: dict[Piece, None] = {}
        todo: list[tuple[Hex, Track, int]] = []
        own = set(self.starts)

        def leave(hex_: Hex, track: Track, entered: int) -> None:
            """All ends of the track but the one by which it was entered (side, or 6 + stop)."""
            if (hex_, track) not in dead:
                found[hex_, track] = None
                todo.extend((hex_, track, end) for end in track.ends if end != entered)

        for hex_, stop in self.starts:
            for track in hex_.piece.face.at_stop[stop]:
                leave(hex_, track, 6 + stop)
        for hex_, track, end in todo:  # grows while it is read: breadth first
            key = (hex_, track.index, end)
            if key in seen:
                continue
            seen.add(key)
            if end < 6:
                other = hex_.passable[end]
                if other is not None:
                    back = (end + 3) % 6
                    inbound.add((other, back))
                    for piece in other.piece.face.at_side[back]:
                        if piece.narrow == track.narrow:
                            leave(other, piece, back)
            else:
                node = (hex_, end - 6)
                if node not in own and not track.terminal and self.may_pass(node):
                    for piece in hex_.piece.face.at_stop[end - 6]:
                        if piece is not track:
                            leave(hex_, piece, end)
        return found, inbound

    # -- lower bound -----------------------------------------------------------------------------------------

    def _walk_once(self, reached: dict[Piece, None], entries: Entries, order: int) -> None:
        """Adds what depth-first walks find that enter no track twice; `order` 1 or -1 turns at branches."""
        own = set(self.starts)
        seen: set[tuple[Hex, int, int]] = set()
        for hex_, stop in self.starts:
            walk = _Walk(self, own, reached, seen, entries, order)
            walk.nodes.add((hex_, stop))
            walk.hexes[hex_] = 1
            for track in hex_.piece.face.at_stop[stop][::order]:
                walk.step(hex_, track, 6 + stop)


class _Walk:
    """One depth-first walk that enters no track twice from the same end.

    The walk itself is always simple: what lies on it is really reached. `seen`: (hex, track, end by which it
    was entered) of all walks so far.
    """

    __slots__ = (
        "crossed",
        "entries",
        "hexes",
        "nodes",
        "on_walk",
        "order",
        "own",
        "reached",
        "seen",
        "walker",
    )

    def __init__(
        self,
        walker: Walker,
        own: set[Node],
        reached: dict[Piece, None],
        seen: set[tuple[Hex, int, int]],
        entries: Entries,
        order: int,
    ) -> None:
        self.walker = walker
        self.own = own
        self.reached = reached
        self.seen = seen
        self.nodes: set[Node] = set()
        self.crossed: set[Crossing] = set()  # sides through which the walk has left a hex
        self.on_walk: set[Piece] = set()
        self.hexes: dict[Hex, int] = {}  # how many tracks of the walk lie on each hex
        self.entries = entries
        self.order = order

    def step(self, hex_: Hex, track: Track, entered: int) -> None:
        key = (hex_, track.index, entered)
        if key in self.seen:
            return
        piece = (hex_, track)
        if piece in self.on_walk:
            return
        crossed = self.crossed
        for side in track.sides:
            if (hex_, side) in crossed:
                return
        self.seen.add(key)
        self.reached[piece] = None
        self.on_walk.add(piece)
        hexes = self.hexes
        hexes[hex_] = hexes.get(hex_, 0) + 1
        for stop in track.stops[:: self.order]:
            if 6 + stop != entered and not track.terminal:
                self._through_stop(hex_, track, stop)
        for side in track.sides[:: self.order]:
            if side == entered:
                continue
            neighbor = hex_.passable[side]
            if neighbor is None:
                continue
            crossing = (hex_, side)
            crossed.add(crossing)
            back = (side + 3) % 6
            left = (
                frozenset(s for s in range(6) if (neighbor, s) in crossed) if hexes.get(neighbor) else _NONE
            )
            self.entries.setdefault(neighbor, {}).setdefault(back, set()).add(left)
            for other in neighbor.piece.face.at_side[back][:: self.order]:
                if other.narrow == track.narrow:
                    self.step(neighbor, other, back)
            crossed.discard(crossing)
        hexes[hex_] -= 1
        self.on_walk.discard(piece)

    def _through_stop(self, hex_: Hex, track: Track, stop: int) -> None:
        node = (hex_, stop)
        if node in self.nodes or node in self.own or not self.walker.may_pass(node):
            return
        self.nodes.add(node)
        for other in hex_.piece.face.at_stop[stop][:: self.order]:
            if other is not track:
                self.step(hex_, other, 6 + stop)
        self.nodes.discard(node)


def has_route(walker: Walker) -> bool:
    """Does complete track join one of the starting stops to another stop (common 7.4)?"""
    if any(leads_to_stop(hex_, stop, other_only=True) for hex_, stop in walker.starts):
        return True
    return any(len(Walker([start], walker.blocks).network().nodes) > 1 for start in walker.starts)


def leads_to_stop(hex_: Hex, stop: int, *, other_only: bool = False) -> bool:
    """Does complete track lead from this stop onto track that ends at a stop, be it the same one?

    `other_only`: at another stop; a quick search that may miss what lies behind loops.
    """
    for first in hex_.piece.face.at_stop[stop]:
        crossed: set[Crossing] = set()

        def ends_well(here: Hex, track: Track, origin: Track = first) -> bool:
            if other_only:
                return any((here, other) != (hex_, stop) for other in track.stops)
            return track is not origin and bool(track.stops)

        def follow(
            here: Hex, track: Track, entered: int, used: set[Crossing] = crossed, good: Ends = ends_well
        ) -> bool:
            if any((here, side) in used for side in track.sides):
                return False
            if good(here, track):
                return True
            for side in track.sides:
                neighbor = here.passable[side]
                if side == entered or neighbor is None:
                    continue
                used.add((here, side))
                back = (side + 3) % 6
                for other in neighbor.piece.face.at_side[back]:
                    if other.narrow == track.narrow and follow(neighbor, other, back):
                        return True
            return False

        if follow(hex_, first, 6 + stop):
            return True
    return False

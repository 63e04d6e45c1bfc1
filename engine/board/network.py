"""What a corporation reaches by track: exact simple walks, not a flood (rules: common 7).

Three passes give the exact answer quickly. A flood over (track, direction) finds everything that could be reached. A depth-first
walk that visits each track once finds most of it; all it finds is really reached. What only the flood found (a few
tracks behind loops, usually none) is settled one by one by a search that cuts off wherever a flood over the unused
rest of the map no longer leads to the goal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engine.board.face import Track
from engine.board.hexes import City, Hex

Blocks = Callable[[City], bool]
Piece = tuple[Hex, Track]
Crossing = tuple[Hex, int]
Node = tuple[Hex, int]


class Network:
    """What is reached from some stops.

    `tracks`: indices of the reached tracks by hex; `nodes`: (hex, stop) at their ends and the starting stops;
    `sides[h]`: sides of hex h where new track would connect; `free_sides[h]`: some of these that are known to be
    reached by a walk that does not cross h itself, so that they stay reached whatever is laid on h.
    """

    __slots__ = ("free_sides", "nodes", "sides", "tracks")

    def __init__(
        self, starts: Iterable[Node], pieces: Iterable[Piece], free_sides: dict[Hex, set[int]] | None = None
    ) -> None:
        self.free_sides = free_sides if free_sides is not None else {}
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
        possible = self._flood()
        reached, free_sides = self._walk_once()
        if len(reached) < len(possible):
            for piece in possible:
                if piece not in reached:
                    found = _Search(self, piece).run()
                    if found:
                        reached.update(found)
        return Network(self.starts, reached, free_sides)

    def reaches(self, hex_: Hex, tracks: Iterable[Track]) -> bool:
        """Is one of these tracks of the hex reached?"""
        return any(_Search(self, (hex_, track)).run() for track in tracks)

    # -- upper bound ----------------------------------------------------------------------------------------------

    def _flood(self) -> dict[Piece, None]:
        seen: set[tuple[Hex, int, int]] = set()  # (hex, track, side by which it is left, or 6 + stop)
        found: dict[Piece, None] = {}
        todo: list[tuple[Hex, Track, int]] = []
        own = set(self.starts)

        def leave(hex_: Hex, track: Track, entered: int) -> None:
            """All ends of the track but the one by which it was entered (side, or 6 + stop)."""
            for side in track.sides:
                if side != entered:
                    todo.append((hex_, track, side))
            for stop in track.stops:
                if 6 + stop != entered:
                    todo.append((hex_, track, 6 + stop))

        for hex_, stop in self.starts:
            for track in hex_.piece.face.at_stop[stop]:
                leave(hex_, track, 6 + stop)
                found[hex_, track] = None
        while todo:
            hex_, track, end = todo.pop()
            key = (hex_, track.index, end)
            if key in seen:
                continue
            seen.add(key)
            found[hex_, track] = None
            if end < 6:
                other = hex_.passable[end]
                if other is not None:
                    back = (end + 3) % 6
                    for piece in other.piece.face.at_side[back]:
                        if piece.narrow == track.narrow:
                            found[other, piece] = None
                            leave(other, piece, back)
            else:
                node = (hex_, end - 6)
                if node not in own and not track.terminal and self.may_pass(node):
                    for piece in hex_.piece.face.at_stop[end - 6]:
                        if piece is not track:
                            found[hex_, piece] = None
                            leave(hex_, piece, end)
        return found

    # -- lower bound ----------------------------------------------------------------------------------------------

    def _walk_once(self) -> tuple[set[Piece], dict[Hex, set[int]]]:
        reached: set[Piece] = set()
        free_sides: dict[Hex, set[int]] = {}
        own = set(self.starts)
        seen: set[tuple[Hex, int, int]] = set()
        for hex_, stop in self.starts:
            walk = _Walk(self, own, reached, seen, free_sides)
            walk.nodes.add((hex_, stop))
            walk.hexes[hex_] = 1
            for track in hex_.piece.face.at_stop[stop]:
                walk.step(hex_, track, 6 + stop)
        return reached, free_sides


class _Walk:
    """One depth-first walk that enters no track twice from the same end.

    The walk itself is always simple: what lies on it is really reached. `seen`: (hex, track, end by which it was
    entered) of all walks so far.
    """

    __slots__ = ("crossed", "free_sides", "hexes", "nodes", "on_walk", "own", "reached", "seen", "walker")

    def __init__(
        self,
        walker: Walker,
        own: set[Node],
        reached: set[Piece],
        seen: set[tuple[Hex, int, int]],
        free_sides: dict[Hex, set[int]],
    ) -> None:
        self.walker = walker
        self.own = own
        self.reached = reached
        self.seen = seen
        self.nodes: set[Node] = set()
        self.crossed: set[Crossing] = set()  # sides through which the walk has left a hex
        self.on_walk: set[Piece] = set()
        self.hexes: dict[Hex, int] = {}  # how many tracks of the walk lie on each hex
        self.free_sides = free_sides

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
        self.reached.add(piece)
        self.on_walk.add(piece)
        hexes = self.hexes
        hexes[hex_] = hexes.get(hex_, 0) + 1
        for stop in track.stops:
            if 6 + stop != entered and not track.terminal:
                self._through_stop(hex_, track, stop)
        for side in track.sides:
            if side == entered:
                continue
            neighbor = hex_.passable[side]
            if neighbor is None:
                continue
            crossing = (hex_, side)
            crossed.add(crossing)
            back = (side + 3) % 6
            if not hexes.get(neighbor):
                self.free_sides.setdefault(neighbor, set()).add(back)
            for other in neighbor.piece.face.at_side[back]:
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
        for other in hex_.piece.face.at_stop[stop]:
            if other is not track:
                self.step(hex_, other, 6 + stop)
        self.nodes.discard(node)


class _Search:
    """Is there a simple walk from a start onto one given track?"""

    __slots__ = ("crossed", "goal", "nodes", "own", "stack", "used", "walker")

    def __init__(self, walker: Walker, goal: Piece) -> None:
        self.walker = walker
        self.goal = goal
        self.own = set(walker.starts)
        self.nodes: set[Node] = set()
        self.crossed: set[Crossing] = set()
        self.used: set[Piece] = set()
        self.stack: list[Piece] = []

    def run(self) -> list[Piece]:
        """The tracks of such a walk, empty if there is none."""
        for hex_, stop in self.walker.starts:
            self.nodes = {(hex_, stop)}
            for track in hex_.piece.face.at_stop[stop]:
                if self._enter(hex_, track, 6 + stop):
                    return self.stack
        return []

    def _enter(self, hex_: Hex, track: Track, entered: int) -> bool:
        piece = (hex_, track)
        if piece in self.used or any((hex_, side) in self.crossed for side in track.sides):
            return False
        self.used.add(piece)
        self.stack.append(piece)
        if piece == self.goal:
            return True
        if self._still_possible(hex_, track, entered) and self._leave(hex_, track, entered):
            return True
        self.stack.pop()
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
                candidates = [other for other in beyond.piece.face.at_side[back] if other.narrow == piece.narrow]
            else:
                beyond = here
                back = end
                node = (here, end - 6)
                if node in self.nodes or node in self.own or piece.terminal or not self.walker.may_pass(node):
                    continue
                candidates = [other for other in here.piece.face.at_stop[end - 6] if other is not piece]
            for other in candidates:
                if (beyond, other) in self.used or any((beyond, side) in self.crossed for side in other.sides):
                    continue
                if (beyond, other) == self.goal:
                    return True
                todo.extend((beyond, other, far) for far in other.ends if far != back)
        return False


def has_route(walker: Walker, network: Network) -> bool:
    """Does complete track join one of the starting stops to another stop (common 7.4)? `network` is the walker's own."""
    own = set(walker.starts)
    if any(node not in own for node in network.nodes):
        return True
    if len(own) < 2:
        return False
    return any(len(Walker([start], walker.blocks).network().nodes) > 1 for start in walker.starts)


def leads_to_stop(hex_: Hex, stop: int) -> bool:
    """Does complete track lead from this stop onto any track that ends at a stop (also back to the same one)?"""
    for first in hex_.piece.face.at_stop[stop]:
        crossed: set[Crossing] = set()

        def follow(here: Hex, track: Track, entered: int, origin: Track = first, used: set[Crossing] = crossed) -> bool:
            if track is not origin and track.stops:
                return True
            for side in track.sides:
                neighbor = here.passable[side]
                if side == entered or neighbor is None or (here, side) in used:
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

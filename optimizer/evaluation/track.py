"""Track as a train meets it: paths turned with their tile, joined end to end.

An *end* of a path is one number: 0 to 5 a side of the hex (as the tile lies), ``STOP + i`` its stop i,
``JUNCTION + k`` its junction k.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from optimizer.model.grid import opposite
from optimizer.model.position import Position
from optimizer.model.tile import End, Tile, Track, rotate

STOP = 100
JUNCTION = 200

Lane = tuple[int, int]


class Piece(NamedTuple):
    """A path of a tile as it lies on the map."""

    a: int
    b: int
    lane_a: Lane
    lane_b: Lane
    terminal: bool
    ferry: bool
    track: Track

    def other(self, end: int) -> int:
        """Return the end that is not ``end``."""
        return self.b if end == self.a else self.a

    def lane(self, end: int) -> Lane:
        """Return the lane at an end."""
        return self.lane_a if end == self.a else self.lane_b


class Step(NamedTuple):
    """A path ridden from ``entry`` to ``exit``; ``path`` is its number on the tile."""

    hex: str
    path: int
    piece: Piece
    entry: int
    exit: int


def _end(end: End, rotation: int) -> int:
    if end.side >= 0:
        return rotate(end.side, rotation)
    return STOP + end.stop if end.stop >= 0 else JUNCTION + end.junction


@lru_cache(maxsize=65536)
def pieces(tile: Tile, rotation: int) -> tuple[Piece, ...]:
    """Return the paths of a tile, turned, in the order of its definition."""
    return tuple(
        Piece(_end(p.a, rotation), _end(p.b, rotation), p.lane_a, p.lane_b, p.terminal, p.ferry, p.track)
        for p in tile.paths
    )


def lanes_meet(near: Lane, far: Lane) -> bool:
    """Tell whether lanes of two neighbouring hexes meet; a narrower bundle meets the middle of a wider.

    Lanes are counted clockwise on each hex, so the first of one side meets the last of the other.
    """
    if near == far == (1, 0):
        return True
    (width, index), (wide, wide_index) = sorted((near, far))
    return index + (wide - width) // 2 == wide - wide_index - 1


def tracks_meet(near: Track, far: Track) -> bool:
    """Tell whether track of these gauges joins over a side."""
    return near == far or "dual" in (near, far)


class Map:
    """The track of one position, looked up by hex. Cheap to make; lives for one evaluation."""

    def __init__(self, position: Position) -> None:
        """Take the position; nothing is computed until asked for."""
        self.position = position
        self.neighbors = position.board.neighbors
        self._pieces: dict[str, tuple[Piece, ...]] = {}
        self._blocks: dict[tuple[str, int], bool] = {}

    def knows(self, hex_id: str) -> bool:
        """Tell whether the map has this hex."""
        return hex_id in self.position.by_hex or hex_id in self.position.board.printed

    def pieces(self, hex_id: str) -> tuple[Piece, ...]:
        """Return the paths on a hex."""
        found = self._pieces.get(hex_id)
        if found is None:
            found = self._pieces[hex_id] = pieces(*self.position.tile_at(hex_id))
        return found

    def tile(self, hex_id: str) -> Tile:
        """Return the tile on a hex."""
        return self.position.tile_at(hex_id)[0]

    def passable(self, hex_id: str, side: int, other: str) -> bool:
        """Tell whether track may lead from one hex over a side to another (in either direction)."""
        if self.neighbors.get(hex_id, _NOWHERE).get(side) == other:
            return True
        return self.neighbors.get(other, _NOWHERE).get(opposite(side)) == hex_id

    def entry(self, before: Step, hex_id: str, piece: Piece) -> int | None:
        """Return the end of ``piece`` by which it joins the step before it, or None."""
        end = before.exit
        if end >= STOP:
            return end if before.hex == hex_id and end in (piece.a, piece.b) else None
        far = opposite(end)
        if far not in (piece.a, piece.b) or not self.passable(before.hex, end, hex_id):
            return None
        if not tracks_meet(before.piece.track, piece.track):
            return None
        return far if lanes_meet(before.piece.lane(end), piece.lane(far)) else None

    def has_token(self, hex_id: str, stop: int) -> bool:
        """Tell whether the company has a token in this stop."""
        tokens = self.position.tokens_at(hex_id)
        if not tokens:
            return False
        cities = self.tile(hex_id).cities
        company = self.position.company
        return any(t.company == company and t.city < len(cities) and cities[t.city] == stop for t in tokens)

    def is_open(self, hex_id: str, stop: int) -> bool:
        """Tell whether a city has an empty slot, a token of the company or a neutral one."""
        tile = self.tile(hex_id)
        number = tile.cities.index(stop)
        tokens = [t for t in self.position.tokens_at(hex_id) if t.city == number]
        slots = tile.stops[stop].slots
        taken = {t.slot for t in tokens if t.slot < slots}
        return len(taken) < slots or any(t.neutral or t.company == self.position.company for t in tokens)

    def blocks(self, hex_id: str, stop: int) -> bool:
        """Tell whether the company's trains may not pass through this stop (common 7.1)."""
        key = (hex_id, stop)
        found = self._blocks.get(key)
        if found is None:
            kind = self.tile(hex_id).stops[stop].kind
            if kind == "city":
                found = hex_id not in self.position.rules.neutral_hexes and not self.is_open(hex_id, stop)
            else:
                found = kind == "offboard"
            self._blocks[key] = found
        return found


_NOWHERE: Mapping[int, str] = {}


class Trace(NamedTuple):
    """A route followed along its track.

    ``visits`` are the stops met, in order, as (hex, stop); ``starts[i]`` is the number of the step
    with which the chain from visit i to visit i + 1 begins. ``gaps`` are the numbers of the steps
    that do not join the step before them.
    """

    steps: tuple[Step, ...]
    visits: tuple[tuple[str, int], ...]
    starts: tuple[int, ...]
    gaps: tuple[int, ...]
    whole: bool  # begins and ends at a stop

    def chain(self, number: int) -> tuple[Step, ...]:
        """Return the steps of a chain."""
        last = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.steps)
        return self.steps[self.starts[number] : last]


def connections(track: Map, trace: Trace) -> tuple[tuple[str, ...], ...]:
    """Return the hexes of every chain, as 18xx.games writes them (common 8.3)."""
    return tuple(_chain_hexes(track, trace.chain(i)) for i in range(len(trace.starts)))


def _chain_hexes(track: Map, chain: Sequence[Step]) -> tuple[str, ...]:
    """Return one hex for each path of a chain.

    The second path at a junction is not written. A single path between two stops is named by them
    (``C5 0.1``) where the tile has several such paths.
    """
    first = chain[0]
    if len(chain) == 1 and first.exit >= STOP:
        links = [p for p in track.pieces(first.hex) if STOP <= p.a < JUNCTION and STOP <= p.b < JUNCTION]
        if len(links) > 1:
            stops = track.tile(first.hex).stops
            one, other = sorted(stops[end - STOP].part for end in (first.entry, first.exit))
            return (f"{first.hex} {one}.{other}",)
    return tuple(step.hex for step in chain if step.entry < JUNCTION)


def _first_step(track: Map, paths: Sequence[tuple[str, int]], start: int, towards: str) -> Step:
    """Orient a path that follows nothing: so that it joins the next, else beginning at ``towards``."""
    hex_id, index = paths[start]
    piece = track.pieces(hex_id)[index]
    forward = Step(hex_id, index, piece, piece.a, piece.b)
    backward = Step(hex_id, index, piece, piece.b, piece.a)
    if start + 1 < len(paths):
        next_hex, next_index = paths[start + 1]
        following = track.pieces(next_hex)[next_index]
        joins = track.entry(backward, next_hex, following) is not None
        if joins and track.entry(forward, next_hex, following) is None:
            return backward
        return forward
    return backward if towards and _signature(track, hex_id, piece.b) == towards else forward


def _signature(track: Map, hex_id: str, end: int) -> str:
    if not STOP <= end < JUNCTION:
        return ""
    return f"{hex_id}-{track.tile(hex_id).stops[end - STOP].part}"


def follow(track: Map, paths: Sequence[tuple[str, int]], first_stop: str = "") -> Trace:
    """Follow a route along its paths (all of which exist).

    ``first_stop`` (``<hex>-<part>``) decides the direction where a single path could go either way.
    """
    steps: list[Step] = []
    gaps: list[int] = []
    for number, (hex_id, index) in enumerate(paths):
        piece = track.pieces(hex_id)[index]
        entry = track.entry(steps[-1], hex_id, piece) if steps else None
        if entry is None:
            if steps:
                gaps.append(number)
            steps.append(_first_step(track, paths, number, first_stop))
        else:
            steps.append(Step(hex_id, index, piece, entry, piece.other(entry)))
    visits: list[tuple[str, int]] = []
    starts: list[int] = []
    for number, step in enumerate(steps):
        if STOP <= step.entry < JUNCTION:
            starts.append(number)
            if number == 0 or number in gaps:
                visits.append((step.hex, step.entry - STOP))
        if STOP <= step.exit < JUNCTION:
            visits.append((step.hex, step.exit - STOP))
    whole = bool(steps) and STOP <= steps[0].entry < JUNCTION and STOP <= steps[-1].exit < JUNCTION
    return Trace(tuple(steps), tuple(visits), tuple(starts), tuple(gaps), whole)


def chains_along(track: Map, hexes: Sequence[str]) -> Iterator[tuple[Step, ...]]:
    """Yield every chain between two different stops that crosses exactly these hexes (common 8.4).

    ``hexes`` has one hex a path, but one only for the two paths that meet in a junction. A hex may
    be written ``"C5 0.1"``: the path between these two parts. Blocked stops and terminal track do not
    matter here; a chain uses no side, path or junction twice.
    """
    names = [name.split()[0] for name in hexes]
    if not names or not all(track.knows(name) for name in names):
        return
    parts = set(hexes[0].split()[1].split(".")) if " " in hexes[0] else set()
    first = names[0]
    stops = track.tile(first).stops
    for index, piece in enumerate(track.pieces(first)):
        for entry in {piece.a, piece.b}:
            if STOP <= entry < JUNCTION:
                step = Step(first, index, piece, entry, piece.other(entry))
                for chain in _extend(track, names, [step], 1):
                    if not parts or parts == {str(stops[e - STOP].part) for e in (entry, chain[-1].exit)}:
                        yield chain


def _extend(track: Map, names: Sequence[str], chain: list[Step], used: int) -> Iterator[tuple[Step, ...]]:
    """Grow a chain; ``used`` counts the hexes of ``names`` that it has crossed."""
    last = chain[-1]
    if STOP <= last.exit < JUNCTION:
        if used == len(names) and (last.hex, last.exit) != (chain[0].hex, chain[0].entry):
            yield tuple(chain)
        return
    at_junction = last.exit >= JUNCTION
    if not at_junction and used == len(names):
        return
    hex_id = last.hex if at_junction else names[used]
    for index, piece in enumerate(track.pieces(hex_id)):
        entry = track.entry(last, hex_id, piece)
        if entry is None:
            continue
        step = Step(hex_id, index, piece, entry, piece.other(entry))
        if not _repeats(chain, step):
            chain.append(step)
            yield from _extend(track, names, chain, used if at_junction else used + 1)
            chain.pop()


def _repeats(chain: Sequence[Step], step: Step) -> bool:
    """Tell whether a step would use a path, side (of its lane) or junction of the chain again."""
    lane = step.piece.lane(step.exit)
    for old in chain:
        if old.hex != step.hex:
            continue
        if old.path == step.path:
            return True
        if any(end == step.exit and old.piece.lane(end) == lane for end in (old.entry, old.exit)):
            return True
        if old is not chain[-1] and step.entry >= JUNCTION and step.entry in (old.entry, old.exit):
            return True
    return False

"""Track as a train meets it: paths turned with their tile, joined end to end.

An *end* of a path is one number: 0 to 5 a side of the hex (as the tile lies), ``STOP + i`` its stop i,
``JUNCTION + k`` its junction k.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from optimizer.evaluation.memo import by_identity
from optimizer.model.grid import opposite
from optimizer.model.position import Position
from optimizer.model.tile import End, Stop, Tile, Track, rotate

STOP = 100
JUNCTION = 200

Lane = tuple[int, int]
_SINGLE: Lane = (1, 0)
Use = tuple[str, int, int]  # (rule, side or path or stop, lane)


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


@dataclass(frozen=True, slots=True, eq=False)
class Laid:
    """A tile as it lies on the map. ``pieces`` are its paths in the order of its definition.

    ``uses``: what a route uses up along each of them, and by which rule. ``several_links``: more than one
    joins two stops, so these are named by their ends. ``unusual``: there are junctions or terminal paths.
    """

    tile: Tile
    pieces: tuple[Piece, ...]
    uses: tuple[tuple[Use, ...], ...]
    stops: tuple[Stop, ...]
    several_links: bool
    unusual: bool


@by_identity(16_384)
def laid(tile: Tile, rotation: int) -> Laid:
    """Return a tile as it lies on the map."""
    pieces = tuple(
        Piece(_end(p.a, rotation), _end(p.b, rotation), p.lane_a, p.lane_b, p.terminal, p.ferry, p.track)
        for p in tile.paths
    )
    links = [p for p in pieces if STOP <= p.a < JUNCTION and STOP <= p.b < JUNCTION]
    uses = tuple(_uses(tile, rotation, number, piece) for number, piece in enumerate(pieces))
    unusual = any(p.terminal or max(p.a, p.b) >= JUNCTION for p in pieces)
    return Laid(tile, pieces, uses, tile.stops, len(links) > 1, unusual)


def _uses(tile: Tile, rotation: int, number: int, piece: Piece) -> tuple[Use, ...]:
    """Return what a path uses up: its sides; itself if it has none; track of a rim town."""
    ends = ((piece.a, piece.lane_a), (piece.b, piece.lane_b))
    sides = tuple(("side_twice", end, lane[1]) for end, lane in ends if end < STOP)
    if not sides:
        return (("track_twice", number, 0),)
    return sides if len(sides) == 2 else sides + _rim_town(tile, rotation, piece)


def _rim_town(tile: Tile, rotation: int, piece: Piece) -> tuple[Use, ...]:
    """Return the use of track from a town on the rim to a side that it does not lie at (8.5.9)."""
    stop, side = (piece.a, piece.b) if piece.b < STOP else (piece.b, piece.a)
    if stop >= JUNCTION:
        return ()
    town = tile.stops[stop - STOP]
    on_rim = town.loc is not None and town.kind == "town" and town.loc.isdigit()
    if on_rim and rotate(int(town.loc or 0), rotation) != side:
        return (("town_twice", stop - STOP, piece.lane(stop)[1]),)
    return ()


class _LaidTiles(dict[str, Laid]):
    """The tiles of a position by hex, each put in when it is first asked for; KeyError off the map."""

    def __init__(self, position: Position) -> None:
        super().__init__()
        self._tile_at = position.tile_at

    def __missing__(self, hex_id: str) -> Laid:
        found = self[hex_id] = laid(*self._tile_at(hex_id))
        return found


def lanes_meet(near: Lane, far: Lane) -> bool:
    """Tell whether lanes of two neighbouring hexes meet; a narrower bundle meets the middle of a wider.

    Lanes are counted clockwise on each hex, so the first of one side meets the last of the other.
    """
    if near == far == _SINGLE:
        return True
    (width, index), (wide, wide_index) = sorted((near, far))
    return index + (wide - width) // 2 == wide - wide_index - 1


def tracks_meet(near: Track, far: Track) -> bool:
    """Tell whether track of these gauges joins over a side."""
    return near == far or "dual" in (near, far)


class Map:
    """The track of one position, looked up by hex (``laid``). Cheap to make; lives for one evaluation."""

    def __init__(self, position: Position) -> None:
        """Take the position; nothing is computed until asked for."""
        self.position = position
        self.neighbors = position.board.neighbors
        self.laid: Mapping[str, Laid] = _LaidTiles(position)
        self._blocks: dict[tuple[str, int], bool] = {}

    def knows(self, hex_id: str) -> bool:
        """Tell whether the map has this hex."""
        return hex_id in self.position.by_hex or hex_id in self.position.board.printed

    def pieces(self, hex_id: str) -> tuple[Piece, ...]:
        """Return the paths on a hex."""
        return self.laid[hex_id].pieces

    def tile(self, hex_id: str) -> Tile:
        """Return the tile on a hex."""
        return self.laid[hex_id].tile

    def passable(self, hex_id: str, side: int, other: str) -> bool:
        """Tell whether track may lead from one hex over a side to another (in either direction)."""
        if self.neighbors.get(hex_id, _NOWHERE).get(side) == other:
            return True
        return self.neighbors.get(other, _NOWHERE).get(opposite(side)) == hex_id

    def entry(self, before: Step, hex_id: str, piece: Piece) -> int | None:
        """Return the end of ``piece`` by which it joins the step before it, or None."""
        last_hex, _, last, _, end = before
        a, b, lane_a, lane_b, _, _, gauge = piece
        if end >= STOP:
            return end if last_hex == hex_id and end in (a, b) else None
        far = opposite(end)
        if far == a:
            lane = lane_a
        elif far == b:
            lane = lane_b
        else:
            return None
        ahead = self.neighbors.get(last_hex, _NOWHERE).get(end) == hex_id  # as a rule, so asked here
        if not (ahead or self.passable(last_hex, end, hex_id)):
            return None
        near = last.lane_a if end == last.a else last.lane_b
        if near == lane == _SINGLE and gauge == last.track:
            return far
        return far if tracks_meet(last.track, gauge) and lanes_meet(near, lane) else None

    def has_token(self, hex_id: str, stop: int) -> bool:
        """Tell whether the company has a token in this stop."""
        company = self.position.company
        for token in self.position.tokens_at(hex_id):
            if token.company == company:
                cities = self.laid[hex_id].tile.cities
                if token.city < len(cities) and cities[token.city] == stop:
                    return True
        return False

    def is_open(self, hex_id: str, stop: int) -> bool:
        """Tell whether a city has an empty slot, a token of the company or a neutral one."""
        tile = self.laid[hex_id].tile
        slots = tile.stops[stop].slots
        number = tile.cities.index(stop)
        taken = set()
        for token in self.position.tokens_at(hex_id):
            if token.city == number:
                if token.neutral or token.company == self.position.company:
                    return True
                if token.slot < slots:
                    taken.add(token.slot)
        return len(taken) < slots

    def blocks(self, hex_id: str, stop: int) -> bool:
        """Tell whether the company's trains may not pass through this stop (common 7.1)."""
        kind = self.laid[hex_id].stops[stop].kind
        if kind != "city":
            return kind == "offboard"
        key = (hex_id, stop)
        found = self._blocks.get(key)
        if found is None:
            found = hex_id not in self.position.rules.neutral_hexes and not self.is_open(hex_id, stop)
            self._blocks[key] = found
        return found


_NOWHERE: Mapping[int, str] = {}


class Trace(NamedTuple):
    """A route followed along its track.

    ``visits`` are the stops met, in order, as (hex, stop); ``starts[i]`` is the number of the step
    with which the chain from visit i to visit i + 1 begins, ``hexes[i]`` the hexes that it crosses: one for
    each path, but for the second path at a junction. ``gaps`` are the numbers of the steps
    that do not join the step before them. ``unusual``: one of its tiles has a junction or terminal track.
    """

    steps: tuple[Step, ...]
    visits: tuple[tuple[str, int], ...]
    starts: tuple[int, ...]
    hexes: tuple[tuple[str, ...], ...]
    gaps: tuple[int, ...]
    whole: bool  # begins and ends at a stop
    unusual: bool


def connections(track: Map, trace: Trace) -> tuple[tuple[str, ...], ...]:
    """Return the hexes of every chain, as 18xx.games writes them (common 8.3).

    A single path between two stops is named by them (``C5 0.1``) where the tile has several such paths.
    """
    hexes = trace.hexes
    if min(map(len, hexes), default=2) > 1:
        return hexes
    ends = (*trace.starts[1:], len(trace.steps))
    return tuple(
        [
            _link_name(track, trace.steps[start]) if start + 1 == end else chain
            for chain, start, end in zip(hexes, trace.starts, ends, strict=True)
        ]
    )


def _link_name(track: Map, step: Step) -> tuple[str, ...]:
    laid = track.laid[step.hex]
    if not (laid.several_links and STOP <= step.exit < JUNCTION):
        return (step.hex,)
    one, other = sorted(laid.stops[end - STOP].part for end in (step.entry, step.exit))
    return (f"{step.hex} {one}.{other}",)


def _first_step(track: Map, paths: Sequence[tuple[str, int]], start: int, towards: str) -> Step:
    """Orient a path that follows nothing: so that it joins the next, else beginning at ``towards``."""
    hex_id, index = paths[start]
    piece = track.pieces(hex_id)[index]
    forward = Step(hex_id, index, piece, piece.a, piece.b)
    backward = Step(hex_id, index, piece, piece.b, piece.a)
    if start + 1 < len(paths):
        next_hex, next_index = paths[start + 1]
        following = track.pieces(next_hex)[next_index]
        if track.entry(forward, next_hex, following) is None:
            return backward if track.entry(backward, next_hex, following) is not None else forward
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
    laid, join = track.laid, track.entry
    steps: list[Step] = []
    visits: list[tuple[str, int]] = []
    starts: list[int] = []
    chains: list[list[str]] = []
    gaps: list[int] = []
    unusual = False
    for number, (hex_id, index) in enumerate(paths):
        tile = laid[hex_id]
        piece = tile.pieces[index]
        unusual |= tile.unusual
        entry = join(steps[-1], hex_id, piece) if number else None
        if entry is None:
            step = _first_step(track, paths, number, first_stop)
            entry = step.entry
            if STOP <= entry < JUNCTION:
                visits.append((hex_id, entry - STOP))
            if number:
                gaps.append(number)
        else:
            step = Step(hex_id, index, piece, entry, piece.b if entry == piece.a else piece.a)
        steps.append(step)
        if STOP <= entry < JUNCTION:
            starts.append(number)
            chains.append([hex_id])
        elif entry < STOP and chains:
            chains[-1].append(hex_id)
        if STOP <= step.exit < JUNCTION:
            visits.append((hex_id, step.exit - STOP))
    whole = bool(steps) and STOP <= steps[0].entry < JUNCTION and STOP <= steps[-1].exit < JUNCTION
    hexes = tuple(map(tuple, chains))
    return Trace(tuple(steps), tuple(visits), tuple(starts), hexes, tuple(gaps), whole, unusual)


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

"""Position -> RouteGraph: the compiled problem that the native search works on."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd

from optimizer.graph.common import Common, needs_token
from optimizer.graph.custom import CustomRules, named_rules
from optimizer.graph.layout import lay_out, shared_sets
from optimizer.graph.shapes import KEYS_PER_HEX, PIECE_KEYS, TOWN_KEYS
from optimizer.graph.trains import TrainCompiler, TrainNumbers
from optimizer.graph.watch import CutShort, Watch, ceiling_of_run
from optimizer.model.position import Position, Route, Train
from optimizer.model.rules import TrainType
from optimizer.model.tile import rotate
from optimizer.native.layout import Layout
from optimizer.native.network import Network
from optimizer.native.train_graph import TrainGraph

# More pieces of track between stops than any real map has; keeps hostile maps from eating the memory.
MAX_CHAINS = 100_000
# Contracted edges; with more of them towns are searched one by one.
MAX_EDGES = 20_000
# With no more pieces of track than these compiling takes milliseconds, and is ended whatever the time is:
# then there are routes even at a limit of 0.
FEW_CHAINS = 1_000

NativeRoute = tuple[int, int, int, tuple[int, ...], int, int]  # kind, root, arm, arcs, revenue, claims


class TooComplex(ValueError):
    """The map has more track than the search has room for; the text says what there is too much of."""


@dataclass(slots=True)
class TrainKind:
    """Trains that the rules cannot tell apart."""

    type: TrainType
    trains: list[Train]
    graph: TrainGraph


@dataclass(slots=True)
class RouteGraph:
    """Network, kinds of train and the way back to names."""

    position: Position
    layout: Layout
    network: Network
    kinds: list[TrainKind]
    claim_bit: int
    granularity: int
    custom: CustomRules

    def route(self, kind: int, root: int, arm: int, arcs: tuple[int, ...], train: str) -> Route:
        """Return a native route in names, without its revenue."""
        names = self.layout.board.hexes
        connections: list[tuple[str, ...]] = []
        paths: list[tuple[str, int]] = []
        stops: list[tuple[str, int]] = []
        for chain, backwards in self.kinds[kind].graph.unfold(root, arm, arcs):
            track, hexes, first, last = self.network.along(chain, backwards, names)
            if not stops:
                stops.append(self._stop_name(first, track[0][0]))
            stops.append(self._stop_name(last, track[-1][0]))
            paths += track
            connections.append(self._link(*track[0]) if len(track) == 1 else hexes)
        return Route(train, tuple(connections), tuple(stops), paths=tuple(paths))

    def _stop_name(self, stop: int, hex_id: str) -> tuple[str, int]:
        layout = self.layout
        return hex_id, layout.shapes[hex_id].tile.stops[stop - layout.base[hex_id]].part

    def _link(self, hex_id: str, index: int) -> tuple[str, ...]:
        """Name a chain of one path; a path between two stops by these where there are several such."""
        tile = self.layout.shapes[hex_id].tile
        ends = tile.paths[index].stops
        if len(ends) == 2 and sum(len(path.stops) == 2 for path in tile.paths) > 1:
            first, second = sorted(tile.stops[i].part for i in ends)
            return (f"{hex_id} {first}.{second}",)
        return (hex_id,)


def _banned_keys(layout: Layout, position: Position, fixed: Sequence[Route]) -> array[int]:
    """Return the raw keys that fixed routes use up."""
    keys = array("i")
    for route in fixed:
        for hex_id, index in route.paths:
            tile, rotation = position.tile_at(hex_id)
            path = tile.paths[index]
            base = layout.board.index[hex_id] * KEYS_PER_HEX
            for end, lane in ((path.a, path.lane_a), (path.b, path.lane_b)):
                if end.side >= 0:
                    keys.append(base + rotate(end.side, rotation) * 6 + lane[1])
            if not path.sides:
                keys.append(base + PIECE_KEYS + index)
            town = layout.shapes[hex_id].rims[index]
            if town >= 0:
                keys.append(base + TOWN_KEYS + town)
    return keys


def _kinds_of(trains: Sequence[Train]) -> list[tuple[TrainType, list[Train]]]:
    """Sort trains by their type, in the order in which these are first met."""
    kinds: list[tuple[TrainType, list[Train]]] = []
    for train in trains:
        for train_type, alike in kinds:
            if train_type is train.type or train_type == train.type:
                alike.append(train)
                break
        else:
            kinds.append((train.type, [train]))
    return kinds


def _closed_by(position: Position, layout: Layout, fixed: Sequence[Route]) -> set[int]:
    """Return the stops that no other route may visit because a fixed one does."""
    exclusive = position.rules.exclusive
    if not fixed or not exclusive:
        return set()
    visited = {stop for route in fixed for stop in route.stops}
    closed: set[int] = set()
    groups: set[str] = set()
    for hex_id, shape in layout.shapes.items():
        for i, stop in enumerate(shape.tile.stops):
            if (hex_id, stop.part) in visited:
                closed.add(layout.base[hex_id] + i)
                groups.update(stop.groups)
        if "hex" in exclusive and any(h == hex_id for h, _ in visited):
            closed.update(layout.stops_of(hex_id))
    if not exclusive & {"stop", "hex"}:
        closed.clear()
    if "group" in exclusive:
        for hex_id, shape in layout.shapes.items():
            closed.update(layout.base[hex_id] + i for group, i in shape.groups if group in groups)
    return closed


def _train_graph(
    network: Network,
    numbers: TrainNumbers,
    like: TrainGraph | None,
    *,
    keep_all: bool,
    keep_parallel: bool,
    closed: set[int],
) -> TrainGraph:
    for stop in closed:
        numbers.flags[stop] |= 1
    return TrainGraph(
        network,
        numbers.spec,
        numbers.values,
        numbers.extras,
        bytes(numbers.flags),
        numbers.doubled,
        numbers.marks,
        numbers.sets,
        numbers.entries,
        numbers.entry_marks,
        numbers.bonuses,
        keep_all,
        keep_parallel,
        MAX_EDGES,
        like,
    )


def compile_graph(
    position: Position,
    fixed: Sequence[Route] = (),
    *,
    keep_all: bool = False,
    keep_parallel: bool = False,
    watch: Watch | None = None,
) -> RouteGraph:
    """Compile a position for its trains, less those of ``fixed`` routes and the track these use.

    ``keep_all``: nothing is contracted or left out (to count routes). ``keep_parallel``: of several
    tracks between two stops also those that cannot be better (for the k best sets). ``watch`` ends it early
    by CutShort, on maps with much track. Raises TooComplex or UnsupportedRules.
    """
    layout = lay_out(position)
    ran = {route.train for route in fixed}
    kinds = _kinds_of([train for train in position.trains if train.id not in ran])
    everywhere = any(not needs_token(train, census=keep_all) for train, _ in kinds)
    custom = named_rules(position, fixed=bool(fixed))
    claims = sum(bonus.scope == "company" for bonus in position.rules.bonuses) + custom.once
    common = Common(position, layout)
    numbers = [
        TrainCompiler(common, train_type, custom.of_train(train_type), census=keep_all).compile()
        for train_type, _ in kinds
    ]
    try:
        network = _network(position, layout, fixed, claims, everywhere)
        closed = _closed_by(position, layout, fixed)
        rows = []
        made: dict[bytes, TrainGraph] = {}
        unit = 0
        for (train_type, trains), one in zip(kinds, numbers, strict=True):
            reason = watch.reason() if watch is not None and network.chains_count > FEW_CHAINS else ""
            if reason and custom.most_of_run >= 0:
                counts = [len(row) for _, row in kinds]
                raise CutShort(reason, ceiling_of_run(common, numbers, counts, custom.most_of_run))
            # Rules in Python may tell trains apart that are alike in everything else.
            shape = one.shape if len(kinds) > 1 and not custom.rules else b""
            graph = _train_graph(
                network,
                one,
                made.get(shape),
                keep_all=keep_all,
                keep_parallel=keep_parallel or custom.reading,
                closed=closed,
            )
            if shape:
                made.setdefault(shape, graph)
            if custom.rules:
                custom.attach(graph, layout, train_type, one)
            rows.append(TrainKind(train_type, trains, graph))
            unit = gcd(unit, one.granularity)
        if custom.rules:
            unit = gcd(unit, custom.prepare_run(layout, [train_type for train_type, _ in kinds]))
    except OverflowError as error:
        raise TooComplex(str(error)) from None
    return RouteGraph(position, layout, network, rows, network.resources - claims, max(unit, 1), custom)


def _network(
    position: Position, layout: Layout, fixed: Sequence[Route], claims: int, everywhere: bool
) -> Network:
    """Follow the track between the stops; ``claims`` bits are added for what one route of a run may take."""
    shared = shared_sets(position, layout)
    shared.extend([0] * claims)
    ferry = position.rules.ferry
    index = layout.board.index
    merging = array("i", sorted(index[h] for h in ferry.hexes if h in index) if ferry else ())
    return Network(
        layout.board.neighbor,
        layout.records,
        bytes(layout.flags),
        _banned_keys(layout, position, fixed),
        shared,
        merging,
        everywhere,
        MAX_CHAINS,
    )

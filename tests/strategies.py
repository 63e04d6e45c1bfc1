"""Hypothesis strategies: small random maps, tokens, trains and route rules.

Everything that the vocabulary of route rules knows turns up: both layouts, several stops on a tile, town
on the rim, junctions, parallel lanes, gauges, terminal track, off-boards with groups, ferries, every way of
paying, bonuses of both scopes, doublings, stops that take no place or two, and everything that two routes
may not share.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Sequence
from random import Random
from typing import Literal, NamedTuple

from hypothesis import strategies as st

from optimizer.model.grid import Layout, neighbor_coordinate, neighbors_of
from optimizer.model.position import Board, HexState, Position, Token, Train
from optimizer.model.rules import (
    Bonus,
    BonusLevel,
    Counter,
    DistanceRow,
    Doubling,
    FerryRule,
    HexSet,
    RouteRules,
    TrainRule,
    TrainType,
)
from optimizer.model.tile import STOP_KINDS, TRACKS, End, Path, Revenue, Stop, StopKind, Tile

COMPANY = "A"
COLORS = ("yellow", "green")
FIGURES = (0, 10, 20, 20, 30, 30, 40, 50, 60)


def _edge(side: int) -> End:
    return End(side=side)


def _stop(number: int) -> End:
    return End(stop=number)


class MapMaker:
    """Makes one small map from a source of random choices."""

    def __init__(self, random: Random, hexes: int) -> None:
        self.random = random
        self.layout: Layout = random.choice(("flat", "pointy"))
        self.hexes = self._patch(hexes)
        self.neighbors = neighbors_of(self.hexes, self.layout)
        self.rotations = {hex_id: random.choice((0, 0, 1, 4)) for hex_id in self.hexes}
        self.tiles = {hex_id: self._tile(hex_id) for hex_id in self.hexes}

    def _patch(self, size: int) -> list[str]:
        """A connected patch of hexes, grown around one."""
        found = ["F8"]
        while len(found) < size:
            base = self.random.choice(found)
            near = neighbor_coordinate(base, self.random.randrange(6), self.layout)
            if near is not None and near not in found:
                found.append(near)
        return found

    def _sides(self, hex_id: str, at_most: int) -> list[int]:
        """Some sides of the hex's tile before it is turned, those towards a neighbour first."""
        inner = [(side - self.rotations[hex_id]) % 6 for side in self.neighbors[hex_id]]
        self.random.shuffle(inner)
        outer = [side for side in range(6) if side not in inner]
        self.random.shuffle(outer)
        return (inner + outer)[: max(1, at_most)]

    def _new_stop(self, kind: StopKind) -> Stop:
        random = self.random
        revenue = Revenue(random.choice(FIGURES))
        if kind == "offboard" or random.random() < 0.1:
            revenue = Revenue(by_color=(("yellow", random.choice(FIGURES)), ("brown", 90)))
        groups = ("G",) if kind == "offboard" and random.random() < 0.5 else ()
        loc = str(random.randrange(6)) if kind == "town" and random.random() < 0.3 else None
        slots = random.choice((1, 1, 2)) if kind == "city" else 0
        cost = random.choice((0, 0, 2)) if random.random() < 0.1 else 1
        return Stop(kind, revenue, slots, groups, loc, visit_cost=cost)

    def _tile(self, hex_id: str) -> Tile:
        make = self.random.choice(
            (self._one_stop,) * 5
            + (self._plain, self._plain, self._two_stops, self._two_stops, self._junction)
            + (self._offboard, self._lanes)
        )
        stops, paths = make(hex_id)
        stops = [_numbered(stop, i) for i, stop in enumerate(stops)]
        if self.random.random() < 0.15:
            paths = [dataclasses.replace(path, track=self.random.choice(TRACKS)) for path in paths]
        return Tile(hex_id, "yellow", tuple(stops), tuple(paths))

    def _one_stop(self, hex_id: str) -> tuple[list[Stop], list[Path]]:
        stop = self._new_stop(self.random.choice(("city", "city", "town")))
        sides = self._sides(hex_id, self.random.randint(2, 4))
        paths = [Path(_edge(side), _stop(0)) for side in sides]
        if len(sides) < 5 and self.random.random() < 0.2:
            rest = [side for side in range(6) if side not in sides]
            paths.append(Path(_edge(rest[0]), _edge(rest[-1])))
        return [stop], paths

    def _plain(self, hex_id: str) -> tuple[list[Stop], list[Path]]:
        sides = self._sides(hex_id, self.random.randint(2, 4))
        pairs = [(a, b) for i, a in enumerate(sides) for b in sides[:i]]
        self.random.shuffle(pairs)
        return [], [Path(_edge(a), _edge(b)) for a, b in pairs[: self.random.randint(1, 3)]]

    def _two_stops(self, hex_id: str) -> tuple[list[Stop], list[Path]]:
        """Two stops with sides of their own, sometimes linked by track or ferry inside the hex."""
        first = self._new_stop(self.random.choice(("city", "city", "town")))
        ferry = self.random.random() < 0.4
        second = first if ferry else self._new_stop(self.random.choice(("city", "town")))
        sides = self._sides(hex_id, self.random.randint(2, 4))
        paths = [Path(_edge(side), _stop(i % 2)) for i, side in enumerate(sides)]
        if ferry or self.random.random() < 0.4:
            paths.append(Path(_stop(0), _stop(1), ferry=ferry))
        return [first, second], paths

    def _junction(self, hex_id: str) -> tuple[list[Stop], list[Path]]:
        sides = self._sides(hex_id, self.random.randint(3, 4))
        paths = [Path(_edge(side), End(junction=0)) for side in sides]
        if self.random.random() < 0.5:
            return [], paths
        paths[-1] = Path(_stop(0), End(junction=0))
        return [self._new_stop(self.random.choice(("city", "town")))], paths

    def _offboard(self, hex_id: str) -> tuple[list[Stop], list[Path]]:
        terminal = self.random.random() < 0.5
        sides = self._sides(hex_id, self.random.randint(1, 3))
        return [self._new_stop("offboard")], [Path(_edge(s), _stop(0), terminal=terminal) for s in sides]

    def _lanes(self, hex_id: str) -> tuple[list[Stop], list[Path]]:
        """A city with two tracks over one side, or two tracks side by side."""
        one, other = (self._sides(hex_id, 2) * 2)[:2]
        if self.random.random() < 0.5 or one == other:
            paths = [Path(_edge(one), _stop(0), lane_a=(2, i), lane_b=(2, i)) for i in (0, 1)]
            if other != one:
                paths.append(Path(_edge(other), _stop(0)))
            return [self._new_stop("city")], paths
        return [], [Path(_edge(one), _edge(other), lane_a=(2, i), lane_b=(2, 1 - i)) for i in (0, 1)]

    def states(self) -> dict[str, HexState]:
        """Tokens of the company and of two others on the cities; some tiles are turned."""
        found: dict[str, HexState] = {}
        cities = [
            (hex_id, number, tile.stops[stop].slots)
            for hex_id, tile in self.tiles.items()
            for number, stop in enumerate(tile.cities)
        ]
        self.random.shuffle(cities)
        tokens: dict[str, list[Token]] = {}
        for i, (hex_id, number, slots) in enumerate(cities):
            owners = list("BC")
            self.random.shuffle(owners)
            if i == 0 or self.random.random() < 0.2:
                owners.insert(0, COMPANY)
            count = self.random.randint(1 if owners[0] == COMPANY else 0, slots)
            row = tokens.setdefault(hex_id, [])
            row += [Token(number, slot, owner) for slot, owner in enumerate(owners[:count])]
        for hex_id, tile in self.tiles.items():
            rotation = self.rotations[hex_id]
            if rotation or hex_id in tokens:
                found[hex_id] = HexState(tile, rotation, tuple(tokens.get(hex_id, ())))
        return found


def _numbered(stop: Stop, part: int) -> Stop:
    return dataclasses.replace(stop, part=part)


def _with_places(tile: Tile) -> Tile:
    """Let every stop take a place: trains that pay a total are refused on other maps."""
    stops = tuple(dataclasses.replace(stop, visit_cost=max(1, stop.visit_cost)) for stop in tile.stops)
    return dataclasses.replace(tile, stops=stops)


def _train_type(random: Random, name: str) -> TrainType:
    """A train of any kind: by stops, by rows, diesel, best stops; with or without a multiplier."""
    n = random.randint(2, 4)
    every: tuple[StopKind, ...] = STOP_KINDS
    main: tuple[StopKind, ...] = ("city", "offboard")
    shape = random.choice(("plain", "plain", "diesel", "free_towns", "n+m", "narrow", "paid_first", "best"))
    pay_total: int | None = None
    pay_first: frozenset[StopKind] = frozenset()
    rows: tuple[DistanceRow, ...] = (DistanceRow(every, n, n),)
    if shape == "diesel":
        rows = (DistanceRow(every, 99, 99),)
    elif shape == "free_towns":
        rows = (DistanceRow(main, n, n), DistanceRow(("town",), 99, random.choice((0, 99))))
    elif shape == "n+m":
        rows = (DistanceRow(("town",), 2, 2), DistanceRow(every, n, n, random.choice((0, 3))))
    elif shape == "narrow":
        rows = (DistanceRow(every, n + 1, 2),)
    elif shape == "paid_first":
        rows = (DistanceRow(main, n, n), DistanceRow(("town",), 99, 0))
        pay_total, pay_first = n, frozenset(main)
    elif shape == "best":
        rows = (DistanceRow(("offboard",), 3, 3), DistanceRow(("city", "town"), 99, 0))
        pay_total, pay_first = 3, frozenset(("offboard",))
    return TrainType(
        name,
        rows,
        multiplier=random.choice((1, 1, 1, 2)),
        requires_token=random.random() < 0.9,
        pay_total=pay_total,
        pay_first=pay_first,
        pay_needs_token=random.random() < 0.7,
    )


class RulesMaker:
    """Makes route rules over the hexes of a map."""

    def __init__(self, random: Random, made: MapMaker, names: Sequence[str]) -> None:
        self.random = random
        self.made = made
        self.names = names

    def some(self, chance: float = 1.0) -> HexSet:
        """A few hexes of the map, or none."""
        if self.random.random() >= chance:
            return frozenset()
        return frozenset(self.random.sample(self.made.hexes, self.random.randint(1, 3)))

    def train_rule(self, name: str | None) -> TrainRule:
        """A rule for one train name, or for all others."""
        random = self.random
        doubling = Doubling(
            self.some(),
            both_ends_in=self.some(0.5),
            factor=random.choice((2, 3)),
            opposite_ends=(self.some(), self.some()) if random.random() < 0.3 else None,
        )
        return TrainRule(
            trains=frozenset((name,)) if name is not None else frozenset(),
            ends_not=frozenset(("town",)) if random.random() < 0.2 else frozenset(),
            some_end_in=self.some(0.15) | self.some(0.15),
            closed_hexes=self.some(0.1),
            no_end_hexes=self.some(0.15),
            worthless_hexes=self.some(0.15),
            at_most_one=(self.some() | self.some(),) if random.random() < 0.2 else (),
            ignored=frozenset(("town",)) if random.random() < 0.15 else frozenset(),
            doublings=(doubling,) if random.random() < 0.25 else (),
        )

    def counters(self) -> tuple[Counter, ...]:
        """Two counters, one of them with sides to enter by."""
        hex_id = self.random.choice(self.made.hexes)
        sides = range(6) if self.random.random() < 0.3 else ()
        entries = frozenset((hex_id, side) for side in sides)
        return Counter("x", self.some() | self.some()), Counter("y", self.some(0.7), entries)

    def bonus(self, number: int) -> Bonus:
        """A bonus with one or two levels, for some trains or all."""
        random = self.random
        needs = (("x", 1),) if random.random() < 0.5 else (("x", 1), ("y", 1))
        first = BonusLevel(needs, random.choice((10, 40)))
        second = BonusLevel((("x", 2),), 70)
        scope: Literal["route", "company"] = random.choice(("route", "route", "company"))
        return Bonus(
            f"bonus {number}",
            (first, second) if random.random() < 0.3 else (first,),
            per=random.choice((None, None, "x")),
            per_max=random.choice((1_000_000, 2)),
            trains=frozenset((self.names[0],)) if random.random() < 0.2 else frozenset(),
            but_trains=frozenset((self.names[-1],)) if random.random() < 0.2 else frozenset(),
            multiplied=random.random() < 0.3,
            scope=scope,
        )

    def ferry(self) -> FerryRule | None:
        """Rules for hexes whose stops are joined: those with ferries, now and then others with two stops."""
        tiles = self.made.tiles
        hexes = {h for h, tile in tiles.items() if any(path.ferry for path in tile.paths)}
        hexes |= {h for h, tile in tiles.items() if len(tile.stops) > 1 and self.random.random() < 0.2}
        hexes -= {h for h in hexes if any(stop.visit_cost != 1 for stop in tiles[h].stops)}
        if not hexes:
            return None
        figures = [stop.revenue.value(COLORS) for h in hexes for stop in tiles[h].stops]
        crossing: Literal["free", "open_bank"] = self.random.choice(("free", "free", "open_bank"))
        return FerryRule(min(10, *figures), frozenset(hexes), crossing)

    def rules(self) -> RouteRules:
        """Everything together; each rule is absent more often than not."""
        random = self.random
        train_rules = [self.train_rule(None)] if random.random() < 0.5 else []
        if random.random() < 0.3:
            train_rules.append(self.train_rule(self.names[0]))
        stops = [(h, i) for h, tile in self.made.tiles.items() for i in range(len(tile.stops))]
        once = frozenset(random.sample(stops, min(len(stops), 3)))
        kinds: tuple[Literal["stop", "hex", "group"], ...] = ("stop", "hex", "group")
        return RouteRules(
            train_rules=tuple(train_rules),
            counters=self.counters(),
            bonuses=tuple(self.bonus(i) for i in range(random.choice((0, 0, 1, 2)))),
            bonuses_need_pay=random.random() < 0.7,
            same_hex_once=random.random() < 0.15,
            stop_sets_once=(once,) if random.random() < 0.15 else (),
            ferry=self.ferry(),
            neutral_hexes=self.some(0.1),
            exclusive=frozenset((random.choice(kinds),)) if random.random() < 0.2 else frozenset(),
        )


def make_position(random: Random, *, hexes: int, trains: int, plain_rules: bool = False) -> Position:
    """Make a random position with so many hexes and trains."""
    made = MapMaker(random, hexes)
    types = [_train_type(random, name) for name in ("p", "q")]
    chosen = [random.choice(types) for _ in range(trains)]
    names = [train.name for train in chosen]
    if any(train.pay_total is not None for train in chosen):
        made.tiles = {hex_id: _with_places(tile) for hex_id, tile in made.tiles.items()}
    states = made.states()
    digest = hashlib.sha256(repr((made.layout, sorted(made.tiles.items()))).encode()).hexdigest()
    return Position(
        board=Board(f"random-{digest[:16]}", made.layout, made.neighbors, made.tiles),
        company=COMPANY,
        trains=tuple(Train(f"{train.name}-{i}", train) for i, train in enumerate(chosen)),
        colors=COLORS,
        hexes=tuple(sorted(states.items())),
        rules=RouteRules() if plain_rules else RulesMaker(random, made, names).rules(),
    )


class Sketch(NamedTuple):
    """What a random position is made from; printed where a test fails."""

    seed: int
    hexes: int
    trains: int
    plain_rules: bool

    def make(self) -> Position:
        """Make the position."""
        return make_position(
            Random(self.seed), hexes=self.hexes, trains=self.trains, plain_rules=self.plain_rules
        )


def sketches(max_hexes: int = 8, max_trains: int = 3) -> st.SearchStrategy[Sketch]:
    """Sketches of small positions with random maps, tokens, trains and rules.

    The choices come from one seed: a map takes hundreds, far more than hypothesis likes to draw.
    """
    return st.builds(
        Sketch,
        seed=st.integers(0, 2**32 - 1),
        hexes=st.integers(3, max_hexes),
        trains=st.integers(1, max_trains),
        plain_rules=st.booleans(),
    )

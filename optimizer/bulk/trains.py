"""Trains, bonuses and rules in Python as arrays, for bulk evaluation."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from optimizer.bulk.tables import KIND, Ints, NetworkTables, TooMany, ints
from optimizer.custom.calling import callee
from optimizer.custom.rule import Rule
from optimizer.custom.view import number
from optimizer.custom_registry import find_rule
from optimizer.evaluation.pay import seating_order
from optimizer.model.rules import RouteRules, TrainRule, TrainType
from optimizer.model.tile import STOP_KINDS

# Flags of a stop for one type of train.
CLOSED, NO_END, SOME_END, BAD_END, IGNORED, WORTHLESS = 1, 2, 4, 8, 16, 32
NO_LIMIT = 1 << 40
UNKNOWN = 1 << 30  # the most that a rule with a bound over partial routes may add, for all we know


class Trains(NamedTuple):
    """Types of train. Arrays are indexed by type first (``t``), then by stop, row, doubling."""

    flags: Ints  # t, stop
    value: Ints  # t, stop
    once: Ints  # t, stop: bits of the sets of which a route visits at most one
    multiplier: Ints  # t, kind; column 3: the train's own
    rows: Ints  # t, row: kinds, visit, pay in the order of the type; then kinds, pay in seating order
    row_count: Ints
    fill: Ints  # t, 3: kinds in the order in which visits are filled in
    # t: requires_token, pay_needs_token, pay_total, pay_first, sum of pay, some_end, slack, name
    numbers: Ints
    doubled: Ints  # t, doubling, stop: 1 stop, 2 in both_ends_in, 4 and 8 in the opposite ends
    doubling: Ints  # t, doubling: factor, needs both ends, needs opposite ends


class Bonuses(NamedTuple):
    """Bonuses of the closed vocabulary, and what the rules say about all of them."""

    applies: Ints  # t, bonus
    claim: Ints  # bonus: its bit among those for one route of a run, or -1
    per: Ints  # bonus: counter or -1, most, multiplied
    level_first: Ints
    amount: Ints  # level
    need_first: Ints
    need: Ints  # (counter, least)
    claims: Ints  # the sets of claims in the order in which they are tried
    need_pay: Ints
    ferry: Ints  # has one, penalty, open_bank
    counters: Ints  # how many
    same_hex_once: Ints
    exclusive_hex: Ints


class Customs(NamedTuple):
    """Rules in Python about single routes."""

    applies: Ints  # t, rule
    claim: Ints
    function: Ints  # addresses
    reading: Ints  # looks at the whole route
    parameters: Ints
    counters: Ints  # rule, 8: numbers of its counters, -1 where it has fewer
    h_number: Ints  # what stands for each hex


def train_tables(tables: NetworkTables, types: Sequence[TrainType], customs: Sequence[Rule]) -> Trains:
    """Return the arrays of some types of train."""
    rules = tables.track.position.rules
    most_rows = max((len(t.rows) for t in types), default=1)
    trains = [(train, rules.for_train(train.name)) for train in types]
    doublings = max((len(rule.doublings) for _, rule in trains), default=0)
    rows = np.zeros((len(types), most_rows, 5), dtype=np.int64)
    doubled = np.zeros((len(types), max(doublings, 1), len(tables.stops)), dtype=np.int64)
    doubling = np.zeros((len(types), max(doublings, 1), 3), dtype=np.int64)
    doubling[:, :, 0] = 1
    for t, (train, rule) in enumerate(trains):
        for i, (row, seat) in enumerate(zip(train.rows, seating_order(train.rows), strict=True)):
            rows[t, i] = (_kinds(row.nodes), row.visit, row.pay, _kinds(seat.nodes), seat.pay)
        for i, one in enumerate(rule.doublings):
            factor_two = one.opposite_ends or (frozenset(), frozenset())
            sets = (one.hexes, one.both_ends_in, *factor_two)
            doubled[t, i] = [sum(1 << k for k in range(4) if h in sets[k]) for h, _, _ in tables.stops]
            doubling[t, i] = (one.factor, bool(one.both_ends_in), one.opposite_ends is not None)
    colors = tables.track.position.colors
    return Trains(
        ints([_flags(rule, h, stop.kind) for h, _, stop in tables.stops] for _, rule in trains),
        ints([stop.revenue.value(colors, train.name) for _, _, stop in tables.stops] for train in types),
        ints(
            [
                sum(1 << k for k, hexes in enumerate(rule.at_most_one) if h in hexes)
                for h, _, _ in tables.stops
            ]
            for _, rule in trains
        ),
        ints([*(_multiplier(train, kind) for kind in STOP_KINDS), train.multiplier] for train in types),
        rows,
        ints(len(train.rows) for train in types),
        ints(_filling(train) for train in types),
        ints(
            (
                train.requires_token,
                train.pay_needs_token,
                -1 if train.pay_total is None else train.pay_total,
                _kinds(train.pay_first),
                min(sum(row.pay for row in train.rows), NO_LIMIT),
                bool(rule.some_end_in),
                _slack(rules, train, customs),
                number(train.name) if customs else 0,
            )
            for train, rule in trains
        ),
        doubled,
        doubling,
    )


def _kinds(kinds: Collection[str]) -> int:
    return sum(1 << i for kind, i in KIND.items() if kind in kinds)


def _flags(rule: TrainRule, hex_id: str, kind: str) -> int:
    tests = (
        (CLOSED, hex_id in rule.closed_hexes),
        (NO_END, hex_id in rule.no_end_hexes),
        (SOME_END, hex_id in rule.some_end_in),
        (BAD_END, kind in rule.ends_not),
        (IGNORED, kind in rule.ignored),
        (WORTHLESS, hex_id in rule.worthless_hexes),
    )
    return sum(flag for flag, met in tests if met)


def _multiplier(train: TrainType, kind: str) -> int:
    for row in train.rows:
        if kind in row.nodes:
            return row.multiplier or train.multiplier
    return train.multiplier


def _filling(train: TrainType) -> list[int]:
    """Return the kinds in the order in which visits are filled in (common 8.7)."""
    accepting = {kind: sum(kind in row.nodes for row in train.rows) for kind in STOP_KINDS}
    return [KIND[kind] for kind in sorted(STOP_KINDS, key=lambda kind: accepting[kind])]


def _slack(rules: RouteRules, train: TrainType, customs: Sequence[Rule]) -> int:
    """Return the most that bonuses can add to a route."""
    total = 0
    for bonus in rules.bonuses:
        if bonus.applies_to(train.name):
            times = train.multiplier if bonus.multiplied else 1
            if bonus.per is not None:
                sizes = {counter.name: len(counter.hexes) + 1 for counter in rules.counters}
                times *= min(bonus.per_max, sizes[bonus.per])
            total += times * max(level.amount for level in bonus.levels)
    return total + UNKNOWN * bool(customs)


def bonus_tables(rules: RouteRules, types: Sequence[TrainType], customs: Sequence[Rule]) -> Bonuses:
    """Return the bonuses as arrays."""
    order = {counter.name: i for i, counter in enumerate(rules.counters)}
    company = [i for i, bonus in enumerate(rules.bonuses) if bonus.scope == "company"]
    claims = len(company) + sum(rule.scope == "once" for rule in customs)
    subsets = [
        sum(1 << i for i in chosen) for n in range(claims + 1) for chosen in combinations(range(claims), n)
    ]
    levels = [level for bonus in rules.bonuses for level in bonus.levels]
    ferry = rules.ferry
    return Bonuses(
        ints([bonus.applies_to(train.name) for bonus in rules.bonuses] for train in types).reshape(
            len(types), -1
        ),
        ints(company.index(i) if i in company else -1 for i in range(len(rules.bonuses))),
        ints([(order.get(b.per or "", -1), b.per_max, b.multiplied) for b in rules.bonuses]).reshape(-1, 3),
        np.cumsum([0, *(len(bonus.levels) for bonus in rules.bonuses)], dtype=np.int64),
        ints(level.amount for level in levels),
        np.cumsum([0, *(len(level.needs) for level in levels)], dtype=np.int64),
        ints([(order[name], least) for level in levels for name, least in level.needs]).reshape(-1, 2),
        ints(subsets),
        ints([rules.bonuses_need_pay]),
        ints(
            [ferry is not None, ferry.penalty if ferry else 0, bool(ferry and ferry.crossing == "open_bank")]
        ),
        ints([len(rules.counters)]),
        ints([rules.same_hex_once]),
        ints(["hex" in rules.exclusive]),
    )


def custom_rules(rules: RouteRules) -> list[tuple[Rule, dict[str, int]]]:
    """Return the rules in Python about single routes."""
    found = []
    for row in rules.custom:
        rule = find_rule(row.name)
        if not isinstance(rule, Rule):
            raise TooMany(f"rule {row.name} is registered for the evaluator only")
        if rule.scope != "run":
            found.append((rule, dict(row.parameters)))
    return found


def custom_tables(
    tables: NetworkTables, types: Sequence[TrainType], named: Sequence[tuple[Rule, dict[str, int]]]
) -> tuple[Customs, list[object]]:
    """Return the rules as arrays, and what holds their functions in memory."""
    rules = tables.track.position.rules
    order = {counter.name: i for i, counter in enumerate(rules.counters)}
    called = [callee(rule, given) for rule, given in named]
    claim = sum(bonus.scope == "company" for bonus in rules.bonuses)
    claims = []
    for rule, _ in named:
        claims.append(claim if rule.scope == "once" else -1)
        claim += rule.scope == "once"
    count = len(named)
    made = Customs(
        ints([rule.applies_to(train.name) for rule, _ in named] for train in types).reshape(
            len(types), count
        ),
        ints(claims),
        ints(one.function for one in called),
        ints(rule.reads == "route" for rule, _ in named),
        ints([*rule.values(given), *[0] * 16][:16] for rule, given in named).reshape(count, 16),
        ints([*(order.get(n, -1) for n in rule.counters), *[-1] * 8][:8] for rule, _ in named).reshape(
            count, 8
        ),
        ints(number(h) if named else 0 for h in tables.hexes),
    )
    return made, list(called)

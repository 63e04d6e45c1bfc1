"""What the rules say of a type of train, whatever its route: worked out once for many routes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from optimizer.model.memo import RulesMemo
from optimizer.model.rules import Bonus, Counter, RouteRules, TrainRule, TrainType
from optimizer.model.tile import STOP_KINDS, StopKind


class Offer(NamedTuple):
    """The bonuses that a route may earn, and the counters that are read for them.

    ``gates``: hexes where a counter asks by which sides the route comes and goes.
    """

    bonuses: tuple[Bonus, ...]
    counters: tuple[Counter, ...]
    gates: frozenset[str]


class Terms(NamedTuple):
    """The rules as they hold for a type of train.

    ``multipliers``: what a stop of each kind is multiplied with. ``offer``: the bonuses of every route,
    without those that one route of a run gets.
    """

    rules: RouteRules
    train: TrainType
    rule: TrainRule
    multipliers: Mapping[StopKind, int]
    offer: Offer


def _work_out(rules: RouteRules, train: TrainType) -> tuple[TrainRule, Mapping[StopKind, int], Offer]:
    multipliers = {kind: _multiplier(train, kind) for kind in STOP_KINDS}
    return rules.for_train(train.name), multipliers, offer_of(rules, train)


_worked_out = RulesMemo(_work_out)


def terms_of(rules: RouteRules, train: TrainType) -> Terms:
    """Return the rules as they hold for a type of train."""
    return Terms(rules, train, *_worked_out(rules, train))


def offer_of(
    rules: RouteRules,
    train: TrainType,
    claims: frozenset[int] = frozenset(),
    more: frozenset[str] = frozenset(),
) -> Offer:
    """Return what a route may earn: the train's bonuses, of what one route of a run gets those in ``claims``.

    ``more``: counters that are read besides.
    """
    bonuses = tuple(
        bonus
        for number, bonus in enumerate(rules.bonuses)
        if bonus.applies_to(train.name) and (bonus.scope == "route" or number in claims)
    )
    needed = {name for bonus in bonuses for level in bonus.levels for name, _ in level.needs}
    needed |= {bonus.per for bonus in bonuses if bonus.per is not None} | more
    counters = tuple(counter for counter in rules.counters if counter.name in needed)
    gates = frozenset(hex_id for counter in counters for hex_id, _ in counter.entries)
    return Offer(bonuses, counters, gates)


def _multiplier(train: TrainType, kind: StopKind) -> int:
    for row in train.rows:
        if kind in row.nodes:
            return row.multiplier or train.multiplier
    return train.multiplier

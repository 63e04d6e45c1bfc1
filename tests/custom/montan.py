"""18Rhl's Montan bonus written again in Python: once reading counters, once reading whole routes."""

from __future__ import annotations

import dataclasses
from typing import Any

from optimizer.custom import Counted, Route, rule
from optimizer.model.position import Position
from optimizer.model.rules import CustomRule

COUNTERS = ("coal", "steel")


@rule(
    "test montan",
    reads="counters",
    counters=COUNTERS,
    parameters=("amount",),
    most=lambda p: p.amount,
    per="steel",
    unit=lambda p: p.amount,
    but_trains=("8",),
    label="Montan",
)
def montan(seen: Counted, parameters: Any) -> int:
    """Pay an amount for a pair of coal and steel, twice for two pairs."""
    return int(min(seen.counts.coal, seen.counts.steel, 2) * parameters.amount)


@rule(
    "test montan by route",
    counters=COUNTERS,
    parameters=("amount",),
    most=lambda p: 2 * p.amount,
    unit=lambda p: p.amount,
    but_trains=("8",),
    label="Montan",
)
def montan_by_route(route: Route, parameters: Any) -> int:
    """The same from the stops of the route: each marked hex counts once, and each way in."""
    coal = steel = entered = 0
    for i in range(len(route.stops)):
        stop = route.stops[i]
        entered |= stop.entries
        if not stop.paid or stop.marks == 0:
            continue
        again = False
        for k in range(i):
            again = again or (route.stops[k].paid and route.stops[k].hex == stop.hex)
        if not again:
            coal += stop.marks & 1
            steel += stop.marks >> 1
    coal += entered & 1
    steel += entered >> 1
    return int(min(coal, steel, 2) * parameters.amount)


def with_rule(position: Position, name: str = "test montan") -> Position:
    """Return an 18Rhl position whose Montan bonus is the rule of this name."""
    (built_in,) = (bonus for bonus in position.rules.bonuses if bonus.name == "Montan")
    others = tuple(bonus for bonus in position.rules.bonuses if bonus is not built_in)
    amount = built_in.levels[0].amount
    custom = (CustomRule(name, (("amount", amount),)),)
    return position.replace(rules=dataclasses.replace(position.rules, bonuses=others, custom=custom))

"""Rules for tests: they mix everything that a view holds, so that any wrong number changes the value."""

from __future__ import annotations

from typing import Any

from optimizer.custom import FORBIDDEN, Counted, Route, Run, Stop, helper, rule

COUNTERS = ("x", "y")


@helper
def mixed(stop: Stop) -> int:
    """A number that depends on every field of a stop, and is the same for both directions."""
    sides = (stop.arrived + 2) * (stop.departed + 2) + stop.arrived + stop.departed
    state = stop.token + 2 * stop.counted + 4 * stop.paid
    return (stop.hex * 31 + stop.part * 7 + stop.kind * 3 + stop.amount + state * 11
            + stop.marks * 13 + stop.entries * 17 + sides) % 23  # fmt: skip


@rule("test mixed", counters=COUNTERS, parameters={"forbid": 0}, most=40)
def mixed_route(route: Route, parameters: Any) -> int:
    """Between -9 and 40 by everything that there is; forbids some routes."""
    total = route.train + route.multiplier + route.revenue + 3 * route.counts.x + 5 * route.counts.y
    for stop in route.stops:
        total += mixed(stop)
    if parameters.forbid and total % parameters.forbid == 0:
        return FORBIDDEN
    return int(total % 50 - 9)


@rule("test mixed once", scope="once", counters=("y", "x"), most=40)
def mixed_once(route: Route, _: Any) -> int:
    """The same for one route of the run."""
    total = route.train + route.revenue + 3 * route.counts.x + 7 * route.counts.y
    for stop in route.stops:
        total += mixed(stop)
    return int(total % 50 - 9)


@rule("test pairs", reads="counters", counters=COUNTERS, parameters={"amount": 10}, per="x",
      most=lambda p: p.amount, unit=lambda p: p.amount)  # fmt: skip
def pairs(seen: Counted, parameters: Any) -> int:
    """An amount for each pair of x and y."""
    return int(min(seen.counts.x, seen.counts.y) * parameters.amount)


@rule("test pairs once", scope="once", reads="counters", counters=COUNTERS, most=60, unit=10)
def pairs_once(seen: Counted, _: Any) -> int:
    """Up to 60 for one route of the run."""
    return int(min(seen.counts.x + seen.counts.y, 3) * 20)


def clean(route: Route, _: Any) -> int:
    """Fifty if no stop of the route is marked by x, else 0: it never grows with the route."""
    for stop in route.stops:
        if stop.marks & 1:
            return 0
    return 50


@rule("test bounded", counters=COUNTERS, bound=clean, unit=10)
def bounded(route: Route, _: Any) -> int:
    """Fifty for a route without a stop marked by x, less ten for each unpaid stop."""
    total = 50
    for stop in route.stops:
        if stop.marks & 1:
            return 0
        total -= 10 * (1 - stop.paid)
    return max(total, 0)


@rule("test run", scope="run", counters=COUNTERS, parameters={"forbid": 0}, most=40, but_trains=("none",))
def mixed_run(run: Run, parameters: Any) -> int:
    """Between -9 and 40 by everything that there is in a run; forbids some."""
    total = 0
    for route in run.routes:
        total += route.train + route.multiplier + route.revenue
        for i in range(route.first, route.first + route.size):
            total += mixed(run.stops[i]) + run.routes[run.stops[i].route].size
    if parameters.forbid and total % parameters.forbid == 0:
        return FORBIDDEN
    return int(total % 50 - 9)

"""18Nebraska: a route that joins east and west counts its best stop twice.

Source: 18Nebraska (Matthew Campbell), "East-West bonus": a train that runs from an E to a W location
doubles one stop of its route, and its owner takes the best. 18xx.games does the same
(``east_west_bonus`` of its 18NEB).
The position names its eastern locations in a counter ``east`` and its western ones in ``west``.
"""

from __future__ import annotations

from typing import Any

from optimizer.custom import Route, rule


@rule(
    "18Neb east-west",
    counters=("east", "west"),
    parameters={"highest": 100},
    most=lambda p: p.highest,
    label="EW",
)
def best_stop_twice(route: Route, _: Any) -> int:
    """Pay the best paid stop a second time if the route is paid for an eastern and a western one (18Neb)."""
    if route.counts.east == 0 or route.counts.west == 0:
        return 0
    best = 0
    for stop in route.stops:
        if stop.paid and stop.amount > best:
            best = stop.amount
    return best

"""From the evaluator's description of a route to the view that rules get, as plain Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from optimizer.custom.view import KINDS, Counted, Route, Run, RunRoute, Stop, number
from optimizer.custom_registry import CustomRoute, CustomStop

_KIND = {kind: i for i, kind in enumerate(KINDS)}


def _bits(names: Iterable[str], counters: Sequence[str]) -> int:
    bits = 0
    for name in names:
        if name in counters:
            bits |= 1 << counters.index(name)
    return bits


def stop_view(stop: CustomStop, counters: Sequence[str], route: int = 0) -> Stop:
    """Return one stop as numbers."""
    return Stop(
        number(stop.hex), stop.part, _KIND[stop.kind], stop.amount, int(stop.token), int(stop.counted),
        int(stop.paid), stop.arrived, stop.departed, _bits(stop.marks, counters),
        _bits(stop.entries, counters), route,
    )  # fmt: skip


def route_view(
    route: CustomRoute, counters: Sequence[str], counts_type: Callable[..., Any], *, counters_only: bool
) -> Route | Counted:
    """Return one route as a rule sees it."""
    counts = counts_type(*([route.counts.get(name, 0) for name in counters] or [0]))
    if counters_only:
        return Counted(number(route.train), route.multiplier, counts)
    stops = tuple(stop_view(stop, counters) for stop in route.stops)
    return Route(number(route.train), route.multiplier, route.revenue, stops, counts)


def run_view(routes: Sequence[CustomRoute], counters: Sequence[str]) -> Run:
    """Return all routes of a run as a rule sees them."""
    rows: list[RunRoute] = []
    stops: list[Stop] = []
    for index, route in enumerate(routes):
        rows.append(
            RunRoute(number(route.train), route.multiplier, route.revenue, len(stops), len(route.stops))
        )
        stops += [stop_view(stop, counters, index) for stop in route.stops]
    return Run(tuple(rows), tuple(stops))

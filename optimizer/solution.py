"""What to search for, and what was found: limits in, solution out."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Literal

from optimizer.evaluation.report import Evaluation
from optimizer.model.position import Route

# Which limit ended a search; empty where it ran to its end. `routes`: more good routes than fit in memory.
LimitName = Literal["", "time", "nodes", "stopped", "routes"]


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search may end early, and what it is asked.

    ``time``: seconds of compile and search together. ``nodes``: search nodes, the same on every machine.
    ``cutoff``: only revenue above this matters ("is anything better than N?"); the search may end as
    soon as it knows that nothing is. ``threads``: how many may work; the answer does not depend on it.
    ``best``: how many of the best sets of routes are wanted. Raises ValueError for values that make no
    sense.
    """

    time: float | None = None
    nodes: int | None = None
    cutoff: int | None = None
    threads: int = 1
    best: int = 1

    def __post_init__(self) -> None:
        """Refuse what makes no sense, naming the field."""
        time = self.time
        if time is not None and not (_is_number(time) and time >= 0 and math.isfinite(time)):
            raise ValueError(f"time must be a number of seconds, 0 or more, or None, not {self.time!r}")
        for name, least in (("nodes", 1), ("cutoff", 0)):
            value = getattr(self, name)
            if value is not None and not (isinstance(value, int) and _is_number(value) and value >= least):
                raise ValueError(f"{name} must be a whole number of {least} or more, or None, not {value!r}")
        for name, most in (("threads", 256), ("best", 1000)):
            value = getattr(self, name)
            if not (isinstance(value, int) and _is_number(value) and 1 <= value <= most):
                raise ValueError(f"{name} must be a whole number from 1 to {most}, not {value!r}")


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


@dataclass(frozen=True, slots=True)
class Statistics:
    """What an answer took. ``nodes`` are search nodes; times are in seconds."""

    nodes: int = 0
    compile_seconds: float = 0.0
    search_seconds: float = 0.0
    check_seconds: float = 0.0

    @property
    def seconds(self) -> float:
        """Compile and search together (the evaluator's check is not in it)."""
        return self.compile_seconds + self.search_seconds


@dataclass(frozen=True, slots=True)
class RouteSet:
    """A set of routes that may be run together, and what it earns."""

    revenue: int
    routes: tuple[Route, ...]


@dataclass(frozen=True, slots=True)
class Solution:
    """The best set of routes found, and how far it can be trusted.

    ``revenue`` of ``routes`` is the best found; no legal set earns more than ``bound``. ``proven``: the
    two are equal. ``limit`` names the limit that ended the search early, if any. ``alternatives`` are
    the ``best`` best sets, best first, this one included, where more than one was asked for.

    With a cutoff, ``better_than_cutoff`` answers the question: True (``routes`` is better), False
    (nothing is: ``bound`` <= cutoff, and ``routes`` may be empty) or None (not settled at the limit, or
    not asked).
    """

    routes: tuple[Route, ...]
    revenue: int
    bound: int
    proven: bool
    limit: LimitName = ""
    cutoff: int | None = None
    breakdown: Evaluation | None = None
    alternatives: tuple[RouteSet, ...] = ()
    statistics: Statistics = field(default_factory=Statistics)

    @property
    def better_than_cutoff(self) -> bool | None:
        """Whether anything is better than the cutoff; None where not settled or not asked."""
        if self.cutoff is None:
            return None
        if self.revenue > self.cutoff:
            return True
        return False if self.bound <= self.cutoff else None

    @property
    def gap(self) -> int:
        """How much more than ``revenue`` there could be at most."""
        return self.bound - self.revenue

    def to_json(self) -> dict[str, Any]:
        """Return the solution as a JSON object; ``routes`` are ready for a ``run_routes`` action."""
        statistics = self.statistics
        return {
            "revenue": self.revenue,
            "bound": self.bound,
            "proven": self.proven,
            "limit": self.limit,
            "compile_seconds": statistics.compile_seconds,
            "search_seconds": statistics.search_seconds,
            "check_seconds": statistics.check_seconds,
            "seconds": statistics.seconds,
            "routes": routes_to_json(self.routes),
        }


def route_to_json(route: Route) -> dict[str, Any]:
    """Return a route in the form of a ``run_routes`` action (rules reference, common 8.2)."""
    return {
        "train": route.train,
        "connections": [list(chain) for chain in route.connections],
        "hexes": list(route.hexes),
        "revenue": route.revenue,
        "revenue_str": route.revenue_str,
        "nodes": list(route.nodes),
    }


def routes_to_json(routes: tuple[Route, ...]) -> list[dict[str, Any]]:
    """Return routes as the ``routes`` of a ``run_routes`` action."""
    return [route_to_json(route) for route in routes]

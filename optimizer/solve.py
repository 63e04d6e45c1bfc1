"""The whole path: position -> graph -> native search -> checked solution."""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Sequence
from typing import Any

from optimizer.evaluate import Evaluation, evaluate, priced_routes
from optimizer.graph.compile import NativeRoute, RouteGraph, compile_graph
from optimizer.model.position import Position, Route
from optimizer.native.fleet import Fleet
from optimizer.solution import Limits, LimitName, RouteSet, Solution, Statistics

Listener = Callable[[Solution], None]


class StopFlag:
    """Ends a search from another thread: ``set()`` it, and the search returns what it has."""

    def __init__(self) -> None:
        self.cell = array("i", (0,))

    def set(self) -> None:
        """Ask the search to end."""
        self.cell[0] = 1

    def is_set(self) -> bool:
        """Tell whether the search was asked to end."""
        return self.cell[0] != 0


class CheckFailed(RuntimeError):
    """The evaluator does not confirm what the search found: a fault of this library, never an answer."""


def optimize(
    position: Position,
    limits: Limits | None = None,
    *,
    fixed: Sequence[Route] = (),
    stop: StopFlag | None = None,
    on_improve: Listener | None = None,
) -> Solution:
    """Find the best routes for all trains of the position's company.

    ``fixed`` routes are run as they are: they use up track and their trains, and are part of the answer.
    ``on_improve`` is called with each better solution as it is found. Raises ValueError for fixed routes
    that are not legal, TooComplex or UnsupportedRules for positions beyond the search's room, and
    CheckFailed if the evaluator does not confirm the answer.
    """
    limits = limits or Limits()
    started = time.monotonic()
    deadline = started + limits.time if limits.time is not None else 0.0
    held = _check_fixed(position, fixed)
    graph = compile_graph(position, held, keep_parallel=limits.best > 1)
    run = _Run(position, graph, held, limits)
    run.compiled = time.monotonic() - started
    return run.solve(stop or StopFlag(), deadline, on_improve)


def _check_fixed(position: Position, fixed: Sequence[Route]) -> tuple[Route, ...]:
    if not fixed:
        return ()
    verdict = evaluate(position, fixed)
    if not verdict.legal:
        raise ValueError("fixed routes: " + "; ".join(str(fault) for fault in verdict.faults))
    return priced_routes(verdict)


class _Run:
    """One search over one compiled graph."""

    def __init__(
        self, position: Position, graph: RouteGraph, fixed: tuple[Route, ...], limits: Limits
    ) -> None:
        self.position = position
        self.graph = graph
        self.fixed = fixed
        self.fixed_revenue = sum(route.revenue for route in fixed)
        self.limits = limits
        self.compiled = 0.0
        self.searched = 0.0
        self.checked = 0.0

    def solve(self, stop: StopFlag, deadline: float, on_improve: Listener | None) -> Solution:
        """Search and check."""
        started = time.monotonic()
        sets: list[tuple[int, list[NativeRoute]]] = []
        bound, limit, nodes = 0, "", 0
        if self.graph.kinds:
            fleet = Fleet(
                self.graph.network,
                [kind.graph for kind in self.graph.kinds],
                [len(kind.trains) for kind in self.graph.kinds],
                self.graph.claim_bit,
                self.graph.granularity,
            )
            cutoff = max(0, (self.limits.cutoff or 0) - self.fixed_revenue)
            sets, bound, limit, nodes = fleet.solve(
                stop.cell, deadline, self.limits.nodes or 0, cutoff, self.limits.best,
                self._listener(on_improve),
            )
        self.searched = time.monotonic() - started - self.checked
        return self._solution(sets, bound, limit, nodes)

    def _listener(self, on_improve: Listener | None) -> Callable[[Any, Any], None] | None:
        if on_improve is None:
            return None

        def report(found: tuple[int, list[NativeRoute]], bound: float | None) -> None:
            on_improve(self._solution([found], int(bound) if bound is not None else found[0], "", 0, False))

        return report

    def _solution(
        self, sets: list[tuple[int, list[NativeRoute]]], bound: int, limit: str, nodes: int, final: bool = True
    ) -> Solution:
        started = time.monotonic()
        checked = [self._check(revenue, routes) for revenue, routes in sets] or [self._check(0, [])]
        self.checked += time.monotonic() - started
        best = checked[0]
        bound = max(int(bound) + self.fixed_revenue, best.revenue)
        name: LimitName = limit  # type: ignore[assignment]
        return Solution(
            routes=priced_routes(best),
            revenue=best.revenue,
            bound=bound,
            proven=final and bound == best.revenue,
            limit=name,
            cutoff=self.limits.cutoff,
            breakdown=best,
            alternatives=tuple(RouteSet(one.revenue, priced_routes(one)) for one in checked)
            if self.limits.best > 1
            else (),
            statistics=Statistics(nodes, self.compiled, self.searched, self.checked),
        )

    def _check(self, revenue: int, routes: list[NativeRoute]) -> Evaluation:
        """Put a set into names and have it confirmed by the evaluator."""
        waiting = [list(kind.trains) for kind in self.graph.kinds]
        named = list(self.fixed)
        for kind, root, arm, arcs, *_ in routes:
            named.append(self.graph.route(kind, root, arm, arcs, waiting[kind].pop(0).id))
        verdict = evaluate(self.position, named)
        wanted = revenue + self.fixed_revenue
        if not verdict.legal or verdict.revenue != wanted:
            said = "; ".join(str(fault) for fault in verdict.faults) or f"worth {verdict.revenue}"
            raise CheckFailed(
                f"position {self.position.id or self.position.title}, company {self.position.company}: "
                f"the search found {wanted}, but the evaluator says: {said}"
            )
        return verdict

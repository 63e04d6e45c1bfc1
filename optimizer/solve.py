"""The whole path: position -> graph -> native search -> checked solution."""

from __future__ import annotations

import dataclasses
import time
from array import array
from collections.abc import Callable, Collection, Sequence
from itertools import chain, combinations
from typing import Any

from optimizer.evaluate import Evaluation, evaluate, priced_routes
from optimizer.graph.compile import NativeRoute, RouteGraph, compile_graph
from optimizer.graph.watch import CutShort, Watch
from optimizer.model.given import check_position, kind_of
from optimizer.model.position import Position, Route
from optimizer.native.fleet import Fleet
from optimizer.native.run_search import RunSearch
from optimizer.solution import LimitName, Limits, RouteSet, Solution, Statistics

Listener = Callable[[Solution], None]
# Kind, root, arm and arcs of a route, and what else a search tells of it.
AnyRoute = NativeRoute | tuple[int, int, int, tuple[int, ...]]

NO_LIMITS = Limits()
MOST_VARIANTS = 5000
# What the native search can count to: limits beyond are never reached.
MOST_REVENUE, MOST_NODES = 2**31 - 1, 2**63 - 1


class StopFlag:
    """Ends a search from another thread: ``set()`` it, and the search returns what it has."""

    def __init__(self) -> None:
        self.cell = array("i", (0,))

    def set(self) -> None:
        """Ask the search to end."""
        self.cell[0] = 1

    def abandon(self) -> None:
        """Ask the search to end because nobody wants its answer any more: it raises :class:`Abandoned`."""
        self.cell[0] = 2

    def is_set(self) -> bool:
        """Tell whether the search was asked to end."""
        return self.cell[0] != 0

    def is_abandoned(self) -> bool:
        """Tell whether nobody wants the answer."""
        return self.cell[0] == 2


class Abandoned(Exception):
    """The search ended because nobody wants its answer."""


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
    ``on_improve`` is called with each better solution as it is found (not where a rule in Python looks at the
    whole run, nor where fixed routes share bonuses that only one route of the run may take).

    Raises ValueError for fixed routes that are not legal, TypeError for arguments of another type,
    TooComplex or UnsupportedRules for positions beyond the search's room, and CheckFailed if the evaluator
    does not confirm the answer.
    """
    check_position(position)
    if limits is None:
        limits = NO_LIMITS
    elif not isinstance(limits, Limits):
        raise TypeError(f"the limits must be Limits or None, not {kind_of(limits)}; write Limits(time=5)")
    started = time.monotonic()
    deadline = started + limits.time if limits.time is not None else 0.0
    stop = stop or StopFlag()
    watch = Watch(deadline, stop.cell)
    held = _check_fixed(position, fixed)
    found: list[Solution] = []
    variants = _variants(position, held)
    for searched, revenue in variants:
        try:
            graph = compile_graph(searched, held, keep_parallel=limits.best > 1, watch=watch)
        except CutShort as cut:
            if stop.is_abandoned():
                raise Abandoned from None
            found.append(_cut_short(position, held, cut, revenue, limits, time.monotonic() - started))
            started = time.monotonic()
            continue
        run = _Run(position, graph, held, revenue, limits, exact=len(variants) == 1)
        run.compiled = time.monotonic() - started
        # The bound of one case among several is no bound of the whole.
        found.append(run.solve(stop, deadline, on_improve if len(variants) == 1 else None))
        started = time.monotonic()
    return found[0] if len(found) == 1 else _best_of(found, limits)


def _cut_short(
    position: Position,
    fixed: tuple[Route, ...],
    cut: CutShort,
    fixed_revenue: int,
    limits: Limits,
    seconds: float,
) -> Solution:
    """Return the answer where compiling took longer than there was time: the fixed routes alone."""
    verdict = evaluate(position, fixed)
    bound = max(cut.bound + fixed_revenue, verdict.revenue)
    routes = priced_routes(verdict)
    return Solution(
        routes=routes,
        revenue=verdict.revenue,
        bound=bound,
        proven=bound == verdict.revenue,
        limit=cut.reason,
        cutoff=limits.cutoff,
        breakdown=verdict,
        alternatives=(RouteSet(verdict.revenue, routes),) if limits.best > 1 else (),
        statistics=Statistics(compile_seconds=seconds),
    )


def _check_fixed(position: Position, fixed: Sequence[Route]) -> tuple[Route, ...]:
    if not fixed:
        return ()
    verdict = evaluate(position, fixed)
    if not verdict.legal:
        raise ValueError("fixed routes: " + "; ".join(str(fault) for fault in verdict.faults))
    return priced_routes(verdict)


def _variants(position: Position, fixed: tuple[Route, ...]) -> list[tuple[Position, int]]:
    """Return what is to be searched beside the fixed routes, with what these earn in each case.

    A bonus that a company gets once a run may go to the fixed routes or to the others: where the fixed
    ones can earn some, each share of them is a case of its own, in which the others do without it.
    """
    if not fixed:
        return [(position, 0)]
    bonuses = position.rules.bonuses
    once = [i for i, bonus in enumerate(bonuses) if bonus.scope == "company"]
    whole = sum(route.revenue for route in fixed)
    if not once:
        return [(position, whole)]

    def without(numbers: Collection[int]) -> Position:
        kept = tuple(bonus for i, bonus in enumerate(bonuses) if i not in numbers)
        return position.replace(rules=dataclasses.replace(position.rules, bonuses=kept))

    def earned(claims: Collection[int]) -> int:
        return evaluate(without([i for i in once if i not in claims]), fixed).revenue

    none = earned(())
    claimable = [i for i in once if earned((i,)) > none or earned([j for j in once if j != i]) < whole]
    shares = chain.from_iterable(combinations(claimable, size) for size in range(len(claimable) + 1))
    return [(without(share), earned(share)) for share in shares]


def _best_of(found: Sequence[Solution], limits: Limits) -> Solution:
    """Return the answer to the whole question from the answers in each case."""
    best = max(found, key=lambda one: one.revenue)
    bound = max(one.bound for one in found)
    sets: dict[tuple[Route, ...], RouteSet] = {}
    for one in found:
        for number in one.alternatives:
            sets.setdefault(number.routes, number)
    took = [one.statistics for one in found]
    return dataclasses.replace(
        best,
        bound=bound,
        proven=bound == best.revenue,
        limit=next((one.limit for one in found if one.limit), ""),
        alternatives=tuple(sorted(sets.values(), key=lambda one: -one.revenue)[: limits.best]),
        statistics=Statistics(
            sum(one.nodes for one in took),
            sum(one.compile_seconds for one in took),
            sum(one.search_seconds for one in took),
            sum(one.check_seconds for one in took),
        ),
    )


class _Run:
    """One search over one compiled graph.

    ``exact``: the evaluator must find just what the search found; else it may find more, where bonuses
    that a company gets once are better shared out between fixed and other routes.
    """

    def __init__(
        self,
        position: Position,
        graph: RouteGraph,
        fixed: tuple[Route, ...],
        fixed_revenue: int,
        limits: Limits,
        *,
        exact: bool,
    ) -> None:
        self.position = position
        self.graph = graph
        self.fixed = fixed
        self.fixed_revenue = fixed_revenue
        # A set that was found on the way may share such bonuses out badly; the evaluator does it best.
        self.exact = exact and graph.network.resources == graph.claim_bit
        self.limits = limits
        self.compiled = 0.0
        self.searched = 0.0
        self.checked = 0.0

    def solve(self, stop: StopFlag, deadline: float, on_improve: Listener | None) -> Solution:
        """Search and check."""
        started = time.monotonic()
        sets: Sequence[tuple[int, Sequence[AnyRoute]]] = []
        bound, limit, nodes = 0, "", 0
        if self.graph.kinds:
            cutoff = max(0, (self.limits.cutoff or 0) - self.fixed_revenue)
            cutoff = min(cutoff, MOST_REVENUE)
            cutoff -= cutoff % self.graph.granularity  # every revenue is a multiple of it
            sets, bound, limit, nodes = self._search(stop, deadline, cutoff, on_improve)
            if stop.is_abandoned():
                raise Abandoned
            self.graph.custom.raise_broken()
        self.searched = time.monotonic() - started - self.checked
        return self._solution(sets, bound, limit, nodes)

    def _search(
        self, stop: StopFlag, deadline: float, cutoff: int, on_improve: Listener | None
    ) -> tuple[Sequence[tuple[int, Sequence[AnyRoute]]], int, str, int]:
        graph = self.graph
        kinds = [kind.graph for kind in graph.kinds]
        trains = [len(kind.trains) for kind in graph.kinds]
        nodes, best = min(self.limits.nodes or 0, MOST_NODES), self.limits.best
        if best > 1 and not self.exact:
            # Each way to share out bonuses that a company gets once is found as a set of its own.
            claims = graph.network.resources - graph.claim_bit
            best = min(best * (sum(trains) + 1) ** claims, MOST_VARIANTS)
        if graph.custom.run is not None:
            search = RunSearch(
                graph.network, kinds, trains, graph.claim_bit, graph.granularity, graph.custom.run
            )
            return search.solve(stop.cell, deadline, nodes, cutoff, best)
        fleet = Fleet(graph.network, kinds, trains, graph.claim_bit, graph.granularity)
        return fleet.solve(
            stop.cell, deadline, nodes, cutoff, best, self._listener(on_improve), self.limits.threads
        )

    def _listener(self, on_improve: Listener | None) -> Callable[[Any, Any], None] | None:
        if on_improve is None:
            return None

        def report(found: tuple[int, Sequence[AnyRoute]], bound: float) -> None:
            on_improve(self._solution([found], int(bound), "", 0, False))

        return report

    def _solution(
        self,
        sets: Sequence[tuple[int, Sequence[AnyRoute]]],
        bound: int,
        limit: str,
        nodes: int,
        final: bool = True,
    ) -> Solution:
        started = time.monotonic()
        checked = [self._check(revenue, routes) for revenue, routes in sets] or [self._check(0, [])]
        if not self.exact:
            checked = self._distinct(checked)
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

    def _distinct(self, checked: list[Evaluation]) -> list[Evaluation]:
        """Return the sets of different routes, best first, no more than are wanted."""
        kinds = {train.id: train.name for train in self.position.trains}
        found: dict[frozenset[tuple[str, tuple[tuple[str, int], ...]]], Evaluation] = {}
        for one in sorted(checked, key=lambda one: -one.revenue):
            found.setdefault(frozenset((kinds[row.train], row.paths) for row in one.routes), one)
        return list(found.values())[: self.limits.best]

    def _check(self, revenue: int, routes: Sequence[AnyRoute]) -> Evaluation:
        """Put a set into names and have it confirmed by the evaluator."""
        waiting = [list(kind.trains) for kind in self.graph.kinds]
        named = list(self.fixed)
        for kind, root, arm, arcs, *_ in routes:
            named.append(self.graph.route(kind, root, arm, arcs, waiting[kind].pop(0).id))
        verdict = evaluate(self.position, named)
        wanted = revenue + self.fixed_revenue
        short = verdict.revenue != wanted if self.exact else verdict.revenue < wanted
        if not verdict.legal or short:
            self.graph.custom.raise_broken()
            said = "; ".join(str(fault) for fault in verdict.faults) or f"worth {verdict.revenue}"
            raise CheckFailed(
                f"position {self.position.id or self.position.title}, company {self.position.company}: "
                f"the search found {wanted}, but the evaluator says: {said}"
            )
        return verdict

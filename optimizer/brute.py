"""The slow, obviously right twin of the search: every legal route and every combination, by plain walks.

For small maps and tests only. It knows the position and the evaluator, and nothing of the search.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from optimizer.custom_registry import find_rule
from optimizer.evaluate import Evaluation, evaluate, priced_routes
from optimizer.evaluation.track import JUNCTION, STOP, Map, Step
from optimizer.model.position import Position, Route, Train
from optimizer.solution import RouteSet

PathKey = tuple[str, int]

# A route that breaks one of these goes on breaking it however it is continued.
LASTING = frozenset(
    {"too_long", "closed_hex", "at_most_one", "group_twice", "stop_set", "same_hex", "ferry_hex_twice"}
    | {"town_twice", "side_twice", "track_twice", "terminal_inside", "blocked"}
)


class TooManyRoutes(RuntimeError):
    """The map is not small: there are more walks than the limit."""


@dataclass(frozen=True, slots=True)
class BruteForce:
    """The best revenue, one set of routes that earns it, and the best sets, best first."""

    revenue: int
    routes: tuple[Route, ...]
    sets: tuple[RouteSet, ...]


class _Walker:
    """Walks from every stop along every track; ``arrive`` says at each stop whether to go on."""

    def __init__(self, position: Position, arrive: Callable[[list[Step]], bool], limit: int) -> None:
        self.track = Map(position)
        self.arrive = arrive
        self.left = limit
        self.hexes = sorted({*position.board.printed, *position.by_hex})

    def run(self) -> None:
        """Take all walks: each in both directions."""
        for hex_id in self.hexes:
            for number, piece in enumerate(self.track.pieces(hex_id)):
                for entry in sorted({piece.a, piece.b}):
                    if STOP <= entry < JUNCTION:
                        step = Step(hex_id, number, piece, entry, piece.other(entry))
                        self._walk([step], {(hex_id, entry)})

    def _walk(self, steps: list[Step], met: set[tuple[str, int]]) -> None:
        """Follow the last step; none of ``met`` is met again: the stops so far, junctions since the last."""
        last = steps[-1]
        hex_id = last.hex
        if last.exit >= STOP:
            if (last.hex, last.exit) in met:
                return
            if last.exit < JUNCTION:
                met = {(name, end) for name, end in met if end < JUNCTION}
                if not self._arrived(steps):
                    return
            met = met | {(last.hex, last.exit)}
        else:
            hex_id = self.track.neighbors.get(last.hex, {}).get(last.exit, "")
            if not self.track.knows(hex_id):
                return
        for number, piece in enumerate(self.track.pieces(hex_id)):
            entry = self.track.entry(last, hex_id, piece)
            if entry is not None:
                step = Step(hex_id, number, piece, entry, piece.other(entry))
                if not any(_reuses(old, step) for old in steps):
                    self._walk([*steps, step], met)

    def _arrived(self, steps: list[Step]) -> bool:
        """Count the walk and tell whether it may go on from the stop that it has reached."""
        self.left -= 1
        if self.left < 0:
            raise TooManyRoutes("more walks than the limit")
        last = steps[-1]
        return self.arrive(steps) and not self.track.blocks(last.hex, last.exit - STOP)


def _reuses(old: Step, step: Step) -> bool:
    """Tell whether two steps use the same path, or the same side of a hex on the same lane."""
    if old.hex != step.hex:
        return False
    return old.path == step.path or any(
        end < STOP and end in (step.entry, step.exit) and old.piece.lane(end) == step.piece.lane(end)
        for end in (old.entry, old.exit)
    )


def _sound(verdict: Evaluation) -> bool:
    """Tell whether the routes are legal, but for rules about the set as a whole (they may allow more)."""
    return all(fault.route < 0 for fault in verdict.faults)


def legal_routes(position: Position, train: Train, limit: int = 200_000) -> list[Route]:
    """Return every legal route of a train alone: each sequence of stops and track once, best first.

    A route that earns more in one direction is given in that. Raises TooManyRoutes beyond ``limit``
    walks.
    """
    alone = position.replace(trains=(train,))
    found: dict[tuple[PathKey, ...], Route] = {}

    def arrive(steps: list[Step]) -> bool:
        paths = tuple((step.hex, step.path) for step in steps)
        first = steps[0]
        part = position.tile_at(first.hex)[0].stops[first.entry - STOP].part
        last = steps[-1]
        end = position.tile_at(last.hex)[0].stops[last.exit - STOP].part
        stops = ((first.hex, part), (last.hex, end)) if len(steps) == 1 else ()
        verdict = evaluate(alone, [Route(train.id, (), stops, paths=paths)])
        if _sound(verdict):
            (route,) = priced_routes(verdict)
            key = min(paths, paths[::-1])
            if key not in found or found[key].revenue < route.revenue:
                found[key] = route
        return not any(fault.rule in LASTING for fault in verdict.faults)

    _Walker(position, arrive, limit).run()
    return sorted(found.values(), key=lambda route: -route.revenue)


def count_routes(position: Position, limit: int = 200_000) -> dict[str, int]:
    """Return how many legal routes each train name of the company has (worthless ones too)."""
    trains = {train.name: train for train in position.trains}
    return {name: len(legal_routes(position, train, limit)) for name, train in trains.items()}


def brute_force(
    position: Position, best: int = 1, *, fixed: Sequence[Route] = (), limit: int = 200_000
) -> BruteForce:
    """Return the best sets of routes by trying every combination.

    ``best``: how many sets are wanted, of routes that earn something each; sets that differ only in which
    of several like trains runs which route count once. ``fixed`` routes are part of every set. Raises
    TooManyRoutes beyond ``limit`` walks a train.
    """
    settled = priced_routes(evaluate(position, fixed))
    running = {route.train for route in settled}
    trains = [train for train in position.trains if train.id not in running]
    by_type = {train.type: legal_routes(position, train, limit) for train in trains}
    if not _has_run_rules(position):
        by_type = {kind: [route for route in rows if route.revenue > 0] for kind, rows in by_type.items()}
    trains.sort(key=lambda train: list(by_type).index(train.type))
    return _Combiner(position, trains, [by_type[train.type] for train in trains], settled, best).solve()


def _has_run_rules(position: Position) -> bool:
    """Tell whether rules about whole runs can make a set worth more than the sum of its routes."""
    return any(find_rule(rule.name).scope == "run" for rule in position.rules.custom)


class _Combiner:
    """Tries every compatible choice of one route or none for each train."""

    def __init__(
        self,
        position: Position,
        trains: Sequence[Train],
        routes: Sequence[Sequence[Route]],
        settled: tuple[Route, ...],
        best: int,
    ) -> None:
        self.position = position
        self.trains = trains
        self.routes = routes
        self.settled = settled
        self.best = best
        self.sets: list[RouteSet] = []
        self.run_rules = _has_run_rules(position)
        self.known: dict[tuple[Route, Route], bool] = {}

    def solve(self) -> BruteForce:
        """Return the best sets."""
        self._choose(0, -1, list(self.settled), sum(route.revenue for route in self.settled))
        best = self.sets[0]
        if len(self.sets) > 1 and not self.settled:
            self.sets = [one for one in self.sets if one.routes]
        return BruteForce(best.revenue, best.routes, tuple(self.sets))

    def _choose(self, number: int, after: int, chosen: list[Route], revenue: int) -> None:
        """Choose for train ``number`` and those behind it.

        A train like the one before it takes a route behind that one's (``after``), or none.
        """
        rest = sum(max((r.revenue for r in routes), default=0) for routes in self.routes[number:])
        full = len(self.sets) == self.best and not self.run_rules
        if full and revenue + max(0, rest) <= self.sets[-1].revenue:
            return
        if number == len(self.trains):
            self._keep(chosen)
            return
        alike = number > 0 and self.trains[number].type == self.trains[number - 1].type
        routes = self.routes[number]
        for i in range(after + 1 if alike else 0, len(routes)):
            route = self._for_train(routes[i], self.trains[number].id)
            if all(self._fit(old, route) for old in chosen):
                self._choose(number + 1, i, [*chosen, route], revenue + route.revenue)
        self._choose(number + 1, len(routes), chosen, revenue)

    def _for_train(self, route: Route, train: str) -> Route:
        return Route(train, route.connections, route.stops, route.revenue, route.revenue_str, route.paths)

    def _fit(self, one: Route, other: Route) -> bool:
        """Tell whether two routes may be run together."""
        key = (one, other)
        if key not in self.known:
            self.known[key] = _sound(evaluate(self.position, [one, other]))
        return self.known[key]

    def _keep(self, chosen: list[Route]) -> None:
        """Note a set; what it earns together can be less than the sum (bonuses once a company)."""
        verdict = evaluate(self.position, chosen)
        if not _sound(verdict):
            raise AssertionError(f"routes fit in pairs but not together: {verdict.faults}")
        if not verdict.legal:
            return
        self.sets.append(RouteSet(verdict.revenue, priced_routes(verdict)))
        self.sets.sort(key=lambda one: -one.revenue)
        del self.sets[self.best :]

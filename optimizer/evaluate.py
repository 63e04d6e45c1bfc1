"""The independent evaluator: is a set of routes legal, and what does it earn?

It shares no code with the search: from the position and the routes alone it follows the track, looks for
every broken rule, and adds up the revenue stop by stop. Every answer of the search goes through it.
"""

from __future__ import annotations

from collections.abc import Sequence

from optimizer.evaluation.custom import run_items
from optimizer.evaluation.legality import Ridden, route_faults
from optimizer.evaluation.rebuild import PathKey, RebuildError, rebuild
from optimizer.evaluation.report import Evaluation, Fault, RouteEvaluation
from optimizer.evaluation.revenue import Earnings, counted_stops, visits_of
from optimizer.evaluation.run import run_earnings
from optimizer.evaluation.sharing import Used
from optimizer.evaluation.terms import terms_of
from optimizer.evaluation.track import Map, connections, follow
from optimizer.model.given import check_position, check_routes
from optimizer.model.position import Position, Route, Train

__all__ = ["Evaluation", "Fault", "RouteEvaluation", "evaluate", "priced_routes"]

# Far beyond any map; keeps hand-made input from exhausting the stack.
MAX_LENGTH = 300


def evaluate(position: Position, routes: Sequence[Route]) -> Evaluation:
    """Judge and price a set of routes that one company would run together.

    A route is given by its ``paths`` (then ``stops`` and ``connections``, if given too, must agree), or
    only by its ``connections`` as in recorded games, with ``stops`` in any order to help where these are
    ambiguous (rules reference, common 8.4). All faults are reported, none is raised; arguments of another
    type are a TypeError.
    """
    check_position(position)
    check_routes(routes)
    track = Map(position)
    trains = {train.id: train for train in position.trains}
    found, faults = _find_paths(track, routes)
    used = Used(track)
    ran: set[str] = set()
    ridden: list[Ridden | None] = []
    for number, route in enumerate(routes):
        problems = faults[number]
        train = trains.get(route.train)
        if train is None:
            known = ", ".join(trains) or "none"
            message = f"{position.company} has no train {route.train}; it has {known}"
            problems.append(Fault("unknown_train", message, number, route.train))
        elif route.train in ran:
            problems.append(Fault("train_twice", "runs twice", number, route.train))
        ran.add(route.train)
        paths = found[number]
        if train is None or paths is None:
            ridden.append(None)
        else:
            one = _ride(track, number, train, route, paths)
            ridden.append(one)
            problems += _disagreements(one, route)
            problems += route_faults(track, one)
            problems += used.add(one)
    every_earned = run_earnings(track, [one for one in ridden if one is not None])
    earned = iter(every_earned)
    rows = [
        RouteEvaluation(route.train, 0, "", faults=tuple(problems))
        if one is None
        else _row(one, paths, next(earned), problems)
        for route, paths, one, problems in zip(routes, found, ridden, faults, strict=True)
    ]
    every = tuple([fault for row in rows for fault in row.faults])
    views = [one.view for one in every_earned if one.view is not None]
    together, forbidden_by = run_items(position.rules, views) if views else ([], "")
    if forbidden_by:
        every += (Fault("custom", f"these routes together are forbidden by the rule {forbidden_by}"),)
    revenue = sum([row.revenue for row in rows]) + sum([item.amount for item in together])
    return Evaluation(revenue, tuple(rows), every, tuple(together))


def priced_routes(evaluation: Evaluation) -> tuple[Route, ...]:
    """Return the evaluated routes with their track, stops, revenue and revenue text filled in."""
    return tuple(
        Route(
            train=row.train,
            connections=row.connections,
            stops=tuple((stop.hex, stop.part) for stop in row.stops),
            revenue=row.revenue,
            revenue_str=row.revenue_str,
            paths=row.paths,
        )
        for row in evaluation.routes
    )


def _ride(track: Map, number: int, train: Train, route: Route, paths: tuple[PathKey, ...]) -> Ridden:
    """Follow one route along its paths."""
    terms = terms_of(track.position.rules, train.type)
    first = "{}-{}".format(*route.stops[0]) if route.stops and route.paths else ""
    trace = follow(track, paths, first)
    visits = visits_of(track, trace)
    counted = counted_stops(track, terms, visits)
    return Ridden(number, train, terms, trace, visits, counted, connections(track, trace))


def _row(
    ridden: Ridden, paths: tuple[PathKey, ...] | None, earned: Earnings, problems: list[Fault]
) -> RouteEvaluation:
    """Put together what is known of a route."""
    if earned.forbidden_by:
        message = f"is forbidden by the rule {earned.forbidden_by}"
        problems.append(ridden.fault("custom", message, ridden.visits[0].hex))
    return RouteEvaluation(
        train=ridden.train.id,
        revenue=earned.revenue,
        revenue_str=earned.text,
        stops=earned.stops,
        bonuses=earned.bonuses,
        faults=tuple(problems),
        paths=tuple(paths or ()),
        connections=ridden.connections,
    )


def _find_paths(
    track: Map, routes: Sequence[Route]
) -> tuple[list[tuple[PathKey, ...] | None], list[list[Fault]]]:
    """Return the paths of every route (None where there are none), rebuilt from the last to the first."""
    found: list[tuple[PathKey, ...] | None] = [None] * len(routes)
    faults: list[list[Fault]] = [[] for _ in routes]
    taken: set[PathKey] = set()
    for number, route in enumerate(routes):
        if route.paths:
            wrong = _missing(track, route.paths)
            if wrong is None:
                found[number] = route.paths
                taken.update(route.paths)
            else:
                message = f"there is no path {wrong[1]} on {wrong[0]}"
                faults[number].append(Fault("no_such_track", message, number, route.train, wrong[0]))
    for number in range(len(routes) - 1, -1, -1):
        route = routes[number]
        if route.paths:
            continue
        try:
            found[number] = _rebuilt(track, route, frozenset(taken))
            taken.update(found[number] or ())
        except RebuildError as error:
            faults[number].append(Fault("no_such_track", str(error), number, route.train, error.hex))
    return found, faults


def _missing(track: Map, paths: Sequence[PathKey]) -> PathKey | None:
    """Return the first path that the map does not have."""
    laid = track.laid
    for key in paths:
        hex_id, index = key
        try:
            known = 0 <= index < len(laid[hex_id].pieces)
        except KeyError:
            known = False
        if not known:
            return key
    return None


def _rebuilt(track: Map, route: Route, taken: frozenset[PathKey]) -> tuple[PathKey, ...]:
    """Rebuild a route; where only used track fits, take that, and let the overlap be found."""
    if not route.connections:
        return ()
    if len(route.connections) > MAX_LENGTH or max(map(len, route.connections)) > MAX_LENGTH:
        raise RebuildError(f"has more than {MAX_LENGTH} hexes or chains", "")
    try:
        return rebuild(track, route, taken)
    except RebuildError:
        return rebuild(track, route)


def _disagreements(ridden: Ridden, route: Route) -> list[Fault]:
    """Compare the stops and connections that a route says it has with those of its paths, if it gives all."""
    if not route.paths:
        return []
    faults = []
    stops = tuple([(visit.hex, visit.stop.part) for visit in ridden.visits])
    if route.stops and route.stops != stops and route.stops != stops[::-1]:
        said = " ".join(route.nodes)
        message = f"names the stops {said}, but its track visits {' '.join(f'{h}-{p}' for h, p in stops)}"
        faults.append(ridden.fault("no_such_track", message))
    if route.connections and not _same_chains(route.connections, ridden.connections):
        faults.append(ridden.fault("no_such_track", "names other hexes than its track crosses"))
    return faults


def _same_chains(given: tuple[tuple[str, ...], ...], found: tuple[tuple[str, ...], ...]) -> bool:
    """Compare chains; each list may run either way (common 8.3)."""
    if given == found:
        return True

    def plain(chain: Sequence[str]) -> tuple[str, ...]:
        hexes = tuple(name.split(" ")[0] for name in chain)
        return min(hexes, hexes[::-1])

    one, other = [plain(chain) for chain in given], [plain(chain) for chain in found]
    return one in (other, other[::-1])

"""What the routes of a run earn together: bonuses that a company gets once are shared out here."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, combinations

from optimizer.evaluation.custom import active_rules, once_rules
from optimizer.evaluation.legality import Ridden
from optimizer.evaluation.revenue import Earnings, RouteBonuses, earnings
from optimizer.evaluation.track import Map

# Numbers of company bonuses among the rules' bonuses; negative ones are rules written in Python.
Claims = frozenset[int]


def run_earnings(track: Map, routes: Sequence[Ridden]) -> list[Earnings]:
    """Price routes that are run together.

    Every bonus that a company gets once a run goes to at most one route, so that the run earns most;
    each route chooses the stops that it is paid for knowing which of these bonuses it may claim.
    """
    rules = track.position.rules
    once = [i for i, bonus in enumerate(rules.bonuses) if bonus.scope == "company"]
    once += once_rules(rules)
    if not once:
        return [_earnings(track, route, frozenset()) for route in routes]
    # best[claimed]: the highest revenue of the routes so far that claim just these, and how
    best: dict[Claims, tuple[int, list[Earnings]]] = {frozenset(): (0, [])}
    for route in routes:
        choices = _choices(track, route, once)
        following: dict[Claims, tuple[int, list[Earnings]]] = {}
        for claimed, (revenue, rows) in best.items():
            for claims, earned in choices.items():
                if claims & claimed:
                    continue
                total = revenue + earned.revenue
                key = claims | claimed
                if key not in following or total > following[key][0]:
                    following[key] = (total, [*rows, earned])
        best = following
    return max(best.values(), key=lambda row: row[0])[1]


def _choices(track: Map, route: Ridden, once: Sequence[int]) -> dict[Claims, Earnings]:
    """Price a route for every set of company bonuses that it could claim."""
    bonuses = RouteBonuses(route.terms, route.trace, frozenset(once))
    every = frozenset(stop.hex for stop in route.counted)
    reached = {id(one.bonus) for one in bonuses.earned(every) if one.amount}
    rules = track.position.rules
    within = [number for number in once if number >= 0 and id(rules.bonuses[number]) in reached]
    train = route.train.type
    within += [number for number in once if number < 0 and active_rules(rules, train, frozenset((number,)))]
    subsets = chain.from_iterable(combinations(within, size) for size in range(len(within) + 1))
    return {frozenset(claims): _earnings(track, route, frozenset(claims)) for claims in subsets}


def _earnings(track: Map, route: Ridden, claims: Claims) -> Earnings:
    if not route.visits:
        return Earnings(0, (), (), "")
    return earnings(track, route.terms, route.trace, route.visits, route.counted, claims)

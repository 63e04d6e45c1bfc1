"""Rules written in Python, as the evaluator runs them: plain calls with everything about a route."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from optimizer.custom_registry import CustomRoute, CustomStop, EvaluatedRule, find_rule
from optimizer.evaluation.pay import Selection
from optimizer.evaluation.report import BonusPay
from optimizer.evaluation.track import JUNCTION, STOP, Map, Trace
from optimizer.model.rules import RouteRules, TrainType

if TYPE_CHECKING:
    from optimizer.evaluation.revenue import Counted, RouteBonuses, Visit

Claims = frozenset[int]
Active = list[tuple[EvaluatedRule, dict[str, int]]]


def once_rules(rules: RouteRules) -> list[int]:
    """Return the claims of rules that one route of a run gets: -1 for the first rule, -2 for the next."""
    return [-1 - i for i, rule in enumerate(rules.custom) if find_rule(rule.name).scope == "once"]


def active_rules(rules: RouteRules, train: TrainType, claims: Claims) -> Active:
    """Return the rules that a route of this train is priced with, and their parameters."""
    found = []
    for number, row in enumerate(rules.custom):
        rule = find_rule(row.name)
        if rule.applies_to(train.name) and (rule.scope == "route" or -1 - number in claims):
            found.append((rule, dict(row.parameters)))
    return found


class RouteView:
    """Describes one route to rules, for any selection of paid stops."""

    def __init__(
        self,
        track: Map,
        train: TrainType,
        trace: Trace,
        visits: Sequence[Visit],
        counted: Sequence[Counted],
        bonuses: RouteBonuses,
    ) -> None:
        """Take a route; ``bonuses`` know the counters and price the closed vocabulary."""
        self.train = train
        self.counted = counted
        self.bonuses = bonuses
        self.rules = track.position.rules
        by_visit = {stop.visit: stop for stop in counted}
        arrived, departed = _sides(trace, len(visits))
        self.stops = [
            _stop(self.rules, visit, by_visit.get(i), arrived[i], departed[i])
            for i, visit in enumerate(visits)
        ]

    def of(self, selection: Selection, revenue: int) -> CustomRoute:
        """Return the route with these counted stops paid and this revenue so far."""
        paid = {self.counted[i].visit for i in selection}
        stops = tuple(stop._replace(paid=i in paid) for i, stop in enumerate(self.stops))
        looked_at = selection if self.rules.bonuses_need_pay else range(len(self.counted))
        counts = self.bonuses.counts(frozenset(self.counted[i].hex for i in looked_at))
        return CustomRoute(self.train.name, stops, self.train.multiplier, revenue, counts)


def _sides(trace: Trace, visits: int) -> tuple[list[int], list[int]]:
    """Return the sides by which the route comes to and goes from each visited stop, -1 for none."""
    arrived, departed = [-1] * visits, [-1] * visits
    number = -1
    for i, step in enumerate(trace.steps):
        if STOP <= step.entry < JUNCTION:
            number += i == 0 or i in trace.gaps
            departed[number] = step.exit if step.exit < STOP else -1
        if STOP <= step.exit < JUNCTION:
            number += 1
            arrived[number] = step.entry if step.entry < STOP else -1
    return arrived, departed


def _stop(
    rules: RouteRules, visit: Visit, counted: Counted | None, arrived: int, departed: int
) -> CustomStop:
    sides = {(visit.hex, arrived), (visit.hex, departed)}
    return CustomStop(
        visit.hex,
        visit.stop.part,
        visit.stop.kind,
        counted.amount if counted is not None else 0,
        visit.token,
        paid=False,
        counted=counted is not None,
        arrived=arrived,
        departed=departed,
        marks=frozenset(c.name for c in rules.counters if visit.hex in c.hexes),
        entries=frozenset(c.name for c in rules.counters if sides & c.entries),
    )


class RouteCustom:
    """The rules of one route; ``forbidden_by`` names one that ruled out some way of being paid."""

    def __init__(self, active: Active, view: RouteView, value: Callable[[Selection], int]) -> None:
        """Take the rules; ``value``: stops and bonuses of the closed vocabulary for a selection."""
        self.active = active
        self.view = view
        self.value = value
        self.reads_routes = any(rule.reads == "route" for rule, _ in active)
        self.forbidden_by = ""

    def items(self, selection: Selection) -> list[BonusPay] | None:
        """Return what each rule adds; None where one forbids the route."""
        route = self.view.of(selection, self.value(selection))
        found = []
        for rule, given in self.active:
            amount = rule.evaluate(route, given)
            if amount is None:
                self.forbidden_by = rule.name
                return None
            if amount:
                found.append(BonusPay(rule.name, amount, rule.label))
        return found


def run_items(rules: RouteRules, views: Sequence[CustomRoute]) -> tuple[list[BonusPay], str]:
    """Return what the rules about whole runs add, and the name of one that forbids the run."""
    found: list[BonusPay] = []
    for row in rules.custom:
        rule = find_rule(row.name)
        if rule.scope != "run" or not views:
            continue
        given: Mapping[str, int] = dict(row.parameters)
        held = [view for view in views if rule.applies_to(view.train)]
        amount = rule.evaluate_run(held, given) if held else 0
        if amount is None:
            return found, rule.name
        if amount:
            found.append(BonusPay(rule.name, amount, rule.label))
    return found, ""

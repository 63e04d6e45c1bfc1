"""Rules written in Python as numbers for the native search: addresses, parameters, marks of stops."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import gcd
from typing import Any

from optimizer.custom.calling import Callee, callee
from optimizer.custom.rule import Rule, RuleError
from optimizer.custom.view import MAX_RULES, number
from optimizer.custom_registry import find_rule
from optimizer.graph.trains import TrainNumbers, UnsupportedRules
from optimizer.model.position import Position
from optimizer.model.rules import Counter, RouteRules, TrainType
from optimizer.native.custom import RunRules, attach, broken
from optimizer.native.layout import Layout
from optimizer.native.train_graph import TrainGraph

MAX_CLAIMS = 8
PAY_ALL = 10  # the number of a train's spec that tells whether every counted stop is paid


@dataclass(slots=True)
class Named:
    """A rule that a position names: its parameters, the most it can add, and its claim (-1: none)."""

    rule: Rule
    given: dict[str, int]
    claim: int = -1

    @property
    def most(self) -> int:
        """The most that it can add (for each point of ``per``); -1 where only its bound says."""
        return self.rule.most_of(self.given) if self.rule.most is not None else -1

    @property
    def parameters(self) -> list[int]:
        """Sixteen numbers."""
        values = self.rule.values(self.given)
        return [*values, *[0] * (16 - len(values))]


@dataclass(slots=True)
class CustomRules:
    """The Python rules of a position, ready for its train graphs."""

    position: Position
    rules: list[Named] = field(default_factory=list)
    callees: dict[str, Callee] = field(default_factory=dict)
    graphs: list[tuple[TrainGraph, list[Named]]] = field(default_factory=list)
    run: RunRules | None = None

    @property
    def reading(self) -> bool:
        """Whether some rule looks at whole routes: then no track may be left out as useless."""
        return any(named.rule.reads == "route" for named in self.rules)

    @property
    def once(self) -> int:
        """How many rules hold for one route of a run."""
        return sum(named.claim >= 0 for named in self.rules)

    def of_train(self, train: TrainType) -> list[Named]:
        """Return the rules that routes of a train are priced with."""
        return [n for n in self.rules if n.rule.scope != "run" and n.rule.applies_to(train.name)]

    def attach(self, graph: TrainGraph, layout: Layout, train: TrainType, numbers: TrainNumbers) -> None:
        """Give a train graph its rules; UnsupportedRules where the search cannot be exact for it."""
        for one in self.run_rules:
            if not one.rule.applies_to(train.name):
                continue
            why = ""
            if not numbers.spec[PAY_ALL]:
                why = "they choose what stops pay"
            elif train.pay_needs_token and not train.requires_token:
                why = "they may run where nothing is paid"
            if why:
                raise UnsupportedRules(
                    f"rule {one.rule.name} looks at whole runs, "
                    f"which the search cannot do for {train.name}-trains: {why}"
                )
        named = self.of_train(train)
        if self.run_rules:
            named = []
            attach(
                graph,
                array("q"),
                _stops(layout),
                array("q"),
                array("q"),
                number(train.name),
                train.multiplier,
            )
        if not named:
            return
        rows = array("q")
        for one in named:
            rule, called = one.rule, self._callee(one)
            counters = [numbers.counters[name] for name in rule.counters]
            rows.extend((called.function, called.bound, rule.reads == "counters", one.claim, one.most))
            per = rule.counters.index(rule.per) if rule.per else -1
            rows.extend((rule.unit_of(one.given), per, len(counters)))
            rows.extend((*counters, *[0] * (8 - len(counters)), *one.parameters))
            rows.extend((0, 0))
        marks, sides = _marks(self.position.rules, layout, named)
        attach(graph, rows, _stops(layout), marks, sides, number(train.name), train.multiplier)
        self.graphs.append((graph, named))

    @property
    def run_rules(self) -> list[Named]:
        """The rules about whole runs."""
        return [named for named in self.rules if named.rule.scope == "run"]

    @property
    def most_of_run(self) -> int:
        """The most that rules about whole runs add; -1 where some rule tells only for parts of routes."""
        if any(named.most < 0 for named in self.rules):
            return -1
        return sum(named.most for named in self.run_rules)

    def prepare_run(self, layout: Layout, kinds: Sequence[TrainType]) -> int:
        """Prepare the rules about whole runs; return what everything they add is a multiple of."""
        named = self.run_rules
        if not named:
            return 0
        rows, unit = array("q"), 0
        for one in named:
            bits = sum(1 << i for i, kind in enumerate(kinds) if one.rule.applies_to(kind.name))
            unit = gcd(unit, one.rule.unit_of(one.given))
            rows.extend((self._callee(one).function, bits, one.most, one.rule.unit_of(one.given)))
            rows.extend(one.parameters)
        marks, sides = _marks(self.position.rules, layout, named, codes=True)
        self.run = RunRules(rows, marks, sides, layout.stops)
        return unit

    def _callee(self, named: Named) -> Callee:
        found = self.callees.get(named.rule.name)
        if found is None:
            found = self.callees[named.rule.name] = callee(named.rule, named.given)
        return found

    def raise_broken(self) -> None:
        """Raise RuleError if a rule returned what its declaration excludes."""
        for called in self.callees.values():
            called.raise_problems()
        for graph, named in self.graphs:
            _raise(named, broken(graph))
        if self.run is not None:
            _raise(self.run_rules, self.run.broken())


def _raise(named: Sequence[Named], found: Sequence[tuple[int, int, int, str]]) -> None:
    for index, amount, declared, kind in found:
        rule = named[index].rule
        what = f"declares {declared} as the most" if kind == "most" else f"declares multiples of {declared}"
        raise RuleError(f"rule {rule.name} returned {amount}, but {what}")


def named_rules(position: Position, *, fixed: bool = False) -> CustomRules:
    """Collect the Python rules that a position names; UnsupportedRules for what the search cannot do."""
    rules = position.rules
    found = CustomRules(position)
    claims = sum(bonus.scope == "company" for bonus in rules.bonuses)
    known = {counter.name for counter in rules.counters}
    for row in rules.custom:
        rule: Any = find_rule(row.name)
        if not isinstance(rule, Rule):
            raise UnsupportedRules(f"rule {row.name} is registered for the evaluator only")
        missing = sorted(set(rule.counters) - known)
        if missing:
            raise UnsupportedRules(f"rule {row.name} needs the counter {missing[0]!r}, which is not declared")
        named = Named(rule, dict(row.parameters))
        if rule.scope == "once":
            named.claim = claims
            claims += 1
        found.rules.append(named)
        if fixed and rule.scope != "route":
            raise UnsupportedRules(f"rule {row.name} looks beyond one route: no routes can be fixed with it")
    if found.run_rules and len(found.rules) > len(found.run_rules):
        name = found.run_rules[0].rule.name
        raise UnsupportedRules(f"rule {name} looks at whole runs: no rules about routes beside it")
    if len(found.rules) > MAX_RULES:
        raise UnsupportedRules(f"more than {MAX_RULES} Python rules")
    if claims > MAX_CLAIMS:
        raise UnsupportedRules(f"more than {MAX_CLAIMS} bonuses for one route of a run")
    return found


def _stops(layout: Layout) -> array[int]:
    """Return the hex's number and the part of every stop."""
    found = array("q")
    for hex_id, shape in layout.shapes.items():
        for stop in shape.tile.stops:
            try:
                found.extend((number(hex_id), stop.part))
            except ValueError as error:
                raise UnsupportedRules(str(error)) from None
    return found


def _marks(
    rules: RouteRules, layout: Layout, named: Sequence[Named], *, codes: bool = False
) -> tuple[array[int], array[int]]:
    """Return the marks of every stop for each rule, and the sides that are entries.

    A side is ``hex * 8 + side, rule, bits``; with ``codes`` it is ``number of the hex, side, rule, bits``.
    """
    counters: dict[str, Counter] = {counter.name: counter for counter in rules.counters}
    marks = array("q", bytes(8 * layout.stops * len(named)))
    sides = array("q")
    for i, one in enumerate(named):
        for bit, name in enumerate(one.rule.counters):
            for stop in layout.stops_in(counters[name].hexes):
                marks[i * layout.stops + stop] |= 1 << bit
            for hex_id, side in sorted(counters[name].entries):
                if hex_id not in layout.board.index:
                    continue
                if codes:
                    sides.extend((number(hex_id), side, i, 1 << bit))
                else:
                    sides.extend((layout.board.index[hex_id] * 8 + side, i, 1 << bit))
    return marks, sides

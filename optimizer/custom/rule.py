"""Declaring a rule: a Python function, and what the search must know to use it and stay exact."""

from __future__ import annotations

import keyword
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeVar, cast

from optimizer.custom.adapter import route_view, run_view
from optimizer.custom.tuples import named
from optimizer.custom.view import FORBIDDEN, MAX_COUNTERS, MAX_PARAMETERS
from optimizer.custom_registry import CustomRoute, register_evaluation

Scope = Literal["route", "once", "run"]
Reads = Literal["route", "counters"]
Amount = int | Callable[[Any], int]
F = TypeVar("F", bound=Callable[..., Any])


class RuleError(ValueError):
    """A rule that is declared wrongly, or that breaks what it declares; the text names the rule."""


class Helper:
    """A plain function that rules call; it is compiled with them."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def __call__(self, *arguments: Any) -> Any:
        """Run it as plain Python."""
        return self.function(*arguments)


def helper(function: F) -> F:
    """Mark a function that rules of this module call."""
    return cast("F", Helper(function))


@dataclass(frozen=True)
class Rule:
    """A rule in Python; see :func:`rule` for what the fields mean."""

    name: str
    function: Callable[[Any, Any], int] = field(repr=False)
    scope: Scope = "route"
    reads: Reads = "route"
    most: Amount | None = None
    bound: Callable[[Any, Any], int] | None = None
    per: str = ""
    unit: Amount = 1
    parameters: Mapping[str, int | None] = field(default_factory=dict)
    counters: tuple[str, ...] = ()
    trains: frozenset[str] = frozenset()
    but_trains: frozenset[str] = frozenset()
    label: str = ""

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def description(self) -> str:
        """What the rule does: the function's documentation."""
        return (self.function.__doc__ or "").strip()

    def applies_to(self, train: str) -> bool:
        """Tell whether the rule holds for trains of this name."""
        return train not in self.but_trains and (not self.trains or train in self.trains)

    @cached_property
    def parameter_type(self) -> Callable[..., Any]:
        """The named tuple of the parameters."""
        return named("Parameters", tuple(self.parameters))

    @cached_property
    def counts_type(self) -> Callable[..., Any]:
        """The named tuple of the counters."""
        return named("Counts", self.counters)

    def values(self, given: Mapping[str, int]) -> tuple[int, ...]:
        """Return the parameters in order, with defaults; RuleError for missing and unknown ones."""
        unknown = sorted(set(given) - set(self.parameters))
        missing = [name for name, value in self.parameters.items() if value is None and name not in given]
        if unknown or missing:
            known = ", ".join(self.parameters) or "none"
            what = f"has no parameter {unknown[0]}" if unknown else f"needs the parameter {missing[0]}"
            raise RuleError(f"rule {self.name} {what}; its parameters are: {known}")
        return tuple(given.get(name, value or 0) for name, value in self.parameters.items())

    def arguments(self, given: Mapping[str, int]) -> Any:
        """Return the parameters as the functions get them."""
        return self.parameter_type(*(self.values(given) or (0,)))

    def most_of(self, given: Mapping[str, int]) -> int:
        """Return the most that the rule can add (for each point of ``per``, if that is set)."""
        most = self.most(self.arguments(given)) if callable(self.most) else self.most
        return max(0, int(most or 0))

    def unit_of(self, given: Mapping[str, int]) -> int:
        """Return the number that everything the rule returns is a multiple of."""
        return abs(int(self.unit(self.arguments(given)) if callable(self.unit) else self.unit))

    def evaluate(self, route: CustomRoute, given: Mapping[str, int]) -> int | None:
        """Run the rule on one route as plain Python; None where it forbids the route."""
        view = route_view(route, self.counters, self.counts_type, counters_only=self.reads == "counters")
        return self._result(self.function(view, self.arguments(given)))

    def evaluate_run(self, routes: Sequence[CustomRoute], given: Mapping[str, int]) -> int | None:
        """Run the rule on all routes of a run as plain Python; None where it forbids the run."""
        return self._result(self.function(run_view(routes, self.counters), self.arguments(given)))

    @staticmethod
    def _result(value: int) -> int | None:
        return None if value <= FORBIDDEN else int(value)

    def register(self) -> Rule:
        """Make the rule known to the evaluator and the search; RuleError if the name is taken."""
        register_evaluation(self.name, self)
        return self


class _Checked(NamedTuple):
    rule: Rule

    def faults(self) -> list[str]:
        """Return everything that is wrong with the declaration."""
        rule = self.rule
        found = []
        names = (*rule.parameters, *rule.counters)
        found += [f"{name!r} is no Python name" for name in names if not _is_name(name)]
        if rule.most is None and rule.bound is None:
            found.append("says neither `most` nor `bound`: what is the most that it can add?")
        if len(rule.parameters) > MAX_PARAMETERS:
            found.append(f"has more than {MAX_PARAMETERS} parameters")
        if len(rule.counters) > MAX_COUNTERS:
            found.append(f"has more than {MAX_COUNTERS} counters")
        if rule.scope not in ("route", "once", "run"):
            found.append(f"scope {rule.scope!r} is none of route, once, run")
        if rule.reads not in ("route", "counters"):
            found.append(f"reads {rule.reads!r} is neither route nor counters")
        if rule.reads == "counters" and (rule.scope == "run" or not rule.counters):
            found.append("reads counters: it needs some, and scope route or once")
        if rule.per and rule.per not in rule.counters:
            found.append(f"per {rule.per!r} is none of its counters")
        if rule.per and (rule.most is None or rule.scope == "run"):
            found.append("per needs `most`, and scope route or once")
        if rule.bound is not None and (rule.reads == "counters" or rule.scope == "run"):
            found.append("a bound over partial routes needs reads route and scope route or once")
        return found


def _is_name(name: str) -> bool:
    return name.isidentifier() and not name.startswith("_") and not keyword.iskeyword(name)


def rule(
    name: str,
    *,
    most: Amount | None = None,
    bound: Callable[[Any, Any], int] | None = None,
    per: str = "",
    scope: Scope = "route",
    reads: Reads = "route",
    unit: Amount = 1,
    parameters: Mapping[str, int | None] | Sequence[str] = (),
    counters: Sequence[str] = (),
    trains: Sequence[str] = (),
    but_trains: Sequence[str] = (),
    label: str = "",
) -> Callable[[Callable[[Any, Any], int]], Rule]:
    """Declare a rule and register it under ``name``.

    The function gets the view and the parameters and returns an integer, or FORBIDDEN.

    - ``scope``: ``route`` adds to each route; ``once`` to the one route of the run where it brings most;
      ``run`` gets all routes of the run at once.
    - ``reads``: ``route`` looks at the whole route (:class:`Route`, :class:`Run`); ``counters`` only at
      counters of the position (:class:`Counted`) and promises never to fall when a counter grows. The
      search is faster then.
    - ``most``: the most that it can add, a number or a function of the parameters; with ``per`` for each
      point of that counter. ``bound``: a second function, compiled too, that gets a part of a route and
      returns the most that the rule can add to any route containing it.
    - ``unit``: everything it returns is a multiple of this (a number or a function of the parameters).
    - ``parameters``: names of its integer parameters, or a mapping to their defaults.
    - ``counters``: names of the position's counters that it needs.
    - ``trains``, ``but_trains``: names of the trains it holds for (none: all) and does not hold for.
    - ``label``: how a route's revenue text calls it (empty: not mentioned).

    Raises RuleError for a declaration that makes no sense.
    """
    if isinstance(bound, Helper):
        bound = bound.function
    values = parameters if isinstance(parameters, Mapping) else dict.fromkeys(parameters)

    def declare(function: Callable[[Any, Any], int]) -> Rule:
        made = Rule(
            name, function, scope, reads, most, bound, per, unit, dict(values), tuple(counters),
            frozenset(trains), frozenset(but_trains), label,
        )  # fmt: skip
        faults = _Checked(made).faults()
        if faults:
            raise RuleError(f"rule {name}: " + "; ".join(faults))
        return made.register()

    return declare

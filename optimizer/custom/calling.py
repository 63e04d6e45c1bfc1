"""The C functions that the search calls: compiled, or in debug mode checked call by call.

Debug mode (``RHEINGOLD_CHECK_RULES=1``) holds every value that a rule returns during a search against the
same rule as plain Python, and against what the rule declares. It is slow.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from optimizer.custom.compiled import compiled
from optimizer.custom.rule import Rule, RuleError
from optimizer.custom.view import (
    COUNTS,
    FIELDS,
    FORBIDDEN,
    HEAD,
    ROUTE_FIELDS,
    Counted,
    Route,
    Run,
    RunRoute,
    Stop,
)

_NUMBERS = ctypes.POINTER(ctypes.c_int64)
_ROUTE_CALL = ctypes.CFUNCTYPE(ctypes.c_int64, _NUMBERS, _NUMBERS, ctypes.c_int64, _NUMBERS)
_RUN_CALL = ctypes.CFUNCTYPE(ctypes.c_int64, _NUMBERS, ctypes.c_int64, _NUMBERS, ctypes.c_int64, _NUMBERS)


@dataclass(slots=True)
class Callee:
    """Addresses to call; ``keep`` holds what is behind them, ``problems`` is what debug mode found."""

    function: int
    bound: int
    keep: tuple[Any, ...] = ()
    problems: list[str] = field(default_factory=list)

    def raise_problems(self) -> None:
        """Raise RuleError for the first problem."""
        if self.problems:
            raise RuleError(self.problems[0])


def checking() -> bool:
    """Tell whether debug mode is on."""
    return os.environ.get("RHEINGOLD_CHECK_RULES", "") not in ("", "0")


def callee(rule: Rule, given: Mapping[str, int]) -> Callee:
    """Return what the search calls for a rule with these parameters."""
    made = compiled(rule)
    if not checking():
        return Callee(made.function, made.bound, made.keep)
    found = Callee(0, made.bound)
    arguments = rule.arguments(given)
    if rule.scope == "run":
        call: Any = _RUN_CALL(_RunChecker(rule, arguments, made.function, found.problems))
    else:
        call = _ROUTE_CALL(_RouteChecker(rule, arguments, made.function, found.problems))
    found.function = ctypes.cast(call, ctypes.c_void_p).value or 0
    found.keep = (call, *made.keep)
    return found


def _stops(rows: Any, size: int) -> tuple[Stop, ...]:
    return tuple(Stop(*rows[i * FIELDS : (i + 1) * FIELDS]) for i in range(size))


class _RouteChecker:
    """Calls the compiled function and, beside it, the plain one."""

    def __init__(self, rule: Rule, arguments: Any, address: int, problems: list[str]) -> None:
        self.rule = rule
        self.arguments = arguments
        self.problems = problems
        self.native = _ROUTE_CALL(address)

    def __call__(self, head: Any, rows: Any, size: int, parameters: Any) -> int:
        value: int = self.native(head, rows, size, parameters)
        try:
            self._check(value, list(head[0:HEAD]), _stops(rows, size) if size else ())
        except Exception as error:  # an exception cannot pass through the search
            self.problems.append(f"rule {self.rule.name} raised {error!r} as plain Python")
        return value

    def _check(self, value: int, head: list[int], stops: tuple[Stop, ...]) -> None:
        rule = self.rule
        counts = rule.counts_type(*head[COUNTS : COUNTS + max(1, len(rule.counters))])
        if rule.reads == "counters":
            plain = rule.function(Counted(head[0], head[1], counts), self.arguments)
            self._compare(value, plain)
            self._never_falls(value, head[0], head[1], counts)
            return
        self._compare(value, rule.function(Route(head[0], head[1], head[2], stops, counts), self.arguments))
        back = tuple(s._replace(arrived=s.departed, departed=s.arrived) for s in reversed(stops))
        turned = rule.function(Route(head[0], head[1], head[2], back, counts), self.arguments)
        if turned != value:
            self.problems.append(
                f"rule {rule.name} returned {value} for a route and {turned} for the same run backwards"
            )
        if rule.bound is not None and value > FORBIDDEN:
            self._check_bound(value, head, stops, counts)

    def _compare(self, value: int, plain: int) -> None:
        if value != plain:
            self.problems.append(
                f"rule {self.rule.name} returned {value} compiled and {plain} as plain Python"
            )

    def _never_falls(self, value: int, train: int, multiplier: int, counts: Any) -> None:
        for name in self.rule.counters:
            more = counts._replace(**{name: getattr(counts, name) + 1})
            if self.rule.function(Counted(train, multiplier, more), self.arguments) < value:
                self.problems.append(
                    f"rule {self.rule.name} reads counters only, but falls when {name} grows from {counts}"
                )

    def _check_bound(self, value: int, head: list[int], stops: tuple[Stop, ...], counts: Any) -> None:
        """Hold the bound over every part of this route against the value of the whole."""
        bound = self.rule.bound
        none = type(counts)(*[0] * len(counts))
        seen = [stop._replace(paid=stop.counted) for stop in stops]
        for first in range(len(stops)):
            for last in range(first, len(stops)):
                part = seen[first : last + 1]
                part[0] = part[0]._replace(arrived=-1)
                part[-1] = part[-1]._replace(departed=-1)
                view = Route(head[0], head[1], 0, tuple(part), none)
                most = bound(view, self.arguments) if bound is not None else value
                if most < value:
                    self.problems.append(
                        f"rule {self.rule.name} returned {value}, but its bound for a part is {most}"
                    )
                    return


class _RunChecker:
    """The same for rules about all routes of a run."""

    def __init__(self, rule: Rule, arguments: Any, address: int, problems: list[str]) -> None:
        self.rule = rule
        self.arguments = arguments
        self.problems = problems
        self.native = _RUN_CALL(address)

    def __call__(self, routes: Any, count: int, rows: Any, size: int, parameters: Any) -> int:
        value: int = self.native(routes, count, rows, size, parameters)
        given = tuple(RunRoute(*routes[i * ROUTE_FIELDS : (i + 1) * ROUTE_FIELDS]) for i in range(count))
        try:
            plain = self.rule.function(Run(given, _stops(rows, size)), self.arguments)
        except Exception as error:  # an exception cannot pass through the search
            self.problems.append(f"rule {self.rule.name} raised {error!r} as plain Python")
            return value
        if plain != value:
            self.problems.append(
                f"rule {self.rule.name} returned {value} compiled and {plain} as plain Python"
            )
        return value

"""Where rules written in Python are found by name (see :class:`optimizer.model.rules.CustomRule`).

The evaluator calls them with the facts of a route or a run; the search has its own compiled copy of each.
Rules come from entry points of the group ``rheingold.rules``, from ``--rules``, or are declared in a
program (:func:`optimizer.custom.rule`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol


class CustomStop(NamedTuple):
    """A visited stop as a custom rule sees it.

    ``arrived`` and ``departed`` are sides of its hex, -1 for none; ``marks`` the names of the counters
    that its hex belongs to, ``entries`` of those that one of the two sides belongs to.
    """

    hex: str
    part: int
    kind: str
    amount: int
    token: bool
    paid: bool
    counted: bool = True
    arrived: int = -1
    departed: int = -1
    marks: frozenset[str] = frozenset()
    entries: frozenset[str] = frozenset()


class CustomRoute(NamedTuple):
    """A route as a custom rule sees it: its train, its visited stops in order, its counters.

    ``revenue``: what the paid stops and the bonuses of the closed vocabulary bring.
    """

    train: str
    stops: tuple[CustomStop, ...]
    multiplier: int = 1
    revenue: int = 0
    counts: Mapping[str, int] = {}


# What the route earns more (or less) by this rule, or None where the rule forbids the route.
CustomFunction = Callable[[CustomRoute, Mapping[str, int]], "int | None"]


class EvaluatedRule(Protocol):
    """What the evaluator needs of a rule. ``scope``: ``route``, ``once`` (one route of a run), ``run``."""

    @property
    def name(self) -> str: ...
    @property
    def scope(self) -> str: ...
    @property
    def reads(self) -> str: ...
    @property
    def counters(self) -> tuple[str, ...]: ...
    @property
    def label(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def parameters(self) -> Mapping[str, int | None]: ...
    def values(self, given: Mapping[str, int], /) -> tuple[int, ...]: ...
    def applies_to(self, train: str, /) -> bool: ...
    def evaluate(self, route: CustomRoute, given: Mapping[str, int], /) -> int | None: ...
    def evaluate_run(self, routes: Sequence[CustomRoute], given: Mapping[str, int], /) -> int | None: ...


class PlainRule(NamedTuple):
    """A function for the evaluator alone: the search refuses positions that name it."""

    name: str
    function: CustomFunction
    scope: str = "route"
    reads: str = "route"
    counters: tuple[str, ...] = ()
    label: str = ""
    description: str = ""
    parameters: Mapping[str, int | None] = {}

    def values(self, given: Mapping[str, int]) -> tuple[int, ...]:
        """Take any parameters."""
        return tuple(given.values())

    def applies_to(self, train: str) -> bool:
        """Hold for every train."""
        return True

    def evaluate(self, route: CustomRoute, given: Mapping[str, int]) -> int | None:
        """Call the function."""
        return self.function(route, given)

    def evaluate_run(self, routes: Sequence[CustomRoute], given: Mapping[str, int]) -> int | None:
        """Add nothing to a run."""
        return 0


_rules: dict[str, EvaluatedRule] = {}


def register_evaluation(name: str, given: CustomFunction | EvaluatedRule) -> None:
    """Make a rule known to the evaluator; ValueError if another one has this name."""
    rule = given if not callable(given) else PlainRule(name, given)
    if _rules.get(name, rule) != rule:
        raise ValueError(f"a custom rule named {name!r} is registered already")
    _rules[name] = rule


def find_rule(name: str) -> EvaluatedRule:
    """Return a rule by name; KeyError naming the known ones if there is none such."""
    if name not in _rules:
        _load_installed()
    try:
        return _rules[name]
    except KeyError:
        known = ", ".join(sorted(_rules)) or "none"
        raise KeyError(f"no custom rule is named {name!r}; registered are: {known}") from None


def registered_rules() -> tuple[EvaluatedRule, ...]:
    """Return every rule by name, those of installed packages too."""
    _load_installed()
    return tuple(_rules[name] for name in sorted(_rules))


def _load_installed() -> None:
    # Imported here: reading what is installed takes longer than solving a position without such rules.
    from optimizer.custom.loading import load_installed

    load_installed()

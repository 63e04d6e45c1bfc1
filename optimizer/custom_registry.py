"""Where rules written in Python are found by name (see :class:`optimizer.model.rules.CustomRule`).

The evaluator calls them with the facts of one route; the search has its own compiled copy of each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple


class CustomStop(NamedTuple):
    """A counted stop as a custom rule sees it."""

    hex: str
    part: int
    kind: str
    amount: int
    token: bool
    paid: bool


class CustomRoute(NamedTuple):
    """A route as a custom rule sees it: its train's name and its counted stops in order."""

    train: str
    stops: tuple[CustomStop, ...]


# What the route earns more (or less) by this rule, or None where the rule forbids the route.
CustomFunction = Callable[[CustomRoute, Mapping[str, int]], "int | None"]

_functions: dict[str, CustomFunction] = {}


def register_evaluation(name: str, function: CustomFunction) -> None:
    """Make a rule known to the evaluator; ValueError if another one has this name."""
    if _functions.get(name, function) is not function:
        raise ValueError(f"a custom rule named {name!r} is registered already")
    _functions[name] = function


def find_evaluation(name: str) -> CustomFunction:
    """Return a rule by name; KeyError naming the known ones if there is none such."""
    try:
        return _functions[name]
    except KeyError:
        known = ", ".join(sorted(_functions)) or "none"
        raise KeyError(f"no custom rule is named {name!r}; registered are: {known}") from None

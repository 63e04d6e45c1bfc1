"""Named tuples made on the spot: the parameters and counters of a rule."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from functools import cache
from typing import Any


@cache
def named(name: str, fields: tuple[str, ...]) -> Callable[..., Any]:
    """Return a named tuple type; one with no fields gets one called ``none``, which is 0."""
    made: Callable[..., Any] = namedtuple(name, fields or ("none",))  # type: ignore[misc]
    return made

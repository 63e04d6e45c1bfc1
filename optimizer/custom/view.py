"""What a rule written in Python sees of a route: numbers only, in a fixed layout.

Memory is a *head* of ``HEAD`` and one row of ``len(Stop._fields)`` 64-bit integers for each visited stop,
in route order. Compiled rules read it where it lies; plain Python gets the same as named tuples. Names of
hexes and trains are numbers too: see :func:`number`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

# A rule returns this where it does not allow the route (or the run).
FORBIDDEN = -(1 << 62)

KINDS = ("city", "town", "offboard")
CITY, TOWN, OFFBOARD = range(3)

HEAD = 16  # train, multiplier, revenue, 5 spare, then the counters
TRAIN, MULTIPLIER, REVENUE, COUNTS = 0, 1, 2, 8
MAX_COUNTERS = HEAD - COUNTS
MAX_PARAMETERS = 16
MAX_RULES = 8

_LONGEST = 7


class Stop(NamedTuple):
    """A visited stop.

    ``hex``: :func:`number` of its hex; ``part``: which part of the tile; ``kind``: CITY, TOWN or OFFBOARD.
    ``amount``: what it earns if it is paid (multiplier, ferry penalty and doublings applied); ``token``,
    ``counted``, ``paid``: 1 or 0. ``arrived`` and ``departed``: the sides of the hex by which the route
    comes and goes, -1 for none. ``marks``: bit k is set if the hex belongs to the rule's k-th counter;
    ``entries``: bit k if the route comes or goes by a side of that counter. ``route``: number of the
    route in a run, 0 otherwise.
    """

    hex: int
    part: int
    kind: int
    amount: int
    token: int
    counted: int
    paid: int
    arrived: int
    departed: int
    marks: int
    entries: int
    route: int


FIELDS = len(Stop._fields)


class Route(NamedTuple):
    """A route: ``train`` (:func:`number` of its name), its multiplier, and ``revenue`` so far.

    ``revenue`` has the paid stops and the bonuses of the closed vocabulary, not other Python rules.
    ``counts`` has a field for each counter of the rule: ``route.counts.coal``.
    """

    train: int
    multiplier: int
    revenue: int
    stops: Sequence[Stop]
    counts: Any


class Counted(NamedTuple):
    """What a rule sees that reads counters only."""

    train: int
    multiplier: int
    counts: Any


class RunRoute(NamedTuple):
    """A route of a run: its stops are ``run.stops[first:first + size]``."""

    train: int
    multiplier: int
    revenue: int
    first: int
    size: int


ROUTE_FIELDS = len(RunRoute._fields)


class Run(NamedTuple):
    """All routes that a company runs, and their stops one route after the other."""

    routes: Sequence[RunRoute]
    stops: Sequence[Stop]


def number(text: str) -> int:
    """Return the number that stands for a hex or a train: its ASCII bytes read as one big-endian integer.

    ``number("A1") == 65 * 256 + 49``. ValueError beyond 7 characters.
    """
    raw = text.encode()
    if len(raw) > _LONGEST:
        raise ValueError(f"{text!r} is longer than {_LONGEST} characters, which Python rules cannot name")
    return int.from_bytes(raw, "big")


def numbers(*texts: str) -> tuple[int, ...]:
    """Return the numbers of several names, for tests such as ``stop.hex in EAST``."""
    return tuple(number(text) for text in texts)


def text(code: int) -> str:
    """Return the name that a number stands for."""
    return code.to_bytes(_LONGEST, "big").lstrip(b"\0").decode()

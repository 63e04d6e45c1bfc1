"""Ending the compiling of a position early, and what is known of it by then."""

from __future__ import annotations

import time
from array import array
from collections.abc import Sequence
from heapq import nlargest
from typing import Literal

from optimizer.graph.common import Common
from optimizer.graph.trains import MODE_BEST, NO_LIMIT, TrainNumbers

Reason = Literal["", "time", "stopped"]

# Places in a train's spec.
MODE, LIMIT, PAID, SLACK, COUNTED = 0, 1, 2, 4, 7


class Watch:
    """The clock and the stop flag, to be looked at between the parts that take long.

    ``deadline`` is one of the monotonic clock, 0 for none; ``stop[0]`` is set to ask for the end.
    """

    __slots__ = ("deadline", "stop")

    def __init__(self, deadline: float, stop: array[int]) -> None:
        self.deadline = deadline
        self.stop = stop

    def reason(self) -> Reason:
        """Return why to end now, or nothing."""
        if self.stop[0]:
            return "stopped"
        return "time" if self.deadline and time.monotonic() >= self.deadline else ""


class CutShort(Exception):
    """Compiling ended early. ``reason`` is the limit's name; no run earns more than ``bound``."""

    def __init__(self, reason: Reason, bound: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.bound = bound


def ceiling(common: Common, numbers: TrainNumbers) -> int:
    """Return what no route of a train exceeds, whatever the track.

    A route visits no stop twice. The shares of bonuses cover them (see :mod:`optimizer.graph.trains`), so
    it earns at most the sum over its stops, or over those it is paid for, of figure and share, with the
    shares of sides and the slack.
    """
    spec = numbers.spec
    worth = [value + extra for value, extra in zip(numbers.values, numbers.extras, strict=True)]
    places = len(worth)
    if spec[MODE] == MODE_BEST:
        places = min(places, spec[PAID])
    if spec[LIMIT] < NO_LIMIT and _all_take_places(common, spec[COUNTED]):
        places = min(places, spec[LIMIT])
    return sum(nlargest(places, worth)) + sum(numbers.entries[1::2]) + spec[SLACK]


def _all_take_places(common: Common, counted: int) -> bool:
    """Tell whether every stop takes one place or more of a train whose limit holds for these kinds."""
    kinds = set(common.kinds)
    if any(not (counted >> kind) & 1 for kind in kinds):
        return False
    return not common.placeless


def ceiling_of_run(common: Common, numbers: Sequence[TrainNumbers], trains: Sequence[int], more: int) -> int:
    """Return what no run exceeds: so many trains of each kind, and what rules about the whole run add."""
    return sum(ceiling(common, one) * count for one, count in zip(numbers, trains, strict=True)) + more

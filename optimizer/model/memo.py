"""What is worked out from rules and a kind of train, kept as long as the rules are."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from functools import partial
from typing import Generic, TypeVar

from optimizer.model.rules import RouteRules, TrainType

T = TypeVar("T")

# Kinds of train for each rules; with more of them all are forgotten.
MOST_TRAINS = 64


class RulesMemo(Generic[T]):
    """A function of rules and a kind of train that answers from memory, by the identity of both.

    Rules are too large to be compared each time; a title has few of them, and a game uses them all along.
    The memory holds no rules fast: what is known of them goes when they go, so that the maps of passing
    requests leave nothing behind. The function's answers must not hold them either.
    """

    def __init__(self, make: Callable[[RouteRules, TrainType], T]) -> None:
        self._make = make
        self._kept: dict[int, tuple[weakref.ref[RouteRules], dict[int, tuple[TrainType, T]]]] = {}

    def __call__(self, rules: RouteRules, train: TrainType) -> T:
        """Return the function's answer."""
        entry = self._kept.get(id(rules))
        if entry is None or entry[0]() is not rules:
            entry = (weakref.ref(rules, partial(self._forget, id(rules))), {})
            self._kept[id(rules)] = entry
        by_train = entry[1]
        found = by_train.get(id(train))
        if found is None:
            if len(by_train) >= MOST_TRAINS:
                by_train.clear()
            found = by_train[id(train)] = (train, self._make(rules, train))
        return found[1]

    def __len__(self) -> int:
        """Of how many rules something is known."""
        return len(self._kept)

    def _forget(self, identity: int, gone: weakref.ref[RouteRules]) -> None:
        entry = self._kept.get(identity)
        if entry is not None and entry[0] is gone:  # else other rules have got this identity
            del self._kept[identity]

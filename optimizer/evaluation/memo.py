"""Answers that are kept from one evaluation to the next: about tiles and rules, never about a position."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

A = TypeVar("A")
B = TypeVar("B")
T = TypeVar("T")


def by_identity(most: int) -> Callable[[Callable[[A, B], T]], Callable[[A, B], T]]:
    """Keep up to ``most`` answers of a function of two frozen arguments, found by the arguments' identity.

    To compare or hash tiles and rules takes longer than what is asked about them. An entry holds its
    arguments, so nothing else can get their identity while it is kept.
    """

    def keep(make: Callable[[A, B], T]) -> Callable[[A, B], T]:
        kept: dict[tuple[int, int], tuple[T, A, B]] = {}

        def answer(one: A, other: B) -> T:
            key = (id(one), id(other))
            entry = kept.get(key)
            if entry is None:
                if len(kept) >= most:
                    kept.clear()
                entry = kept[key] = (make(one, other), one, other)
            return entry[0]

        return answer

    return keep

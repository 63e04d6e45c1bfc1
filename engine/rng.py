"""The two random sources of the 18xx.games format (rules: common 1.3 and 1.4)."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

T = TypeVar("T")
_MODULUS = 2**31


class SetupRandom:
    """Linear congruential generator used for random set-up; each draw is its new state."""

    def __init__(self, seed: int) -> None:
        self.state = seed % _MODULUS

    def draw(self) -> int:
        self.state = (1103515245 * self.state + 12345) % _MODULUS
        return self.state

    def order(self, items: Sequence[T]) -> list[T]:
        """The items in random order: one draw each in list order, sorted by the draws."""
        draws = [(self.draw(), index) for index in range(len(items))]
        return [items[index] for _, index in sorted(draws)]


def game_seed(seed: int | str | None, game_id: int | str | None) -> int:
    """The seed of a game: `settings.seed`, else the first run of digits of the game's id, else 0."""
    if seed is not None and seed != "":
        return int(seed)
    digits = re.search(r"\d+", str(game_id if game_id is not None else ""))
    return int(digits.group()) if digits else 0


class _Twister:
    """Mersenne Twister 19937 with single-integer seeding (unlike Python's own, which seeds by array)."""

    def __init__(self, seed: int) -> None:
        words = [seed & 0xFFFFFFFF]
        for index in range(1, 624):
            last = words[-1]
            words.append((1812433253 * (last ^ (last >> 30)) + index) & 0xFFFFFFFF)
        self._source = random.Random()
        self._source.setstate((3, (*words, 624), None))

    def below(self, limit: int) -> int:
        """A number in 0..limit-1: outputs are masked and drawn again while too large."""
        largest = limit - 1
        if largest == 0:
            return 0
        mask = (1 << largest.bit_length()) - 1
        while True:
            value = self._source.getrandbits(32) & mask
            if value <= largest:
                return value


def seating(ids: Sequence[int], settings: Mapping[str, Any]) -> list[int]:
    """How the site seats the players of a new game: by `player_order` if set, else by the seed."""
    chosen = settings.get("player_order")
    if chosen:
        return sorted(ids, key=list(chosen).index)
    return shuffle_players(ids, settings.get("seed"))


def shuffle_players(ids: Sequence[int], seed: int | None) -> list[int]:
    """The site's seating of new games: ids ascending, shuffled by the seed (1 if missing)."""
    order = sorted(ids)
    source = _Twister(1 if seed is None else seed)
    for size in range(len(order), 0, -1):
        other = source.below(size)
        order[size - 1], order[other] = order[other], order[size - 1]
    return order

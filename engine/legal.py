"""Legal actions as compact choices that expand to concrete actions."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from engine.actions import Action


@dataclass(frozen=True, slots=True)
class Choice:
    """One legal action, or a family that differs in price only.

    `kind` and `item`: as in a census of legal actions (`tile_lay`, [hex, tile, rotation]; kinds that end in
    `_by` are uses of the company `by`). `action` carries the lowest price; with `highest` set, any price from
    there up in steps of `increment` is legal too.
    """

    kind: str
    item: Any
    action: Action
    by: str | None = None
    highest: int | None = None
    increment: int = 1

    def actions(self) -> Iterator[Action]:
        """Every concrete action."""
        yield self.action
        if self.highest is not None:
            lowest: int = getattr(self.action, "price")  # noqa: B009  (only priced actions have `highest`)
            for price in range(lowest + self.increment, self.highest + 1, self.increment):
                yield msgspec.structs.replace(self.action, price=price)

    def pick(self, source: random.Random) -> Action:
        """One of the concrete actions at random."""
        if self.highest is None:
            return self.action
        lowest: int = getattr(self.action, "price")  # noqa: B009
        steps = (self.highest - lowest) // self.increment
        return msgspec.structs.replace(self.action, price=lowest + self.increment * source.randint(0, steps))


FLAGS = frozenset({"pass", "run_routes", "bankrupt"})
VALUES = frozenset(
    {"convert", "merge", "discard_train", "remove_token", "choose", "special_buy", "assign", "borrow_train"}
)


def census(choices: Iterable[Choice]) -> dict[str, Any]:
    """The choices by kind in the form of the shared lists: sorted items, flags for `pass`, `run_routes`,
    `bankrupt`.
    """
    table: dict[str, Any] = {"pass": False}
    for choice in choices:
        if choice.kind in FLAGS:
            table[choice.kind] = True
        elif choice.kind == "loans":
            table.setdefault("loans", {"take": False, "payoff": False})[choice.item] = True
        elif choice.by is not None:
            table.setdefault(choice.kind, {}).setdefault(choice.by, []).append(choice.item)
        else:
            table.setdefault(choice.kind, []).append(choice.item)
    for value in table.values():
        if isinstance(value, list):
            value.sort(key=_order)
        elif isinstance(value, dict):
            for items in value.values():
                if isinstance(items, list):
                    items.sort(key=_order)
    return table


def _order(item: Any) -> Any:
    if isinstance(item, list | tuple):
        return [
            (part is not None, str(type(part)), part) if part is not None else (False, "", 0) for part in item
        ]
    return item

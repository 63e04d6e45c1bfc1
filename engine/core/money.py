"""Cash: who holds it and how it moves (rules: common 4.1)."""

from __future__ import annotations

from typing import Protocol

from engine.core.state import Journal, Stateful
from engine.errors import RuleError


class CashHolder(Protocol):
    """Anything with money. `cash` is a whole number of the game's currency."""

    name: str
    cash: int


class Bank(Stateful):
    """The bank may go below zero; the first payment that does so breaks it for good."""

    __slots__ = ("broken", "cash", "id", "name")
    id: str
    name: str
    cash: int
    broken: bool

    def __init__(self, journal: Journal, cash: int) -> None:
        super().__init__(journal)
        self.id = "bank"
        self.name = "the bank"
        self.cash = cash
        self.broken = False


def pay(payer: CashHolder, payee: CashHolder, amount: int, *, may_owe: bool = False) -> None:
    """Moves `amount` > 0. Raises RuleError when the payer (other than the bank) cannot; zero is no payment.

    `may_owe`: the payer may go below zero (a president's debt that a title lets him settle at once).
    """
    if amount < 0:
        raise RuleError(f"{payer.name} cannot pay {amount} to {payee.name}: an amount must be positive")
    if amount == 0 or payer is payee:
        return
    if payer.cash < amount:
        if isinstance(payer, Bank):
            payer.broken = True
        elif not may_owe:
            raise RuleError(f"{payer.name} has {payer.cash} and cannot pay {amount} to {payee.name}")
    payer.cash = payer.cash - amount
    payee.cash = payee.cash + amount

"""Automatic loans (rules: 1861 section 15)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.corporation import Corporation
from engine.titles.family1861.state import family

if TYPE_CHECKING:
    from engine.game import Game

LOAN = 50
YIELD = 45  # the first interest is kept back
INTEREST = 5
LIMITS = {"minor": 2, "major": 5, "national": 100}


def loan_limit(corporation: Corporation) -> int:
    return LIMITS[corporation.kind]


def may_borrow(game: Game, corporation: Corporation) -> bool:
    return len(corporation.loans) < loan_limit(corporation) and bool(game.loans)


def loan_power(corporation: Corporation) -> int:
    """Cash and what all loans still allowed would bring."""
    return corporation.cash + YIELD * (loan_limit(corporation) - len(corporation.loans))


def borrow(game: Game, corporation: Corporation) -> None:
    game.pay(game.bank, corporation, YIELD)
    corporation.loans = (*corporation.loans, game.loans[0])
    game.loans = game.loans[1:]


def borrow_for(game: Game, corporation: Corporation, cost: int) -> None:
    """Takes loans one by one until `cost` is there or the limit is reached."""
    while corporation.cash < cost and may_borrow(game, corporation):
        borrow(game, corporation)


def repay(game: Game, corporation: Corporation) -> None:
    """Repays loans while there is cash for a whole one."""
    while corporation.loans and corporation.cash >= LOAN:
        game.pay(corporation, game.bank, LOAN)
        game.loans = (*game.loans, corporation.loans[0])
        corporation.loans = corporation.loans[1:]


def fix_interest(game: Game) -> None:
    """The loans on which interest is due are counted at the start of the operating round."""
    state = family(game)
    state.interest = {c: len(c.loans) for c in (*game.corporations, state.national)}


def fix_interest_of(game: Game, corporation: Corporation) -> None:
    """Counts again for one corporation after it has paid."""
    state = family(game)
    state.interest = {**state.interest, corporation: len(corporation.loans)}


def pay_interest(game: Game, corporation: Corporation) -> bool:
    """Pays the interest, with loans if needed; False if it cannot."""
    owed = INTEREST * family(game).interest.get(corporation, 0)
    borrow_for(game, corporation, owed)
    if corporation.cash < owed:
        return False
    game.pay(corporation, game.bank, owed)
    return True

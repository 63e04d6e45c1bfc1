"""Loans, interest and repayment (rules: 1856 sections 13 and 16)."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from engine.core.corporation import Corporation, Player
from engine.core.money import pay
from engine.titles.canada.state import canada

if TYPE_CHECKING:
    from engine.game import Game
    from engine.titles.canada.round import CanadaOperatingRound

LOAN = 100
INTEREST = 10


def loan_limit(corporation: Corporation) -> int:
    """As many loans as shares are in players' hands."""
    percent = sum(held for holder, held in corporation.holdings.items() if isinstance(holder, Player))
    return percent // corporation.share_percent


def operating_round(game: Game) -> CanadaOperatingRound | None:
    return cast("CanadaOperatingRound", game.round) if game.round.is_operating else None


def may_borrow(game: Game, corporation: Corporation) -> bool:
    """One loan a round, none after a repayment in the same round, none from phase 6 on (16.2)."""
    round_ = operating_round(game)
    return (
        round_ is not None
        and len(corporation.loans) < loan_limit(corporation)
        and corporation not in round_.loan_taken
        and corporation not in round_.loan_repaid
        and bool(game.loans)
        and "no_loans" not in game.phase.status
        and not canada(game).formed
    )


def proceeds(round_: CanadaOperatingRound, corporation: Corporation) -> int:
    """What a loan brings: after this round's interest, its own first interest is kept back."""
    return LOAN - INTEREST if corporation in round_.interest_charged else LOAN


def headroom(game: Game, corporation: Corporation) -> int:
    """What a loan would bring now, 0 if none may be taken."""
    round_ = operating_round(game)
    return proceeds(round_, corporation) if round_ is not None and may_borrow(game, corporation) else 0


def charge_interest(round_: CanadaOperatingRound, corporation: Corporation) -> None:
    """Treasury in whole tens, then the run's revenue, then the president, who may get into debt (13.2)."""
    round_.interest_charged = round_.interest_charged | {corporation}
    owed = INTEREST * len(corporation.loans)
    if not owed or canada(round_.game).formed:
        return
    bank = round_.game.bank
    own = min(owed, corporation.cash // 10 * 10)
    pay(corporation, bank, own)
    owed -= own
    from_run = min(owed, sum(revenue for _, revenue in round_.routes))
    if from_run:
        round_.penalties = {**round_.penalties, corporation: from_run}
        owed -= from_run
    if owed:
        round_.crisis_causes = (corporation,)
        pay_as_president(round_, corporation, owed)


def repay_excess(round_: CanadaOperatingRound, corporation: Corporation) -> None:
    """Loans beyond the limit are repaid at once, by the treasury and then by the president (16.5)."""
    excess = len(corporation.loans) - loan_limit(corporation)
    if excess <= 0:
        return
    game = round_.game
    give_back(game, corporation, excess)
    round_.loan_repaid = round_.loan_repaid | {corporation}
    owed = LOAN * excess
    own = min(owed, corporation.cash)
    pay(corporation, game.bank, own)
    if owed > own:
        round_.crisis_causes = (*round_.crisis_causes, corporation)
        pay_as_president(round_, corporation, owed - own)


def pay_as_president(round_: CanadaOperatingRound, corporation: Corporation, amount: int) -> None:
    president = corporation.owner
    if isinstance(president, Player):
        pay(president, round_.game.bank, amount, may_owe=True)


def give_back(game: Game, corporation: Corporation, count: int) -> None:
    """The corporation's last `count` loans return to the stock."""
    kept = len(corporation.loans) - count
    game.loans = (*game.loans, *corporation.loans[kept:])
    corporation.loans = corporation.loans[:kept]

"""Puts the parts together that 1861 and 1867 share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.corporation import Corporation, CorporationSpec, Player
from engine.ending import check_end
from engine.order import left_of_last_actor
from engine.rounds.auction import AuctionRound
from engine.rounds.base import Round
from engine.steps.discard_train import DiscardTrain
from engine.steps.home_token import HomeToken
from engine.steps.route import Route
from engine.title import EndTiming, EndTrigger
from engine.titles.family1861 import events, loans
from engine.titles.family1861.after_merger import PostMergerShares, ReduceTokens
from engine.titles.family1861.auctions import FamilyStockRound, OpeningAuction, StockWithAuctions
from engine.titles.family1861.merger import Merge, MergerRound
from engine.titles.family1861.operating import (
    FamilyBuyCompany,
    FamilyBuyTrain,
    FamilyDividend,
    FamilyOperatingRound,
    FamilyToken,
    FamilyTrack,
    LateBuyCompany,
    LoanOperations,
    MajorTrainless,
    PreloanBuyCompany,
    RedeemShares,
)
from engine.titles.family1861.rules import FamilyTitleRules
from engine.titles.family1861.state import family
from optimizer.titles.loader import TitleData

if TYPE_CHECKING:
    from engine.game import Game

OPERATING_STEPS = (
    MajorTrainless, FamilyBuyCompany, RedeemShares, FamilyTrack, FamilyToken, Route, FamilyDividend,
    PreloanBuyCompany, LoanOperations, DiscardTrain, FamilyBuyTrain, LateBuyCompany,
)  # fmt: skip
STOCK_STEPS = (MajorTrainless, DiscardTrain, HomeToken, StockWithAuctions)
MERGER_STEPS = (MajorTrainless, ReduceTokens, PostMergerShares, DiscardTrain, Merge)

TRAINS_REMOVED_WITH_TWO = {"2": 3, "3": 2, "4": 1, "5": 1, "6": 1, "7": 1}
PRIVATES_REMOVED_WITH_TWO = 2
HOLDING_LIMIT_WITH_TWO = 70

EVENTS = {
    "green_minors_available": events.release_phase_three,
    "trainless_nationalization": events.raise_trainless_check,
    "minors_cannot_start": events.close_unstarted_minors,
    "nationalize_companies": events.take_privates,
    "minors_nationalized": events.nationalize_minors,
}

BANK_BROKEN = EndTrigger("bank", lambda game: game.bank.broken, EndTiming.OPERATING_ROUND)
LAST_PHASE = EndTrigger(
    "final_phase", lambda game: game.phase_index == len(game.phases) - 1, EndTiming.ONE_MORE_SET
)
END_PRIORITY = (EndTiming.IMMEDIATE, EndTiming.ONE_MORE_SET, EndTiming.OPERATING_ROUND, EndTiming.SET)


def specs(data: TitleData) -> tuple[CorporationSpec, ...]:
    """Corporations in list order; the majors come where the data list them."""
    return tuple(
        CorporationSpec(facts, capitalization="incremental", holding_limit=60)
        for facts in data.raw["corporations"]
    )


def setup(game: Game, green: tuple[str, ...]) -> None:
    """The national leaves the list, others wait for phase 3, two players get less of everything."""
    state = family(game)
    national = state.national
    national.started = national.floated = True
    for certificate in national.certificates:
        del certificate
    national.shares = {}
    national.certificates = ()
    national.holdings = {}
    others = [c for c in game.corporations if c is not national]
    first = [c for c in others if c.kind == "minor" and c.id not in green]
    state.future = tuple([c for c in others if c not in first])
    game.corporations = tuple(first)
    if len(game.players) == 2:
        _two_players(game)


def _two_players(game: Game) -> None:
    for corporation in (*game.corporations, *family(game).future):
        if corporation.holding_limit == 60:
            corporation.holding_limit = HOLDING_LIMIT_WITH_TWO
    for name, count in TRAINS_REMOVED_WITH_TWO.items():
        trains = [train for train in game.depot.upcoming if train.name == name]
        for train in trains[len(trains) - count :]:
            game.depot.remove(train)
    privates = [company for company in game.companies if company.id != "3"]
    gone = game.random.order(privates)[:PRIVATES_REMOVED_WITH_TWO]
    game.companies = tuple([company for company in game.companies if company not in gone])


def opening_round(game: Game) -> Round:
    return AuctionRound(game, (OpeningAuction,))


def next_round(game: Game, last: Round) -> Round:
    """The order of rounds (1861 section 8.1)."""
    if last.is_stock:
        game.operating_rounds = game.final_operating_rounds or game.phase.operating_rounds
        left_of_last_actor(game)
        return operating_round(game, 1)
    if last.is_operating:
        export_train(game)
        if 3 <= int(game.phase.name) < 8 and not game.finished:
            return MergerRound(game, MERGER_STEPS, last.number)
        return after_operating(game, last.number)
    if isinstance(last, MergerRound):
        return after_operating(game, last.number)
    left_of_last_actor(game)
    return FamilyStockRound(game, STOCK_STEPS)


def export_train(game: Game) -> None:
    """In phases with export, the next train leaves at the end of every operating round (1867 22.3)."""
    if "export_train" not in game.phase.status:
        return
    from engine.trains import export_next

    export_next(game)
    events.check_trainless(game)
    check_end(game)


def after_operating(game: Game, number: int) -> Round:
    if number < game.operating_rounds:
        return operating_round(game, number + 1)
    game.turn = game.turn + 1
    return FamilyStockRound(game, STOCK_STEPS)


def operating_round(game: Game, number: int) -> Round:
    if FamilyTitleRules.of(game).national_operates:
        family(game).national.owner = game.players[0]
    loans.fix_interest(game)
    return FamilyOperatingRound(game, OPERATING_STEPS, number)


def operating_order(game: Game) -> list[Corporation]:
    """Minors, then majors, each in market order; the national last."""
    order = game.in_market_order(c for c in game.corporations if c.floated)
    minors = [c for c in order if c.kind == "minor"]
    majors = [c for c in order if c.kind != "minor"]
    if FamilyTitleRules.of(game).national_operates:
        return [*minors, *majors, family(game).national]
    return [*minors, *majors]


def settle(game: Game) -> None:
    """At the end each outstanding loan moves its corporation's price one step left."""
    for corporation in game.corporations:
        game.title.movement.move(game.stock_market, corporation, "left", len(corporation.loans))
        game.loans = (*game.loans, *corporation.loans)
        corporation.loans = ()


def score(game: Game, player: Player) -> int:
    """Cash, face value of privates, shares at prices reduced by loans (1861 section 17)."""
    total = player.cash + sum(company.value for company in player.companies)
    for corporation, certificates in player.shares.items():
        cell = corporation.price
        if not certificates or cell is None:
            continue
        steps = len(corporation.loans)
        price = game.title.movement.moved(game.stock_market, cell, corporation, "left", steps).price
        total += price * (player.percent_of(corporation) // corporation.share_percent)
    return total

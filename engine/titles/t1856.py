"""1856: Railroading in Upper Canada from 1856."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.corporation import Corporation, CorporationSpec, Player
from engine.order import left_of_last_actor
from engine.rounds.auction import AuctionRound
from engine.rounds.base import Round
from engine.steps.auction import WaterfallAuction
from engine.steps.discard_train import DiscardTrain
from engine.steps.home_token import HomeToken
from engine.steps.route import Route
from engine.title import EndRules, EndTiming, EndTrigger, Title
from engine.titles.canada.destinations import read_destinations
from engine.titles.canada.emergency import CanadaBankruptcy, PayDebt
from engine.titles.canada.events import EVENTS, close_worthless
from engine.titles.canada.national_steps import DiscardFreely, RemoveTokens, SettleLoans
from engine.titles.canada.operating import (
    CanadaBuyCompany,
    CanadaDividend,
    CanadaLateBuyCompany,
    CanadaToken,
    CanadaTrackStep,
    DestinationCheck,
    Loans,
)
from engine.titles.canada.powers import BuyRight, PortMarker, PrivateToken, PrivateTrack
from engine.titles.canada.round import CanadaOperatingRound
from engine.titles.canada.rules import (
    CanadaMovement,
    CanadaShares,
    CanadaTokens,
    CanadaTrack,
    CanadaTrains,
    sold_enough,
)
from engine.titles.canada.state import NATIONAL, PORT, RIGHTS, CanadaNumbers, CanadaState, canada
from engine.titles.canada.stock import CanadaStock, CanadaStockRound
from engine.titles.canada.trains import BorrowBestTrain, CanadaBuyTrain
from optimizer.model.data import HexBonusData, PositionData
from optimizer.titles.loader import TitleData, load_title

if TYPE_CHECKING:
    from engine.game import Game

OPERATING_STEPS = (
    CanadaBankruptcy, PayDebt, PortMarker, Loans, PrivateTrack, PrivateToken, CanadaBuyCompany, HomeToken,
    SettleLoans, RemoveTokens, DiscardFreely, BuyRight, CanadaTrackStep, DestinationCheck, CanadaToken,
    BorrowBestTrain, Route, CanadaDividend, DiscardTrain, CanadaBuyTrain, CanadaLateBuyCompany,
)  # fmt: skip
STOCK_STEPS = (DiscardTrain, CanadaStock)
LOAN_SUPPLY = 110
LOAN_COST_PER_SHARE = 10
# Fewer corporations, fewer sales and more dividends than usual, or everybody is soon bankrupt.
RANDOM_WEIGHTS = {"pass": 1.0, "par": 0.2, "buy_shares": 2.0, "sell_shares": 0.02, "dividend:withhold": 0.5}

BANKRUPT = EndTrigger("bankrupt", lambda game: any(p.bankrupt for p in game.players), EndTiming.IMMEDIATE)
BANK_BROKEN = EndTrigger("bank", lambda game: game.bank.broken, EndTiming.SET)


def specs(data: TitleData) -> tuple[CorporationSpec, ...]:
    """The corporations in list order; the national comes last and cannot be started by a player."""
    return tuple(
        CorporationSpec(
            facts,
            capitalization="full" if facts["sym"] == NATIONAL else "escrow",
        )
        for facts in data.raw["corporations"]
    )


def setup(game: Game) -> None:
    """The national's price cannot move before it has owned a permanent train."""
    game.stock_market.pinned = frozenset({canada(game).national})


def opening_round(game: Game) -> Round:
    return AuctionRound(game, (WaterfallAuction,))


def next_round(game: Game, last: Round) -> Round:
    """Auction, then stock rounds and sets of operating rounds (7.1)."""
    if last.is_operating and last.number < game.operating_rounds:
        return operating_round(game, last.number + 1)
    if last.is_operating:
        game.turn = game.turn + 1
        return CanadaStockRound(game, STOCK_STEPS)
    left_of_last_actor(game)
    if last.is_stock:
        game.operating_rounds = game.phase.operating_rounds
        return operating_round(game, 1)
    return CanadaStockRound(game, STOCK_STEPS)


def operating_round(game: Game, number: int) -> Round:
    return CanadaOperatingRound(game, OPERATING_STEPS, number)


def operating_order(game: Game) -> list[Corporation]:
    """Those that have operated, and those of which enough is sold for a first turn (7.2)."""
    return game.in_market_order(c for c in game.corporations if c.floated or sold_enough(game, c))


def score(game: Game, player: Player) -> int:
    """Cash, face value of companies, shares at their price less 10 for each loan (20.3)."""
    total = player.cash + sum(company.value for company in player.companies)
    for corporation in player.shares:
        cell = corporation.price
        if cell is not None:
            value = cell.price - LOAN_COST_PER_SHARE * len(corporation.loans)
            total += value * (player.percent_of(corporation) // corporation.share_percent)
    return total


def complete_position(game: Game, corporation: Corporation, data: PositionData) -> None:
    """Adds the corporation's rights and its claim to the port bonus."""
    state = canada(game)
    rights = {right.name: right for right in RIGHTS}
    for name in state.rights.get(corporation, ()):
        data.hex_bonuses.append(HexBonusData(hexes=list(rights[name].hexes), amount=rights[name].amount))
    if state.port_owner is corporation:
        data.assignments.append(PORT)


def title(players: int, optional_rules: tuple[str, ...]) -> Title:
    """1856 for so many players; optional rules as in the data file."""
    data = load_title("1856", optional_rules)
    raw = data.raw
    alternate = "alternate_destinations" in optional_rules
    table = raw["constants"]["ALTERNATE_DESTINATIONS" if alternate else "DESTINATIONS"]
    homes = {row["sym"]: row.get("coordinates", "") for row in raw["corporations"]}
    return Title(
        name="1856",
        data=data,
        starting_cash={int(n): cash for n, cash in raw["starting_cash"].items()},
        certificate_limit={int(n): limit for n, limit in raw["cert_limit"].items()},
        corporation_specs=specs(data),
        shares=CanadaShares(one_block_per_turn=True, sell_before_buy=False, own_shares_called="IPO"),
        track=CanadaTrack(towns_removable=True),
        tokens=CanadaTokens(),
        trains=CanadaTrains(),
        end=EndRules(triggers=(BANKRUPT, BANK_BROKEN)),
        movement=CanadaMovement(),
        opening_round=opening_round,
        next_round=next_round,
        operating_order=operating_order,
        score=score,
        setup=setup,
        make_state=CanadaState,
        events=EVENTS,
        listeners=(close_worthless,),
        complete_position=complete_position,
        loan_supply=LOAN_SUPPLY,
        random_weights=RANDOM_WEIGHTS,
        extra=CanadaNumbers(
            destinations=read_destinations(table, homes),
            unlimited_rights="unlimited_bonus_tokens" in optional_rules,
        ),
    )

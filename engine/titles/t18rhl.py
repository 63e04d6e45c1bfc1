"""18Rhl: The Railways of the Rhineland."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.company import close_company
from engine.core.corporation import Corporation, Player
from engine.core.market import Movement
from engine.core.trains import Train
from engine.order import most_cash
from engine.rounds.base import Round
from engine.steps.discard_train import DiscardTrain
from engine.steps.emergency import EmergencyBuyTrain
from engine.steps.home_token import HomeToken
from engine.steps.route import Route
from engine.title import EndRules, EndTiming, EndTrigger, Title
from engine.titles.rhineland import setup
from engine.titles.rhineland.auction import PendingPar, RhinelandAuction, RhinelandAuctionRound
from engine.titles.rhineland.bankruptcy import RhinelandBankruptcy
from engine.titles.rhineland.operating import (
    LinkCheck,
    RhinelandDividend,
    RhinelandToken,
    RhinelandTrackStep,
)
from engine.titles.rhineland.positions import complete_position
from engine.titles.rhineland.powers import PowerToken, PowerTrack
from engine.titles.rhineland.round import RhinelandOperatingRound
from engine.titles.rhineland.rules import (
    RHE,
    RhinelandShares,
    RhinelandTokens,
    RhinelandTrack,
    RhinelandTrains,
)
from engine.titles.rhineland.state import RhinelandState, rhineland
from engine.titles.rhineland.stock import RhinelandBuySellPar, RhinelandStockRound
from engine.titles.rhineland.switches import PLAY_SWITCHES
from optimizer.titles.loader import load_title

if TYPE_CHECKING:
    from engine.game import Game

AUCTION_STEPS = (PendingPar, RhinelandAuction)
STOCK_STEPS = (DiscardTrain, RhinelandBuySellPar)
OPERATING_STEPS = (
    RhinelandBankruptcy, HomeToken, PowerTrack, PowerToken, RhinelandTrackStep, LinkCheck, RhinelandToken,
    Route, RhinelandDividend, DiscardTrain, EmergencyBuyTrain,
)  # fmt: skip

BANK_BROKEN = EndTrigger("bank", lambda game: game.bank.broken, EndTiming.SET)


def opening_round(game: Game) -> Round:
    return RhinelandAuctionRound(game, AUCTION_STEPS)


def next_round(game: Game, last: Round) -> Round:
    """Auction, then stock rounds each followed by the operating rounds of the phase (4.5, 7)."""
    if last.is_operating:
        if last.number < game.operating_rounds:
            return RhinelandOperatingRound(game, OPERATING_STEPS, last.number + 1)
        game.turn = game.turn + 1
        return stock_round(game)
    if any(not player.bankrupt for player in game.players):
        most_cash(game)
    if not last.is_stock:
        return stock_round(game)
    game.operating_rounds = game.phase.operating_rounds
    return RhinelandOperatingRound(game, OPERATING_STEPS, 1)


def stock_round(game: Game) -> Round:
    """The RhE, floated in the auction, has its rise in the first stock round."""
    state = rhineland(game)
    state.newly_floated = (game.corporation(RHE),) if state.rise_due else ()
    state.rise_due = False
    return RhinelandStockRound(game, STOCK_STEPS)


def operating_order(game: Game) -> list[Corporation]:
    return game.in_market_order(corporation for corporation in game.corporations if corporation.floated)


def score(game: Game, player: Player) -> int:
    """Cash and shares at their present price; privates count nothing (12)."""
    total = player.cash
    for corporation, certificates in player.shares.items():
        if certificates and corporation.price is not None:
            total += corporation.price.price * player.percent_of(corporation) // corporation.share_percent
    return total


def close_privates(game: Game, train: Train) -> None:
    for company in game.companies:
        close_company(company)


def title(players: int, optional_rules: tuple[str, ...]) -> Title:
    """18Rhl for so many players and any of its optional rules."""
    data = load_title("18Rhl", optional_rules)
    raw = data.raw
    lower = "lower_starting_capital" in data.optional_rules
    cash = raw["optional_starting_cash"]["lower_starting_capital"] if lower else raw["starting_cash"]
    return Title(
        name="18Rhl",
        data=data,
        starting_cash={int(n): amount for n, amount in cash.items()},
        certificate_limit={int(n): limit for n, limit in raw["cert_limit"].items()},
        corporation_specs=setup.specs(data),
        shares=RhinelandShares(),
        track=RhinelandTrack(stubs_bind=True),
        tokens=RhinelandTokens(),
        trains=RhinelandTrains(),
        end=EndRules(triggers=(BANK_BROKEN,)),
        movement=Movement(),
        opening_round=opening_round,
        next_round=next_round,
        operating_order=operating_order,
        score=score,
        setup=setup.setup,
        make_state=RhinelandState,
        events={"close_companies": close_privates},
        complete_position=complete_position,
        play_switches=PLAY_SWITCHES,
    )

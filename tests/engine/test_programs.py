"""Standing instructions of players in live play (common 2.4)."""

from __future__ import annotations

from typing import Any

import pytest

from engine import shares
from engine.core.shares import Bundle
from engine.game import Game
from engine.player import new_game
from engine.titles.family1861.auctions import FamilyStockRound
from engine.titles.family1861.title import STOCK_STEPS


@pytest.fixture
def stock_round() -> Game:
    """Phase 4, three players with money, NW started and operated by player 3, first to act player 1."""
    game = new_game("1861", 3, 1)
    game.phase_index = 2
    game.corporations = (*game.corporations, *game.state.future)
    game.state.future = ()
    for company in game.companies:
        company.closed = True
    for player in game.players:
        game.pay(game.bank, player, 600)
    major = game.corporation("NW")
    game.stock_market.set_par(major, game.stock_market.cell("100,4,5"))
    shares.buy(game, game.player(3), Bundle.of(major.certificates[0]))
    shares.buy(game, game.player(3), Bundle.of(*major.certificates[1:4]))
    major.operated = True
    game.round = FamilyStockRound(game, STOCK_STEPS)
    game.round.start()
    return game


def act(game: Game, kind: str, entity: int, **fields: Any) -> list[str]:
    """Applies an action of a player; the types of what followed by itself."""
    action = game.apply({"type": kind, "entity": entity, "entity_type": "player", **fields})
    return [item.type_name for item in action.auto_actions]


def test_share_pass_passes_in_its_turn(stock_round: Game) -> None:
    game = stock_round
    assert act(game, "program_share_pass", 2) == []
    assert act(game, "pass", 1) == ["pass"]
    assert game.active_entity is game.player(3)


def test_share_pass_stops_after_a_sale(stock_round: Game) -> None:
    game = stock_round
    act(game, "program_share_pass", 2)
    act(game, "pass", 1)
    act(game, "sell_shares", 3, shares=["NW_1"], percent=10)
    act(game, "pass", 3)
    assert act(game, "pass", 1) == ["program_disable"]
    assert game.player(2).program is None
    assert game.active_entity is game.player(2)


def test_an_unconditional_share_pass_goes_on(stock_round: Game) -> None:
    game = stock_round
    act(game, "program_share_pass", 2, unconditional=True)
    act(game, "pass", 1)
    act(game, "sell_shares", 3, shares=["NW_1"], percent=10)
    act(game, "pass", 3)
    assert act(game, "pass", 1) == ["pass"]


def test_buying_shares_until_the_number_is_reached(stock_round: Game) -> None:
    game = stock_round
    # the program is told in his own turn: it buys at once, and then passes by itself in later turns
    followed = act(
        game, "program_buy_shares", 1, corporation="NW", until_condition=1, from_market=False,
        auto_pass_after=True,
    )  # fmt: skip
    assert followed == ["buy_shares"]
    assert game.player(1).percent_of(game.corporation("NW")) == 10
    act(game, "pass", 2)
    assert act(game, "pass", 3) == ["program_disable", "program_share_pass", "pass"]


def test_programs_are_dropped_with_the_round(stock_round: Game) -> None:
    game = stock_round
    act(game, "program_share_pass", 1)
    act(game, "program_share_pass", 2, indefinite=True)
    act(game, "pass", 3)
    assert game.round.short_name == "OR"
    assert game.player(1).program is None
    assert game.player(2).program is not None


def test_a_new_program_replaces_the_old_one_and_can_be_taken_back(stock_round: Game) -> None:
    game = stock_round
    act(game, "program_share_pass", 3)
    act(game, "program_buy_shares", 3, corporation="NW", until_condition=6)
    assert game.player(3).program.type_name == "program_buy_shares"
    act(game, "program_disable", 3, reason="user")
    assert game.player(3).program is None


def waterfall() -> Game:
    """The opening auction of 1856: FT costs 20, WSRC 40."""
    return new_game("1856", 3, 1)


def bidding(game: Game, player: int, target: str, **settings: Any) -> list[str]:
    return act(game, "program_auction_bid", player, bid_target=target, **settings)


def test_a_bidding_program_bids_up_to_its_maximum() -> None:
    game = waterfall()
    followed = bidding(game, 1, "WSRC", enable_maximum_bid=True, maximum_bid=60)
    assert followed == ["bid"]  # 45 is the least bid on a later company
    act(game, "bid", 2, company="WSRC", price=50)
    assert act(game, "pass", 3) == ["bid"]  # 55
    act(game, "bid", 2, company="WSRC", price=60)
    assert act(game, "pass", 3) == ["program_disable"]  # 65 is above the maximum
    assert game.player(1).program is None


def test_a_bidding_program_buys_at_its_price() -> None:
    game = waterfall()
    assert bidding(game, 1, "FT", enable_buy_price=True, buy_price=20) == ["bid"]
    assert [company.id for company in game.player(1).companies] == ["FT"]


def test_a_bidding_program_waits_for_its_price() -> None:
    game = waterfall()
    assert bidding(game, 1, "FT", enable_buy_price=True, buy_price=15, auto_pass_after=True) == ["pass"]
    act(game, "pass", 2)
    assert act(game, "pass", 3) == ["bid"]  # all passed: FT costs 15 now
    assert game.player(1).cash == 485


def test_a_bidding_program_ends_when_the_company_is_gone() -> None:
    game = waterfall()
    assert bidding(game, 2, "FT", enable_buy_price=True, buy_price=20) == []
    assert act(game, "bid", 1, company="FT", price=20) == ["program_disable"]

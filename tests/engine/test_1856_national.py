"""1856: the national railway forms (rules: 1856 section 18)."""

import pytest

from engine.core.shares import Bundle
from engine.core.trains import attach
from engine.errors import IllegalActionError
from engine.order import rotate_players
from engine.shares import hand_over
from engine.titles.canada import national as cgr
from engine.titles.canada.events import close_worthless
from engine.titles.canada.powers import grant_right, has_right, rights_left
from engine.titles.canada.state import RIGHTS, canada
from engine.titles.canada.stock import CanadaStockRound
from engine.titles.t1856 import STOCK_STEPS
from tests.engine.canada import (
    BANK,
    act,
    candidates,
    first_six,
    formed,
    four_corporations,
    money,
    opened,
)

TUNNEL, BRIDGE = RIGHTS


@pytest.mark.parametrize(
    ("prices", "start_price"),
    [
        ((90, 90, 90, 175), 110),  # one 90 goes: 355 / 3 = 118.3 -> 115 -> 110
        ((175,), 175),
        ((120, 120), 125),
        ((135, 135), 125),
        ((140, 140), 150),  # 15 above 125: more than half a step
        ((35, 40), 100),
        ((100, 110), 110),  # 105
        ((100, 125), 110),  # 112.5 -> 110
        ((65, 65, 450), 250),  # one 65 goes: 515 / 2 = 257.5 -> 255 -> 250
    ],
)
def test_start_price(prices, start_price):
    assert cgr.start_price(prices) == start_price


def shares_by_holder(game):
    corporation = canada(game).national
    return {
        holder.id: [share.index for share in holder.shares_of(corporation)]
        for holder in (*game.players, game.market, corporation)
    }


def exchanged(percent, market, trigger=1):
    """After the exchange of shares for these percentages in merged corporations."""
    game = opened()
    state = canada(game)
    state.trigger = game.player(trigger)
    state.player_percent = {game.player(number): held for number, held in percent.items()}
    state.market_percent = market
    cgr.exchange_shares(game)
    return game


def test_the_worked_example_of_the_exchange():
    # 18.5: 110 -> 5 and odd 10; 80 -> 4; 90 -> 4 and odd 10; market 90 + 20 = 110 -> 5: 18 shares of 20
    game = exchanged({3: 110, 4: 80, 2: 90}, 90, trigger=3)
    corporation = canada(game).national
    assert (corporation.total_shares, corporation.share_percent, corporation.president_percent) == (20, 5, 10)
    assert shares_by_holder(game) == {
        3: [0, 29, 28, 27], 4: [26, 25, 24, 23], 1: [], 2: [22, 21, 20, 8], "market": [3, 4, 5, 6, 7],
        "CGR": [1, 2],
    }  # fmt: skip
    assert corporation.owner is game.player(3)
    assert game.player(3).percent_of(corporation) == 25
    assert game.title.shares.certificates(game, game.player(3)) == 1 + 3 * 0.5 + len(game.player(3).companies)
    assert game.share("CGR_29").holder is game.player(3)


def test_ten_shares_do_not_split_the_national():
    # 5 + 5 shares in all: no more than ten
    game = exchanged({1: 100, 2: 40}, 60)
    corporation = canada(game).national
    assert corporation.total_shares == 10
    assert shares_by_holder(game) == {
        1: [0, 8, 7, 6], 2: [5, 4], 3: [], 4: [], "market": [1, 2, 3], "CGR": [],
    }  # fmt: skip


def test_ties_for_the_presidency_go_to_the_earlier_in_order():
    game = exchanged({2: 60, 3: 60, 1: 40}, 0, trigger=3)
    assert canada(game).national.owner is game.player(3)


def test_no_more_than_twenty_shares():
    # 15 + 5 are 20; the third player and the market get nothing
    game = exchanged({1: 300, 2: 100, 3: 100}, 300)
    held = {name: len(shares) for name, shares in shares_by_holder(game).items()}
    assert held["market"] == 0
    assert sum(held.values()) == 19
    # certificates are handed out while they last (the reference counts them, not the shares)
    assert held[1] == 14


# -- one-share presidency -----------------------------------------------------------------------------------


def false_presidency():
    """Players 1 and 2 have one share of the national, player 1 as its president; a stock round begins."""
    game = exchanged({1: 30, 2: 20}, 40)
    state = canada(game)
    corporation = state.national
    corporation.floated = corporation.started = True
    state.formed = True
    game.stock_market.set_par(corporation, game.stock_market.rows[0][4])
    game.turn = 2
    rotate_players(game, game.player(1))
    game.round = CanadaStockRound(game, STOCK_STEPS)
    game.round.start()
    return game, corporation


def test_a_false_president_holds_half_a_certificate():
    game, corporation = false_presidency()
    # 1 + 1 shares, market (40 + 10) / 20 = 2
    assert (corporation.total_shares, corporation.president_percent) == (10, 10)
    assert game.player(1).percent_of(corporation) == 10
    assert sum(corporation.holdings.values()) == 90
    assert canada(game).false_president is game.player(1)
    assert game.active_entity is game.player(1)
    kinds = {choice.kind for choice in game.legal_actions()}
    assert "pass" not in kinds
    assert "par" not in kinds
    bought = {tuple(choice.item[:2]) for choice in game.legal_actions() if choice.kind == "buy_shares"}
    assert bought == {("CGR", "ipo"), ("CGR", "market")}


def test_his_purchase_completes_the_certificate_and_the_share_stays():
    game, corporation = false_presidency()
    cash, treasury, market = (
        game.player(1).cash,
        len(corporation.treasury),
        game.market.percent_of(corporation),
    )
    act(game, "buy_shares", 1, "player", shares=[corporation.treasury[0].id], percent=10)
    assert game.player(1).cash == cash - 100
    assert (corporation.president_percent, game.player(1).percent_of(corporation)) == (20, 20)
    assert (len(corporation.treasury), game.market.percent_of(corporation)) == (treasury, market)
    assert sum(corporation.holdings.values()) == 100
    assert canada(game).false_president is None
    assert money(game) == BANK


def test_another_shareholders_purchase_makes_him_president():
    game, corporation = false_presidency()
    game.round.go_to(game.player(2))
    share = game.player(2).shares_of(corporation)[0]
    treasury = len(corporation.treasury)
    act(game, "buy_shares", 2, "player", shares=[game.market.shares_of(corporation)[0].id], percent=10)
    assert corporation.owner is game.player(2)
    assert game.player(2).percent_of(corporation) == 20
    assert game.player(1).shares_of(corporation) == (share,)
    assert len(corporation.treasury) == treasury
    assert canada(game).false_president is None


def test_a_player_without_a_share_just_buys_one():
    game, corporation = false_presidency()
    game.round.go_to(game.player(3))
    act(game, "buy_shares", 3, "player", shares=[corporation.treasury[-1].id], percent=10)
    assert game.player(3).percent_of(corporation) == 10
    assert canada(game).false_president is game.player(1)


def test_a_false_president_who_cannot_pay_ends_the_game():
    game, corporation = false_presidency()
    game.player(1).cash = 99
    # player 2 sells his share, or the half certificate could be sold to make him president
    hand_over(game.player(2).shares_of(corporation)[0], game.market)
    # nothing to sell and too little to buy: his turn ends the game as soon as it comes
    game.round = CanadaStockRound(game, STOCK_STEPS)
    game.round.start()
    assert (game.finished, game.end_reason) == (True, "bankrupt")
    assert game.round.active_entity() is game.player(1)


def test_the_duty_goes_with_the_half_certificate():
    game, corporation = false_presidency()
    act(game, "sell_shares", 1, "player", shares=["CGR_0"], percent=10)
    assert corporation.owner is game.player(2)
    assert canada(game).false_president is game.player(2)
    assert [share.index for share in game.player(2).shares_of(corporation)] == [0]
    assert sum(corporation.holdings.values()) == 90
    assert money(game) == BANK


# -- formation ----------------------------------------------------------------------------------------------


def test_treasuries_repay_first_and_the_rest_is_decided_in_order_of_players():
    game, _ = four_corporations()
    game.corporation("WGB").cash = 250
    game.corporation("LPS").cash = 199
    first_six(game, "GT")
    assert (game.corporation("WGB").cash, game.corporation("WGB").loans) == (50, ())
    assert (game.corporation("LPS").cash, len(game.corporation("LPS").loans)) == (99, 1)
    # from GT's president: 2, 3 (nothing left to decide), 4, 1
    assert candidates(game) == ["GT", "LPS", "CPR"]


def test_saving_costs_the_whole_treasury_and_the_presidents_cash():
    game, _ = four_corporations()
    first_six(game, "GT")
    corporation, president = game.corporation("GT"), game.player(2)
    corporation.cash, president.cash = 60, 139
    # 200 owed, 60 there: 140 to pay
    with pytest.raises(IllegalActionError):
        act(game, "pass", "GT")
    president.cash = 140
    act(game, "pass", "GT")
    assert (corporation.cash, president.cash, corporation.loans) == (0, 0, ())
    assert candidates(game) == ["WGB", "LPS", "CPR"]


def test_the_national_never_forms_when_all_are_saved():
    game, _ = four_corporations()
    first_six(game, "GT")
    for player in game.players:
        player.cash = 500
    for name in candidates(game):
        act(game, "pass", name)
    assert canada(game).national.closed
    assert not canada(game).formed
    assert game.certificate_limit == 16


def test_merged_corporations_disappear_and_their_tokens_become_the_nationals():
    game, _ = formed(WGB=30, LPS=40)
    corporation = canada(game).national
    assert {c.id for c in game.corporations} & {"WGB", "LPS"} == set()
    assert [token.city.hex.id for token in corporation.placed_tokens] == ["J11", "C14"]
    # ten in all: eight more at 100 each
    assert [token.price for token in corporation.tokens] == [0, 0, *[100] * 8]
    assert corporation.cash == 70
    # WGB 40 (3) and 20 (4), LPS 40 (4) and 20 (1), served in this order: player 3 40, 4 60, 1 20
    assert shares_by_holder(game) == {1: [5], 2: [], 3: [8, 7], 4: [0, 6], "market": [], "CGR": [1, 2, 3, 4]}
    # 70 and 65 (both unmoved): 67.5 -> 65 -> 100
    assert corporation.price.price == 100
    assert corporation.owner is game.player(4)
    # 11 corporations less two, and the national: 10 -> 20 with four players
    assert (len(game.corporations), game.certificate_limit) == (10, 20)


def test_the_national_operates_after_the_buyer_if_no_merged_one_has():
    _, round_ = formed(buyer="GT", merged=("WGB", "LPS"))
    assert [c.id for c in round_.entities] == ["CPR", "GT", "CGR", "WGB", "LPS"]


def test_the_national_waits_if_a_merged_one_has_operated():
    _, round_ = formed(buyer="GT", merged=("CPR", "LPS"))
    assert "CGR" not in [c.id for c in round_.entities]


def test_rights_and_trains_of_merged_corporations():
    game, _ = four_corporations()
    for name in ("WGB", "LPS"):
        grant_right(game, game.corporation(name), TUNNEL)
    grant_right(game, game.corporation("LPS"), BRIDGE)
    left = rights_left(game, TUNNEL)
    train = game.depot.train("5-0")
    game.depot.take(train)
    attach(train, game.corporation("LPS"))
    first_six(game, "GT")
    for player in game.players:
        player.cash = 500
    for name in candidates(game):
        act(game, "merge" if name in ("WGB", "LPS") else "pass", name, **(
            {"corporation": name} if name in ("WGB", "LPS") else {}
        ))  # fmt: skip
    corporation = canada(game).national
    assert has_right(game, corporation, TUNNEL)
    assert has_right(game, corporation, BRIDGE)
    assert rights_left(game, TUNNEL) == left + 1  # the second one is for sale again
    assert corporation.trains == (train,)
    assert canada(game).has_been_permanent


def test_the_certificate_limit_falls_back_when_a_corporation_closes():
    game, _ = formed()
    corporation = game.corporation("CPR")
    game.stock_market.place(corporation, game.stock_market.rows[9][0])
    close_worthless(game)
    assert corporation not in game.corporations
    assert game.certificate_limit == 16


def test_shares_of_the_national_fall_by_whole_tens_only():
    game = exchanged({3: 110, 4: 80, 2: 90}, 90, trigger=3)
    rules = game.title.shares
    corporation = canada(game).national
    held = game.player(4).shares_of(corporation)
    steps = [rules.sale_steps(game, Bundle.of(*held[:count]), False) for count in (1, 2, 3, 4)]
    assert steps == [0, 1, 1, 2]  # 5, 10, 15, 20 percent
    hand_over(held[0], game.market)
    assert game.market.percent_of(corporation) == 30

"""18Rhl: forced purchases, bankruptcy, receivership (rules: 18rhl section 11)."""

import pytest

from engine.core.money import pay
from engine.errors import IllegalActionError
from engine.titles.rhineland.state import in_receivership
from engine.titles.t18rhl import next_round, stock_round
from tests.engine.rhineland import (
    BANK,
    active_id,
    after_auction,
    by_corporation,
    by_player,
    fresh,
    lay,
    listed,
    money,
    owner_of,
    pass_until,
    step_name,
)


def short_of_money(treasury, cash):
    """The RhE, which has `treasury`, must buy a 2-train for 100; its president, player 1, has `cash`."""
    game = fresh(3)
    after_auction(game)
    pass_until(game, "OR")
    rhe, president = game.corporation("RhE"), game.player(1)
    pay(rhe, game.bank, rhe.cash - treasury)
    pay(president, game.bank, president.cash - cash)
    lay(game, "J9", "8", 1)  # exits 1 and 3: Köln's first city {0} is J9's edge 3
    lay(game, "J7", "8", 2)  # 2 and 4: joins J9's edge 1
    lay(game, "I6", "58", 3)  # town with exits 3 and 5: J7's edge 2 is I6's edge 5
    while step_name(game) != "buy_train":
        by_corporation(game, "RhE", "pass")
    return game


def test_a_town_next_door_makes_the_corporation_buy():
    game = short_of_money(100, 0)
    assert not any(choice.kind == "pass" for choice in game.legal_actions())


def test_the_president_pays_the_difference():
    game = short_of_money(30, 75)
    # 100 - 30 = 70 from the president.
    assert listed(game, "buy_train") == [["depot", "2", 100, 100, None]]
    by_corporation(game, "RhE", "buy_train", train="2-0", price=100, variant="2")
    assert (game.corporation("RhE").cash, game.player(1).cash) == (0, 5)
    assert money(game) == BANK


def test_no_bankruptcy_while_the_president_can_pay():
    game = short_of_money(30, 70)
    assert listed(game, "bankrupt") == []
    with pytest.raises(IllegalActionError, match="can still raise"):
        by_corporation(game, "RhE", "bankrupt")


def test_the_bank_lends_what_is_missing_and_a_fee():
    game = short_of_money(30, 45)
    # 30 + 45 < 100. The RhE has operated by now, but its director must stay its director.
    assert game.corporation("RhE").operated
    assert listed(game, "bankrupt") == [True]
    by_corporation(game, "RhE", "bankrupt")
    rhe, ruined = game.corporation("RhE"), game.player(1)
    # 100 - 30 - 45 = 25 is lent, and 100 is the fee: -125.
    assert rhe.cash == -125
    assert [train.name for train in rhe.trains] == ["2"]
    assert (ruined.bankrupt, ruined.cash, ruined.companies) == (True, 0, ())
    assert in_receivership(rhe)
    assert owner_of(rhe) == "market"
    assert game.market.percent_of(rhe) == 50
    assert money(game) == BANK
    assert not game.finished


def test_a_bankrupt_player_takes_no_more_turns():
    game = short_of_money(30, 45)
    by_corporation(game, "RhE", "bankrupt")
    assert game.round.short_name == "SR"
    assert {player.id for player in game.round.entities} == {2, 3}


def test_receivership_ends_with_a_holder_of_twenty_percent():
    game = short_of_money(30, 45)
    by_corporation(game, "RhE", "bankrupt")
    rhe = game.corporation("RhE")
    first, second = active_id(game), 5 - active_id(game)
    by_player(game, first, "buy_shares", shares=["RhE_1"], percent=10)
    assert in_receivership(rhe)
    by_player(game, second, "pass")
    by_player(game, first, "buy_shares", shares=["RhE_2"], percent=10)
    # Two tens go to the market for the director certificate.
    assert owner_of(rhe) == first
    assert [share.id for share in game.player(first).shares_of(rhe)] == ["RhE_0"]
    assert {"RhE_1", "RhE_2"} <= {share.id for share in game.market.shares_of(rhe)}


def test_a_corporation_in_receivership_only_runs_trains():
    game = short_of_money(30, 45)
    by_corporation(game, "RhE", "bankrupt")
    pass_until(game, "OR")
    rhe = game.corporation("RhE")
    # No track, no station: it runs at once. A town must not end a route, so there is no legal one here.
    assert (active_id(game), step_name(game)) == ("RhE", "route")
    price = rhe.price
    by_corporation(game, "RhE", "run_routes", routes=[], extra_revenue=0)
    assert rhe.price is game.title.movement.left(game.stock_market, price, rhe)
    assert rhe.cash == -125


def test_without_players_a_stock_round_is_over_at_once():
    game = fresh(3)
    after_auction(game)
    for player in game.players:
        player.bankrupt = True
    empty = stock_round(game)
    empty.start()
    assert empty.finished()
    assert next_round(game, empty).is_operating

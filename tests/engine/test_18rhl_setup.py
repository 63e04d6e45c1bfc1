"""18Rhl: set-up, opening auction, first stock round (rules: 18rhl sections 2 to 4)."""

import pytest

from engine.errors import GameFileError, IllegalActionError
from tests.engine.rhineland import (
    BANK,
    active_id,
    after_auction,
    by_player,
    fresh,
    listed,
    money,
    owner_of,
    pass_until,
    step_name,
)

# seed -> placement by the page's test vectors; (coal, steel) by its table.
PLACEMENTS = {
    1: ("J3", "D13"),  # 7
    2: ("C12", "E6"),  # 5
    42: ("J3", "E6"),  # 1
    190691: ("D9", "D13"),  # 4
    23692664: ("C12", "E6"),  # 5
    123456789: ("J3", "E6"),  # 1
    2147483648: ("J3", "D13"),  # 7
}


@pytest.mark.parametrize(("seed", "places"), PLACEMENTS.items())
def test_the_variable_mine_and_mill_follow_the_seed(seed, places):
    game = fresh(seed=seed)
    found = {
        marker: {hex_.id for hex_ in game.board.hexes.values() if any(i.name == marker for i in hex_.icons)}
        for marker in ("K", "S")
    }
    assert found == {"K": {"D7", places[0]}, "S": {"J15", places[1]}}


def test_a_marker_survives_an_upgrade():
    game = fresh(seed=42)  # coal on J3
    hex_ = game.board.hex("J3")
    game.board.lay(hex_, game.board.in_stock("1"), 0)
    assert [icon.name for icon in hex_.icons] == ["K"]


@pytest.mark.parametrize(
    ("players", "options", "cash", "limit"),
    [
        (3, (), 600, 20),
        (4, (), 450, 15),
        (6, (), 300, 10),
        (3, ("lower_starting_capital",), 500, 20),
        (6, ("lower_starting_capital",), 250, 10),
    ],
)
def test_starting_cash_and_certificates(players, options, cash, limit):
    game = fresh(players, options=options)
    assert [player.cash for player in game.players] == [cash] * players
    assert game.bank.cash == BANK - players * cash
    assert game.certificate_limit == limit


def test_optional_train_and_variant_private():
    assert sum(train.name == "2" for train in fresh().depot.upcoming) == 6
    assert sum(train.name == "2" for train in fresh(options=("optional_2_train",)).depot.upcoming) == 7
    assert fresh().companies[0].id == "PWB"
    assert fresh(options=("ratingen_variant",)).companies[0].id == "ATB"


def test_no_set_up_for_two_players():
    with pytest.raises(GameFileError, match="2 players"):
        fresh(2)


def test_the_first_private_falls_to_nothing_and_goes_to_the_player_after_the_last_passer():
    game = fresh(3)
    # Price 20, 5 less after each round of three passes: 4 rounds, 12 passes; player 3 passes last. The
    # pointer moves to player 1, who gets it for nothing, and once more as usual: player 2 is next.
    for number in range(12):
        by_player(game, number % 3 + 1, "pass")
    assert [company.id for company in game.player(1).companies] == ["PWB"]
    assert game.player(1).cash == 600
    assert active_id(game) == 2


def test_later_rounds_of_passes_pay_income_and_lower_nothing():
    game = fresh(3)
    by_player(game, 1, "bid", company="PWB", price=20)
    for player in (2, 3, 1):
        by_player(game, player, "pass")
    assert game.player(1).cash == 600 - 20 + 5
    assert game.company("KEO").asking_price == 30


def test_the_directors_certificate_of_the_rhe_makes_its_owner_set_the_par():
    game = fresh(3)
    by_player(game, 1, "bid", company="RhE", price=160)  # at least 140 + 5
    for company, price in (("PWB", 20), ("KEO", 30), ("Szl", 50), ("Tjt", 80)):
        by_player(game, active_id(game), "bid", company=company, price=price)
    buyer = active_id(game)
    by_player(game, buyer, "bid", company="NLK", price=120)
    # GVE_1 comes with the NLK at once; the only bid on the RhE then wins by itself.
    assert game.player(buyer).percent_of(game.corporation("GVE")) == 10
    rhe = game.corporation("RhE")
    assert step_name(game) == "company_pending_par"
    assert active_id(game) == 1
    assert game.market.percent_of(rhe) == 30
    assert listed(game, "par") == [["RhE", 80, 1, 2], ["RhE", 75, 2, 2], ["RhE", 70, 2, 1]]
    with pytest.raises(IllegalActionError, match="70, 75 or 80"):
        by_player(game, 1, "par", corporation="RhE", share_price="65,3,1")
    with pytest.raises(IllegalActionError, match="price of Rheinische"):
        by_player(game, 1, "par", corporation="ADR", share_price="70,2,1")
    by_player(game, 1, "par", corporation="RhE", share_price="75,2,2")
    assert (rhe.floated, rhe.capitalization, rhe.cash) == (True, "incremental", 160)
    assert owner_of(rhe) == 1
    assert (game.player(1).percent_of(rhe), rhe.percent_of(rhe)) == (20, 50)
    assert game.state.link_owed == 3 * 75
    assert game.company("RhE").closed
    assert game.round.short_name == "SR"
    assert money(game) == BANK


def test_the_richest_player_begins_the_stock_round():
    game = fresh(3)
    # Player 1 pays 440 for everything: players 2 and 3 tie at 600, so the player at the pointer begins.
    after_auction(game)
    assert [player.cash for player in game.players] == [600, 600, 160]
    assert [player.id for player in game.players] == [2, 3, 1]
    game = fresh(3)
    # Player 2 pays 320 for PWB to NLK without KEO and so on: here player 3 alone keeps 600.
    after_auction(game, {"PWB": 2}, rhe=1)
    assert [player.id for player in game.players] == [3, 1, 2]


def test_rhe_shares_are_paid_to_the_rhe_and_market_shares_to_the_bank():
    game = fresh(3)
    after_auction(game)
    rhe = game.corporation("RhE")
    by_player(game, 2, "buy_shares", shares=["RhE_4"], percent=10)
    assert rhe.cash == 140 + 70
    bank = game.bank.cash
    by_player(game, 3, "buy_shares", shares=["RhE_1"], percent=10)
    assert (rhe.cash, game.bank.cash) == (210, bank + 70)


def test_gve_floats_with_the_free_share_and_is_paid_for_it():
    game = fresh(3)
    after_auction(game, {"NLK": 1})
    gve = game.corporation("GVE")
    # 20 + 10 (NLK) + 10 + 10 = 50 percent: four shares are paid, five are received: 5 x 60 = 300.
    by_player(game, 2, "par", corporation="GVE", share_price="60,3,0")
    by_player(game, 3, "buy_shares", shares=["GVE_2"], percent=10)
    by_player(game, 1, "buy_shares", shares=["GVE_3"], percent=10)
    assert (gve.floated, gve.cash, gve.capitalization) == (True, 300, "incremental")
    assert game.state.newly_floated == (game.corporation("RhE"), gve)
    # Later shares from the treasury are paid to it.
    by_player(game, 2, "buy_shares", shares=["GVE_4"], percent=10)
    assert gve.cash == 360
    assert money(game) == BANK


def test_keg_floats_by_three_double_certificates_only():
    game = fresh(3)
    after_auction(game)
    keg = game.corporation("KEG")
    by_player(game, 2, "par", corporation="KEG", share_price="60,3,0")
    with pytest.raises(IllegalActionError, match="KEG_1"):
        by_player(game, 3, "buy_shares", shares=["KEG_1"], percent=10)
    assert ["KEG", "ipo", 20, 120] in listed(game, "buy_shares")
    by_player(game, 3, "buy_shares", shares=["KEG_2"], percent=20)
    by_player(game, 1, "pass")
    assert not keg.floated
    by_player(game, 2, "buy_shares", shares=["KEG_3"], percent=20)
    # 60 percent sold: 6 x 60 from the bank, and single certificates may be bought.
    assert (keg.floated, keg.cash) == (True, 360)
    assert ["KEG", "ipo", 10, 60] in listed(game, "buy_shares")


def test_new_corporations_rise_one_step_at_the_end_of_the_round():
    game = fresh(3)
    after_auction(game)
    by_player(game, 2, "par", corporation="ADR", share_price="60,3,0")
    for player, share in ((3, "ADR_1"), (1, "ADR_2"), (2, "ADR_3")):
        by_player(game, player, "buy_shares", shares=[share], percent=10)
    assert game.corporation("RhE").price.id == "70,2,1"
    pass_until(game, "OR")
    # One row up each: RhE 70,2,1 -> 75,1,1; ADR 60,3,0 -> 65,2,0. Neither is sold out.
    assert game.corporation("RhE").price.id == "75,1,1"
    assert game.corporation("ADR").price.id == "65,2,0"


def test_down_from_a_ledge_does_not_move():
    game = fresh(3)
    adr = game.corporation("ADR")
    movement, market = game.title.movement, game.stock_market
    assert movement.down(market, market.cell("110,2,6"), adr).id == "100,3,6"
    assert movement.down(market, market.cell("135,2,8"), adr).id == "135,2,8"  # row 3 ends at column 6
    assert movement.right(market, market.cell("165,2,10"), adr).id == "180,1,10"  # row 2 ends at column 10
    assert movement.left(market, market.cell("50,5,0"), adr).id == "50,5,0"

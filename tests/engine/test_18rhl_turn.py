"""18Rhl: homes, privates' powers, blocking, the link, dividends (rules: 18rhl sections 6 to 10, 13, 14)."""

import pytest

from engine import shares
from engine.core.money import pay
from engine.core.shares import Bundle
from engine.errors import IllegalActionError
from engine.titles.rhineland.operating import linked
from engine.titles.rhineland.positions import count_links
from engine.titles.rhineland.upgrades import named_upgrades
from tests.engine.rhineland import (
    BANK,
    after_auction,
    by_company,
    by_corporation,
    by_player,
    company_lays,
    fresh,
    lay,
    listed,
    money,
    pass_until,
    station,
    step_name,
)


def rhe_turn(phase="2", options=(), switches=None, owners=None):
    """The RhE's first turn with player 1 as president; `phase`: what the depot has reached."""
    game = fresh(3, options=options, switches=switches)
    after_auction(game, owners)
    pass_until(game, "OR")
    game.phase_index = next(i for i, p in enumerate(game.phases) if p.name == phase)
    return game


def cities_of(game, hex_id):
    return [sorted(token.corporation.id for token in city.tokens) for city in game.board.hex(hex_id).cities]


# -- homes ------------------------------------------------------------


@pytest.mark.parametrize(
    ("tiles", "expected"),
    [
        ((), [["RhE"], ["CCE"], ["CME"]]),  # yellow: each its own circle
        (("X923",), [["CCE", "RhE"], ["CME"]]),  # green: left and right bank
        (("X923", "928"), [["CCE", "CME", "RhE"]]),
    ],
)
def test_home_stations_in_koeln_by_colour(tiles, expected):
    game = rhe_turn()
    for token in game.corporation("RhE").placed_tokens:
        game.board.lift_token(token)
        game.board.hex("I10").cities[0].reserve(game.corporation("RhE"))
    for tile in tiles:
        lay(game, "I10", tile, 0)
    for name in ("RhE", "CCE", "CME"):
        game.round.before_operating(game.corporation(name))
    assert cities_of(game, "I10") == expected
    assert cities_of(game, "E6") == [["CCE"]]
    # The CCE has used both free tokens; the next one costs 80.
    assert game.corporation("CCE").next_token.price == 80


def test_reserved_circles_are_never_free_for_others():
    game = rhe_turn()
    keg = game.corporation("KEG")
    fits = game.title.tokens.fits
    assert not any(fits(game, city, keg) for city in game.board.hex("I10").cities)
    assert sum(fits(game, city, keg) for city in game.board.hex("F9").cities) == 2
    assert sum(fits(game, city, keg) for city in game.board.hex("D9").cities) == 3
    assert not any(fits(game, city, keg) for city in game.board.hex("C14").cities)


# -- track ------------------------------------------------------------


@pytest.mark.parametrize(
    ("hex_id", "tiles", "options", "expected"),
    [
        ("K4", ("3",), (), {"141", "142", "143"}),
        ("K4", ("4",), (), {"141", "142"}),
        ("K4", ("58",), (), {"141", "142", "143", "144"}),
        ("K4", ("3", "141"), (), set()),
        ("J3", ("55",), (), {"88"}),
        ("J3", ("56",), (), {"87"}),
        ("J3", ("69",), (), {"204"}),
        ("D7", (), (), {"947"}),
        ("D9", ("X925",), (), {"929"}),
        ("D9", ("X925", "929"), (), {"932"}),
        ("D9", ("X925", "929"), ("promotion_tiles",), {"949"}),
        ("F9", ("X921", "927"), ("promotion_tiles",), {"932V"}),
        ("D13", ("201", "934", "216"), ("promotion_tiles",), {"Essen"}),
        ("E10", (), ("ratingen_variant",), {"1910"}),
        ("E8", ("935",), (), set()),
    ],
)
def test_upgrades_by_number(hex_id, tiles, options, expected):
    game = fresh(3, options=options)
    for tile in tiles:
        lay(game, hex_id, tile, 0)
    assert named_upgrades(game.board.hex(hex_id), game.title.optional_rules) == expected


def test_only_two_gray_metropolises():
    assert sum(piece.name == "932" for piece in fresh(3).board.stock) == 2
    promoted = fresh(3, options=("promotion_tiles",)).board.stock
    assert sum(piece.name == "932V" for piece in promoted) == 2
    assert not any(piece.name == "932" for piece in promoted)


def test_a_metropolis_is_laid_unturned_and_costs_its_print():
    game = rhe_turn("3")
    lays = [item for item in listed(game, "tile_lay") if item[0] == "I10"]
    assert lays == [["I10", "X923", 0], ["I10", "X924", 0]]
    with pytest.raises(IllegalActionError, match="rotation 1"):
        by_corporation(game, "RhE", "lay_tile", hex="I10", tile="X923-0", rotation=1)
    by_corporation(game, "RhE", "lay_tile", hex="I10", tile="X923-0", rotation=0)
    assert game.corporation("RhE").cash == 140 - 30


def test_the_first_tile_on_c8_must_use_its_stub():
    game = fresh(3)
    hex_ = game.board.hex("C8")
    rules = game.title.track
    # Edge 2 and 4 are river, edge 3 leads to B9: #8 {1,3} or {3,5}, #9 {0,3}.
    found = {
        (piece.name, r)
        for piece in game.board.stock
        if piece.name in ("7", "8", "9")
        for r in range(6)
        if rules.fits(game, hex_, type(hex_.face)(piece.tile, r))
    }
    assert found == {("8", 1), ("8", 3), ("9", 0), ("9", 3)}


def test_the_pwb_keeps_others_off_e14_until_its_owner_builds():
    game = rhe_turn(owners={"PWB": 2})
    hex_, rules = game.board.hex("E14"), game.title.track
    rhe, pwb = game.corporation("RhE"), game.company("PWB")
    assert rules.blocked(game, hex_, rhe) is pwb
    assert rules.blocked(game, hex_, game.company("Szl")) is pwb  # player 1's
    game = rhe_turn(owners={"PWB": 1})
    assert game.title.track.blocked(game, game.board.hex("E14"), game.corporation("RhE")) is None
    by_company(game, "Szl", "lay_tile", hex="E14", tile="9-0", rotation=0)
    assert game.title.track.blocked(game, game.board.hex("E14"), game.corporation("ADR")) is None
    assert not game.company("PWB").closed


# -- privates ------------------------------------------------------------


def test_keo_and_tjt_wait_for_the_green_phase():
    game = rhe_turn("2")
    assert company_lays(game, "KEO") == []
    assert company_lays(game, "Tjt") == []
    assert ["F11", "9", 0] in company_lays(game, "Szl")
    assert company_lays(rhe_turn("3"), "KEO") == [["E8", "935", 1]]


def test_only_the_presidents_privates_help():
    game = rhe_turn("3", owners={"KEO": 2})
    assert company_lays(game, "KEO") == []
    with pytest.raises(IllegalActionError):
        by_company(game, "KEO", "lay_tile", hex="E8", tile="935-0", rotation=1)


def test_szl_keeps_to_its_hexes_and_tiles():
    game = rhe_turn("3")
    found = {}
    for hex_id, tile, rotation in company_lays(game, "Szl"):
        found.setdefault(hex_id, {}).setdefault(tile, []).append(rotation)
    # D13 is labelled Y and would need 201 or 202, which the Szl does not have.
    assert set(found) == {
        "E12", "E14", "F11", "F13", "G12", "G14", "H13", "I12", "I14", "J13", "K2", "K12",
    }  # fmt: skip
    assert set(found["E12"]) == {"1", "2", "55", "56", "69"}
    assert set(found["I12"]) == set(found["K12"]) == {"3", "4", "58"}
    assert set(found["G14"]) == {"7", "8", "9"}
    assert found["G12"] == {"937": [0, 4]}
    assert found["F13"] == {"934": [5]}
    assert found["K2"] == {"930": [0]}
    assert found["I14"] == {"23": [5], "24": [3], "25": [3, 5], "30": [5]}
    with pytest.raises(IllegalActionError, match="cannot replace"):
        by_company(game, "Szl", "lay_tile", hex="D13", tile="57-0", rotation=0)
    with pytest.raises(IllegalActionError, match="cannot lay"):
        by_company(game, "Szl", "lay_tile", hex="B5", tile="8-0", rotation=0)


@pytest.mark.parametrize(("switch", "may_lay"), [({}, False), ({"teleport_counts": "extra"}, True)])
def test_a_keo_tile_before_the_normal_lay(switch, may_lay):
    game = rhe_turn("3", switches=switch)
    by_company(game, "KEO", "lay_tile", hex="E8", tile="935-0", rotation=1)
    assert step_name(game) == "special_token"
    assert listed(game, "place_token") == [["E8", 0]]
    by_corporation(game, "RhE", "pass")
    assert bool(listed(game, "tile_lay")) is may_lay


def test_a_keo_tile_after_the_normal_lay_is_additional():
    game = rhe_turn("3")
    by_corporation(game, "RhE", "lay_tile", hex="I10", tile="X923-0", rotation=0)
    by_company(game, "KEO", "lay_tile", hex="E8", tile="935-0", rotation=1)
    cash = game.corporation("RhE").cash
    by_corporation(game, "RhE", "place_token", city="935-0-0", slot=0)
    # The next token would cost 60; here it is free.
    assert game.corporation("RhE").cash == cash
    assert cities_of(game, "E8") == [["RhE"]]


def test_a_corporation_in_debt_may_place_the_free_station():
    game = rhe_turn("3")
    rhe = game.corporation("RhE")
    pay(rhe, game.bank, rhe.cash + 265, may_owe=True)
    by_company(game, "KEO", "lay_tile", hex="E8", tile="935-0", rotation=1)
    assert listed(game, "place_token") == [["E8", 0]]
    by_corporation(game, "RhE", "place_token", city="935-0-0", slot=0)
    assert (cities_of(game, "E8"), rhe.cash) == ([["RhE"]], -265)


def test_a_station_of_the_keo_ends_all_laying():
    game = rhe_turn("3", switches={"teleport_counts": "extra"})
    by_company(game, "KEO", "lay_tile", hex="E8", tile="935-0", rotation=1)
    by_corporation(game, "RhE", "place_token", city="935-0-0", slot=0)
    assert listed(game, "tile_lay") == []
    assert company_lays(game, "Szl") == []
    assert company_lays(game, "Tjt") == []


def test_tjt_upgrades_free_and_its_station_is_paid():
    game = rhe_turn("3")
    by_company(game, "Tjt", "lay_tile", hex="F9", tile="X922-0", rotation=0)
    # Düsseldorf: one circle west, two east, of which one is the DEE's: both banks have room.
    assert listed(game, "place_token") == [["F9", 0], ["F9", 1]]
    by_corporation(game, "RhE", "place_token", city="X922-0-0", slot=0)
    assert game.corporation("RhE").cash == 140 - 60
    assert cities_of(game, "F9") == [["RhE"], []]


def test_tjt_at_home_offers_no_station():
    game = rhe_turn("3")
    by_company(game, "Tjt", "lay_tile", hex="I10", tile="X924-0", rotation=0)
    assert step_name(game) != "special_token"


def test_tjt_waits_while_the_keo_station_is_pending():
    game = rhe_turn("3")
    by_company(game, "KEO", "lay_tile", hex="E8", tile="935-0", rotation=1)
    assert company_lays(game, "Tjt") == []
    with pytest.raises(IllegalActionError):
        by_company(game, "Tjt", "lay_tile", hex="F9", tile="X922-0", rotation=0)
    by_corporation(game, "RhE", "pass")
    assert ["F9", "X922", 0] in company_lays(game, "Tjt")


def test_atb_needs_a_connection_and_closes():
    game = rhe_turn("3", options=("ratingen_variant",))
    assert company_lays(game, "ATB") == []
    # A station in Elberfeld's west city {1,2}: edge 2 leads to E12's edge 5.
    station(game, "RhE", "F13", 0)
    lays = company_lays(game, "ATB")
    assert lays
    assert [item for item in lays if item[1] == "55"] == [["E12", "55", 1], ["E12", "55", 4]]
    by_company(game, "ATB", "lay_tile", hex="E12", tile="55-0", rotation=1)
    assert game.company("ATB").closed
    assert money(game) == BANK


# -- blocking and the link ------------------------------------------------------------


def test_green_metropolis_is_open_to_all_until_three_stations_stand_there():
    game = fresh(3)
    lay(game, "F9", "X922", 0)
    west, east = game.board.hex("F9").cities
    blocks = game.title.tokens.blocks
    gve, dee, bme, cce = (game.corporation(name) for name in ("GVE", "DEE", "BME", "CCE"))
    station(game, "GVE", "F9", 0)
    # The west bank's one circle is taken, but only one station stands on the tile.
    assert not blocks(game, west, cce)
    station(game, "DEE", "F9", 1)
    station(game, "BME", "F9", 1)
    assert blocks(game, west, cce)
    assert blocks(game, east, cce)
    for own in (gve, dee, bme):
        assert not blocks(game, west, own)
        assert not blocks(game, east, own)


def test_the_link_pays_three_times_par_once():
    game = rhe_turn("2")
    rhe = game.corporation("RhE")
    assert not linked(game)
    # Köln's first city leaves by edge 0 to J9's edge 3. J9 #9 r0 {0,3}: to K8's edge 3. K8 #8 r1 {1,3}: its
    # edge 1 is K6's edge 4 (Düren). K6's edge 1 is K4's edge 4; K4 #4 r1 {1,4}; its edge 1 is K2's edge 4.
    for hex_id, tile, rotation in (("J9", "9", 0), ("K8", "8", 1), ("K4", "4", 1)):
        lay(game, hex_id, tile, rotation)
    # Only corporations that have operated look for it.
    assert not linked(game)
    rhe.operated = True
    assert linked(game)
    cash = rhe.cash
    by_corporation(game, "RhE", "pass")
    assert rhe.cash == cash + 3 * 70
    assert game.state.link_owed == 0
    assert game.log[-1]["auto_actions"][0]["corporations"] == ["RhE"]
    assert money(game) == BANK


def test_a_false_answer_about_the_link_is_refused():
    game = rhe_turn("2")
    claim = {"type": "destination_connection", "entity": "RhE", "entity_type": "corporation"}
    with pytest.raises(IllegalActionError, match="not linked"):
        by_corporation(game, "RhE", "pass", auto_actions=[{**claim, "corporations": ["RhE"]}])
    with pytest.raises(IllegalActionError, match="RhE only"):
        by_corporation(game, "RhE", "pass", auto_actions=[{**claim, "corporations": ["ADR"]}])
    assert game.state.link_owed == 210
    by_corporation(game, "RhE", "pass", auto_actions=[{**claim, "corporations": []}])
    assert game.state.link_owed == 210


def test_links_to_the_eastern_ruhr_are_counted_by_exits():
    game = fresh(3)
    assert count_links(game) == 0
    lay(game, "E14", "9", 0)  # {0,3}
    assert count_links(game) == 1
    lay(game, "D13", "201", 3)  # {3,4}: both links of D13
    assert count_links(game) == 3


# -- dividends ------------------------------------------------------------


def test_market_shares_pay_nobody_and_treasury_shares_the_treasury():
    game = rhe_turn("2")
    rhe = game.corporation("RhE")
    before = [player.cash for player in game.players]
    step = next(step for step in game.round.steps if step.name == "dividend")
    # 100 paid: 10 a share. Player 1 has 2 shares, the treasury 5, the market 3 of them.
    step.pay_shares(rhe, 100)
    assert rhe.cash == 140 + 50
    gains = {p.id: p.cash - old for p, old in zip(game.players, before, strict=True)}
    assert gains == {1: 20, 2: 0, 3: 0}
    # The price is 75 after the first stock round: 74 do not move it, 75 do.
    assert step.price_move(rhe, 74) is None
    assert step.price_move(rhe, 75) == "right"
    assert step.price_move(rhe, 0) == "left"


def test_full_capital_corporations_flood_the_market():
    game = fresh(3)
    after_auction(game)
    game.phase_index = 3  # phase 5
    adr = game.corporation("ADR")
    for player in game.players:
        pay(game.bank, player, 1000)
    by_player(game, 2, "par", corporation="ADR", share_price="60,3,0")
    for player, share in ((3, "ADR_1"), (1, "ADR_2"), (2, "ADR_3")):
        by_player(game, player, "buy_shares", shares=[share], percent=10)
    # 10 x 60 from the bank; the five unsold shares lie in the market and it gets no rise.
    assert (adr.cash, adr.capitalization) == (600, "full")
    assert (adr.percent_of(adr), game.market.percent_of(adr)) == (0, 50)
    assert adr not in game.state.newly_floated
    bank = game.bank.cash
    by_player(game, 3, "buy_shares", shares=["ADR_4"], percent=10)
    assert (adr.cash, game.bank.cash) == (600, bank + 60)


# -- the KEG's exchange ------------------------------------------------------------


@pytest.mark.parametrize(("switches", "handed"), [({}, 30), ({"keg_exchange": "exact"}, 20)])
def test_a_new_director_of_the_keg_with_two_doubles_and_a_single(switches, handed):
    game = fresh(3, switches=switches)
    keg = game.corporation("KEG")
    first, second = game.player(1), game.player(2)
    game.stock_market.set_par(keg, game.stock_market.cell("60,3,0"))
    shares.buy(game, first, Bundle.of(game.share("KEG_0")), free=True)
    for share in ("KEG_2", "KEG_3"):
        shares.buy(game, second, Bundle.of(game.share(share)), free=True, keep_president=True)
    # Player 2 now holds 40 percent; with a single he takes over from player 1's 20.
    shares.buy(game, second, Bundle.of(game.share("KEG_1")), free=True)
    assert keg.owner is second
    # 50 percent in all: he receives the director's 20 and hands over 20, or by the reference's slip 30.
    assert first.percent_of(keg) == handed
    assert second.percent_of(keg) == 50 + 20 - handed

"""1856: track, destinations, powers of the privates, tokens (rules: 1856 sections 3, 4, 8 to 11)."""

import dataclasses

import pytest

from engine.board.face import face
from engine.core.company import transfer_company
from engine.errors import IllegalActionError
from engine.player import new_game
from engine.titles.canada.destinations import linked, newly_linked
from engine.titles.canada.events import close_companies, remove_port
from engine.titles.canada.powers import grant_right, has_right, rights_left
from engine.titles.canada.state import RIGHTS, CanadaNumbers, canada
from tests.engine.canada import act, before, opened, operate, start
from tests.engine.conftest import cases_folder

TUNNEL, BRIDGE = RIGHTS


def put(game, hex_id, number, rotation):
    """Lays a tile without asking who and when."""
    game.board.lay(game.board.hex(hex_id), game.board.in_stock(number), rotation)


def enter_phase(game, name):
    game.phase_index = next(i for i, phase in enumerate(game.phases) if phase.name == name)


def replacements(game, hex_id, number, rotation):
    """{tile: rotations} of everything that may follow this tile on the hex."""
    put(game, hex_id, number, rotation)
    hex_, rules = game.board.hex(hex_id), game.title.track
    found = {}
    for tile in rules.candidates(game, hex_):
        if rules.may_replace(game, hex_, tile, game.corporation("CPR")):
            turns = [r for r in range(6) if rules.fits(game, hex_, face(tile, r))]
            if turns:
                found[tile.name] = turns
    return found


def test_towns_stay_until_phase_six():
    game = new_game("1856", 4, 1)
    enter_phase(game, "5")
    assert replacements(game, "L9", "3", 0) == {}


@pytest.mark.parametrize(
    ("hex_id", "old", "new"),
    [("L9", "3", {"5", "7"}), ("L9", "4", {"57", "9"}), ("L9", "58", {"6", "8"}), ("M10", "69", set()),
     ("M10", "1", {"14"}), ("M10", "55", {"14"}), ("I14", "2", {"15"}), ("I14", "56", {"15"})],
)  # fmt: skip
def test_what_towns_become_from_phase_six(hex_id, old, new):
    game = new_game("1856", 4, 1)
    enter_phase(game, "6")
    assert set(replacements(game, hex_id, old, 1 if hex_id == "M10" else 0)) == new


def test_a_straight_town_becomes_straight_track_both_ways_round():
    game = new_game("1856", 4, 1)
    enter_phase(game, "6")
    # tile 4 joins 0 and 3; 9 and 57 do so in rotations 0 and 3
    assert replacements(game, "L9", "4", 0) == {"57": [0, 3], "9": [0, 3]}


def test_labels_of_brown_cities():
    game = new_game("1856", 4, 1)
    enter_phase(game, "6")
    assert set(replacements(game, "B19", "14", 0)) == {"125"}  # an L hex
    game = new_game("1856", 4, 1)
    enter_phase(game, "6")
    assert set(replacements(game, "H15", "14", 0)) == {"63"}
    for hex_id, brown in (("M4", "127"), ("F15", "126")):
        game = new_game("1856", 4, 1)
        enter_phase(game, "6")
        assert set(replacements(game, hex_id, "121", 0)) == {brown}


def test_only_hamilton_leaves_the_brown_double_cities():
    for hex_id, gray in (("L15", {"123": [5]}), ("I12", {}), ("N17", {})):
        game = new_game("1856", 4, 1)
        enter_phase(game, "6")
        put(game, hex_id, "59", 3)  # 3 and 5; edge 4 of Hamilton is lake
        assert replacements(game, hex_id, "64", 3) == gray


# -- destinations -------------------------------------------------------------------------------------------


def table(*optional_rules):
    return CanadaNumbers.of(new_game("1856", 4, 1, optional_rules)).destinations


def test_destination_tables():
    assert table()["GW"] == ("F15", ("A20",))
    other = table("alternate_destinations")
    assert other["CA"] == ("F15", ("A20",))  # from London to Detroit, not from its home
    assert other["TGB"] == ("K8", ("O2", "N1"))
    assert other["WR"] == table()["WR"] == ("O16", ("L15",))


def test_a_destination_needs_no_tokens():
    game = new_game("1856", 4, 1)
    corporation = game.corporation("CPR")  # Barrie M4 (exit 0) to Toronto N11 (exits 1 and 4)
    for hex_id, number, rotation in (("M6", "4", 0), ("M8", "9", 0), ("M10", "69", 0)):
        put(game, hex_id, number, rotation)  # straight down to M12
        assert not linked(game, corporation)
    put(game, "M12", "7", 3)  # 3 and 4, into exit 1 of Toronto
    assert newly_linked(game) == [corporation]


def test_the_other_city_of_the_home_hex_counts_too_and_tokens_do_not_block():
    game = new_game("1856", 4, 1, ("alternate_destinations",))
    corporation = game.corporation("CV")  # Toronto, the city of exit 1, to Barrie M4
    put(game, "O10", "7", 1)  # 1 and 2: from exit 4 of Toronto's other city to N9
    put(game, "N9", "4", 2)  # 2 and 5
    put(game, "M8", "8", 3)  # 3 and 5
    assert not linked(game, corporation)
    game.board.put_token(game.corporation("GT").tokens[0], game.board.hex("N11").cities[1])
    put(game, "M6", "4", 0)
    assert newly_linked(game) == [corporation]


def test_any_track_of_the_destination_hex_counts():
    # WGB: J11 to F9. Goderich's printed track reaches G10 through side 5, J11 57 has exits 1 and 4
    game = new_game("1856", 4, 1)
    corporation = game.corporation("WGB")
    put(game, "J11", "57", 1)  # 1 and 4
    put(game, "I12", "59", 4)  # cities with exits 4 and 0
    assert not linked(game, corporation)
    game = new_game("1856", 4, 1)
    corporation = game.corporation("WGB")
    put(game, "J11", "57", 2)  # 2 and 5
    put(game, "I10", "8", 3)  # 3 and 5: from J11 north-west, then north to I8
    assert not linked(game, corporation)
    put(game, "I8", "6", 0)  # 0 and 2, to H7
    put(game, "H7", "1", 4)  # rotated: pairs (5, 1) and (4, 2)
    put(game, "G8", "9", 1)  # 1 and 4: F9 and H7
    assert linked(game, corporation)
    assert newly_linked(game) == [corporation]


def sarnia(start_hex):
    """B15 reaches Sarnia through its edge 0, C14 through its edge 5."""
    game = new_game("1856", 4, 1)
    put(game, "B15", "9", 0)  # 0 and 3: B17 and B13
    put(game, "C14", "6", 0)  # 0 and 2: C16 and B13
    put(game, "B17", "9", 0)
    put(game, "B19", "6", 3)  # 3 and 5: B17 and C20
    put(game, "C16", "9", 0)
    goal = {"B19": ("C14",), "C14": ("B15",)}[start_hex]
    numbers = dataclasses.replace(CanadaNumbers.of(game), destinations={"LPS": (start_hex, goal)})
    game.title = dataclasses.replace(game.title, extra=numbers)
    return linked(game, game.corporation("LPS"))


def test_sarnia_can_be_passed_one_way():
    assert sarnia("B19")  # in by edge 0, out by edge 5
    assert not sarnia("C14")  # the track of edge 5 ends there


# -- privates -----------------------------------------------------------------------------------------------


def with_private(name, corporation="WGB", phase="3"):
    """It is the corporation's first turn and it owns the private."""
    game = opened()
    start(game, corporation, 1, 65, more=3)
    enter_phase(game, phase)
    transfer_company(game.company(name), game.corporation(corporation))
    operate(game)
    return game, game.corporation(corporation)


def by_power(game, kind):
    return {choice.by for choice in game.legal_actions() if choice.kind == kind}


def test_the_station_company_lays_its_tile_instead_of_the_ordinary_one():
    game, _ = with_private("WSRC")
    assert by_power(game, "tile_lay_by") == {"WSRC"}
    act(game, "lay_tile", "WSRC", "company", hex="I12", tile="59-0", rotation=0)
    assert game.board.hex("I12").piece.id == "59-0"
    # the lay is used up, but TCC and WSRC (gone from the players) might still be bought: 8.3, 7.5
    assert game.round.lays == 1
    with pytest.raises(IllegalActionError):
        act(game, "lay_tile", "WGB", hex="J11", tile="5-0", rotation=0)
    assert not game.company("WSRC").closed


def test_the_station_company_tokens_a_bare_hex_and_closes_with_the_round():
    game, corporation = with_private("WSRC")
    cash = corporation.cash
    act(game, "pass", "WGB")
    assert by_power(game, "place_token_by") == {"WSRC"}
    act(game, "place_token", "WSRC", "company", city="I12-0-1", slot=0)
    assert (corporation.cash, corporation.tokens[1].city.id) == (cash, "I12-0-1")
    while not game.round.is_stock:
        act(game, "pass", game.active_entity.id)
    assert game.company("WSRC").closed


def test_who_lays_the_tile_places_the_token_that_lay_on_the_bare_hex():
    game, corporation = with_private("WSRC")
    act(game, "pass", "WGB")
    act(game, "place_token", "WSRC", "company", city="I12-0-1", slot=0)
    round_ = operate(game)
    act(game, "lay_tile", "WSRC", "company", hex="I12", tile="59-0", rotation=0)
    assert round_.active_step().name == "home_token"
    cash = corporation.cash
    act(game, "place_token", "WGB", city="59-0-0", slot=0)
    assert corporation.cash == cash  # free of charge
    assert corporation.tokens[1].city.id == "59-0-0"


def test_a_lifted_token_is_placed_before_the_station_power_is_used():
    # the THB lays the tile of its own home: its token, the first unused one again, waits for a city
    game, corporation = with_private("WSRC", "THB")
    act(game, "lay_tile", "THB", hex="L15", tile="59-0", rotation=0)
    assert game.round.active_step().name == "home_token"
    assert by_power(game, "place_token_by") == set()
    act(game, "place_token", "THB", city="59-0-1", slot=0)
    act(game, "pass", "THB")  # the Canada Company could still be bought
    act(game, "place_token", "WSRC", "company", city="I12-0-0", slot=0)
    assert [token.city.id for token in corporation.tokens] == ["59-0-1", "I12-0-0"]


def test_the_canada_company_lays_an_extra_tile_and_is_waited_for():
    game, _ = with_private("TCC")
    act(game, "lay_tile", "WGB", hex="J11", tile="5-0", rotation=0)
    assert game.round.active_step().name == "track"
    act(game, "lay_tile", "TCC", "company", hex="H11", tile="58-0", rotation=0)
    assert game.board.hex("H11").piece.id == "58-0"
    assert not game.company("TCC").closed
    assert by_power(game, "tile_lay_by") == set()


def test_blocked_hexes_open_when_the_private_is_sold():
    game = opened()
    rules = game.title.track
    corporation = game.corporation("WGB")
    for hex_id, name in (("L3", "FT"), ("I12", "WSRC"), ("H11", "TCC")):
        assert rules.blocked(game, game.board.hex(hex_id), corporation) is game.company(name)
        transfer_company(game.company(name), game.corporation("CPR"))
        assert rules.blocked(game, game.board.hex(hex_id), corporation) is None


def test_the_port_marker_closes_the_company_and_goes_with_the_first_six():
    game = opened()
    start(game, "WGB", 1, 65, more=3)
    enter_phase(game, "3")
    operate(game)
    act(game, "buy_company", "WGB", company="GLSC", price=70)
    act(game, "assign", "GLSC", "company", target="H17", target_type="hex")
    assert game.company("GLSC").closed
    assert canada(game).port_owner is game.corporation("WGB")
    assert [name for name, _ in game.board.hex("H17").assignments] == ["GLSC"]
    remove_port(game, game.depot.train("6-0"))
    assert game.board.hex("H17").assignments == ()
    assert canada(game).port_owner is None


def test_the_port_marker_goes_onto_port_hexes_only():
    game, _ = with_private("GLSC")
    with pytest.raises(IllegalActionError, match="port hex"):
        act(game, "assign", "GLSC", "company", target="L9", target_type="hex")


def test_rights_are_sold_by_the_owner_and_later_by_the_bank():
    game = opened()
    corporation = start(game, "WGB", 1, 65, more=3)
    owner = start(game, "CPR", 2, 70, more=3)
    enter_phase(game, "3")
    operate(game)
    assert game.active_entity is owner
    act(game, "buy_company", "CPR", company="SCFTC", price=50)
    assert has_right(game, owner, TUNNEL)
    assert not any(
        choice.kind == "special_buy" for choice in game.legal_actions()
    )  # a player owns the bridge
    while game.active_entity is not corporation:
        act(game, "pass", "CPR")
    cash = owner.cash
    act(game, "special_buy", "WGB", description="Tunnel Token", cost=50)
    assert (has_right(game, corporation, TUNNEL), owner.cash) == (True, cash + 50)
    assert (rights_left(game, TUNNEL), rights_left(game, BRIDGE)) == (1, 2)
    with pytest.raises(IllegalActionError):
        act(game, "special_buy", "WGB", description="Tunnel Token", cost=50)
    close_companies(game, game.depot.train("5-0"))
    # the bridge was never sold to a corporation: a third right comes up, sold by the bank
    assert (rights_left(game, TUNNEL), rights_left(game, BRIDGE)) == (1, 3)
    bank = game.bank.cash
    act(game, "special_buy", "WGB", description="Bridge Token", cost=50)
    assert game.bank.cash == bank + 50


def test_rights_that_never_run_out():
    game = new_game("1856", 4, 1, ("unlimited_bonus_tokens",))
    close_companies(game, game.depot.train("5-0"))
    assert rights_left(game, BRIDGE) == 2
    grant_right(game, game.corporation("CPR"), BRIDGE)
    assert rights_left(game, BRIDGE) == 2


# -- tokens, order ------------------------------------------------------------------------------------------


def test_hamilton_keeps_one_slot_for_its_corporation():
    game = opened()
    hex_ = game.board.hex("L15")
    put(game, "L15", "59", 1)
    rules, other = game.title.tokens, game.corporation("GW")
    assert all(rules.fits(game, city, other) for city in hex_.cities)
    game.board.put_token(other.tokens[0], hex_.cities[0])
    # one slot is left: it is the THB's
    assert not rules.fits(game, hex_.cities[1], game.corporation("CPR"))
    assert rules.fits(game, hex_.cities[1], game.corporation("THB"))


def test_a_corporation_that_sold_too_little_is_skipped_when_the_requirement_has_risen():
    game = opened()
    start(game, "CPR", 1, 70)
    start(game, "WGB", 2, 65)
    round_ = operate(game)
    assert [c.id for c in round_.entities] == ["CPR", "WGB"]
    canada(game).required = 30
    price = game.corporation("WGB").price
    while not game.round.is_stock:
        act(game, "pass", game.active_entity.id)
    assert not game.corporation("WGB").floated
    assert game.corporation("WGB").price is price  # no turn, no move
    assert game.corporation("WGB").next_token is game.corporation("WGB").tokens[0]


@pytest.mark.cases
@pytest.mark.skipif(cases_folder() is None, reason="needs the shared games")
def test_thb_chooses_its_city_when_the_tile_comes_later():
    # common 6.9: 1856-game-end-bank before 561: 59-1 was laid on L15, the THB's token was lifted
    game, _ = before("1856-game-end-bank", 561)
    items = sorted(choice.item for choice in game.legal_actions() if choice.kind == "place_token")
    assert items == [["L15", 0], ["L15", 1]]

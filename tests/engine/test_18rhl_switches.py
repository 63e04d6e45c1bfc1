"""18Rhl: readings of rules that settings choose (rules: 18rhl section 19; docs/rules-switches.md)."""

import pytest

from engine.errors import GameFileError, IllegalActionError
from engine.operating import position
from engine.replay import load_game, save_game
from optimizer.evaluate import evaluate
from optimizer.model.data import RouteData
from optimizer.model.route_io import route_from_data
from optimizer.titles.t18rhl import SWITCHES
from tests.conftest import ROOT
from tests.engine.rhineland import after_auction, company_lays, fresh, lay, pass_until, station


def board_a(switches, foreign):
    """Phase 3 on board A of the worked examples (16); `foreign`: (company, city) of stations in F9."""
    game = fresh(3, switches=switches)
    game.phase_index = 1
    for hex_id, tile, rotation in (
        ("F11", "9", 1), ("F9", "X922", 0), ("G10", "2", 2), ("H11", "8", 0), ("I10", "X923", 0),
    ):  # fmt: skip
        lay(game, hex_id, tile, rotation)
    for company, city in foreign:
        station(game, company, "F9", city)
    return game


def verdict(game, company, train, chains, nodes):
    """(faults, revenue) of one route of the corporation with a train of this kind."""
    corporation = game.corporation(company)
    found = next(t for t in game.depot.trains.values() if t.name == train)
    corporation.trains = (found,)
    route = route_from_data(RouteData(train=found.id, connections=chains, nodes=nodes), "routes[0]")
    answer = evaluate(position(game, corporation), [route])
    return bool(answer.faults), answer.revenue


SOUTH_LINE = (
    [["F13", "F11", "F9"], ["F9", "G10"], ["G10", "H11", "I10"]],
    ["F13-1", "F9-1", "G10-0", "I10-1"],
)


@pytest.mark.parametrize(("reading", "revenue"), [("engine", 120), ("designer", 110)])
def test_trajekt(reading, revenue):
    # Example 7: F9 is full, GVE stands west, DEE and BME east. 30 + 40 + 10 + 40; by the designer's reading
    # the GVE must cross to its own circle and back: 10 less.
    game = board_a({"trajekt": reading}, [("GVE", 0), ("DEE", 1), ("BME", 1)])
    station(game, "GVE", "F13", 0)
    chains, nodes = SOUTH_LINE
    exit_node = next(i for i, c in enumerate(game.board.hex("F13").cities) if 3 in c.hex.face.groups[c.stop])
    nodes = [f"F13-{exit_node}", *nodes[1:]]
    assert verdict(game, "GVE", "3", chains, nodes) == (False, revenue)


@pytest.mark.parametrize(("reading", "illegal"), [("no", False), ("yes", True)])
def test_yellow_bank_once(reading, illegal):
    # Example 10: Köln's two western circles in one route: 30 + 10 + 30.
    game = fresh(3, switches={"yellow_bank_once": reading})
    for hex_id, tile, rotation in (("J9", "7", 2), ("I8", "8", 3), ("H9", "3", 5)):
        lay(game, hex_id, tile, rotation)
    station(game, "RhE", "I10", 0)
    found = verdict(game, "RhE", "2", [["I10", "J9", "I8", "H9"], ["H9", "I10"]], ["I10-0", "H9-0", "I10-1"])
    assert found[0] is illegal
    assert illegal or found[1] == 70


@pytest.mark.parametrize(("reading", "expected"), [("engine", 100), ("printed", 110)])
def test_ratingen(reading, expected):
    # Example 20: F13 - E12 - D13 with steel on D13 (seed 1): 30 + 10 + 30 and the bonus of 30 or 40.
    game = fresh(3, seed=1, options=("ratingen_variant",), switches={"ratingen": reading})
    game.phase_index = 1
    lay(game, "D13", "202", 4)
    lay(game, "E12", "1", 2)
    station(game, "BME", "F13", 0)
    found = verdict(game, "BME", "2", [["F13", "E12"], ["E12", "D13"]], ["F13-0", "E12-0", "D13-0"])
    if found[0]:  # the town that joins them is the other one
        found = verdict(game, "BME", "2", [["F13", "E12"], ["E12", "D13"]], ["F13-0", "E12-1", "D13-0"])
    assert found == (False, expected)


@pytest.mark.parametrize(("reading", "open_to_all"), [("engine", False), ("printed", True)])
def test_e12_after_the_atb_closed_unused(reading, open_to_all):
    game = fresh(3, seed=1, options=("ratingen_variant",), switches={"ratingen": reading})
    after_auction(game)
    pass_until(game, "OR")
    game.phase_index = 1
    for company in game.companies:
        company.closed = company.id == "ATB" or company.closed
    station(game, "RhE", "F13", 0)
    tiles = {c.item[1] for c in game.legal_actions() if c.kind == "tile_lay" and c.item[0] == "E12"}
    assert tiles == ({"1", "2", "55", "56", "69"} if open_to_all else set())


def test_positions_carry_the_route_readings_only():
    game = fresh(3, switches={"rge_skip": "none", "teleport_counts": "extra"})
    assert dict(game.title.route_switches) == {"rge_skip": "none"}
    assert game.title.reading("teleport_counts") == "extra"
    assert game.title.reading("keg_exchange") == "engine"


def test_every_reading_is_accepted_and_saved():
    for name, switch in fresh(3).title.switches.items():
        for value in switch.values:
            game = fresh(3, switches={name: value})
            assert game.title.reading(name) == value
            assert load_game(save_game(game)).title.reading(name) == value
    assert set(SWITCHES) < set(fresh(3).title.switches)


def test_unknown_readings_are_named():
    with pytest.raises(GameFileError, match=r"settings\.switches\.trajekt: must be one of engine, designer"):
        fresh(3, switches={"trajekt": "maybe"})
    with pytest.raises(
        GameFileError, match=r"settings\.switches\.ferry: 18Rhl has no such switch; it has .*trajekt"
    ):
        fresh(3, switches={"ferry": "yes"})


def test_switches_must_be_an_object():
    with pytest.raises(GameFileError, match=r"settings\.switches: must be an object"):
        fresh(3, switches=["trajekt"])


def test_default_readings_refuse_what_the_reference_refuses():
    game = fresh(3, options=("ratingen_variant",))
    after_auction(game)
    pass_until(game, "OR")
    assert company_lays(game, "ATB") == []
    with pytest.raises(IllegalActionError):
        game.apply(
            {
                "type": "lay_tile",
                "entity": "ATB",
                "entity_type": "company",
                "hex": "E12",
                "tile": "1-0",
                "rotation": 1,
            }
        )


def test_the_page_on_switches_names_all_of_them_default_first():
    page = (ROOT / "docs" / "rules-switches.md").read_text(encoding="utf-8")
    for name, switch in fresh(3).title.switches.items():
        values = ", ".join(f"`{value}`" for value in switch.values)
        assert f"| `{name}` | {values} |" in page


@pytest.mark.parametrize("name", SWITCHES)
def test_each_route_reading_reaches_the_position(name):
    def seen(switches):
        game = fresh(3, options=("ratingen_variant",), switches=switches)
        game.phase_index = 5  # phase 8
        lay(game, "F9", "X922", 0)
        station(game, "RhE", "I10", 0)
        station(game, "GVE", "A14", 0)  # foreign to the RhE
        game.corporation("RhE").trains = (game.depot.trains["8-0"],)
        found = position(game, game.corporation("RhE"))
        return found.rules, [train.type for train in found.trains]

    assert seen({name: SWITCHES[name].values[1]}) != seen({})
    assert seen({name: SWITCHES[name].default}) == seen({})

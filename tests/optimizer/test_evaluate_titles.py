"""The evaluator on the worked examples of the titles' rules: the expected figures are those of the rules."""

from __future__ import annotations

import pytest

from optimizer.model import position_to_data
from optimizer.model.data import HexBonusData
from optimizer.titles import resolve
from tests.small_maps import rules_broken, run, titled

# 18Rhl, board A of the examples: both banks of Düsseldorf and Köln, a line to Roermond's side and one east.
BOARD_A = "F11=9r1 F9=X922r0 G10=2r2 H11=8r0 I10=X923r0 E8=56r5 E6=202r4"
TO_KOLN = "F13-F11-F9 F9-G10 G10-H11-I10"
RGE_NORTH_SOUTH = (
    "B7=8r2 B9=15r4 C10=1r2 D9=929r0 E8=56r0 E6=216r1 F7=8r2 F9=932r0 G8=8r1 G6=948r0 H7=9r2 I8=8r2"
    " I10=928r0 J9=8r3 K10=15r2"
)
NORTH_TO_I10 = "A6-B7-B9 B9-C10 C10-D9 D9-E8 E8-E6 E6-F7-F9 F9-G8-G6 G6-H7-I8-I10 I10-J9-K10"
SOUTH = "I10=932r0 J9=8r3 K10=15r2 J11=9r2 K12=4r2"

LEGAL = [
    # (phase, company, trains, tiles, tokens, route, revenue, text)
    ("1", "2", "RhE", "2", "K4=4r1", "K2:RhE", "2-0: K2-K4 K4-K6", 50, "K2-K4-K6"),
    ("3", "3", "DEE", "2", BOARD_A, "F9.1:DEE", "2-0: F13-F11-F9", 70, "F13-F9"),
    ("4", "3", "DEE", "2", BOARD_A, "F9.1:DEE", "2-0: E6-E8 E8-F9 F9", 70, "E6-E8-F9[Tr]"),
    ("5", "3", "DEE", "3", BOARD_A, "F9.1:DEE", "3-0: E6-E8 E8-F9 F9 F9-F11-F13", 100, "E6-E8-F9[Tr]-F13"),
    ("6", "3", "DEE", "3", BOARD_A, "F9.1:DEE", f"3-0: {TO_KOLN}", 120, "F13-F9-G10-I10"),
    ("6 ferry", "3", "DEE", "3", BOARD_A, "F9.1:DEE", f"3-0: {TO_KOLN} I10", 110, "F13-F9-G10-I10[Tr]"),
    ("7", "3", "GVE", "3", BOARD_A, "F9:GVE F9.1:DEE F9.1:BME F13:GVE", f"3-0: {TO_KOLN}", 120, ""),
    ("7 end", "3", "CCE", "3", BOARD_A, "F9:GVE F9.1:DEE F9.1:BME F13:CCE", "3-0: F13-F11-F9", 70, ""),
    ("8", "3", "CCE", "3", BOARD_A, "F9.1:DEE F9.1:BME F13:CCE", f"3-0: {TO_KOLN}", 120, ""),
    # both metropolises by ferry: 40 - 10 and 40 - 10
    ("9", "3", "DEE", "3", "D9=X925r0 F9=X922r0 E8=1r2 F11=7r1 E10=9r2", "F9.1:DEE",
     "3-0: F9 F9-F11-E10-D9 D9", 60, "F9[Tr]-D9[Tr]"),
    # two circles of yellow Köln: 30 + 10 + 30
    ("10", "2", "CCE", "2", "J9=7r2 I8=8r3 H9=3r5", "I10:CCE", "2-0: I10-H9 H9-I8-J9-I10", 70, ""),
    # nine stops, B9 (30) left out, three metropolises doubled: +50 +60 +50
    ("15", "8", "GVE", "8", RGE_NORTH_SOUTH, "I10:GVE", f"8-0: {NORTH_TO_I10} K10-L11", 580,
     "A6-(B9)-D9-E6-F9-G6-I10-K10-L11 + RGEx3 (=+160M)"),
    # one RGE end only: no doubling
    ("16", "8", "GVE", "8", RGE_NORTH_SOUTH, "I10:GVE", f"8-0: {NORTH_TO_I10}", 380, ""),
    # I10 doubled: 70 + 30 + 120 + 60; eight stops or fewer, of which 18xx.games chooses (and notes) none
    ("18", "8", "GVE", "8", SOUTH, "I10:GVE", "8-0: L11-K10 K10-J9-I10 I10-J11-K12 K12-L13", 280,
     "(L11)-(K10)-(I10)-(L13)"),
    ("18 one end", "8", "GVE", "8", SOUTH, "I10:GVE", "8-0: L13-K12 K12-J11-I10", 120, "L13-I10"),
    ("21", "3", "GVE", "3", "D9=X925r0 E8=935r1 F9=X922r0", "E8:GVE", "3-0: D9-E8 E8 E8-F9", 110, ""),
]  # fmt: skip


@pytest.mark.parametrize("example", LEGAL, ids=lambda row: row[0])
def test_18rhl_examples(example: tuple[str, str, str, str, str, str, str, int, str]) -> None:
    _, phase, company, trains, tiles, tokens, route, revenue, text = example
    verdict = run(titled("18Rhl", phase, company, trains, tiles, tokens), route)
    assert verdict.faults == ()
    assert verdict.revenue == revenue
    if text:
        assert verdict.routes[0].revenue_str == text


ILLEGAL = [
    ("4: the station is on the other bank", "DEE", "2", "F9.1:DEE", "2-0: E6-E8 E8-F9", ["no_token"]),
    ("7: three foreign stations", "CCE", "3", "F9:GVE F9.1:DEE F9.1:BME F13:CCE", f"3-0: {TO_KOLN}",
     ["blocked"]),
    ("ends in a town", "DEE", "2", "F9.1:DEE", "2-0: F13-F11-F9 F9-G10", ["end_kind"]),
    ("the ferry alone", "DEE", "2", "F9.1:DEE", "2-0: F9", ["ferry_only"]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "company", "trains", "tokens", "route", "broken"), ILLEGAL)
def test_18rhl_illegal(
    name: str, company: str, trains: str, tokens: str, route: str, broken: list[str]
) -> None:
    verdict = run(titled("18Rhl", "3", company, trains, BOARD_A, tokens), route)
    assert rules_broken(verdict) == broken, name


def test_18rhl_hexes_that_exclude_each_other() -> None:
    position = titled("18Rhl", "8", "GVE", "6 8", SOUTH, "I10:GVE")
    chains = "L11-K10 K10-J9-I10 I10-J11-K12 K12-L13"
    assert rules_broken(run(position, f"6-0: {chains}")) == ["at_most_one"]
    assert rules_broken(run(position, "8-0: K10-J9-I10 I10-J11-K12")) == ["end_required"]


def test_18rhl_out_tokened_hex_is_no_end() -> None:
    # C4 = tile 3 with a town, D3 plain, from C2 to E2: 10 + 10 + 20 unless C2 is foreign
    tiles = "C4=3r0 D3=9r0"
    free = run(titled("18Rhl", "3", "RhE", "2", tiles, "E2:RhE"), "2-0: C2-C4 C4-D3-E2")
    assert (free.faults, free.revenue) == ((), 40)
    taken = run(titled("18Rhl", "3", "RhE", "2", tiles, "E2:RhE C2:GVE"), "2-0: C2-C4 C4-D3-E2")
    assert rules_broken(taken) == ["end_here"]
    counted = titled("18Rhl", "3", "RhE", "2", tiles, "E2:RhE C2:GVE", switches={"out_token": "zero"})
    assert run(counted, "2-0: C2-C4 C4-D3-E2").revenue == 30  # the same without C2's 10


def test_18rhl_designers_ferry_rule() -> None:
    # Example 8: both circles of the eastern bank are foreign, so the ferry must be used: 10 less.
    tokens = "F9.1:DEE F9.1:BME F13:CCE"
    switches = {"trajekt": "designer"}
    position = titled("18Rhl", "3", "CCE", "3", BOARD_A, tokens, switches=switches)
    assert run(position, f"3-0: {TO_KOLN}").revenue == 110
    assert run(position, "3-0: F13-F11-F9").revenue == 70  # an end needs no ferry


def test_18rhl_second_stop_of_a_metropolis_is_merged_whatever_joins_them() -> None:
    # Tile 949: a city of 60 with a town of 20 on its own side. The first along the route counts and pays 10
    # less, so direction matters: town first 20 - 10 and no city counts, city first 60 - 10.
    tiles = "D9=949r0 F9=932Vr0 E10=8r0"
    position = titled("18Rhl", "8", "GVE", "2", tiles, "F9:GVE", optional_rules=["promotion_tiles"])
    there = run(position, "2-0: F9-E10-D9 D9")
    back = run(position, "2-0: D9 D9-E10-F9")
    assert there.revenue == 60 + 60 - 10
    assert back.revenue == 20 - 10 + 60
    assert there.routes[0].revenue_str == "F9-D9[Tr]"
    assert [stop.counted for stop in back.routes[0].stops] == [True, False, True]


TORONTO = "N11=120r1 M10=2r3 N9=3r0 M12=9r1 L13=57r1"
LOOP = "N11-M10 M10-N9 N9-N11"
SWITCH = "F15=121r0 E14=23r5 D13=8r5 C14=57r1 E12=7r5 F13=56r2"
TOWNS = "D17=5r4 E18=2r1 E16=7r5 F17=5r1"
BUFFALO = "O16=5r5 O18=15r2"

EXAMPLES_1856 = [
    ("E1", "2", "LPS", "2 2", "C14=5r1 B15=7r3", "C14:LPS", ["2-0: C14-B13", "2-1: C14-B15-B13"], 100),
    ("E2", "2", "TGB", "2", "K8=6r5 J9=58r2", "K8:TGB", ["2-0: K8-J9"], 30),
    ("E3", "4", "CV", "4", TORONTO, "N11:CV", [f"4-0: {LOOP}"], 140),
    ("E3 5-train", "5", "CV", "5", TORONTO, "N11:CV", [f"5-0: L13-M12-N11 {LOOP}"], 160),
    ("E4 ends in a full city", "5", "CV", "5", TORONTO, "N11:CV N11.1:GT", [f"5-0: L13-M12-N11 {LOOP}"], 160),
    ("E5", "4", "CA", "4", TOWNS, "D17:CA", ["4-0: D17-E18 E18-E16-F17 F17-E18"], 60),
    ("E8", "3", "GW", "2", SWITCH, "F15:GW", ["2-0: F15-E14-D13-C14"], 70),
    ("E8", "3", "GW", "2", SWITCH, "F15:GW", ["2-0: F15-E14-E12-F13"], 60),
]


@pytest.mark.parametrize("example", EXAMPLES_1856, ids=lambda row: row[0])
def test_1856_examples(example: tuple[str, str, str, str, str, str, list[str], int]) -> None:
    _, phase, company, trains, tiles, tokens, ran, revenue = example
    verdict = run(titled("1856", phase, company, trains, tiles, tokens), *ran)
    assert verdict.faults == ()
    assert verdict.revenue == revenue


ILLEGAL_1856 = [
    ("E1 twice the same way", "2", "LPS", "2 2", "C14=5r1 B15=7r3", "C14:LPS",
     ["2-0: C14-B13", "2-1: C14-B13"], ["side_twice"]),
    ("E1 loop", "3", "LPS", "3", "C14=5r1 B15=7r3", "C14:LPS", ["3-0: C14-B15-B13 B13-C14"],
     ["blocked", "stop_twice", "terminal_inside"]),
    ("E3 too long", "3", "CV", "3", TORONTO, "N11:CV", [f"3-0: L13-M12-N11 {LOOP}"], ["too_long"]),
    ("E5 no token", "4", "CA", "4", TOWNS, "D17:CA", ["4-0: E18-E16-F17"], ["no_token"]),
    ("E8 shared exit", "3", "GW", "2 2", SWITCH, "F15:GW",
     ["2-0: F15-E14-D13-C14", "2-1: F15-E14-E12-F13"], ["side_twice"]),
    ("E8 reverses on a switch", "3", "GW", "2", SWITCH, "F15:GW", ["2-0: C14-D13-E14-E12-F13"],
     ["no_such_track"]),
]  # fmt: skip


@pytest.mark.parametrize("example", ILLEGAL_1856, ids=lambda row: row[0])
def test_1856_illegal(example: tuple[str, str, str, str, str, str, list[str], list[str]]) -> None:
    _, phase, company, trains, tiles, tokens, ran, broken = example
    assert rules_broken(run(titled("1856", phase, company, trains, tiles, tokens), *ran)) == broken


def test_1856_port_and_tunnel() -> None:
    # E1 with LPS's port marker on C14: 70 each; with the tunnel right 80 each.
    ran = ("2-0: C14-B13", "2-1: C14-B15-B13")
    base = position_to_data(titled("1856", "2", "LPS", "2 2", "C14=5r1 B15=7r3", "C14:LPS"))
    base.assignments.append("GLSC")
    assert run(resolve(base), *ran).revenue == 100  # the marker lies on no hex
    base.hexes["C14"].assignments.append("GLSC")
    assert run(resolve(base), *ran).revenue == 140
    base.hex_bonuses.append(HexBonusData("tunnel", ["B13"], 10))
    assert run(resolve(base), *ran).revenue == 160


def test_1861_towns_fill_places_that_cities_leave() -> None:
    # Printed board, station in Moscow's city of side 2: Moscow 40, Tver 10, St. Petersburg 40.
    tokens = "H8.1:N"
    two = titled("1861", "2", "N", "2", "", tokens)
    three = titled("1861", "3", "N", "3", "", tokens)
    assert run(two, "2-0: H8-G7-G5 G5-F4-F2-E1").revenue == 80
    assert run(three, "3-0: H8-G7-G5 G5-F4-F2-E1").revenue == 90
    assert run(two, "2-0: H8-G7-G5").revenue == 50


def test_1861_two_trains_may_not_leave_by_the_same_side() -> None:
    position = titled("1861", "3", "N", "2 3", "", "H8.1:N")
    verdict = run(position, "2-0: H8-G7-G5", "3-0: H8-G7-G5 G5-F4-F2-E1")
    assert "side_twice" in rules_broken(verdict)
    assert {fault.train for fault in verdict.faults} == {"3-0"}

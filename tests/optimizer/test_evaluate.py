"""The evaluator's rules one by one, on maps of a few hexes."""

from __future__ import annotations

import dataclasses

import pytest

from optimizer.evaluate import evaluate, priced_routes
from optimizer.evaluation.report import RULES, Evaluation
from optimizer.model.position import Position, Route
from optimizer.model.rules import (
    FerryRule,
    RouteRules,
    TrainRule,
    TrainType,
)
from tests.small_maps import plain_train, routes, rules_broken, run, small

# A column of hexes, joined bottom (side 0) to top (side 3): a city, a town, a city, an off-board.
LINE = {"F2": "c20 0A", "F4": "t10 0A A3", "F6": "c30 0A A3", "F8": "o40=G A3"}
ALL = "F2-F4 F4-F6 F6-F8"


def line(rules: RouteRules | None = None, *trains: TrainType, tokens: str = "F2:A") -> Position:
    return small(LINE, *(trains or (plain_train(4),)), tokens=tokens, rules=rules)


def for_all(**fields: object) -> RouteRules:
    return RouteRules(train_rules=(dataclasses.replace(TrainRule(), **fields),))  # type: ignore[arg-type]


def test_a_plain_route_pays_every_stop() -> None:
    verdict = run(line(), f"4-0: {ALL}")
    assert verdict.legal
    assert verdict.revenue == 20 + 10 + 30 + 40
    (route,) = verdict.routes
    assert route.revenue_str == "F2-F4-F6-F8"
    assert [stop.amount for stop in route.stops] == [20, 10, 30, 40]


def test_direction_of_each_list_does_not_matter() -> None:
    forward = run(line(), f"4-0: {ALL}")
    mixed = run(line(), "4-0: F4-F2 F4-F6 F8-F6")
    back = run(line(), "4-0: F8-F6 F6-F4 F4-F2")
    assert forward.revenue == mixed.revenue == back.revenue
    assert mixed.routes[0].paths == forward.routes[0].paths == back.routes[0].paths[::-1]


def test_routes_with_their_track_are_judged_the_same() -> None:
    given = run(line(), f"4-0: {ALL}")
    again = evaluate(line(), priced_routes(given))
    assert again == given


def test_no_routes_earn_nothing() -> None:
    assert evaluate(line(), []) == Evaluation(0)


TWO_WAYS = {"F2": "c20 0A 5A", "F4": "c30 3A 4A", "G3": "12"}  # F2 to F4 directly and over G3
PAIR = [plain_train(2)] * 2

FERRY = RouteRules(ferry=FerryRule(10, frozenset(("F2",))))

# rule -> (position, routes) that break this rule and no other
BREAKING: dict[str, tuple[Position, list[str]]] = {
    "unknown_train": (line(), ["9-0: F2-F4"]),
    "train_twice": (line(tokens="F2:A F6:A"), ["4-0: F2-F4", "4-0: F4-F6"]),
    "too_short": (line(tokens="F2:A"), ["4-0:"]),
    "no_token": (line(tokens="F2:B"), ["4-0: F4-F6"]),
    "too_long": (line(None, plain_train(2)), ["2-0: F2-F4 F4-F6"]),
    "blocked": (line(tokens="F2:A F6:B"), [f"4-0: {ALL}"]),
    "end_kind": (line(for_all(ends_not=frozenset(("town",)))), ["4-0: F2-F4"]),
    "end_here": (line(for_all(no_end_hexes=frozenset(("F8",)))), [f"4-0: {ALL}"]),
    "end_required": (line(for_all(some_end_in=frozenset(("F8",)))), ["4-0: F2-F4 F4-F6"]),
    "closed_hex": (line(for_all(closed_hexes=frozenset(("F4",)))), ["4-0: F2-F4 F4-F6"]),
    "at_most_one": (line(for_all(at_most_one=(frozenset(("F2", "F6")),))), ["4-0: F2-F4 F4-F6"]),
    "stop_set": (
        line(RouteRules(stop_sets_once=(frozenset((("F2", 0), ("F8", 0))),))),
        [f"4-0: {ALL}"],
    ),
    "group_twice": (
        small({**LINE, "F2": "o20=G 0A"}, plain_train(4), tokens="F6:A"),
        [f"4-0: {ALL}"],
    ),
    "terminal_inside": (
        small({"F2": "c20 0A", "F4": "c10 3A A0!", "F6": "c30 3A"}, tokens="F2:A"),
        ["3-0: F2-F4 F4-F6"],
    ),
    "stop_twice": (
        small({**TWO_WAYS}, plain_train(3), tokens="F2:A"),
        ["3-0: F2-F4 F4-G3-F2"],
    ),
    "side_twice": (
        small({"F2": "c20 0A", "F4": "c30 3A"}, plain_train(2), plain_train(2), tokens="F2:A"),
        ["2-0: F2-F4", "2-1: F2-F4"],
    ),
    "track_twice": (
        small({"F2": "c20 c30 AB"}, plain_train(2), plain_train(2), tokens="F2:A"),
        ["2-0: F2", "2-1: F2"],
    ),
    "no_such_track": (line(), ["4-0: F2-F6"]),
    "same_hex": (
        small({"F2": "c20 c30 AB"}, plain_train(2), tokens="F2:A", rules=RouteRules(same_hex_once=True)),
        ["2-0: F2"],
    ),
    "ferry_only": (
        small({"F2": "c20 c30 AB~"}, tokens="F2:A", rules=FERRY),
        ["3-0: F2"],
    ),
    "shared_stop": (
        small(TWO_WAYS, *PAIR, tokens="F2:A", rules=RouteRules(exclusive=frozenset(("stop",)))),
        ["2-0: F2-F4", "2-1: F2-G3-F4"],
    ),
    "shared_hex": (
        small(TWO_WAYS, *PAIR, tokens="F2:A", rules=RouteRules(exclusive=frozenset(("hex",)))),
        ["2-0: F2-F4", "2-1: F2-G3-F4"],
    ),
    "shared_group": (
        small(
            {"F2": "o20=G 0A", "F4": "c30 3A 0A", "F6": "o40=G 3A"},
            *[plain_train(2)] * 2,
            tokens="F4:A",
            rules=RouteRules(exclusive=frozenset(("group",))),
        ),
        ["2-0: F2-F4", "2-1: F4-F6"],
    ),
}


@pytest.mark.parametrize("rule", BREAKING)
def test_each_rule_is_found_broken(rule: str) -> None:
    position, texts = BREAKING[rule]
    broken = rules_broken(run(position, *texts))
    also = {"too_short": ["no_token"]}.get(rule, [])  # a route without stops has no token either
    assert broken == sorted([rule, *also])


def test_every_rule_is_tried() -> None:
    with_tests_of_their_own = {"ferry_hex_twice", "junction_twice", "not_joined", "town_twice", "custom"}
    assert set(BREAKING) | with_tests_of_their_own == set(RULES)


def test_faults_tell_where() -> None:
    (fault,) = run(*BREAKING["blocked"][:1], *BREAKING["blocked"][1]).faults
    assert (fault.train, fault.route, fault.hex, fault.stop) == ("4-0", 0, "F6", "F6-0")
    assert str(fault) == "train 4-0: passes F6-0, a full city without own token [blocked]"
    position, texts = BREAKING["side_twice"]
    sides = {(fault.hex, fault.side) for fault in run(position, *texts).faults}
    assert sides == {("F2", 0), ("F4", 3)}


def test_track_that_does_not_join_is_found() -> None:
    # paths 0 of F2 and 1 of F6 are not neighbours
    route = Route("4-0", (), (), paths=(("F2", 0), ("F6", 0)))
    broken = rules_broken(evaluate(line(), [route]))
    assert "not_joined" in broken


def test_paths_that_do_not_exist_are_found() -> None:
    route = Route("4-0", (), (), paths=(("F2", 7),))
    assert rules_broken(evaluate(line(), [route])) == ["no_such_track"]
    elsewhere = Route("4-0", (), (), paths=(("Z98", 0),))
    assert rules_broken(evaluate(line(), [elsewhere])) == ["no_such_track"]


def test_stops_and_connections_must_agree_with_the_track() -> None:
    (good,) = priced_routes(run(line(), f"4-0: {ALL}"))
    wrong_stops = dataclasses.replace(good, stops=(("F2", 0), ("F6", 0)))
    wrong_hexes = dataclasses.replace(good, connections=(("F2", "F4"),))
    for route in (wrong_stops, wrong_hexes):
        assert rules_broken(evaluate(line(), [route])) == ["no_such_track"]


def test_all_faults_of_all_routes_are_reported() -> None:
    position = line(for_all(ends_not=frozenset(("town",))), plain_train(2), tokens="F2:B F6:B")
    verdict = run(position, "2-0: F4-F6 F6-F8", "7-0: F2-F4")
    assert [fault.rule for fault in verdict.faults] == [
        "no_token", "end_kind", "too_long", "blocked", "unknown_train",
    ]  # fmt: skip
    assert not verdict.routes[0].legal


def test_a_junction_is_crossed_once_between_two_stops() -> None:
    # F4 is a junction of four sides with cities around it
    around = {"F2": "c10 0A A5", "F4": "0J 1J 3J 4J", "F6": "c20 3A 4A", "G3": "c30 1A 2A", "E5": "c40 4A A0"}
    position = small({**around}, plain_train(9), tokens="F2:A")
    straight = run(position, "9-0: F2-F4-F6")
    assert straight.legal
    assert straight.routes[0].connections == (("F2", "F4", "F6"),)
    assert [path[0] for path in straight.routes[0].paths] == ["F2", "F4", "F4", "F6"]
    twice = run(position, "9-0: E5-F4-G3 G3-F2 F2-F4-F6")
    assert (twice.legal, twice.revenue) == (True, 100)  # 40 + 30 + 10 + 20
    # Track over G3 and G5 leads back into the junction, from which no stop was reached yet.
    back = small({"F2": "c10 0A", "F4": "3J 4J 5J 0J", "G3": "10", "G5": "32", "F6": "c20 3A"}, tokens="F2:A")
    crossed = (("F2", 0), ("F4", 0), ("F4", 1), ("G3", 0), ("G5", 0), ("F4", 2), ("F4", 3), ("F6", 0))
    verdict = evaluate(back, [Route("3-0", (), (("F2", 0), ("F6", 0)), paths=crossed)])
    assert rules_broken(verdict) == ["junction_twice"]


def test_lanes_are_separate_track() -> None:
    lanes = {"F2": "c20 0A", "F4": "c30 3A"}
    position = small(lanes, *[plain_train(2)] * 2, tokens="F2:A")
    doubled = {}
    for hex_id, side in (("F2", 0), ("F4", 3)):
        tile = position.board.printed[hex_id]
        (path,) = tile.paths
        pair = tuple(dataclasses.replace(path, lane_a=(2, i), lane_b=(2, i)) for i in (0, 1))
        doubled[hex_id] = dataclasses.replace(tile, paths=pair)
        assert path.sides == (side,)
    board = dataclasses.replace(position.board, key="lanes", printed=doubled)
    states = tuple((h, dataclasses.replace(s, tile=doubled[h])) for h, s in position.hexes)
    wide = position.replace(board=board, hexes=states)
    # lane 0 of one side meets lane 1 of the other
    one = Route("2-0", (), (), paths=(("F2", 0), ("F4", 1)))
    other = Route("2-1", (), (), paths=(("F2", 1), ("F4", 0)))
    assert evaluate(wide, [one, other]).legal
    assert evaluate(wide, [one, other]).revenue == 100
    crossed = Route("2-0", (), (), paths=(("F2", 0), ("F4", 0)))
    assert "not_joined" in rules_broken(evaluate(wide, [crossed]))


def test_track_beyond_a_rim_town_is_used_once() -> None:
    # The town lies at side 3: track from it to sides 0 and 1 counts as one piece (common 8.5.9).
    rim = {"F2": "c20x2 0A", "F4": "t10@3 3A 0A 1A", "F6": "c30 3A", "E5": "c40 4A"}
    two = [plain_train(2)] * 2
    free = small({**rim, "F4": "t10 3A 0A 1A"}, *two, tokens="F6:A E5:A")
    assert run(free, "2-0: F4-F6", "2-1: F4-E5").legal
    position = small(rim, *two, tokens="F6:A E5:A")
    assert rules_broken(run(position, "2-0: F4-F6", "2-1: F4-E5")) == ["town_twice"]
    passed = small(rim, plain_train(3), tokens="F6:A")
    assert run(passed, "3-0: F2-F4 F4-F6").legal


def test_open_and_neutral_cities_may_be_passed() -> None:
    full = small({**LINE, "F6": "c30x2 0A A3"}, plain_train(4), tokens="F2:A F6:B F6:C")
    assert rules_broken(run(full, f"4-0: {ALL}")) == ["blocked"]
    free_slot = small({**LINE, "F6": "c30x2 0A A3"}, plain_train(4), tokens="F2:A F6:B")
    own = small({**LINE, "F6": "c30x2 0A A3"}, plain_train(4), tokens="F2:A F6:B F6:A")
    neutral = full.replace(rules=RouteRules(neutral_hexes=frozenset(("F6",))))
    for position in (free_slot, own, neutral):
        assert run(position, f"4-0: {ALL}").legal


def test_a_hex_with_a_ferry_counts_once() -> None:
    # out on one bank and back on the other: F2's first city, F4, F2's second city over G3
    banks = {"F2": "c50 c50 0A 5B AB~", "F4": "c20 3A 4A", "G3": "12"}
    position = small(banks, plain_train(9), tokens="F4:A", rules=FERRY)
    assert rules_broken(run(position, "9-0: F2-F4 F4-G3-F2")) == ["ferry_hex_twice"]
    without_link = small({**banks, "F2": "c50 c50 0A 5B"}, plain_train(9), tokens="F4:A", rules=FERRY)
    assert run(without_link, "9-0: F2-F4 F4-G3-F2").legal


# --- Rebuilding track from hexes --------------------------------------------------------------------


def test_named_stops_decide_between_two_cities() -> None:
    # both cities of F4 can be reached over side 3
    position = small({"F2": "c10 0A", "F4": "c20 c30 3A 3B"}, plain_train(2), tokens="F2:A")
    assert run(position, "2-0: F2-F4").revenue == 30  # the first that fits
    assert run(position, "2-0: F2-F4 | F2-0 F4-0").revenue == 30
    assert run(position, "2-0: F2-F4 | F4-1 F2-0").revenue == 40


def test_neighbouring_lists_decide_between_two_cities() -> None:
    # only the second city of F4 goes on to F6
    tiles = {"F2": "c10 0A", "F4": "c20 c30 3A 3B B0", "F6": "c40 3A"}
    position = small(tiles, plain_train(3), tokens="F2:A")
    assert run(position, "3-0: F2-F4 F4-F6").revenue == 10 + 30 + 40
    assert run(position, "3-0: F4-F2 F6-F4").revenue == 10 + 30 + 40


def test_links_between_stops_are_named_where_there_are_several() -> None:
    position = small({"F2": "c10 c20 c40 AB BC"}, plain_train(2), tokens="F2:A F2.1:A F2.2:A")
    verdict = evaluate(position, [Route("2-0", (("F2 1.2",),), ())])
    assert verdict.revenue == 60
    assert verdict.routes[0].connections == (("F2 1.2",),)
    assert evaluate(position, [Route("2-0", (("F2 0.1",),), ())]).revenue == 30


def test_track_of_other_routes_is_not_taken_twice() -> None:
    # F2 and F4 are joined twice, directly and around; the rebuilt routes must not share a path
    position = small(TWO_WAYS, *[plain_train(2)] * 2, tokens="F2:A")
    verdict = run(position, "2-0: F2-F4", "2-1: F2-G3-F4")
    assert verdict.legal
    assert verdict.revenue == 100


def test_unreadable_lists_are_faults_not_errors() -> None:
    for chains in ("", "Z9-Z11", "F2-F2", "F2"):
        verdict = evaluate(line(), routes(f"4-0: {chains}"))
        assert not verdict.legal
    endless = Route("4-0", (("F2",) * 5000,), ())
    assert rules_broken(evaluate(line(), [endless])) == ["no_such_track"]
    empty_list = Route("4-0", ((),), ())
    assert rules_broken(evaluate(line(), [empty_list])) == ["no_such_track"]
    blank = Route("4-0", (("", " "),), ())
    assert rules_broken(evaluate(line(), [blank])) == ["no_such_track"]

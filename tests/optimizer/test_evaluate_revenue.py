"""What the evaluator pays, rule by rule, on maps of a few hexes."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import pytest

from optimizer.custom_registry import CustomRoute, register_evaluation
from optimizer.model.position import Position
from optimizer.model.rules import (
    Bonus,
    BonusLevel,
    Counter,
    CustomRule,
    DistanceRow,
    Doubling,
    FerryRule,
    RouteRules,
    TrainType,
)
from tests.optimizer.test_evaluate import ALL, for_all, line
from tests.small_maps import plain_train, rules_broken, run, small

SQUARE = {"F2": "c20x2 0A", "F4": "c30 3A 0A A2", "F6": "c40 3A", "E5": "o10 4A"}


def paid(position: Position, route: str) -> list[int]:
    (row,) = run(position, route).routes
    return [stop.amount for stop in row.stops]


def test_rows_pay_the_best_stops_and_keep_a_token() -> None:
    # visits four, paid for two: the best two would be 40 + 30, but one must hold the token (F2, 20)
    train = TrainType("n", (DistanceRow(("city", "town", "offboard"), 4, 2),))
    assert paid(line(None, train), f"n-0: {ALL}") == [20, 0, 0, 40]
    free = dataclasses.replace(train, pay_needs_token=False)
    assert paid(line(None, free), f"n-0: {ALL}") == [0, 0, 30, 40]


def test_one_paid_stop_more_is_preferred_to_a_richer_selection() -> None:
    # 2 towns + 1 other: the town has its own seat, so it takes no place from the city
    train = TrainType("1+1", (DistanceRow(("town",), 1, 1), DistanceRow(("city", "offboard"), 3, 1)))
    assert paid(line(None, train), f"1+1-0: {ALL}") == [20, 10, 0, 0]


def test_multiplier_of_a_row_goes_before_the_trains() -> None:
    train = TrainType("m", (DistanceRow(("town",), 9, 9, 5), DistanceRow(("city", "offboard"), 9, 9)), 2)
    assert paid(line(None, train), f"m-0: {ALL}") == [40, 50, 60, 80]


def test_a_number_of_stops_first_of_some_kinds() -> None:
    train = TrainType(
        "3",
        (DistanceRow(("city", "offboard"), 3, 3), DistanceRow(("town",), 99, 0)),
        pay_total=3,
        pay_first=frozenset(("city", "offboard")),
    )
    assert paid(line(None, train), f"3-0: {ALL}") == [20, 0, 30, 40]
    assert paid(line(None, train), "3-0: F2-F4 F4-F6") == [20, 10, 30]


def test_the_choice_of_paid_stops_looks_at_bonuses() -> None:
    # Two of four are paid, one must be F2. With 25 for the town it beats the off-board: 10 + 25 < 40 no,
    # 10 + 35 > 40 yes.
    train = TrainType("n", (DistanceRow(("city", "town", "offboard"), 4, 2),))

    def with_bonus(amount: int) -> list[int]:
        counter = Counter("town", frozenset(("F4",)))
        bonus = Bonus("b", (BonusLevel((("town", 1),), amount),))
        return paid(line(RouteRules(counters=(counter,), bonuses=(bonus,)), train), f"n-0: {ALL}")

    assert with_bonus(25) == [20, 0, 0, 40]
    assert with_bonus(35) == [20, 10, 0, 0]


def test_ignored_and_worthless_stops() -> None:
    ignoring = line(for_all(ignored=frozenset(("town",))), plain_train(3))
    verdict = run(ignoring, f"3-0: {ALL}")
    assert verdict.legal
    assert verdict.revenue == 90
    assert verdict.routes[0].revenue_str == "F2-F6-F8"
    assert run(line(for_all(worthless_hexes=frozenset(("F8",)))), f"4-0: {ALL}").revenue == 60


# --- Bonuses ----------------------------------------------------------------------------------------

CITIES = Counter("cities", frozenset(("F2", "F6", "F8")))


def bonus_of(bonus: Bonus, *counters: Counter, route: str = ALL, need_pay: bool = True) -> int:
    rules = RouteRules(counters=counters, bonuses=(bonus,), bonuses_need_pay=need_pay)
    train = dataclasses.replace(plain_train(4), multiplier=2)
    (row,) = run(line(rules, train), f"4-0: {route}").routes
    return sum(item.amount for item in row.bonuses)


def test_levels_the_highest_that_is_met_counts() -> None:
    levels = tuple(BonusLevel((("cities", n),), amount) for n, amount in ((1, 10), (2, 30), (4, 99)))
    assert bonus_of(Bonus("b", levels), CITIES) == 30
    assert bonus_of(Bonus("b", levels), CITIES, route="F2-F4") == 10


def test_per_counter_with_a_maximum_and_the_trains_multiplier() -> None:
    level = (BonusLevel((("cities", 1),), 10),)
    assert bonus_of(Bonus("b", level, per="cities"), CITIES) == 30
    assert bonus_of(Bonus("b", level, per="cities", per_max=2), CITIES) == 20
    assert bonus_of(Bonus("b", level, per="cities", multiplied=True), CITIES) == 60


def test_bonus_for_entering_by_a_side() -> None:
    level = (BonusLevel((("in", 1),), 15),)
    from_above = Counter("in", entries=frozenset((("F6", 3),)))
    from_aside = Counter("in", entries=frozenset((("F6", 1),)))
    assert bonus_of(Bonus("b", level), from_above) == 15
    assert bonus_of(Bonus("b", level), from_aside) == 0


def test_bonus_for_some_trains_only() -> None:
    level = (BonusLevel((("cities", 1),), 10),)
    assert bonus_of(Bonus("b", level, trains=frozenset(("5",))), CITIES) == 0
    assert bonus_of(Bonus("b", level, but_trains=frozenset(("4",))), CITIES) == 0
    assert bonus_of(Bonus("b", level, trains=frozenset(("4",))), CITIES) == 10


def test_a_company_gets_some_bonuses_once_a_run() -> None:
    # Both routes visit F4 (30 with the token). Each alone earns the bonus; together one of them does.
    counter = Counter("x", frozenset(("F4",)))
    bonus = Bonus("once", (BonusLevel((("x", 1),), 40, "Once"),), scope="company")
    rules = RouteRules(counters=(counter,), bonuses=(bonus,))
    position = small(SQUARE, *[plain_train(2)] * 2, tokens="F4:A", rules=rules)
    alone = run(position, "2-0: F2-F4")
    assert alone.revenue == 20 + 30 + 40
    assert alone.routes[0].revenue_str == "F2-F4 + Once (=+40M)"
    both = run(position, "2-0: F2-F4", "2-1: F4-F6")
    assert both.revenue == (20 + 30) + (30 + 40) + 40
    assert sum(len(row.bonuses) for row in both.routes) == 1


def test_doublings_depend_on_both_ends() -> None:
    ends = frozenset(("F2", "F8"))
    doubling = Doubling(frozenset(("F6",)), both_ends_in=ends, factor=3, note="Triple")
    position = line(for_all(doublings=(doubling,)))
    verdict = run(position, f"4-0: {ALL}")
    assert verdict.revenue == 20 + 10 + 3 * 30 + 40
    assert verdict.routes[0].revenue_str == "F2-F4-F6-F8 + Triple (=+60M)"
    assert run(position, "4-0: F2-F4 F4-F6").revenue == 60
    opposite = Doubling(frozenset(("F6",)), opposite_ends=(frozenset(("F2",)), frozenset(("F8",))))
    assert run(line(for_all(doublings=(opposite,))), f"4-0: {ALL}").revenue == 20 + 10 + 2 * 30 + 40


def test_ferry_merges_stops() -> None:
    banks = {"F2": "c50 c50 0A AB~ 3B", "F4": "c20 3A", "E1": "c10 5A"}
    ferry = RouteRules(ferry=FerryRule(10, frozenset(("F2",))))
    position = small(banks, plain_train(2), tokens="F2.1:A", rules=ferry)
    verdict = run(position, "2-0: F4-F2 F2")
    assert verdict.legal  # two stops: the banks count once
    assert verdict.revenue == 20 + 50 - 10
    assert verdict.routes[0].revenue_str == "F4-F2[Tr]"


def test_custom_rules_add_and_forbid() -> None:
    def town_tax(route: CustomRoute, parameters: Mapping[str, int]) -> int | None:
        towns = sum(stop.kind == "town" for stop in route.stops)
        return None if towns > parameters["most"] else -parameters["tax"] * towns

    register_evaluation("town tax", town_tax)
    register_evaluation("town tax", town_tax)  # the same again does no harm
    rules = RouteRules(custom=(CustomRule("town tax", (("most", 1), ("tax", 3))),))
    assert run(line(rules), f"4-0: {ALL}").revenue == 97
    strict = RouteRules(custom=(CustomRule("town tax", (("most", 0), ("tax", 3))),))
    assert rules_broken(run(line(strict), f"4-0: {ALL}")) == ["custom"]
    with pytest.raises(ValueError, match="registered already"):
        register_evaluation("town tax", lambda route, parameters: 0)

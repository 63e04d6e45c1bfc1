"""The worked examples: figures by hand, and the search against brute force."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from optimizer.brute import brute_force
from optimizer.custom.examples import best_stop_twice, east_west, mail_contract
from optimizer.model.position import Position
from optimizer.model.rules import Counter, CustomRule, DistanceRow, RouteRules, TrainType
from optimizer.model.tile import STOP_KINDS
from tests.small_maps import plain_train, run, small

pytest.importorskip("optimizer.native.fleet")

from optimizer.solve import optimize

# A column of hexes; C5 (Chicago Connections, 50) and C17 (30) are red areas of 1846, C11 a place between.
TILES = {
    "C5": "o20 0A!",
    "C7": "c30x2 3A 0A",
    "C9": "c20 3A 0A",
    "C11": "c40x2 3A 0A",
    "C13": "c10 3A 0A",
    "C15": "c30 3A 0A",
    "C17": "o60 3A!",
}
EAST, WEST = frozenset(("C17",)), frozenset(("C5",))
COUNTERS = (Counter("east", EAST), Counter("west", WEST))


def column(*trains: TrainType, custom: Mapping[str, Mapping[str, int]], need_pay: bool = True) -> Position:
    named = tuple(CustomRule(name, tuple(given.items())) for name, given in custom.items())
    rules = RouteRules(counters=COUNTERS, custom=named, bonuses_need_pay=need_pay)
    return small(TILES, *trains, tokens="C7:A C11:A", rules=rules)


def agree(position: Position, revenue: int) -> None:
    """Both ways of solving give this revenue."""
    assert brute_force(position).revenue == revenue
    solution = optimize(position)
    assert (solution.revenue, solution.proven) == (revenue, True)


WHOLE = "C5-C7 C7-C9 C9-C11 C11-C13 C13-C15 C15-C17"


def test_east_west_pays_both_figures() -> None:
    position = column(plain_train(7, "7"), custom={east_west.east_west.name: {}})
    verdict = run(position, f"7-0: {WHOLE}")
    # 20+30+20+40+10+30+60 = 210, and the figures 50 and 30
    assert verdict.revenue == 290
    (bonus,) = verdict.routes[0].bonuses
    assert (bonus.name, bonus.amount, bonus.note) == ("1846 east-west", 80, "E/W")
    assert verdict.routes[0].revenue_str.endswith(" + E/W (=+80M)")
    agree(position, 290)


def test_east_west_needs_both_ends() -> None:
    position = column(plain_train(6, "6"), custom={east_west.east_west.name: {}})
    # without C5: 30+20+40+10+30+60 = 190; the bonus needs seven stops
    agree(position, 190)


def test_east_west_needs_both_ends_paid() -> None:
    # visits seven, pays five, and pays the two areas for their bonus: 60+20+40+30+30 + 80
    train = TrainType("5/7", (DistanceRow(STOP_KINDS, 7, 5),))
    agree(column(train, custom={east_west.east_west.name: {}}), 260)


def test_mail_contract_pays_one_train() -> None:
    position = column(plain_train(4, "4"), plain_train(3, "3"), custom={mail_contract.mail_contract.name: {}})
    # 4: C11-C13-C15-C17 140; 3: C7-C9-C11 90; ten for each of the four stops of the longer one
    agree(position, 140 + 90 + 40)
    verdict = run(position, "4-0: C11-C13 C13-C15 C15-C17", "3-1: C7-C9 C9-C11")
    assert [route.revenue for route in verdict.routes] == [180, 90]
    assert [bool(route.bonuses) for route in verdict.routes] == [True, False]


def test_mail_contract_with_another_amount() -> None:
    custom = {mail_contract.mail_contract.name: {"amount": 50}}
    # one route of three stops earns more than the best of four by itself only through the contract
    agree(column(plain_train(4, "4"), custom=custom), 140 + 200)


def test_best_stop_counts_twice() -> None:
    name = best_stop_twice.best_stop_twice.name
    agree(column(plain_train(7, "7"), custom={name: {}}), 210 + 60)
    # five of seven pay; the best stop (60) is one of them, and both ends must be: 20+60+40+30+30 and 60 again
    train = TrainType("5/7", (DistanceRow(STOP_KINDS, 7, 5),))
    agree(column(train, custom={name: {}}), 180 + 60)


def test_rules_together() -> None:
    custom = {
        east_west.east_west.name: {},
        mail_contract.mail_contract.name: {},
        best_stop_twice.best_stop_twice.name: {},
    }
    agree(column(plain_train(7, "7"), custom=custom), 210 + 80 + 70 + 60)
    agree(column(plain_train(7, "7"), plain_train(3, "3"), custom=custom), 210 + 80 + 70 + 60)

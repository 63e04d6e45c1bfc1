"""The brute-force twin on maps where every route can be counted by hand."""

from __future__ import annotations

import pytest

from optimizer.brute import TooManyRoutes, brute_force, count_routes, legal_routes
from optimizer.model.rules import Bonus, BonusLevel, Counter, RouteRules
from tests.small_maps import plain_train, run, small

# A column: city 20 (token), town 10, city 30, off-board 40.
LINE = {"F2": "c20 0A", "F4": "t10 0A A3", "F6": "c30 0A A3", "F8": "o40 A3"}


def test_counts_routes_once_whatever_their_direction() -> None:
    # with the token in F2: F2-F4, F2-F6, F2-F8; in F6 also F4-F6, F4-F8, F6-F8
    assert count_routes(small(LINE, plain_train(4), tokens="F2:A")) == {"4": 3}
    assert count_routes(small(LINE, plain_train(4), tokens="F6:A")) == {"4": 5}
    assert count_routes(small(LINE, plain_train(2), tokens="F6:A")) == {"2": 2}
    assert count_routes(small(LINE, plain_train(2), tokens="F6:B")) == {"2": 0}


def test_different_track_between_the_same_stops_counts_twice() -> None:
    two_ways = {"F2": "c20 0A 5A", "F4": "c30 3A 4A", "G3": "12"}
    assert count_routes(small(two_ways, plain_train(2), tokens="F2:A")) == {"2": 2}


def test_best_set_uses_no_side_twice() -> None:
    # Two 2-trains in F6 share no side: up to the town (40) and down to the off-board (70).
    position = small(LINE, plain_train(2), plain_train(2), tokens="F6:A")
    best = brute_force(position)
    assert best.revenue == (10 + 30) + (30 + 40)
    assert run(position, "2-0: F4-F6", "2-1: F6-F8").revenue == best.revenue


def test_best_sets_are_listed_best_first_and_like_trains_once() -> None:
    position = small(LINE, plain_train(2), plain_train(2), tokens="F6:A")
    found = brute_force(position, best=10)
    # both, off-board alone, town alone; running nothing is no set
    assert [one.revenue for one in found.sets] == [110, 70, 40]


def test_fixed_routes_stay() -> None:
    position = small(LINE, plain_train(2), plain_train(4), tokens="F2:A F6:A")
    (fixed,) = legal_routes(position, position.trains[0])[-1:]
    assert fixed.revenue == 30  # F2-F4
    # the 4-train is left with F4-F6-F8
    found = brute_force(position, fixed=[fixed])
    assert found.revenue == 30 + 80
    assert fixed in found.routes


def test_a_bonus_once_a_company_counts_once() -> None:
    counter = Counter("x", frozenset(("F6",)))
    bonus = Bonus("b", (BonusLevel((("x", 1),), 100),), scope="company")
    rules = RouteRules(counters=(counter,), bonuses=(bonus,))
    position = small(LINE, plain_train(2), plain_train(2), tokens="F6:A", rules=rules)
    assert brute_force(position).revenue == 40 + 70 + 100


def test_gives_up_beyond_the_limit() -> None:
    with pytest.raises(TooManyRoutes):
        brute_force(small(LINE, plain_train(4), tokens="F2:A"), limit=3)

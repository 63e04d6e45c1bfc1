"""Maps and limits that nobody meant: the search, the evaluator and the brute-force twin agree on them too."""

from __future__ import annotations

from typing import Literal

import pytest

from optimizer.brute import brute_force
from optimizer.model.rules import DistanceRow, FerryRule, RouteRules, TrainType
from optimizer.solution import Limits
from tests.small_maps import plain_train, small

pytest.importorskip("optimizer.native.fleet")

from optimizer.graph.trains import UnsupportedRules
from optimizer.solve import optimize

# F2 own city 30 - F4 city 10 without slots - F6 city 50
TILES = {"F2": "c30 0A", "F4": "c10x0 3A 0A", "F6": "c50 3A"}


@pytest.mark.parametrize(
    ("tokens", "neutral", "revenue"),
    [("F2:A", (), 40), ("F2:A F6:B", (), 40), ("F2:A F4:A", (), 90), ("F2:A", ("F4",), 90)],
)
def test_a_city_without_slots_is_full(tokens: str, neutral: tuple[str, ...], revenue: int) -> None:
    position = small(TILES, tokens=tokens, rules=RouteRules(neutral_hexes=frozenset(neutral)))
    assert brute_force(position).revenue == revenue
    solution = optimize(position)
    assert (solution.revenue, solution.proven) == (revenue, True)


@pytest.mark.parametrize("pay_total", [None, 2])
def test_rows_that_share_some_kinds_only_are_refused(pay_total: int | None) -> None:
    # Whether the city leaves the off-board a seat depends on which of them comes first.
    rows = (DistanceRow(("city", "offboard"), 1, 1), DistanceRow(("city", "town"), 2, 1))
    with pytest.raises(UnsupportedRules, match="train odd: two of its rows"):
        optimize(small(TILES, TrainType("odd", rows, pay_total=pay_total), tokens="F2:A"))


def test_limits_beyond_all_numbers() -> None:
    position = small(TILES, tokens="F2:A")
    assert optimize(position, Limits(nodes=10**30)).revenue == 40
    solution = optimize(position, Limits(cutoff=10**30))
    assert solution.better_than_cutoff is False


@pytest.mark.parametrize("crossing", ["free", "open_bank"])
@pytest.mark.parametrize(("once", "link"), [(False, "AB~"), (True, "AB"), (True, "AB~")])
@pytest.mark.parametrize("distance", [2, 99])
@pytest.mark.parametrize(
    # The own city of F2, the other one, F4. Over the other city a route may be paid that one instead.
    ("own", "other", "end", "revenue"),
    [(0, 30, 0, 30), (10, 30, 20, 50), (30, 10, 20, 50), (30, 30, 20, 50)],
)
def test_merged_stops_that_pay_differently_where_one_of_a_hex_counts(
    crossing: Literal["free", "open_bank"],
    once: bool,
    link: str,
    distance: int,
    own: int,
    other: int,
    end: int,
    revenue: int,
) -> None:
    ferry = FerryRule(hexes=frozenset(("F2",)), crossing=crossing)
    tiles = {"F2": f"c{own} c{other} 0A {link}", "F4": f"c{end} 3A"}
    rules = RouteRules(same_hex_once=once, ferry=ferry)
    position = small(tiles, plain_train(distance), tokens="F2:A F2.1:C", rules=rules)
    assert brute_force(position).revenue == revenue
    assert optimize(position).revenue == revenue

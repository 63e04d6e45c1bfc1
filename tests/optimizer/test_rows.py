"""Trains with several rows of distances, in any order: search and evaluator agree, or the search refuses."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from optimizer.brute import TooManyRoutes, brute_force
from optimizer.evaluation.pay import fits_length
from optimizer.graph.rows import MOST_ROWS, why_refused
from optimizer.model.position import Train
from optimizer.model.rules import DistanceRow, TrainType, nested
from optimizer.model.tile import STOP_KINDS, StopKind
from optimizer.titles.loader import TITLE_NAMES, all_trains
from tests.small_maps import rules_broken, run, small
from tests.strategies import Sketch, sketches

pytest.importorskip("optimizer.native.fleet")

from optimizer.graph.trains import UnsupportedRules
from optimizer.solve import optimize

EXAMPLES = int(os.environ.get("RHEINGOLD_EXAMPLES", "100"))
MANY = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
EVERY, CITY, TOWN = STOP_KINDS, ("city",), ("town",)


def row_lists(visits: st.SearchStrategy[int]) -> st.SearchStrategy[tuple[DistanceRow, ...]]:
    """Two to four rows of any kinds, in any order; three of four times one of all kinds comes first."""
    kinds = st.lists(st.sampled_from(STOP_KINDS), min_size=1, max_size=3, unique=True).map(tuple)
    row = st.builds(DistanceRow, nodes=kinds, visit=visits, pay=st.integers(0, 3))
    first = st.builds(DistanceRow, nodes=st.sampled_from([EVERY] * 3 + [TOWN]), visit=visits, pay=visits)
    return st.builds(lambda one, more: (one, *more), first, st.lists(row, min_size=1, max_size=3))


def narrow_first(rows: tuple[DistanceRow, ...]) -> tuple[DistanceRow, ...]:
    return tuple(sorted(rows, key=lambda row: len(row.nodes)))


@given(sketches(max_trains=2), st.lists(row_lists(st.integers(0, 3)), min_size=2, max_size=2))
@MANY
def test_the_search_agrees_or_refuses(sketch: Sketch, rows: list[tuple[DistanceRow, ...]]) -> None:
    position = sketch.make()
    trains = tuple(
        Train(f"{i}", TrainType(f"{i}", rows[i], pay_needs_token=bool(i))) for i in range(sketch.trains)
    )
    position = position.replace(trains=trains)
    try:
        solution = optimize(position)
    except UnsupportedRules:
        event("refused")
        return
    try:
        expected = brute_force(position, limit=4000)
    except TooManyRoutes:
        assume(False)
        raise
    event("trains run" if expected.routes else "nothing runs")
    assert (solution.revenue, solution.proven) == (expected.revenue, True)


@given(row_lists(st.integers(0, 3)), st.tuples(*[st.integers(0, 8)] * 3))
@settings(max_examples=10 * EXAMPLES, deadline=None)
def test_rows_that_are_taken_fit_the_same_in_any_order(
    rows: tuple[DistanceRow, ...], numbers: tuple[int, int, int]
) -> None:
    counts: dict[StopKind, int] = dict(zip(STOP_KINDS, numbers, strict=True))
    if not why_refused(rows):
        assert fits_length(rows, counts) == fits_length(narrow_first(rows), counts)
    assert not nested(rows) or not why_refused(narrow_first(rows))


# F2 own city 30 - F4 town 10 - F6 town 10 - F8 city 40
CITIES_AND_TOWNS = {"F2": "c30 0A", "F4": "t10 3A 0A", "F6": "t10 3A 0A", "F8": "c40 3A"}


def test_the_order_of_rows_matters_to_the_evaluator() -> None:
    # Each kind finds two rows, so cities are filled in before towns: listed broad first, one city takes the
    # place for all kinds, the other that for cities, and of two towns one is left over. Narrow rows first,
    # the cities take theirs (1) and the broad one (1), which leaves towns their own row of 2.
    broad, city, town = DistanceRow(EVERY, 1, 1), DistanceRow(CITY, 2, 2), DistanceRow(TOWN, 1, 1)
    position = small(CITIES_AND_TOWNS, TrainType("t", (broad, city, town)), tokens="F2:A")
    whole = "t-0: F2-F4 F4-F6 F6-F8"
    assert rules_broken(run(position, whole)) == ["too_long"]
    with pytest.raises(UnsupportedRules, match="row of city and town and offboard comes before that of city"):
        optimize(position)
    sorted_ = small(CITIES_AND_TOWNS, TrainType("t", (city, town, broad)), tokens="F2:A")
    assert run(sorted_, whole).legal
    assert optimize(sorted_).revenue == brute_force(sorted_).revenue == 90  # 30 + 10 + 10 + 40


def test_broad_rows_may_come_first_where_no_other_kind_needs_them() -> None:
    # Off-boards find one row, cities two, towns three: whoever is filled in later has more rows left.
    rows = (DistanceRow(EVERY, 1, 1), DistanceRow(("city", "town"), 1, 1), DistanceRow(TOWN, 2, 2))
    position = small(CITIES_AND_TOWNS, TrainType("t", rows), tokens="F2:A")
    assert optimize(position).revenue == brute_force(position).revenue == 90


@pytest.mark.parametrize("number", [MOST_ROWS, MOST_ROWS + 1, 1000])
def test_more_rows_than_there_is_room_for(number: int) -> None:
    position = small(CITIES_AND_TOWNS, TrainType("t", (DistanceRow(EVERY, 1, 1),) * number), tokens="F2:A")
    if number == MOST_ROWS:
        assert optimize(position).revenue == 90
        return
    with pytest.raises(UnsupportedRules, match=f"train t: has {number} rows of distances"):
        optimize(position)


@pytest.mark.parametrize("title", TITLE_NAMES)
def test_trains_of_the_titles_are_taken(title: str) -> None:
    for train in all_trains(title):
        assert why_refused(train.rows) == ""

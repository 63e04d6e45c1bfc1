"""The choice of paid stops against plain enumeration of all selections, as the rules word it (common 8.8)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from optimizer.evaluation.pay import Payable, Selection, choose, fits_length, seated
from optimizer.model.rules import DistanceRow, TrainType
from optimizer.model.tile import STOP_KINDS, StopKind

KINDS = st.sampled_from(STOP_KINDS)
ROWS = st.lists(
    st.builds(
        DistanceRow,
        nodes=st.lists(KINDS, min_size=1, max_size=3, unique=True).map(tuple),
        visit=st.just(9),
        pay=st.integers(0, 4),
    ),
    min_size=1,
    max_size=3,
).map(tuple)
STOPS = st.lists(
    st.builds(
        Payable,
        kind=KINDS,
        amount=st.integers(0, 6).map(lambda tens: 10 * tens),
        token=st.booleans(),
        signature=st.sampled_from([(), (0,), (1,), (0, 1)]),
    ),
    min_size=1,
    max_size=7,
)


def bonus_for(stops: Sequence[Payable], selection: Selection) -> int:
    """Fifteen where both signatures are there, and five for each of the first."""
    first = sum(0 in stops[i].signature for i in selection)
    second = sum(1 in stops[i].signature for i in selection)
    return 5 * first + (15 if first and second else 0)


def literal(train: TrainType, stops: Sequence[Payable]) -> int:
    """The best revenue by the rule's own words."""

    def worth(selection: Selection) -> int:
        return sum(stops[i].amount for i in selection) + bonus_for(stops, selection)

    def has_token(selection: Selection) -> bool:
        return not train.pay_needs_token or any(stops[i].token for i in selection)

    numbers = range(len(stops))
    if train.pay_total is not None:
        first = [i for i in numbers if stops[i].kind in train.pay_first]
        rest = [i for i in numbers if stops[i].kind not in train.pay_first]
        if len(first) > train.pay_total:
            first, rest = [], first
        places = min(train.pay_total - len(first), len(rest))
        sets = [tuple(sorted((*first, *more))) for more in combinations(rest, places)]
        return max((worth(one) for one in sets if has_token(one)), default=0)
    for size in range(min(len(stops), sum(row.pay for row in train.rows)), 0, -1):
        sets = [
            one
            for one in combinations(numbers, size)
            if has_token(one) and seated(train.rows, [stops[i].kind for i in one])
        ]
        best = max((worth(one) for one in sets), default=0)
        if best > 0:
            return best
    return 0


@given(ROWS, STOPS, st.booleans(), st.none() | st.integers(1, 5), st.sets(KINDS))
@settings(max_examples=400, deadline=None)
def test_choice_is_the_best_selection(
    rows: tuple[DistanceRow, ...],
    stops: list[Payable],
    needs_token: bool,
    total: int | None,
    first: set[StopKind],
) -> None:
    train = TrainType("t", rows, pay_total=total, pay_first=frozenset(first), pay_needs_token=needs_token)
    found = choose(train, stops, lambda selection: bonus_for(stops, selection))
    assert (found.revenue if found is not None else 0) == literal(train, stops)
    if found is not None:
        assert found.revenue == sum(stops[i].amount for i in found.stops) + bonus_for(stops, found.stops)


def test_stops_take_the_first_row_that_has_room() -> None:
    # "2+2": two towns have seats of their own, all kinds share the others
    rows = (DistanceRow(STOP_KINDS, 2, 2), DistanceRow(("town",), 2, 2))
    assert seated(rows, ["town", "town", "city", "town"])
    assert seated(rows, ["town", "town", "town", "town"])
    assert not seated(rows, ["city", "city", "city"])
    assert not seated(rows, ["city", "offboard", "town", "town", "town"])


def test_seats_are_taken_in_route_order_where_rows_overlap() -> None:
    # both rows take towns; a city takes only the first, so a town before it can be in its way
    rows = (DistanceRow(("city", "town"), 1, 1), DistanceRow(("town", "offboard"), 1, 1))
    assert seated(rows, ["city", "town"])
    assert not seated(rows, ["town", "city"])


def test_length_counts_kinds_into_rows() -> None:
    rows = (DistanceRow(("city", "offboard"), 3, 3), DistanceRow(("town",), 99, 0))
    assert fits_length(rows, {"city": 2, "offboard": 1, "town": 40})
    assert not fits_length(rows, {"city": 3, "offboard": 1})
    shared = (DistanceRow(("town",), 2, 2), DistanceRow(STOP_KINDS, 2, 2))
    assert fits_length(shared, {"town": 3, "city": 1})
    assert not fits_length(shared, {"town": 3, "city": 2})
    assert not fits_length((DistanceRow(("city",), 9, 9),), {"offboard": 1})

"""What maps of other titles bring along, in the shared cases' form and as small maps."""

from __future__ import annotations

from typing import Any

import pytest

from optimizer.brute import brute_force
from optimizer.brute import count_routes as count_by_hand
from optimizer.model import PositionError, dumps, position_from_case, position_to_data
from optimizer.model.position import Position
from optimizer.titles import loads, resolve
from tests.small_maps import plain_train, small

pytest.importorskip("optimizer.native.fleet")

from optimizer.census import count_routes
from optimizer.solve import optimize


def solved(position: Position) -> int:
    """Solve in both ways, which agree, and return the best revenue."""
    expected = brute_force(position)
    solution = optimize(position)
    assert (solution.revenue, solution.proven) == (expected.revenue, True)
    assert count_routes(position) == count_by_hand(position)
    written = loads(dumps(position_to_data(position)))
    assert loads(dumps(position_to_data(written))) == written
    assert optimize(written).revenue == solution.revenue
    return solution.revenue


def line(distance: Any, **town: Any) -> dict[str, Any]:
    """F2 own city 30 - F4 town 10 - F6 city 50 - F8 off-board 70, and one train."""
    stops = [
        {"kind": "city", "revenue": 30, "slots": 1},
        {"kind": "town", "revenue": 10, **town},
        {"kind": "city", "revenue": 50, "slots": 1},
        {"kind": "offboard", "revenue": {"yellow": 70, "brown": 90}},
    ]
    names = ["F2", "F4", "F6", "F8"]
    hexes = {}
    for i, (name, stop) in enumerate(zip(names, stops, strict=True)):
        sides = {"3": names[i - 1]} if i else {}
        sides |= {"0": names[i + 1]} if i < 3 else {}
        paths = [{"a": {"edge": int(side)}, "b": {"stop": 0}} for side in sides]
        hexes[name] = {"neighbors": sides, "tile": {"color": "yellow", "stops": [stop], "paths": paths}}
    hexes["F2"]["tokens"] = [{"stop": 0, "slot": 0, "company": "A"}]
    train = {"id": "x-0", "name": "x", "distance": distance, "requires_token": True}
    return {
        "id": "line", "title": "18Any", "layout": "flat", "phase": "2", "phase_colors": ["yellow"],
        "company": "A", "trains": [train], "hexes": hexes,
    }  # fmt: skip


ALL = ["city", "town", "offboard"]
MAIN = ["city", "offboard"]


@pytest.mark.parametrize(
    ("distance", "cost", "revenue"),
    [
        (2, 1, 40),  # F2 and the town
        (2, 0, 90),  # F2 and F6, and the town between them takes no place: 30 + 10 + 50
        (3, 0, 160),
        (2, 2, 0),  # F2 and the town take 1 + 2 places
        (3, 2, 40),
        (4, 2, 90),
        (98, 99, 0),  # such stops are closed to all trains of the game
        ([{"nodes": ALL, "pay": 2, "visit": 2}], 0, 80),  # to F6, paid for two stops: 30 + 50
        ([{"nodes": ALL, "pay": 2, "visit": 3}], 0, 100),  # to F8, paid for F2 and F8
        ([{"nodes": ALL, "pay": 3, "visit": 3}], 2, 40),  # F2 and the town
        ([{"nodes": MAIN, "pay": 2, "visit": 2}, {"nodes": ["town"], "pay": 1, "visit": 1}], 2, 0),
        ([{"nodes": MAIN, "pay": 2, "visit": 2}, {"nodes": ["town"], "pay": 1, "visit": 2}], 2, 90),
        ([{"nodes": MAIN, "pay": 2, "visit": 2}, {"nodes": ["town"], "pay": 0, "visit": 0}], 0, 80),
        # A place for towns and two for all: one of those is left for F6.
        ([{"nodes": ["town"], "pay": 1, "visit": 1}, {"nodes": ALL, "pay": 2, "visit": 2}], 2, 40),
        ([{"nodes": ["town"], "pay": 1, "visit": 1}, {"nodes": ALL, "pay": 3, "visit": 3}], 2, 90),
    ],
)
def test_stops_that_take_no_place_or_several(distance: Any, cost: int, revenue: int) -> None:
    assert solved(resolve(position_from_case(line(distance, visit_cost=cost)))) == revenue


@pytest.mark.parametrize(
    ("towns", "revenue"),
    [
        ({"pay": 9, "visit": 9, "multiplier": 0}, 300),  # twice 30 + 50 + 70; the town earns nothing
        ({"pay": 9, "multiplier": 0}, 300),
        ({"pay": 9, "visit": 9, "multiplier": 3}, 330),
        ({"pay": 9, "visit": 9}, 310),
    ],
)
def test_a_row_can_be_multiplied_by_nothing(towns: dict[str, Any], revenue: int) -> None:
    rows = [{"nodes": MAIN, "pay": 3, "visit": 3, "multiplier": 2}, {"nodes": ["town"], **towns}]
    assert solved(resolve(position_from_case(line(rows)))) == revenue


@pytest.mark.parametrize("nodes", [["city"], ["town", "offboard"]])
def test_rows_times_nothing_that_could_be_paid_otherwise_are_refused(nodes: list[str]) -> None:
    rows = [{"nodes": nodes, "pay": 9, "multiplier": 0}, {"nodes": ["town"], "pay": 2}]
    with pytest.raises(PositionError, match=r"trains\[0\].rows\[0\].multiplier: .* not '0 for cities"):
        resolve(position_from_case(line(rows)))


def test_fields_of_stops_that_are_not_known_are_refused() -> None:
    drawn = line(2, route="optional", hidden=True, to_city=True)  # these say nothing about routes
    assert solved(resolve(position_from_case(drawn))) == 40
    with pytest.raises(PositionError, match=r"stops\[0\].bonus: unknown field"):
        resolve(position_from_case(line(2, bonus=20)))


@pytest.mark.parametrize(
    ("tiles", "tokens", "trains", "revenue"),
    [
        # The same side twice: a route and another one cannot both run over it. 30 + 50, once.
        ({"F2": "c30 0A 0A", "F4": "30 30", "F6": "c50 3A"}, "F2:A F6:A", (2, 2), 80),
        ({"F2": "c30 0A", "F4": "c20 3A 3A 0A", "F6": "c50 3A"}, "F2:A F6:A", (2, 2), 120),
        ({"F2": "c30 0A", "F4": "3J 3J 0J", "F6": "c50 3A"}, "F2:A F6:A", (2, 2), 80),
        # Two equal tracks between the cities 20 and 40 of F4 are two tracks: 20 + 40 twice, 30 + 20, 40 + 50.
        ({"F2": "c30 0A", "F4": "c20 c40 3A AB AB 0B", "F6": "c50 3A"}, "F4:A F4.1:A", (2, 2, 2, 2), 260),
        ({"F2": "c30 0A", "F4": "c20 c40 3A AB 0B", "F6": "c50 3A"}, "F4:A F4.1:A", (2, 2, 2, 2), 200),
    ],
)
def test_the_same_track_may_be_printed_twice(
    tiles: dict[str, str], tokens: str, trains: tuple[int, ...], revenue: int
) -> None:
    assert solved(small(tiles, *map(plain_train, trains), tokens=tokens)) == revenue

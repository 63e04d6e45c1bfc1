"""What maps of other titles bring along, in the shared cases' form and as small maps."""

from __future__ import annotations

from typing import Any

import pytest

from optimizer.brute import brute_force
from optimizer.brute import count_routes as count_by_hand
from optimizer.model import PositionError, dumps, position_from_case, position_to_data
from optimizer.model.data import (
    EndData,
    InlineHexData,
    InlineMapData,
    PathData,
    PositionData,
    StopData,
    TileData,
    TokenData,
    TrainData,
)
from optimizer.model.position import Position
from optimizer.model.rules import FerryRule, RouteRules
from optimizer.titles import loads, resolve
from tests.small_maps import plain_train, small

pytest.importorskip("optimizer.native.fleet")

from optimizer.census import count_routes
from optimizer.graph.trains import UnsupportedRules
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


def test_totals_and_ferries_where_stops_take_other_places_are_refused() -> None:
    row = line(2, visit_cost=0)
    row["trains"][0] |= {"pay_total": 2}
    with pytest.raises(UnsupportedRules, match="train x: is paid for a total of stops"):
        optimize(resolve(position_from_case(row)))
    row["hexes"]["F4"]["tile"]["stops"][0]["visit_cost"] = 2
    assert solved(resolve(position_from_case(row))) == 0  # F2 and the town take three places
    merged = resolve(position_from_case(line(3, visit_cost=2)))
    merged = merged.replace(rules=RouteRules(ferry=FerryRule(hexes=frozenset(("F4",)))))
    with pytest.raises(UnsupportedRules, match="hex F4: a stop takes"):
        optimize(merged)


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


def test_a_junction_is_passed_again_after_a_stop() -> None:
    # F4 is a junction of four sides: E5 (40) - F4 - G3 (30) - F2 (10) - F4 - F6 (20)
    around = {"F2": "c10 0A A5", "F4": "0J 1J 3J 4J", "F6": "c20 3A", "G3": "c30 1A 2A", "E5": "c40 4A"}
    assert solved(small(around, plain_train(4), tokens="F2:A")) == 100
    # Two routes of one run pass it, too: E5 - F4 - F2 and G3 - F4 - F6.
    assert solved(small(around, plain_train(2), plain_train(2), tokens="F2:A G3:A")) == 110


@pytest.mark.parametrize(
    ("near", "far", "joins"),
    [
        ("", "", True),
        ("", "n", False),
        ("n", "n", True),
        ("n", "", False),
        ("d", "", True),
        ("d", "n", True),
        ("n", "d", True),
        ("d", "d", True),
    ],
)
def test_gauges_that_differ_do_not_join_over_a_side(near: str, far: str, joins: bool) -> None:
    # F2 own city 30 - F4 - F6 city 50; within F4 the gauge changes at the stop or the junction.
    track = {"": "broad", "n": "narrow", "d": "dual"}
    row = line(3)
    for hex_id, gauge in (("F2", near), ("F4", far)):
        for path in row["hexes"][hex_id]["tile"]["paths"]:
            if path["a"] == {"edge": 0 if hex_id == "F2" else 3}:
                path["track"] = track[gauge]
    assert solved(resolve(position_from_case(row))) == (90 if joins else 0)
    lines = {"F2": f"c30 0A{near}", "F4": f"3J{far} 0J", "F6": "c50 3A"}
    assert solved(small(lines, plain_train(2), tokens="F2:A")) == (80 if joins else 0)


def test_narrow_and_broad_track_use_the_same_side() -> None:
    # F2 city 30 - dual - F4, where it splits to F6 (50) and G5 (40): one of them, and no second train.
    lines = {"F2": "c30 0Ad", "F4": "30n 35", "F6": "c50 3An", "G5": "c40 2A"}
    assert solved(small(lines, plain_train(2), plain_train(2), tokens="F2:A")) == 80


def test_narrow_standard_tiles_do_not_join_broad_ones() -> None:
    # Tiles 8 and 78 are gentle curves over the sides 0 and 2, turned by 3: from F2 (side 3) to G5 (side 5).
    for laid, revenue in (("8", 70), ("78", 0)):
        hexes = {
            "F2": InlineHexData("57", tokens=[TokenData(stop=0, company="A")]),
            "F4": InlineHexData(laid, rotation=3),
            "G5": InlineHexData(
                definition=TileData("yellow", [StopData("city", 50)], [PathData(EndData(2), EndData(stop=0))])
            ),
        }
        data = PositionData(company="A", trains=[TrainData("2-0", "2", distance=2)])
        data.inline = InlineMapData("flat", ["yellow"], hexes)
        assert solved(resolve(data)) == revenue


def test_unknown_gauges_are_refused() -> None:
    row = line(2)
    row["hexes"]["F2"]["tile"]["paths"][0]["track"] = "standard"
    with pytest.raises(PositionError, match=r"paths\[0\].track: must be one of broad, narrow, dual"):
        resolve(position_from_case(row))


@pytest.mark.parametrize("distance", [0, [{"nodes": ALL, "pay": 0, "visit": 0}]])
def test_trains_that_go_nowhere_stay_idle(distance: Any) -> None:
    row = line(2)
    row["trains"].append({"id": "P-0", "name": "P", "distance": distance})
    assert solved(resolve(position_from_case(row))) == 40
    row["trains"] = row["trains"][1:]
    assert solved(resolve(position_from_case(row))) == 0


def test_a_company_may_fill_a_city_with_its_tokens() -> None:
    row = line(3)
    row["hexes"]["F6"]["tile"]["stops"][0]["slots"] = 2
    for tokens, revenue in (((), 90), (("A", "A"), 160 - 30), (("B", "B"), 90)):
        # 30 + 10 + 50, or from an own F6 to the off-board: 10 + 50 + 70
        row["hexes"]["F6"]["tokens"] = [
            {"stop": 0, "slot": i, "company": company} for i, company in enumerate(tokens)
        ]
        assert solved(resolve(position_from_case(row))) == revenue


def test_hexes_before_a() -> None:
    # a1 - A2, and with coordinates alone: a1 lies at side 2 of A2.
    for given in ({"5": "A2"}, {}):
        row = line(2)
        left, right = row["hexes"]["F2"], row["hexes"]["F4"]
        left["tile"]["paths"][0]["a"]["edge"], right["tile"]["paths"][0]["a"]["edge"] = 5, 2
        left["neighbors"], right["neighbors"] = given, {}
        row["hexes"] = {"a1": left, "A2": right}
        assert solved(resolve(position_from_case(row))) == 40

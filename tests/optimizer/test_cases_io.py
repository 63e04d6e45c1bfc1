"""The shared cases' format, and all shared positions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from optimizer.model import (
    PositionError,
    dumps,
    position_from_case,
    position_to_data,
    read_position,
    routes_from_case,
    write_position,
)
from optimizer.model.cases_io import is_cases_line
from optimizer.model.data import DistanceRowData, EndData, LaneData, RouteData
from optimizer.titles import load_position, load_positions, load_title, loads, resolve
from optimizer.titles.record import RulesInput
from optimizer.titles.t18rhl import METROPOLISES, count_links
from tests.conftest import read_lines

LINE: dict[str, Any] = {
    "id": "18rhl-1",
    "title": "18Rhl",
    "phase": "3",
    "company": "RhE",
    "company_kind": "",
    "eastern_ruhr_links": 2,
    "trains": [{"id": "2-0", "name": "2"}],
    "hexes": {"I10": {"tokens": [{"city": 0, "slot": 0, "company": "RhE"}]}},
    "recorded": {
        "revenue": 50,
        "routes": [
            {
                "train": "2-0",
                "connections": [["I10", "J9"]],
                "nodes": ["I10-0", "J9-0"],
                "hexes": ["I10", "J9"],
                "revenue": 50,
                "revenue_str": "I10-J9",
                "subsidy": 0,
            }
        ],
    },
    "best": {"revenue": 70, "complete": False, "legal_routes": {"2": 1}},
}

OWN_MAP: dict[str, Any] = {
    "id": "x",
    "title": "1830",
    "layout": "pointy",
    "phase": "3",
    "phase_colors": ["yellow", "green"],
    "company": "PRR",
    "trains": [
        {"id": "2-0", "name": "2", "distance": 2, "requires_token": True},
        {
            "id": "2+2",
            "name": "2+2",
            "distance": [{"nodes": ["city"], "pay": 2, "visit": 3}],
            "multiplier": 2,
        },
    ],
    "hexes": {
        "F2": {
            "neighbors": {"3": "E3", "4": "F4"},
            "tile": {
                "color": "red",
                "stops": [{"kind": "offboard", "revenue": {"yellow": 40, "brown": 70}, "groups": ["g"]}],
                "paths": [{"a": {"edge": 4}, "b": {"stop": 0}, "lanes": [[2, 1], [1, 0]], "terminal": True}],
                "borders": [{"edge": 2, "kind": "impassable"}, {"edge": 3, "kind": "water", "cost": 80}],
                "icons": [{"name": "coal"}],
            },
        },
        "F4": {
            "neighbors": {"1": "F2"},
            "tile": {
                "color": "green",
                "stops": [
                    {"kind": "city", "revenue": 20, "slots": 2},
                    {"kind": "city", "revenue": 20, "slots": 1},
                ],
                "paths": [
                    {"a": {"edge": 1}, "b": {"stop": 0}},
                    {"a": {"stop": 0}, "b": {"stop": 1}, "track": "narrow"},
                ],
            },
            "tokens": [{"stop": 0, "slot": 1, "company": "PRR"}],
        },
    },
}


def test_a_line_of_a_title() -> None:
    data = position_from_case(LINE)
    assert (data.title, data.counters) == ("18Rhl", {"eastern_ruhr_links": 2})
    assert resolve(data).by_hex["I10"].tokens[0].company == "RhE"
    assert routes_from_case(LINE) == [
        RouteData("2-0", [["I10", "J9"]], ["I10-0", "J9-0"], ["I10", "J9"], 50, "I10-J9")
    ]
    assert routes_from_case(LINE, "best") is None


def test_a_line_with_its_own_map() -> None:
    data = position_from_case(OWN_MAP)
    assert data.title == ""
    assert data.inline is not None
    off, city = data.inline.hexes["F2"], data.inline.hexes["F4"]
    # E3 has no track, so it is not listed; the way there is left out.
    assert off.neighbors == {4: "F4"}
    assert off.definition is not None
    assert city.definition is not None
    assert off.definition.stops[0].revenue_by_color == {"yellow": 40, "brown": 70}
    assert off.definition.impassable == [2]
    path = off.definition.paths[0]
    assert (path.a, path.terminal, path.lane_a, path.lane_b) == (
        EndData(edge=4),
        True,
        LaneData(2, 1),
        LaneData(),
    )
    assert data.trains[1].rows == [DistanceRowData(["city"], 3, 2)]
    position = resolve(data)
    assert [piece.ferry for piece in position.tile_at("F4")[0].paths] == [False, True]
    assert (position.board.layout, position.colors) == ("pointy", ("yellow", "green"))
    assert [(token.city, token.slot) for token in position.tokens_at("F4")] == [(0, 1)]


@pytest.mark.parametrize(
    ("row", "verdict"),
    [
        (LINE, True),
        (OWN_MAP, True),
        ({"title": "1861", "company": "N", "phase": "2"}, False),
        ({"inline": {"layout": "flat"}}, False),
        ([], False),
        (None, False),
    ],
)
def test_which_format(row: Any, verdict: bool) -> None:
    assert is_cases_line(row) is verdict


@pytest.mark.parametrize(
    ("base", "change", "path"),
    [
        (LINE, {"eastern_ruhr_links": "many"}, "counters[eastern_ruhr_links]"),
        (LINE, {"hexes": {"I10": {"tile": 5}}}, "hexes[I10].tile"),
        (LINE, {"trains": [{"id": "2-0", "name": "2", "speed": 9}]}, "trains[0].speed"),
        (LINE, {"recorded": 5}, "recorded"),
        (LINE, {"recorded": {"routes": 5}}, "recorded.routes"),
        (LINE, {"best": {"routes": [{"connections": [[1]]}]}}, "best.routes[0].connections[0][0]"),
        (OWN_MAP, {"hexes": 3}, "inline.hexes"),
        (OWN_MAP, {"hexes": {"F2": {"tile": 3}}}, "inline.hexes[F2].definition"),
        (OWN_MAP, {"hexes": {"F2": {"tile": {"stops": 3}}}}, "inline.hexes[F2].definition.stops"),
        (OWN_MAP, {"layout": 7}, "inline.layout"),
        (OWN_MAP, {"trains": {}}, "trains"),
        (
            OWN_MAP,
            {"hexes": {"F2": {"tile": {"color": "red", "paths": [{"a": {}, "b": {}, "lanes": 3}]}}}},
            "inline.hexes[F2].definition.paths[0].lane_a",
        ),
    ],
)
def test_faulty_lines(base: dict[str, Any], change: dict[str, Any], path: str) -> None:
    with pytest.raises(PositionError) as caught:
        load_position({**base, **change})
    assert path in [fault.path for fault in caught.value.faults]


def folders(cases: Path) -> list[Path]:
    """Return all files with positions."""
    return sorted(
        file for name in ("positions", "stress", "other-titles") for file in (cases / name).glob("*.gz")
    )


@pytest.mark.cases
def test_every_shared_position_resolves_and_is_written_again(cases: Path) -> None:
    files = folders(cases)
    count = 0
    for file in files:
        for item, row in zip(load_positions(file), read_lines(file), strict=True):
            assert item.position is not None, f"{item.where}: {item.error()}"
            position = item.position
            count += 1
            assert item.revenues["best"] == row["best"]["revenue"]
            data = position_from_case(row)
            assert read_position(write_position(data)) == data
            bound = loads(dumps(position_to_data(position)))
            assert bound == position
            assert hash(bound) == hash(position)
    # 3,903 positions of the four titles, and more in the other folders.
    assert count > 3903 + len(files)


@pytest.mark.cases
def test_links_to_the_eastern_ruhr_can_be_counted_on_the_map(cases: Path) -> None:
    """Links count forever, and no upgrade takes an exit away: the map shows how many there are."""
    seen = set()
    for file in (cases / "positions").glob("18rhl-*.gz"):
        for row in read_lines(file):
            position = load_position(row)
            title = load_title("18Rhl", position.optional_rules)
            given = RulesInput(title, title.phase(position.phase), position.company, hexes=position.by_hex)
            assert count_links(given) == row["eastern_ruhr_links"], row["id"]
            seen.add(row["eastern_ruhr_links"])
    assert seen == {0, 1, 2, 3, 4}


@pytest.mark.cases
def test_green_metropolises_block_as_the_reference_says(cases: Path) -> None:
    """Tokens marked neutral there never block; those not marked block, except a company's own."""
    count = 0
    for file in (cases / "positions").glob("18rhl-*.gz"):
        for row in read_lines(file):
            rules = load_position(row).rules
            for hex_id in METROPOLISES:
                state = row["hexes"].get(hex_id, {})
                if not state.get("tile", "").startswith("X"):
                    assert hex_id not in rules.neutral_hexes
                    continue
                foreign = [t for t in state.get("tokens", ()) if t["company"] != row["company"]]
                for token in foreign:
                    count += 1
                    assert (token.get("kind") == "neutral") == (hex_id in rules.neutral_hexes), row["id"]
    assert count > 500

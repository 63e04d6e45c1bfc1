"""Tiles: figures by phase, exits, reading and writing of definitions."""

from __future__ import annotations

from typing import Any

import pytest

from optimizer.model.tile import PLAIN_COLORS, End, Path, Revenue, Stop, Tile, rotate
from optimizer.model.tile_io import TileError, tile_from_json, tile_to_json
from optimizer.titles import TITLE_NAMES, load_title
from optimizer.titles.loader import known_optional_rules, standard_tiles

YELLOW = ("yellow",)
GREEN = ("yellow", "green")
BROWN = ("yellow", "green", "brown")
GRAY = ("yellow", "green", "brown", "gray")
BLACK = (*GRAY, "black")


@pytest.mark.parametrize(
    # 1856 H5, Lake Huron: yellow 30, brown 50, black 40 (common 6.3): 30 in phases 2 to 4, 50 in 5 and
    # 6 (no gray entry, so brown still counts), 40 in D and 8.
    ("colors", "value"),
    [(YELLOW, 30), (GREEN, 30), (BROWN, 50), (GRAY, 50), (BLACK, 40)],
)
def test_figure_of_an_off_board_follows_the_phase(colors: tuple[str, ...], value: int) -> None:
    stop = load_title("1856").board.printed["H5"].stops[0]
    assert stop.revenue.value(colors) == value


def test_a_plain_figure_holds_in_every_phase() -> None:
    assert {Revenue(30).value(colors) for colors in (YELLOW, GREEN, BROWN, GRAY)} == {30}
    assert set(PLAIN_COLORS) == set(GRAY)


def test_only_a_train_named_d_uses_the_diesel_figure() -> None:
    revenue = Revenue(0, (("yellow", 20), ("diesel", 70)))
    assert (revenue.value(BROWN, "D"), revenue.value(BROWN, "8"), revenue.value(BROWN)) == (70, 20, 20)


def test_no_entry_for_the_phase_pays_nothing() -> None:
    assert Revenue(0, (("brown", 50),)).value(GREEN) == 0


def test_rotation_is_clockwise_modulo_six() -> None:
    assert [rotate(side, 2) for side in range(6)] == [2, 3, 4, 5, 0, 1]


def test_exits_and_cities() -> None:
    tile = Tile(
        "x",
        "yellow",
        stops=(Stop("town"), Stop("city", slots=1), Stop("city", slots=2)),
        paths=(Path(End(side=1), End(stop=0)), Path(End(side=4), End(stop=2))),
    )
    assert tile.exits == {1, 4}
    assert tile.cities == (1, 2)


def all_tiles() -> list[Tile]:
    """Every standard tile, and every tile and printed hex of the titles in all variants."""
    found = list(standard_tiles().values())
    for title in TITLE_NAMES:
        for rules in [(), *((rule,) for rule in known_optional_rules(title))]:
            data = load_title(title, rules)
            found += [*data.tiles.values(), *data.board.printed.values()]
    return found


def test_all_tiles_are_written_as_they_were_read() -> None:
    tiles = all_tiles()
    assert len(tiles) > 472
    for tile in tiles:
        again = tile_from_json(tile.name, tile_to_json(tile))
        assert again == tile
        assert [dict(row) for row in again.partitions] == [dict(row) for row in tile.partitions]


def test_standard_tiles() -> None:
    tiles = standard_tiles()
    assert len(tiles) == 472
    # Appendix A: 9 is straight track, 57 a city of 20 on straight track.
    assert tiles["9"].exits == {0, 3}
    assert tiles["57"].exits == {0, 3}
    assert tiles["57"].stops[0].revenue.plain == 20


def faults_of(data: Any) -> dict[str, str]:
    """Read a tile and return the faults reported."""
    found: dict[str, str] = {}
    tile_from_json("x", data, "t", found.__setitem__)
    return found


@pytest.mark.parametrize(
    ("data", "path"),
    [
        ([], "t"),
        ({"stops": 3}, "t.stops"),
        ({"stops": [{"kind": "village"}]}, "t.stops[0].kind"),
        ({"stops": [{"kind": "city", "slots": -1}]}, "t.stops[0].slots"),
        ({"stops": [{"kind": "city", "revenue": "much"}]}, "t.stops[0].revenue"),
        ({"stops": [{"kind": "offboard", "revenue": {"brown": -1}}]}, "t.stops[0].revenue.brown"),
        ({"paths": [{"a": {"edge": 6}, "b": {"edge": 0}}]}, "t.paths[0].a.edge"),
        ({"paths": [{"a": {"edge": 0}, "b": {"stop": 0}}]}, "t.paths[0].b.stop"),
        ({"paths": [{"a": {"edge": 0, "stop": 0}, "b": {"edge": 1}}]}, "t.paths[0].a"),
        ({"paths": [{"a": {"edge": 0}, "b": {"edge": 1}, "lanes": [[2, 2], [1, 0]]}]}, "t.paths[0].lanes"),
    ],
)
def test_faulty_definitions_are_reported_where_they_are(data: Any, path: str) -> None:
    assert list(faults_of(data)) == [path]


def test_without_a_reporter_a_fault_is_an_error() -> None:
    with pytest.raises(TileError, match=r"tile\.stops\[0\]\.kind"):
        tile_from_json("x", {"stops": [{"kind": "village"}]})

"""Hex grids: coordinates, sides and neighbours."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optimizer.model.grid import (
    SIDES,
    Layout,
    distance,
    format_coordinate,
    neighbor_coordinate,
    neighbors_of,
    opposite,
    parse_coordinate,
    passable_sides,
)
from optimizer.titles import TITLE_NAMES, load_title
from optimizer.titles.loader import known_optional_rules

# Rules reference, common 6.1: neighbours by side, verified there hex by hex.
KNOWN: list[tuple[Layout, str, dict[int, str]]] = [
    ("flat", "H8", {0: "H10", 1: "G9", 2: "G7", 3: "H6", 4: "I7", 5: "I9"}),
    ("flat", "L12", {0: "L14", 1: "K13", 2: "K11", 3: "L10", 4: "M11", 5: "M13"}),
    ("pointy", "D9", {0: "E8", 1: "D7", 2: "C8", 3: "C10", 4: "D11", 5: "E10"}),
]
layouts = st.sampled_from(("flat", "pointy"))


@pytest.mark.parametrize(("layout", "hex_id", "row"), KNOWN)
def test_neighbours_named_in_the_rules(layout: Layout, hex_id: str, row: dict[int, str]) -> None:
    assert {side: neighbor_coordinate(hex_id, side, layout) for side in SIDES} == row


@given(st.integers(2, 600), st.integers(2, 90), st.sampled_from(SIDES), layouts)
def test_way_back_is_the_opposite_side(letter: int, number: int, side: int, layout: Layout) -> None:
    hex_id = format_coordinate(letter, number)
    other = neighbor_coordinate(hex_id, side, layout)
    assert other is not None
    assert neighbor_coordinate(other, opposite(side), layout) == hex_id
    assert distance(hex_id, other) == 1


@given(st.integers(-26, 701), st.integers(-99, 999))
def test_coordinates_read_back(letter: int, number: int) -> None:
    assert parse_coordinate(format_coordinate(letter, number)) == (letter, number)


def test_two_letters_follow_one() -> None:
    # A is 0, Z is 25, AA is 26.
    assert parse_coordinate("AA12") == (26, 12)
    assert neighbor_coordinate("Z11", 5, "flat") == "AA12"


def test_small_letters_lie_before_a() -> None:
    # B is 1, A is 0, a is -1, b is -2.
    assert (parse_coordinate("a12"), parse_coordinate("b3")) == ((-1, 12), (-2, 3))
    assert neighbor_coordinate("A13", 1, "flat") == "a14"
    assert neighbor_coordinate("a14", 4, "flat") == "A13"


@pytest.mark.parametrize("text", ["", "8", "H", "hh8", "Hh8", "ABC1", "H8 ", "H1234", "H-"])
def test_no_coordinate(text: str) -> None:
    with pytest.raises(ValueError, match="not a hex coordinate"):
        parse_coordinate(text)


def test_no_letter_before_z() -> None:
    assert neighbor_coordinate("z1", 1, "flat") is None


@pytest.mark.parametrize(
    # Steps of one letter and one number, or of two numbers: H8 to K11 is three diagonal steps; H8 to
    # I15 is one diagonal step (to I9) and three straight ones (11, 13, 15).
    ("start", "goal", "steps"),
    [("H8", "H8", 0), ("H8", "H10", 1), ("H8", "K11", 3), ("H8", "I15", 4), ("K11", "H8", 3)],
)
def test_distance(start: str, goal: str, steps: int) -> None:
    assert distance(start, goal) == steps


@pytest.mark.parametrize("title", TITLE_NAMES)
def test_neighbours_agree_with_the_printed_maps(title: str) -> None:
    for rules in [(), *((rule,) for rule in known_optional_rules(title))]:
        data = load_title(title, rules)
        hexes = data.raw["hexes"]
        near = neighbors_of(hexes, data.layout)
        listed = {
            h: {int(side): other for side, other in row["neighbors"].items()} for h, row in hexes.items()
        }
        assert near == listed


@pytest.mark.parametrize("title", TITLE_NAMES)
def test_open_sides_agree_with_the_printed_maps(title: str) -> None:
    data = load_title(title)
    hexes, printed = data.raw["hexes"], data.board.printed
    closed = {
        hex_id: frozenset(SIDES) - tile.exits
        for hex_id, tile in printed.items()
        if tile.color in ("red", "gray", "blue")
    }
    walls = {
        hex_id: frozenset(border.side for border in tile.borders if border.kind == "impassable")
        for hex_id, tile in printed.items()
    }
    found = passable_sides(neighbors_of(hexes, data.layout), closed, walls)
    assert {h: sorted(row) for h, row in found.items()} == {h: sorted(hexes[h]["open_edges"]) for h in hexes}


def test_closed_hexes_are_passable_from_inside_only() -> None:
    # A2 is red with an exit on side 5 (to B3) only; A4 lies below it on side 0.
    near = neighbors_of(["A2", "A4", "B3"], "flat")
    assert near["A2"] == {0: "A4", 5: "B3"}
    found = passable_sides(near, {"A2": frozenset({0, 1, 2, 3, 4})}, {})
    assert found["A2"] == {0: "A4", 5: "B3"}
    assert found["A4"] == {4: "B3"}
    assert found["B3"] == {1: "A4", 2: "A2"}


def test_walls_stop_one_way() -> None:
    near = neighbors_of(["A2", "A4"], "flat")
    assert passable_sides(near, {}, {"A2": frozenset({0})}) == {"A2": {}, "A4": {3: "A2"}}

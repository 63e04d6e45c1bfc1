"""Hexes on the drawing against the neighbours that the rules use."""

from __future__ import annotations

import dataclasses

import pytest

from optimizer.render.geometry import INRADIUS, direction
from optimizer.render.placing import coordinate_point, frame_of, place_hexes
from optimizer.titles.loader import TITLE_NAMES, load_title
from tests.render.boards import position


@pytest.mark.parametrize("title", TITLE_NAMES)
def test_neighbours_lie_across_their_side(title: str) -> None:
    board = load_title(title).board
    places = place_hexes(board)
    assert len(places) == len(board.printed)
    for hex_id, row in board.neighbors.items():
        for side, other in row.items():
            step = places[other] - places[hex_id]
            assert (step - direction(board.layout, side) * (2 * INRADIUS)).length < 0.01


def test_letters_go_across_flat_maps_and_down_pointy_ones() -> None:
    assert coordinate_point("C4", "flat").x == 300
    assert coordinate_point("C4", "pointy").y == 300


def test_hexes_with_names_of_their_own_are_placed_by_their_neighbours() -> None:
    board = position().board
    # The same board with names that say nothing: nw, mid, se instead of B6, B4, B2.
    names = dict(zip(board.printed, ("top", "mid", "low"), strict=True))
    renamed = dataclasses.replace(
        board,
        printed={names[h]: tile for h, tile in board.printed.items()},
        neighbors={names[h]: {s: names[o] for s, o in row.items()} for h, row in board.neighbors.items()},
    )
    known, found = place_hexes(board), place_hexes(renamed)
    for hex_id, name in names.items():
        for other, other_name in names.items():
            assert ((known[hex_id] - known[other]) - (found[name] - found[other_name])).length < 0.01


def test_parts_that_do_not_hang_together_do_not_overlap() -> None:
    board = position().board
    cut = dataclasses.replace(
        board,
        printed={f"x{h}x": tile for h, tile in board.printed.items()},
        neighbors={f"x{h}x": {} for h in board.neighbors},
    )
    places = list(place_hexes(cut).values())
    assert all((a - b).length > 200 for i, a in enumerate(places) for b in places[i + 1 :])


def test_the_frame_holds_every_hex() -> None:
    board = load_title("1861").board
    corner, size = frame_of(place_hexes(board).values(), 5)
    for point in place_hexes(board).values():
        assert corner.x + 105 <= point.x <= corner.x + size.x - 105
        assert corner.y + 105 <= point.y <= corner.y + size.y - 105

"""Stops and track of every tile that the project knows, at every rotation, in both layouts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from optimizer.model.grid import Layout
from optimizer.model.tile import Tile
from optimizer.model.tile_io import tile_from_json
from optimizer.render.geometry import direction, rim_distance, side_point
from optimizer.render.parts import empty_stops, stop_outline, track
from optimizer.render.slots import city_slots
from optimizer.render.stops import LANE, SLOT, skeleton
from optimizer.titles.loader import TITLE_NAMES, load_title, standard_tiles
from tests.render.boards import to_stop

LAYOUTS: tuple[Layout, ...] = ("flat", "pointy")


def title_tiles() -> Iterator[Tile]:
    for title in TITLE_NAMES:
        data = load_title(title)
        yield from data.tiles.values()
        yield from data.board.printed.values()


def all_tiles() -> list[Tile]:
    return list(dict.fromkeys([*title_tiles(), *standard_tiles().values()]))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_all_track_meets_its_sides_in_the_middle_and_at_a_right_angle(layout: Layout) -> None:
    # So every piece of track joins its neighbour's at the hex side.
    checked = 0
    for tile in all_tiles():
        for rotation in range(6):
            bones = skeleton(tile, rotation, layout)
            for path, curve in zip(tile.paths, bones.curves, strict=True):
                ends = ((path.a, curve.start, curve.heading(0) * -1), (path.b, curve.end, curve.heading(1)))
                for end, at, outward in ends:
                    if end.side < 0:
                        continue
                    side = (end.side + rotation) % 6
                    if path.lane_a == path.lane_b == (1, 0):
                        assert (at - side_point(layout, side)).length < 1e-6
                    assert outward.dot(direction(layout, side)) > 0.999, (tile.name, rotation)
                    checked += 1
    assert checked > 10_000


@pytest.mark.parametrize("layout", LAYOUTS)
def test_stops_lie_inside_their_hex_on_their_track(layout: Layout) -> None:
    for tile in all_tiles():
        bones = skeleton(tile, 1, layout)
        for stop, at in zip(tile.stops, bones.stops, strict=True):
            if stop.kind != "offboard":
                assert rim_distance(layout, at) > 15, tile.name
        for path, curve in zip(tile.paths, bones.curves, strict=True):
            for end, at in ((path.a, curve.start), (path.b, curve.end)):
                if end.stop >= 0 and tile.stops[end.stop].kind != "offboard":
                    assert (at - bones.stops[end.stop]).length < 1e-6


@pytest.mark.parametrize("layout", LAYOUTS)
def test_cities_of_the_four_titles_do_not_overlap(layout: Layout) -> None:
    for tile in title_tiles():
        bones = skeleton(tile, 2, layout)
        circles = [(i, c) for i, stop in enumerate(tile.stops) if stop.kind == "city"
                   for c, _ in stop_outline(tile, bones, i)]  # fmt: skip
        for stop, at in circles:
            for other, to in circles:
                assert stop == other or (at - to).length >= 1.8 * SLOT, tile.name


@pytest.mark.parametrize("slots", range(1, 10))
def test_slots_of_a_city_touch_but_do_not_overlap(slots: int) -> None:
    centers = city_slots(direction("flat", 2) * 50, slots)
    assert len(centers) == slots
    gaps = [(a - b).length for i, a in enumerate(centers) for b in centers[i + 1 :]]
    assert all(gap >= 2 * SLOT - 1e-6 for gap in gaps)
    if gaps:
        assert min(gaps) == pytest.approx(2 * SLOT)


def test_a_printed_place_is_where_the_stop_lies() -> None:
    row = {"color": "brown", "stops": [{"kind": "city", "revenue": 50, "slots": 1, "loc": "3.5"}],
           "paths": [to_stop(3), to_stop(4)]}  # fmt: skip
    at = skeleton(tile_from_json("x", row), 1, "flat").stops[0]
    assert (at - direction("flat", 4.5) * at.length).length < 1e-6
    assert 45 < at.length < 60
    row["stops"] = [{"kind": "city", "revenue": 50, "slots": 1, "loc": "center"}]
    assert skeleton(tile_from_json("x", row), 1, "flat").stops[0].length == 0


def test_a_town_on_a_curve_is_a_bar_across_it_and_one_without_track_a_dot() -> None:
    tiles = standard_tiles()
    assert 'class="bar"' in empty_stops(tiles["58"], 0, "flat")
    assert 'class="dot"' in empty_stops(tiles["town"], 0, "flat")
    assert skeleton(tiles["58"], 0, "flat").stops[0].length > 10  # halfway along the gentle curve


def test_parallel_tracks_over_one_side_run_side_by_side() -> None:
    row = {
        "color": "gray",
        "stops": [],
        "paths": [
            {"a": {"edge": 0}, "b": {"edge": 3}, "lanes": [[2, 0], [2, 1]]},
            {"a": {"edge": 0}, "b": {"edge": 3}, "lanes": [[2, 1], [2, 0]]},
        ],
    }
    one, two = skeleton(tile_from_json("x", row), 0, "flat").curves
    assert (one.start - two.start).length == pytest.approx(LANE)
    assert (one.end - two.end).length == pytest.approx(LANE)
    assert one.center is None  # lane 0 of one side faces lane 1 of the other: they don't cross


def test_crossing_track_has_an_edge_but_joining_track_has_not() -> None:
    # Tile 20: two straights that cross; each is drawn edge first. Tile 8 with one path: one edge.
    crossing = track(standard_tiles()["20"], 0, "flat")
    assert [part.split('"')[0] for part in crossing.split('class="')[1:]] == ["casing", "track"] * 2
    # Tile 23 (straight and gentle from the same side): both edges lie below both tracks.
    joining = track(standard_tiles()["23"], 0, "flat")
    assert [part.split('"')[0] for part in joining.split('class="')[1:]] == ["casing"] * 2 + ["track"] * 2


def test_ferries_narrow_track_stubs_and_arrows_look_different() -> None:
    data = load_title("18Rhl")
    assert 'class="ferry"' in track(data.tiles["X921"], 0, "pointy")
    assert 'class="narrow"' in track(standard_tiles()["78"], 0, "pointy")
    assert 'class="stub"' in track(data.board.printed["C8"], 0, "pointy")
    assert 'class="arrow"' in track(data.board.printed["L1"], 0, "pointy")


def test_a_stop_does_not_lie_on_a_junction_and_two_junctions_lie_apart() -> None:
    ends = ({"junction": 0}, {"junction": 1})
    paths = [{"a": {"edge": side}, "b": ends[side // 3]} for side in range(6)]
    stop = [{"a": {"stop": 0}, "b": ends[0]}, {"a": {"stop": 0}, "b": ends[1]}]
    row = {"color": "gray", "stops": [{"kind": "city", "revenue": 10, "slots": 1}]}
    lone = skeleton(tile_from_json("x", {**row, "paths": [*paths[:3], stop[0]]}), 0, "flat")
    assert (lone.curves[0].end - lone.stops[0]).length > SLOT
    two = skeleton(tile_from_json("x", {**row, "paths": paths + stop}), 0, "flat")
    one, other = two.curves[0].end, two.curves[3].end
    assert (one - other).length > 40
    assert (two.curves[1].end, two.curves[4].end) == (one, other)


def test_many_cities_without_track_lie_in_a_ring() -> None:
    # Tile 48: six cities.
    stops = skeleton(standard_tiles()["48"], 0, "flat").stops
    assert min((a - b).length for i, a in enumerate(stops) for b in stops[i + 1 :]) > SLOT

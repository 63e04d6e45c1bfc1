"""Curves of track against the geometry of the hex."""

from __future__ import annotations

import math

import pytest

from optimizer.model.grid import Layout
from optimizer.render.geometry import (
    INRADIUS,
    RADIUS,
    Curve,
    Point,
    corners,
    direction,
    rim_distance,
    side_point,
    tangent_curve,
)

LAYOUTS: tuple[Layout, ...] = ("flat", "pointy")


def through(layout: Layout, a: int, b: int) -> Curve:
    return tangent_curve(side_point(layout, a), direction(layout, a) * -1, side_point(layout, b))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("side", range(6))
def test_sharp_gentle_and_straight_track_have_the_radii_of_the_trade(layout: Layout, side: int) -> None:
    # Sharp track turns around a corner of the hex at half the circumradius; gentle track around the point
    # where the lines of two sides meet, at one and a half times the circumradius.
    assert through(layout, side, (side + 1) % 6).radius == pytest.approx(RADIUS / 2)
    assert through(layout, side, (side + 2) % 6).radius == pytest.approx(RADIUS * 1.5)
    assert through(layout, side, (side + 3) % 6).center is None


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("a", range(6))
@pytest.mark.parametrize("turn", range(1, 6))
def test_track_meets_both_sides_at_right_angles(layout: Layout, a: int, turn: int) -> None:
    b = (a + turn) % 6
    curve = through(layout, a, b)
    assert curve.heading(0).dot(direction(layout, a)) == pytest.approx(-1)
    assert curve.heading(1).dot(direction(layout, b)) == pytest.approx(1)
    assert all(rim_distance(layout, point) > -1e-6 for point in curve.samples(5))


def test_sides_of_flat_hexes_run_clockwise_from_the_bottom_and_of_pointy_ones_from_the_lower_left() -> None:
    assert direction("flat", 0).y == pytest.approx(1)  # y points down
    assert direction("flat", 1).x < 0 < direction("flat", 1).y
    assert direction("pointy", 0).x < 0 < direction("pointy", 0).y
    assert direction("pointy", 1).x == pytest.approx(-1)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_corners_lie_on_the_rim_and_sides_at_the_inradius(layout: Layout) -> None:
    for point in corners(layout):
        assert point.length == pytest.approx(RADIUS)
        assert rim_distance(layout, point) == pytest.approx(0, abs=1e-6)
    assert side_point(layout, 4).length == pytest.approx(INRADIUS)


def test_reversing_a_curve_swaps_its_ends_and_turns_it_round() -> None:
    curve = through("flat", 0, 2)
    back = curve.reverse
    assert (back.start, back.end) == (curve.end, curve.start)
    assert (back.at(0.25) - curve.at(0.75)).length == pytest.approx(0, abs=1e-9)
    assert back.heading(0.3).dot(curve.heading(0.7)) == pytest.approx(-1)


def test_an_offset_curve_keeps_its_distance_all_along() -> None:
    curve = through("pointy", 1, 2)
    beside = curve.offset(8)
    for t in (0, 0.3, 0.5, 1):
        assert (beside.at(t) - curve.at(t)).length == pytest.approx(8)
    # To the right of the way: for a way due east that is south, as y points down.
    assert Curve(Point(0, 0), Point(9, 0)).offset(2).start == Point(0, 2)


def test_the_length_of_an_arc_is_radius_times_angle() -> None:
    # Sharp track turns by 120 degrees, gentle track by 60.
    assert through("flat", 3, 4).length == pytest.approx(RADIUS / 2 * math.radians(120))
    assert through("flat", 3, 5).length == pytest.approx(RADIUS * 1.5 * math.radians(60))

"""Routes on the map: on the track, beside each other, with rings around their stops."""

from __future__ import annotations

import dataclasses
import re
from itertools import pairwise

import pytest

from optimizer.evaluation.report import BonusPay, Evaluation, Fault, RouteEvaluation
from optimizer.model.grid import Layout
from optimizer.model.position import Train
from optimizer.render.legend import legend, route_words, run_words, verdict_words
from optimizer.render.placing import place_hexes
from optimizer.render.routes import route_lines, stop_rings, trace
from optimizer.render.stops import skeleton
from optimizer.render.style import ROUTE_COLORS, route_color
from optimizer.render.trains import train_color, train_name
from tests.render.boards import TRAIN, position, run


@pytest.mark.parametrize("layout", ["flat", "pointy"])
def test_a_route_lies_on_the_track_and_has_no_gaps(layout: Layout) -> None:
    of = position(layout)
    places = place_hexes(of.board)
    route = run(of).routes[0]
    steps = trace(of, places, route.paths)
    assert len(steps) == len(route.paths)
    for step, (hex_id, index) in zip(steps, route.paths, strict=True):
        tile, rotation = of.tile_at(hex_id)
        track = skeleton(tile, rotation, layout).curves[index].moved(places[hex_id])
        turned = step.curve if step.forward else step.curve.reverse
        assert turned == track
    for one, two in pairwise(steps):
        assert (one.curve.end - two.curve.start).length < 0.01


@pytest.mark.parametrize("layout", ["flat", "pointy"])
def test_two_routes_on_the_same_track_run_side_by_side(layout: Layout) -> None:
    of = position(layout)
    places = place_hexes(of.board)
    route = run(of).routes[0]
    back = dataclasses.replace(route, paths=route.paths[::-1])
    for pair in ((route, route), (route, back)):
        one, two = route_lines(of, places, pair)
        points = [
            re.findall(r"-?[\d.]+,-?[\d.]+", part.split(' d="')[1].split('"')[0]) for part in (one, two)
        ]
        ends = {tuple(points[0]), tuple(points[1]), tuple(points[1][::-1])}
        assert len(ends) == 3, "the lines must not cover each other"
        alone = route_lines(of, places, [route])[0]
        assert alone not in (one, two)
    # 8 apart: each 4 off the middle, to different sides, also where they run in opposite directions.
    x = {float(points[0][0].split(",")[0]), float(points[1][-1].split(",")[0])}
    y = {float(points[0][0].split(",")[1]), float(points[1][-1].split(",")[1])}
    assert ((max(x) - min(x)) ** 2 + (max(y) - min(y)) ** 2) ** 0.5 == pytest.approx(8, abs=0.2)


def test_every_visited_stop_has_a_ring_and_unpaid_ones_a_pale_one() -> None:
    of = position()
    places = place_hexes(of.board)
    route = run(of).routes[0]
    assert stop_rings(of, places, [route])[0].count("ring") == 3
    free = dataclasses.replace(
        route, stops=(*route.stops[:2], dataclasses.replace(route.stops[2], paid=False))
    )
    assert stop_rings(of, places, [free])[0].count("unpaid") == 1


def test_a_second_route_has_its_ring_outside_the_first() -> None:
    of = position()
    route = run(of).routes[0]
    one, two = stop_rings(of, place_hexes(of.board), [route, route])
    widths = [float(part.split('stroke-width="')[1].split('"')[0]) for part in (one, two)]
    assert widths[1] > widths[0]


def test_a_route_without_known_track_is_dashed_from_hex_to_hex() -> None:
    of = position()
    lost = RouteEvaluation("3-0", 0, "", connections=(("B2", "B4", "B6"),))
    line = route_lines(of, place_hexes(of.board), [lost])[0]
    assert "guess" in line
    assert route_lines(of, place_hexes(of.board), [RouteEvaluation("3-0", 0, "")]) == [""]


def test_the_legend_names_train_stops_pay_bonus_and_total() -> None:
    of = position()
    words = route_words(of, run(of).routes[0])
    first, middle, last = of.board.printed
    assert words == [f"{first} The <North> 40 ·", f"{middle} Middletown 30 ·", f"{last} 10", "+ Port 5"]
    markup, height = legend(of, run(of), "AB: best", 900, 2)
    assert ">3<" in markup
    assert ">85<" in markup
    assert route_color(0) in markup
    assert height > 50


def test_unpaid_and_merged_stops_are_told_apart() -> None:
    of = position()
    route = run(of).routes[0]
    stops = (
        dataclasses.replace(route.stops[0], paid=False),
        dataclasses.replace(route.stops[1], merged=True, counted=False),
    )
    words = route_words(of, dataclasses.replace(route, stops=stops, bonuses=()))
    assert words[0].endswith("– ·")
    assert words[1].endswith("(ferry)")


def test_what_holds_for_the_whole_run_has_a_line_of_its_own() -> None:
    of = position()
    whole = dataclasses.replace(
        run(of),
        bonuses=(BonusPay("Network", 20), BonusPay("Nothing", 0)),
        faults=(Fault("custom", "one route each"),),
    )
    assert run_words(whole) == ["+ Network 20 for the whole run", "not legal: one route each"]
    assert "Network 20" in legend(of, whole, "AB", 900, 2)[0]


def test_a_verdict_says_proven_or_bound() -> None:
    assert verdict_words(120, 120, True) == "120, proven best"
    assert verdict_words(120, 150, False) == "120, at most 150"
    assert verdict_words(120, None, None) == "120"


def test_an_empty_run_says_so() -> None:
    assert "no routes" in legend(position(), Evaluation(0), "AB", 500, 2)[0]


def test_a_train_keeps_its_colour_whatever_the_order_of_the_routes() -> None:
    of = position().replace(trains=(Train("3-0", TRAIN), Train("3-1", TRAIN)))
    assert train_color(of, "3-1", 0) == route_color(1)
    assert train_color(of, "3-0", 5) == route_color(0)
    assert train_color(of, "9-9", 0) == route_color(2)
    assert train_name(of, "9-9") == "9-9"


def test_route_colours_differ_and_repeat_after_the_last() -> None:
    assert len(set(ROUTE_COLORS)) == len(ROUTE_COLORS) >= 6
    assert route_color(len(ROUTE_COLORS)) == route_color(0)

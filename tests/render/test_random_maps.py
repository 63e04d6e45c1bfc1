"""Pictures of random maps: everything that the vocabulary allows can be drawn."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from hypothesis import HealthCheck, given, settings

from optimizer.brute import TooManyRoutes, brute_force
from optimizer.evaluate import evaluate
from optimizer.evaluation.report import Evaluation
from optimizer.model.tile import End, Path, Revenue, Stop, Tile
from optimizer.render import Options, render
from optimizer.render.stops import skeleton
from tests.render.boards import position
from tests.strategies import Sketch, sketches

SOME = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@given(sketches())
@SOME
def test_random_maps_are_drawn_with_their_best_routes(sketch: Sketch) -> None:
    of = sketch.make()
    try:
        routes = brute_force(of, limit=2000).routes
    except TooManyRoutes:
        routes = ()
    svg = render(of, evaluate(of, routes))
    ET.fromstring(svg)
    assert svg.count("legend-route") == len(routes)
    assert 'class="route guess"' not in svg
    ET.fromstring(render(of, None, Options(crop=True)))


def test_a_tile_of_very_many_stops_takes_no_time() -> None:
    stops = tuple(Stop("town", Revenue(10), part=i) for i in range(30))
    paths = tuple(Path(End(side=i % 6), End(stop=i)) for i in range(30)) + tuple(
        Path(End(stop=i), End(side=(i + 2) % 6)) for i in range(30)
    )
    assert len(skeleton(Tile("x", "white", stops, paths), 0, "flat").stops) == 30


def test_odd_names_do_no_harm() -> None:
    long = "\x07<&>" * 40
    of = position()
    hex_id, state = of.hexes[0]
    state = type(state)(
        state.tile, 0, tuple(type(t)(t.city, t.slot, long) for t in state.tokens), (long,), ("",)
    )
    ET.fromstring(
        render(of.replace(company=long, title=long, phase=long, hexes=((hex_id, state),)), Evaluation(0))
    )

"""Routes written as recorded games write them are found again on random maps (common 8.3, 8.4)."""

from __future__ import annotations

from random import Random

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from optimizer.brute import TooManyRoutes, legal_routes
from optimizer.evaluate import evaluate
from optimizer.model.position import Route
from tests.strategies import Sketch, sketches


@given(sketches(max_trains=1), st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None)
def test_hexes_and_stops_are_enough(sketch: Sketch, seed: int) -> None:
    position = sketch.make()
    try:
        found = legal_routes(position, position.trains[0], 1500)
    except TooManyRoutes:
        assume(False)
        raise
    random = Random(seed)
    for route in random.sample(found, min(20, len(found))):
        chains = tuple(chain if random.random() < 0.5 else chain[::-1] for chain in route.connections)
        stops = random.sample(route.stops, len(route.stops))
        verdict = evaluate(position, [Route(route.train, chains, tuple(stops))])
        assert verdict.faults == ()
        assert verdict.revenue == route.revenue

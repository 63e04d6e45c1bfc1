"""Compiling that ends early: at whatever point, the answer is honest, and no work is begun after it."""

from __future__ import annotations

import os
import time
from array import array

import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from optimizer.brute import TooManyRoutes, brute_force, legal_routes
from optimizer.model.rules import Bonus, BonusLevel, Counter, DistanceRow, RouteRules, TrainType
from optimizer.model.tile import STOP_KINDS
from optimizer.solution import Limits
from tests.small_maps import plain_train, small
from tests.strategies import Sketch, sketches

pytest.importorskip("optimizer.native.fleet")

from optimizer.graph import compile as compiling
from optimizer.graph.watch import Reason, Watch
from optimizer.solve import StopFlag, optimize

MANY = settings(
    max_examples=int(os.environ.get("RHEINGOLD_EXAMPLES", "100")),
    deadline=None,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.filter_too_much,
        HealthCheck.data_too_large,
        HealthCheck.function_scoped_fixture,
    ],
)
# F2 own city 30 - F4 town 10 - F6 city 50 - F8 city 20
TILES = {"F2": "c30 0A", "F4": "t10 3A 0A", "F6": "c50x2 3A 0A", "F8": "c20x2 3A"}


class Fires(Watch):
    """Says that it is time to end the so-many-th time it is asked."""

    def __init__(self, after: int) -> None:
        super().__init__(0.0, array("i", (0,)))
        self.left = after

    def reason(self) -> Reason:
        self.left -= 1
        return "time" if self.left < 0 else ""


@given(sketches(), st.integers(0, 3))
@MANY
def test_the_bound_holds_wherever_it_ends(sketch: Sketch, after: int) -> None:
    position = sketch.make()
    try:
        best = brute_force(position, limit=4000).revenue
    except TooManyRoutes:
        assume(False)
        raise
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("optimizer.solve.Watch", lambda deadline, stop: Fires(after))
        solution = optimize(position)
    event("ended early" if solution.limit else "compiled")
    if solution.limit:
        assert (solution.limit, solution.revenue, solution.routes) == ("time", 0, ())
        assert solution.proven == (solution.bound == 0)
    assert solution.revenue <= best <= solution.bound


@given(sketches(max_hexes=6), st.integers(0, 2), st.integers(1, 3))
@MANY
def test_fixed_routes_are_kept(sketch: Sketch, after: int, wanted: int) -> None:
    position = sketch.make()
    try:
        candidates = legal_routes(position, position.trains[0], 4000)
        assume(candidates)
        fixed = candidates[len(candidates) // 2]
        best = brute_force(position, fixed=[fixed], limit=4000).revenue
    except TooManyRoutes:
        assume(False)
        raise
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("optimizer.solve.Watch", lambda deadline, stop: Fires(after))
        solution = optimize(position, Limits(best=wanted), fixed=[fixed])
    assert fixed.paths in {route.paths for route in solution.routes}
    assert solution.revenue <= best <= solution.bound
    if wanted > 1:
        assert solution.alternatives[0].revenue == solution.revenue


@pytest.fixture(autouse=True)
def much_track(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take every map for one with much track."""
    monkeypatch.setattr(compiling, "FEW_CHAINS", -1)


@pytest.fixture
def no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the making of a train's graph fail: it must not be begun."""

    def refuse(*arguments: object) -> None:
        raise AssertionError("work is begun though the time is over")

    monkeypatch.setattr(compiling, "TrainGraph", refuse)


@pytest.mark.usefixtures("no_work")
def test_nothing_is_begun_after_the_end() -> None:
    position = small(TILES, tokens="F2:A")
    late = optimize(position, Limits(time=0))
    assert (late.limit, late.revenue, late.proven) == ("time", 0, False)
    stop = StopFlag()
    stop.set()
    assert optimize(position, stop=stop).limit == "stopped"
    assert late.statistics.nodes == 0


@pytest.mark.usefixtures("no_work")
@pytest.mark.parametrize(
    ("train", "bound"),
    [
        # Without its track a route may visit any stops: the best that the train pays for, each once.
        (plain_train(2), 80),  # 50 + 30
        (plain_train(3), 100),  # 50 + 30 + 20
        (plain_train(9), 110),  # every stop
        # Any town and three other stops, all paid: the limit does not hold for towns.
        (TrainType("t", (DistanceRow(("city", "offboard"), 2, 2), DistanceRow(("town",), 9, 9))), 110),
        # Two of the stops are paid, at double.
        (TrainType("d", (DistanceRow(STOP_KINDS, 9, 2),), multiplier=2), 160),
    ],
)
def test_the_bound_by_hand(train: TrainType, bound: int) -> None:
    solution = optimize(small(TILES, train, train, tokens="F2:A"), Limits(time=0, cutoff=2 * bound))
    assert solution.bound == 2 * bound
    assert solution.better_than_cutoff is False
    counters = (Counter("x", frozenset({"F6"})),)
    rules = RouteRules(counters=counters, bonuses=(Bonus("b", (BonusLevel((("x", 1),), 40),)),))
    with_bonus = optimize(small(TILES, train, tokens="F2:A", rules=rules), Limits(time=0))
    # The bonus goes to F6 as a share of it, which is among the best stops for every train.
    assert with_bonus.bound == bound + 40


def test_maps_with_little_track_are_compiled_whatever_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "FEW_CHAINS", 1)
    position = small({"F2": "c30 0A", "F4": "t10 3A"}, tokens="F2:A")  # one piece of track
    assert optimize(position, Limits(time=0)).revenue == 40


def test_the_clock_and_the_flag() -> None:
    flag = array("i", (0,))
    assert Watch(0.0, flag).reason() == ""
    assert Watch(time.monotonic() + 60, flag).reason() == ""
    assert Watch(time.monotonic(), flag).reason() == "time"
    flag[0] = 1
    assert Watch(time.monotonic(), flag).reason() == "stopped"

"""The search against its brute-force twin on random small maps, and the promises it makes about limits."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, assume, event, given, settings

from optimizer.brute import BruteForce, TooManyRoutes, brute_force, count_routes, legal_routes
from optimizer.evaluate import evaluate
from optimizer.model.position import Position
from optimizer.solution import Limits
from tests.strategies import Sketch, sketches

pytest.importorskip("optimizer.native.fleet")

from optimizer.solve import optimize

# One run in CI takes a sample; RHEINGOLD_EXAMPLES=2000 looks harder.
EXAMPLES = int(os.environ.get("RHEINGOLD_EXAMPLES", "100"))
MANY = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
WALKS = 4000


def twin(position: Position, best: int = 1) -> BruteForce:
    """Solve by brute force, or give up on a map that is not small."""
    try:
        found = brute_force(position, best, limit=WALKS)
    except TooManyRoutes:
        assume(False)
        raise
    event(f"{len(found.routes)} trains run")
    return found


@given(sketches())
@MANY
def test_finds_what_brute_force_finds(sketch: Sketch) -> None:
    position = sketch.make()
    expected = twin(position)
    solution = optimize(position)
    assert solution.revenue == expected.revenue
    assert solution.proven
    assert solution.bound == solution.revenue
    verdict = evaluate(position, solution.routes)
    assert verdict.legal
    assert verdict.revenue == solution.revenue


@given(sketches())
@MANY
def test_bound_is_valid_at_any_node_limit(sketch: Sketch) -> None:
    position = sketch.make()
    expected = twin(position)
    for nodes in (1, 5, 25, 125):
        solution = optimize(position, Limits(nodes=nodes))
        assert solution.revenue <= expected.revenue <= solution.bound
        assert solution.proven == (solution.bound == solution.revenue)
        assert solution.limit in ("", "nodes")
        if not solution.proven:
            assert solution.limit == "nodes"


@given(sketches())
@MANY
def test_answer_does_not_depend_on_threads_or_repetition(sketch: Sketch) -> None:
    position = sketch.make()
    once = optimize(position)
    again = optimize(position)
    both = optimize(position, Limits(threads=2))
    assert once.routes == again.routes == both.routes
    assert once.statistics.nodes == again.statistics.nodes


@given(sketches(max_hexes=6, max_trains=2))
@MANY
def test_best_sets_earn_what_brute_force_says(sketch: Sketch) -> None:
    position = sketch.make()
    expected = twin(position, best=4)
    solution = optimize(position, Limits(best=4))
    found = [one.revenue for one in solution.alternatives]
    assert found == [one.revenue for one in expected.sets]
    assert solution.alternatives[0].revenue == solution.revenue
    assert len({one.routes for one in solution.alternatives}) == len(found)


@given(sketches())
@MANY
def test_cutoff_is_answered(sketch: Sketch) -> None:
    position = sketch.make()
    best = twin(position).revenue
    for cutoff in {0, best // 2, max(0, best - 1), best, best + 10}:
        solution = optimize(position, Limits(cutoff=cutoff))
        assert solution.better_than_cutoff == (best > cutoff)
        assert solution.bound >= min(best, cutoff)
        if best > cutoff:
            assert solution.revenue == best


@given(sketches(max_hexes=6))
@MANY
def test_fixed_routes_are_part_of_the_answer(sketch: Sketch) -> None:
    position = sketch.make()
    assume(len(position.trains) > 1)
    twin(position)
    candidates = legal_routes(position, position.trains[0], WALKS)
    assume(candidates)
    fixed = candidates[len(candidates) // 2]
    expected = brute_force(position, fixed=[fixed], limit=WALKS)
    solution = optimize(position, fixed=[fixed])
    assert solution.revenue == expected.revenue
    assert fixed.paths in {route.paths for route in solution.routes}


@given(sketches())
@MANY
def test_census_counts_every_legal_route(sketch: Sketch) -> None:
    position = sketch.make()
    census = pytest.importorskip("optimizer.census")
    try:
        expected = count_routes(position, WALKS)
    except TooManyRoutes:
        assume(False)
        raise
    assert census.count_routes(position) == expected

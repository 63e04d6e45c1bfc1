"""What must hold between answers about the same position, whatever the position is."""

from __future__ import annotations

import dataclasses

import pytest

from benchmarks.named import known, load
from optimizer import Limits, Position, Solution, evaluate, load_positions, optimize
from tests.conftest import ROOT

SOON = 0.02  # seconds
EXAMPLES = {
    item.id: item.position for item in load_positions(ROOT / "examples" / "positions.jsonl") if item.position
}
EASY = {name for name, fact in known().items() if fact.proven and fact.seconds < SOON}
POSITIONS = {**EXAMPLES, **{name: one for name, one in load().items() if name in EASY}}


@pytest.fixture(params=POSITIONS, scope="module")
def position(request: pytest.FixtureRequest) -> Position:
    return POSITIONS[request.param]


@pytest.fixture(scope="module")
def best(position: Position) -> Solution:
    solution = optimize(position)
    assert solution.proven
    assert solution.revenue > 0
    return solution


def test_answers_are_the_same_again_and_with_threads(position: Position, best: Solution) -> None:
    for threads in (1, 2, 3):
        assert optimize(position, Limits(threads=threads)).routes == best.routes


def test_a_cutoff_is_answered(position: Position, best: Solution) -> None:
    below = optimize(position, Limits(cutoff=best.revenue - 1))
    assert (below.better_than_cutoff, below.revenue) == (True, best.revenue)
    for cutoff in (best.revenue, best.revenue + 5):
        assert optimize(position, Limits(cutoff=cutoff)).better_than_cutoff is False


def test_any_of_the_best_routes_can_be_fixed(position: Position, best: Solution) -> None:
    for route in best.routes:
        assert optimize(position, fixed=[route]).revenue == best.revenue


def test_the_order_of_trains_does_not_matter(position: Position, best: Solution) -> None:
    turned = dataclasses.replace(position, trains=position.trains[::-1])
    assert optimize(turned).revenue == best.revenue


def test_fewer_trains_earn_no_more(position: Position, best: Solution) -> None:
    for number in range(len(position.trains)):
        fewer = dataclasses.replace(position, trains=position.trains[:number] + position.trains[number + 1 :])
        assert optimize(fewer).revenue <= best.revenue


def test_the_best_sets_are_different_legal_and_in_order(position: Position, best: Solution) -> None:
    sets = optimize(position, Limits(best=4)).alternatives
    revenues = [one.revenue for one in sets]
    assert revenues[0] == best.revenue
    assert revenues == sorted(revenues, reverse=True)
    assert len({tuple((route.train, route.connections) for route in one.routes) for one in sets}) == len(sets)
    for one in sets:
        verdict = evaluate(position, one.routes)
        assert verdict.legal
        assert verdict.revenue == one.revenue


@pytest.mark.parametrize("nodes", [1, 100, 2000])
def test_limited_answers_are_reproducible_and_bounded(position: Position, best: Solution, nodes: int) -> None:
    first, second = (optimize(position, Limits(nodes=nodes)) for _ in range(2))
    assert (first.routes, first.bound, first.limit) == (second.routes, second.bound, second.limit)
    assert first.revenue <= best.revenue <= first.bound
    assert first.limit == ("" if first.proven else "nodes")

"""Scoring a list of routes: the plain evaluator, one by one, and `evaluate_many` in one pass."""

from __future__ import annotations

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.bulk import INSTANCES, candidates, check
from benchmarks.named import load
from optimizer.bulk import evaluate_many
from optimizer.evaluate import evaluate

POSITIONS = load()
FEW, MANY = 200, 10_000


@pytest.mark.parametrize("name", INSTANCES)
def bench_one_by_one(benchmark: BenchmarkFixture, name: str) -> None:
    position = POSITIONS[name]
    routes = candidates(position, FEW)

    def score() -> list[int]:
        return [evaluate(position, [route]).revenue for route in routes]

    found = benchmark.pedantic(score, rounds=1)  # type: ignore[no-untyped-call]
    benchmark.extra_info["routes"] = FEW
    assert found == evaluate_many(position, routes).revenue.tolist()


@pytest.mark.parametrize("name", INSTANCES)
def bench_in_one_pass(benchmark: BenchmarkFixture, name: str) -> None:
    position = POSITIONS[name]
    routes = candidates(position, MANY)
    assert not check(position, routes[:FEW])
    benchmark.pedantic(evaluate_many, (position, routes), rounds=3)  # type: ignore[no-untyped-call]
    benchmark.extra_info["routes"] = MANY

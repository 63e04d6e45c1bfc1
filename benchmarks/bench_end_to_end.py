"""Whole answers: compile, search and check, with the time limit of the results table.

Where the shared cases are, the published 1867 positions and a sample of the others are measured too.
"""

from __future__ import annotations

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.groups import Item, named, read_group, shared_groups
from optimizer.solution import Limits
from optimizer.solve import optimize

LIMIT = Limits(time=10.0)
SAMPLE = 25
NAMED = named()
SHARED = list(shared_groups())


@pytest.mark.parametrize("item", NAMED, ids=[item.name for item in NAMED])
def bench_named(benchmark: BenchmarkFixture, item: Item) -> None:
    solution = benchmark.pedantic(optimize, (item.position, LIMIT), rounds=1)  # type: ignore[no-untyped-call]
    benchmark.extra_info["proven"] = solution.proven
    assert not item.fault(solution.revenue, solution.bound)


@pytest.mark.parametrize("group", SHARED)
def bench_shared(benchmark: BenchmarkFixture, group: str) -> None:
    items = read_group(group)
    items = items[:: max(1, len(items) // SAMPLE)]

    def solve_all() -> list[str]:
        found = [(item, optimize(item.position, LIMIT)) for item in items]
        return [fault for item, one in found if (fault := item.fault(one.revenue, one.bound))]

    assert benchmark.pedantic(solve_all, rounds=1) == []  # type: ignore[no-untyped-call]

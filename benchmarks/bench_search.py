"""The native search alone, on compiled positions; only where the optimum is known and soon proven."""

from __future__ import annotations

from array import array
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.named import Known, known, load
from optimizer.graph.compile import RouteGraph, compile_graph
from optimizer.native.fleet import Fleet

SOON = 1.0
POSITIONS = load()
FACTS = {name: fact for name, fact in known().items() if fact.proven and fact.seconds < SOON}


def search(graph: RouteGraph) -> Any:
    """Search a compiled position to the end; return sets, bound, limit and nodes."""
    fleet = Fleet(
        graph.network,
        [kind.graph for kind in graph.kinds],
        [len(kind.trains) for kind in graph.kinds],
        graph.claim_bit,
        graph.granularity,
    )
    return fleet.solve(array("i", (0,)), 0.0, 0, 0, 1, None)


@pytest.mark.parametrize(("name", "fact"), FACTS.items(), ids=list(FACTS))
def bench_search(benchmark: BenchmarkFixture, name: str, fact: Known) -> None:
    graph = compile_graph(POSITIONS[name])
    sets, bound, limit, _ = benchmark.pedantic(search, (graph,), rounds=3, warmup_rounds=1)  # type: ignore[no-untyped-call]
    assert limit == ""
    assert int(bound) == sets[0][0] == fact.revenue

"""Compiling positions: from names and tiles to what the native search sees."""

from __future__ import annotations

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.groups import Item, named
from optimizer.graph.compile import compile_graph

ITEMS = named()


@pytest.mark.parametrize("item", ITEMS, ids=[item.name for item in ITEMS])
def bench_compile(benchmark: BenchmarkFixture, item: Item) -> None:
    graph = benchmark.pedantic(compile_graph, (item.position,), rounds=5, warmup_rounds=1)  # type: ignore[no-untyped-call]
    assert sum(len(kind.trains) for kind in graph.kinds) == len(item.position.trains)

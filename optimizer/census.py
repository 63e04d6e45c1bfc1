"""How many legal routes each train has: a census that finds rule errors which an optimum hides."""

from __future__ import annotations

from optimizer.graph.compile import compile_graph
from optimizer.model.position import Position
from optimizer.native.census import Census

MOST = 1_000_000


def count_routes(position: Position, limit: int = MOST) -> dict[str, int]:
    """Return for each train name how many legal routes there are, at most ``limit``.

    A route is a sequence of stops and the track between them, counted once whatever its direction; what
    it earns does not matter. Raises what :func:`optimizer.graph.compile.compile_graph` raises.
    """
    graph = compile_graph(position, keep_all=True)
    return {kind.type.name: Census(kind.graph).count(limit) for kind in graph.kinds}

"""Routes as files have them, turned into :class:`Route`."""

from __future__ import annotations

from collections.abc import Iterable

from optimizer.model.data import Fault, PositionError, RouteData
from optimizer.model.faults import show
from optimizer.model.position import Route


def route_from_data(data: RouteData, path: str = "route") -> Route:
    """Turn a route in the form of a ``run_routes`` action into a :class:`Route` for the evaluator.

    Its ``nodes`` become ``stops`` in the order given, which is not always that of the route. Raises
    PositionError for names of stops that are none.
    """
    stops = []
    for i, name in enumerate(data.nodes):
        hex_id, _, part = name.rpartition("-")
        if not hex_id or not part.isdecimal() or len(part) > 3:
            fault = Fault(f"{path}.nodes[{i}]", f"must be <hex>-<part> like H8-0, not {show(name)}")
            raise PositionError([fault])
        stops.append((hex_id, int(part)))
    return Route(
        train=data.train,
        connections=tuple(tuple(chain) for chain in data.connections),
        stops=tuple(stops),
        revenue=data.revenue or 0,
        revenue_str=data.revenue_str,
    )


def routes_from_data(rows: Iterable[RouteData], path: str = "routes") -> tuple[Route, ...]:
    """Turn several routes; see :func:`route_from_data`."""
    return tuple(route_from_data(row, f"{path}[{i}]") for i, row in enumerate(rows))

"""Arguments of the wrong type: told as such, with what would be right."""

from __future__ import annotations

from collections.abc import Sequence

from optimizer.model.position import Position, Route


def check_position(position: object) -> None:
    """Raise TypeError for what is no position."""
    if not isinstance(position, Position):
        hint = "load_position reads its JSON, load_positions a file"
        raise TypeError(f"the position must be a Position, not {kind_of(position)}; {hint}")


def check_routes(routes: object) -> None:
    """Raise TypeError for what is no sequence of routes."""
    if isinstance(routes, Route) or not isinstance(routes, Sequence):
        raise TypeError(f"the routes must be a list of Route, not {kind_of(routes)}")
    for number, route in enumerate(routes):
        if not isinstance(route, Route):
            hint = "Route(train, connections, stops)"
            raise TypeError(f"routes[{number}] must be a Route, not {kind_of(route)}; write {hint}")


def kind_of(value: object) -> str:
    """Return what a message calls a value of the wrong type."""
    return "None" if value is None else type(value).__name__

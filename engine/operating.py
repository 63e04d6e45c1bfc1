"""Between the game and the optimizer: positions of the company on turn, and routes as actions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.actions import RunRoutes
from engine.core.corporation import Corporation
from engine.errors import RuleError

if TYPE_CHECKING:
    from engine.game import Game


def checked_revenues(game: Game, corporation: Corporation, action: RunRoutes) -> tuple[Any, ...]:
    """(train id, revenue) of each submitted route."""
    found = []
    for route in action.routes:
        revenue = route.get("revenue")
        if not isinstance(revenue, int):
            raise RuleError(f"the route of train {route.get('train')} has no revenue")
        found.append((str(route.get("train")), revenue))
    return tuple(found)

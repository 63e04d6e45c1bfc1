"""Every run of trains in a game: what was run, what would have been best, and who left how much."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.actions import read_action
from engine.core.corporation import Corporation, Player
from engine.game import Game
from engine.operating import position, routes_of
from engine.planner import LocalPlanner, RoutePlanner
from engine.replay import executed, start_game
from optimizer.model.position import Position
from optimizer.solution import Limits, Solution


@dataclass(frozen=True, slots=True)
class Run:
    """One `run_routes` action: the position before it, what was run, and the best."""

    action: Mapping[str, Any]
    round: str
    corporation: str
    player: int | str | None
    position: Position
    revenue: int
    best: Solution

    @property
    def missed(self) -> int:
        """How much more the best routes would have earned."""
        return self.best.revenue - self.revenue


def runs(
    file: Mapping[str, Any], planner: RoutePlanner | None = None, limits: Limits | None = None
) -> Iterator[Run]:
    """Replays the game and yields each run of trains as it comes."""
    chosen = planner if planner is not None else LocalPlanner()
    game = start_game(file, strict=False)
    for entry, execute in executed(game, file):
        found = None
        if entry.get("type") == "run_routes":
            corporation = game.corporation(str(read_action(entry).entity))
            found = _run(game, corporation, entry, chosen, limits)
        execute()
        if found is not None:
            yield found


def _run(
    game: Game,
    corporation: Corporation,
    entry: Mapping[str, Any],
    planner: RoutePlanner,
    limits: Limits | None,
) -> Run:
    place = position(game, corporation)
    routes = entry.get("routes") or []
    revenues = [route.get("revenue") for route in routes]
    if not all(isinstance(revenue, int) for revenue in revenues):
        from optimizer.evaluate import evaluate

        revenues = [evaluate(place, routes_of(routes)).revenue]
    owner = corporation.owner
    return Run(
        action=entry,
        round=f"{game.round.short_name} {game.turn}.{game.round.number}",
        corporation=corporation.id,
        player=owner.id if isinstance(owner, Player) else None,
        position=place,
        revenue=sum(revenues),
        best=planner.best_routes(place, limits=limits),
    )

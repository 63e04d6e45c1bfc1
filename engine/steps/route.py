"""Running trains (rules: common 8.9, 8.10)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

from engine.actions import RunRoutes
from engine.core.corporation import Corporation
from engine.errors import RuleError
from engine.legal import Choice
from engine.operating import checked_revenues
from engine.rounds.operating import OperatingRound
from engine.steps.base import Entity, Step


class Route(Step):
    """Appears if the corporation has a train that has not run this round and a route (common 7.4)."""

    __slots__ = ()
    name = "route"

    @property
    def turn(self) -> OperatingRound:
        return cast(OperatingRound, self.round)

    def actions(self, entity: Entity) -> Sequence[str]:
        if entity is not self.round.current or not isinstance(entity, Corporation):
            return ()
        if all(train.operated for train in entity.trains) or not self.game.has_route(entity):
            return ()
        return ("run_routes",)

    def do_run_routes(self, action: RunRoutes) -> None:
        corporation = self.corporation_of(action)
        used: set[str] = set()
        for route in action.routes:
            train = self.game.depot.train(str(route.get("train")))
            if train.owner is not corporation:
                raise RuleError(f"train {train.id} does not belong to {corporation.name}")
            if train.id in used:
                raise RuleError(f"train {train.id} is run twice")
            if train.operated:
                raise RuleError(f"train {train.id} has already run in this round")
            used.add(train.id)
        self.turn.routes = self.revenues(corporation, action)
        if action.extra_revenue and not self.game.recorded:
            action.extra_revenue = 0  # no title has any; as with routes, what a client claims does not matter
        self.turn.extra_revenue = action.extra_revenue or 0
        self.finish()

    def revenues(self, corporation: Corporation, action: RunRoutes) -> tuple[Any, ...]:
        """(train id, revenue) of each route. The recorded revenue counts; if absent, the evaluator computes
        it.
        """
        return checked_revenues(self.game, corporation, action)

    def choices(self, entity: Entity) -> Iterator[Choice]:
        action = RunRoutes(entity=entity.id, entity_type="corporation", routes=[])
        yield Choice("run_routes", True, action)

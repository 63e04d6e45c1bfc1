"""Trains: limits, the duty to own one, what happens on a purchase (rules: common 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.core.corporation import Corporation
from engine.core.trains import Train

if TYPE_CHECKING:
    from engine.game import Game


@dataclass(frozen=True, slots=True)
class TrainRules:
    """Defaults of the common machine; titles subclass and override single methods."""

    def limit(self, game: Game, corporation: Corporation) -> int:
        """How many trains the corporation may own now."""
        return game.phase.train_limit(corporation.kind)

    def room(self, game: Game, corporation: Corporation) -> bool:
        count = sum(1 for train in corporation.trains if not train.obsolete)
        return count < self.limit(game, corporation)

    def must_own(self, game: Game, corporation: Corporation) -> bool:
        """Is the corporation, trainless, obliged to buy? Default: if it has a route."""
        return game.has_route(corporation)

    def for_sale_by(self, game: Game, owner: Corporation, buyer: Corporation) -> bool:
        """Does this owner sell trains to this buyer at all?"""
        return owner is not buyer

    def others_trains(self, game: Game, buyer: Corporation) -> list[Train]:
        """Trains of other corporations that the buyer may buy."""
        return [
            train
            for owner in game.corporations
            if self.for_sale_by(game, owner, buyer)
            for train in owner.trains
            if train.sellable and not train.rusted and not train.obsolete
        ]

"""The opening auction round."""

from __future__ import annotations

from collections.abc import Sequence

from engine.actions import Action
from engine.core.corporation import Player
from engine.rounds.base import Round


class AuctionRound(Round):
    """Players in order; steps move the index themselves."""

    __slots__ = ()
    short_name = "ISR"
    long_name = "Auction Round"

    def select_entities(self) -> Sequence[Player]:
        return list(self.game.players)

    def start(self) -> None:
        self.skip_steps()

    def after_process(self, action: Action) -> None:
        """The round ends by itself when no step blocks."""

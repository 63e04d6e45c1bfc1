"""Stock rounds of 18Rhl (rules: 18rhl section 4)."""

from __future__ import annotations

from engine.core.corporation import Player
from engine.core.shares import Bundle
from engine.rounds.stock import StockRound
from engine.steps.stock import BuySellPar
from engine.titles.rhineland.rules import KEG
from engine.titles.rhineland.state import rhineland

DOUBLE_PERCENT = 20
LOWEST_START = 120


class RhinelandStockRound(StockRound):
    """Corporations that floated before the brown phase rise one step at its end."""

    __slots__ = ()

    def start(self) -> None:
        if self.entities:
            super().start()

    def finish_round(self) -> None:
        state, game = rhineland(self.game), self.game
        for corporation in state.newly_floated:
            game.title.movement.move(game.stock_market, corporation, "up")
        state.newly_floated = ()
        super().finish_round()


class RhinelandBuySellPar(BuySellPar):
    """Before it floats, only double certificates of the KEG are sold."""

    __slots__ = ()

    def can_buy(self, player: Player, bundle: Bundle | None) -> bool:
        return super().can_buy(player, bundle) and bundle is not None and not self.held_back(bundle)

    def held_back(self, bundle: Bundle) -> bool:
        corporation = bundle.corporation
        return (
            corporation.id == KEG
            and corporation.started
            and not corporation.floated
            and bundle.percent != DOUBLE_PERCENT
        )

    def offer_suffices(self, player: Player, bundle: Bundle) -> bool:
        """Whether a turn is offered at all is asked of a single certificate, the KEG's too (4.1)."""
        return super().can_buy(player, bundle)

    def can_start_any(self, player: Player) -> bool:
        return player.cash >= LOWEST_START and super().can_start_any(player)

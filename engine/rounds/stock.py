"""Stock rounds (rules: common 3.4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.actions import Action
from engine.core.corporation import Corporation, Player
from engine.rounds.base import Round


class StockRound(Round):
    """Players buy and sell in turn until all pass in succession.

    `sold`: (player, corporation) -> "now" (this turn) or "earlier"; forbids buying again in this round.
    `turn_actions`: (action type, corporation or None) of the running turn. `history`: what each player did in
    his last turn, for programs that look for interference.
    """

    __slots__ = ("history", "sold", "turn_actions")
    short_name = "SR"
    long_name = "Stock Round"
    is_stock = True
    sold: dict[tuple[Any, Any], str]
    turn_actions: tuple[tuple[str, Any], ...]
    history: dict[Player, tuple[tuple[int, Action, Corporation], ...]]

    def begin_round(self) -> None:
        self.sold = {}
        self.turn_actions = ()
        self.history = {}

    def select_entities(self) -> Sequence[Player]:
        return [player for player in self.game.players if not player.bankrupt]

    def begin_turn(self) -> None:
        """What was sold this turn becomes sold earlier; the turn's actions are forgotten."""
        if self.sold:
            self.sold = dict.fromkeys(self.sold, "earlier")
        self.turn_actions = ()
        current = self.current
        if isinstance(current, Player) and self.history.get(current):
            self.history = {**self.history, current: ()}

    def start(self) -> None:
        self.skip_steps()
        if self.active_step() is None:
            self.next_entity()

    def after_process(self, action: Action) -> None:
        if self.active_step() is None:
            self.next_entity()

    def next_entity(self) -> None:
        while True:
            if self.finished():
                self.next_index()
                self.finish_round()
                return
            self.next_index()
            self.reset_steps()
            self.skip_steps()
            if self.active_step() is not None:
                return

    def reset_steps(self) -> None:
        self.begin_turn()
        super().reset_steps()

    def finished(self) -> bool:
        return self.game.finished or all(player.passed for player in self.entities)

    def after_closing(self) -> None:
        """Who could only deal in shares of the closed corporation has nothing left to decide."""
        if self.active_step() is None and not self.finished():
            self.skip_steps()
            self.next_entity()

    def finish_round(self) -> None:
        """Prices of sold-out corporations rise, in operating order."""
        game = self.game
        movers = [
            corporation
            for corporation in game.corporations
            if corporation.floated and corporation.kind != "minor"
        ]
        for corporation in game.in_market_order(movers):
            if corporation.price is not None and game.title.shares.sold_out_rises(game, corporation):
                game.title.movement.move(game.stock_market, corporation, "up")

"""Debts of presidents, and bankruptcy (rules: 1856 sections 13.3, 15.8, 15.9)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from engine import shares
from engine.actions import Bankrupt as BankruptAction
from engine.actions import SellShares
from engine.core.corporation import Corporation, Player
from engine.core.money import pay
from engine.core.shares import Bundle
from engine.errors import RuleError
from engine.legal import Choice
from engine.steps.base import Entity, Step
from engine.steps.emergency import Bankruptcy, EmergencyBuyTrain, is_needed, loses_presidency
from engine.steps.stock import sale_choice
from engine.titles.canada.round import CanadaOperatingRound


class PayDebt(Step):
    """A president whose cash is negative sells shares until it is not; all else waits (13.3)."""

    __slots__ = ()
    name = "cash_crisis"

    @property
    def turn(self) -> CanadaOperatingRound:
        return cast(CanadaOperatingRound, self.round)

    def active(self) -> bool:
        return self.current() is not None

    def current(self) -> Player | None:
        player = self.turn.crisis_player
        return player if player is not None and player.cash < 0 else None

    def actions(self, entity: Entity) -> Sequence[str]:
        return ("sell_shares",) if entity is self.current() else ()

    def may_sell(self, player: Player, bundle: Bundle) -> bool:
        """Legal, no bigger than needed, and not losing the presidency of the corporation that caused the
        debt.
        """
        if not self.game.title.shares.may_sell(self.game, player, bundle):
            return False
        if bundle.corporation in self.turn.crisis_causes and loses_presidency(player, bundle):
            return False
        return is_needed(bundle, -player.cash)

    def do_sell_shares(self, action: SellShares) -> None:
        player = self.player_of(action)
        bundle = self.game.bundle(action.shares, action.percent)
        if not self.may_sell(player, bundle):
            raise RuleError(f"{player.name} may not sell {', '.join(action.shares)} to pay the debt")
        shares.sell(self.game, bundle)
        self.turn.reorder_rest()

    def choices(self, entity: Entity) -> Iterator[Choice]:
        if not isinstance(entity, Player):
            return
        for corporation in self.game.corporations:
            seen: set[int] = set()
            for bundle in shares.bundles(entity, corporation):
                if bundle.percent not in seen and self.may_sell(entity, bundle):
                    seen.add(bundle.percent)
                    yield sale_choice(entity, bundle)


class CanadaBankruptcy(Bankruptcy):
    """For a train that must be bought, or a debt that cannot be paid. The game ends (15.9)."""

    __slots__ = ()

    @property
    def turn(self) -> CanadaOperatingRound:
        return cast(CanadaOperatingRound, self.round)

    def actions(self, entity: Entity) -> Sequence[str]:
        if self.turn.crisis_player is None or not isinstance(entity, Player | Corporation):
            return ()
        if self.game.strict and not self.is_bankrupt():
            return ()
        return ("bankrupt",)

    def debtor(self) -> Player | None:
        step = self.round.step(PayDebt)
        return None if step is None else step.current()

    def is_bankrupt(self) -> bool:
        """Can the money that is asked for not be raised?"""
        debtor = self.debtor()
        if debtor is not None:
            return debtor.cash + self.sellable_value(debtor) < 0
        corporation = self.round.current
        return isinstance(corporation, Corporation) and self.is_ruined(corporation)

    def sellable_value(self, player: Player) -> int:
        found = [self.best_bundle(player, corporation) for corporation in self.game.corporations]
        return sum(bundle.price for bundle in found if bundle is not None)

    def best_bundle(self, player: Player, corporation: Corporation) -> Bundle | None:
        """The dearest bundle that could be sold in the step that asks for money."""
        step = self.round.step(PayDebt) if self.debtor() is not None else self.round.step(EmergencyBuyTrain)
        if not isinstance(step, PayDebt | EmergencyBuyTrain):
            return None
        legal = [bundle for bundle in shares.bundles(player, corporation) if step.may_sell(player, bundle)]
        return max(legal, key=lambda bundle: bundle.price, default=None)

    def do_bankrupt(self, action: BankruptAction) -> None:
        entity = self.game.entity_of(action)
        player = entity if isinstance(entity, Player) else entity.owner
        if not isinstance(player, Player):
            raise RuleError(f"{entity.name} has no president who could be bankrupt")
        self.declare(player, cast(Corporation, self.round.current))

    def declare(self, player: Player, corporation: Corporation) -> None:
        game = self.game
        for other in game.in_market_order(list(player.shares)):
            while other.price is not None:
                bundle = self.best_bundle(player, other)
                if bundle is None:
                    break
                shares.sell(game, bundle)
        self.turn.reorder_rest()
        if player.cash < 0:
            game.pay(game.bank, player, -player.cash)
        else:
            pay(player, game.bank, player.cash)
        player.bankrupt = True

    def choices(self, entity: Entity) -> Iterator[Choice]:
        debtor = self.debtor()
        actor: Entity | None = debtor if debtor is not None else self.round.current
        if entity is actor and self.is_bankrupt():
            kind = "player" if isinstance(entity, Player) else "corporation"
            yield Choice("bankrupt", True, BankruptAction(entity=entity.id, entity_type=kind))

"""Buying trains (rules: common 5.2, 5.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from engine.actions import BuyTrain as BuyTrainAction
from engine.core.corporation import Corporation
from engine.core.trains import Train
from engine.errors import RuleError
from engine.legal import Choice
from engine.rounds.operating import OperatingRound
from engine.steps.base import Entity, Step
from engine.trains import take_over, train_arrives


class BuyTrain(Step):
    """The corporation on turn buys trains. Money beyond its treasury is left to subclasses."""

    __slots__ = ()
    name = "buy_train"

    @property
    def turn(self) -> OperatingRound:
        return cast(OperatingRound, self.round)

    # -- what is possible ------------------------------------------------------------------------------------

    def must_buy(self, corporation: Corporation) -> bool:
        """No train, trains in the bank, and the title's duty to own one."""
        return (
            not corporation.trains
            and bool(self.game.depot_trains())
            and self.game.title.trains.must_own(self.game, corporation)
        )

    def money(self, corporation: Corporation) -> int:
        """What decides whether the step is offered."""
        return corporation.cash

    def can_buy(self, corporation: Corporation) -> bool:
        """Room and money for the cheapest train on offer (others' trains count as 1), or for a trade-in."""
        money = self.money(corporation)
        if self.game.title.trains.room(self.game, corporation):
            prices = [train.price for train in self.game.depot_trains()]
            if self.counted_others(corporation):
                prices.append(1)
            if prices and money >= min(prices):
                return True
        return any(price <= money for _, _, price in self.trade_ins(corporation))

    def counted_others(self, corporation: Corporation) -> bool:
        """Does any other corporation have a train that counts as an offer?"""
        return any(
            train.owner is not None and train.owner is not corporation and self.counts(train)
            for train in self.game.depot.trains.values()
        )

    @staticmethod
    def counts(train: Train) -> bool:
        return train.sellable and not train.rusted and not train.obsolete

    def trade_ins(self, corporation: Corporation) -> list[tuple[Train, Train, int]]:
        """(own train, bank train, reduced price) of every trade-in."""
        if not self.trade_in_allowed(corporation):
            return []
        found = []
        for bank_train in self.game.depot_trains():
            for own in corporation.trains:
                reduction = bank_train.kind.discounts.get(own.name)
                if reduction:
                    found.append((own, bank_train, bank_train.price - reduction))
        return found

    def trade_in_allowed(self, corporation: Corporation) -> bool:
        return True

    def offered_bank_trains(self, corporation: Corporation) -> list[Train]:
        return self.game.depot_trains()

    def offered_others(self, corporation: Corporation) -> list[Train]:
        return self.game.title.trains.others_trains(self.game, corporation)

    def actions(self, entity: Entity) -> Sequence[str]:
        if entity is not self.round.current or not isinstance(entity, Corporation):
            return ()
        if self.must_buy(entity):
            return ("buy_train",)
        return ("buy_train", "pass") if self.can_buy(entity) else ()

    # -- doing it --------------------------------------------------------------------------------------------

    def do_buy_train(self, action: BuyTrainAction) -> None:
        corporation = self.corporation_of(action)
        train = self.game.depot.train(action.train)
        if action.variant not in (None, train.name):
            raise RuleError(f"train {train.id} comes as {train.name} only, not as {action.variant}")
        exchanged = None if action.exchange is None else self.game.depot.train(action.exchange)
        self.check_purchase(corporation, train, action.price, exchanged)
        self.raise_money(corporation, train, action.price)
        self.buy(corporation, train, action.price, exchanged)
        if not self.can_buy(corporation):
            self.finish()

    def check_purchase(
        self, corporation: Corporation, train: Train, price: int, exchanged: Train | None
    ) -> None:
        """Raises RuleError unless the train is for sale to the corporation at this price."""
        game = self.game
        if train.owner is corporation:
            raise RuleError(f"{corporation.name} already owns train {train.id}")
        if train.owner is None:
            if train not in game.depot_trains():
                raise RuleError(f"train {train.id} is not on sale")
        elif train not in self.offered_others(corporation):
            raise RuleError(f"train {train.id} of {train.owner.name} is not for sale to {corporation.name}")
        if price < 1:
            raise RuleError(f"a train costs at least 1, not {price}")
        if exchanged is not None:
            self.check_exchange(corporation, train, price, exchanged)
        elif game.strict and not game.title.trains.room(game, corporation):
            raise RuleError(f"{corporation.name} has no room for another train")
        elif train.owner is None and game.strict and price != train.price:
            raise RuleError(f"train {train.id} costs {train.price}, not {price}")
        if train.owner is not None:
            lowest, highest = self.price_range(corporation, train)
            if not lowest <= price <= highest:
                raise RuleError(
                    f"train {train.id} costs {corporation.name} from {lowest} to {highest}, not {price}"
                )

    def check_exchange(self, corporation: Corporation, train: Train, price: int, exchanged: Train) -> None:
        prices = [
            cost for own, bank, cost in self.trade_ins(corporation) if own is exchanged and bank is train
        ]
        if not prices:
            raise RuleError(f"{corporation.name} cannot trade in {exchanged.id} for {train.id}")
        if self.game.strict and price != prices[0]:
            raise RuleError(f"train {train.id} costs {prices[0]} with {exchanged.id} traded in, not {price}")

    def highest_for_others(self, corporation: Corporation) -> int:
        """The most that it may pay for another corporation's train."""
        return corporation.cash

    def price_range(self, corporation: Corporation, train: Train) -> tuple[int, int]:
        """Lowest and highest price for another corporation's train; empty if not affordable."""
        return 1, self.highest_for_others(corporation)

    def raise_money(self, corporation: Corporation, train: Train, price: int) -> None:
        """Brings missing money in; without it the payment fails."""

    def buy(self, corporation: Corporation, train: Train, price: int, exchanged: Train | None = None) -> None:
        """Pays, moves the train, and lets everything happen that the purchase sets off."""
        game = self.game
        if exchanged is not None:
            game.depot.discard(exchanged)
        seller = train.owner
        game.pay(corporation, game.bank if seller is None else seller, price)
        take_over(game, corporation, train)
        self.turn.bought = (*self.turn.bought, train)
        train_arrives(game, train)
        if not self.can_buy(corporation):
            self.finish()

    # -- listing ---------------------------------------------------------------------------------------------

    def affordable(self, corporation: Corporation, train: Train) -> bool:
        """Can the corporation pay for this bank train?"""
        return train.price <= self.money(corporation)

    def choices(self, entity: Entity) -> Iterator[Choice]:
        if not isinstance(entity, Corporation):
            return
        discarded = set(self.game.depot.discarded)
        if self.game.title.trains.room(self.game, entity):
            for train in self.offered_bank_trains(entity):
                if self.affordable(entity, train):
                    source = "discard" if train in discarded else "depot"
                    yield purchase(entity, train, source, train.price, train.price)
            seen: set[tuple[str, str]] = set()
            for train in self.offered_others(entity):
                owner = train.owner
                lowest, highest = self.price_range(entity, train)
                if owner is not None and lowest <= highest and (owner.id, train.name) not in seen:
                    seen.add((owner.id, train.name))
                    yield purchase(entity, train, owner.id, lowest, highest)
        exchanges: set[tuple[str, str, str]] = set()
        for own, train, price in self.trade_ins(entity):
            source = "discard" if train in discarded else "depot"
            key = (source, train.name, own.name)
            if 1 <= price <= self.money(entity) and key not in exchanges:
                exchanges.add(key)
                yield purchase(entity, train, source, price, price, own)


def purchase(
    corporation: Corporation,
    train: Train,
    source: str,
    lowest: int,
    highest: int,
    exchanged: Train | None = None,
) -> Choice:
    """A purchase as a choice."""
    action = BuyTrainAction(
        entity=corporation.id,
        entity_type="corporation",
        train=train.id,
        price=lowest,
        variant=train.name,
        exchange=None if exchanged is None else exchanged.id,
    )
    item = [source, train.name, lowest, highest, None if exchanged is None else exchanged.name]
    return Choice("buy_train", item, action, highest=highest if highest > lowest else None)

"""Buying and borrowing trains in 1856 (rules: 1856 sections 15 and 19)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.actions import BorrowTrain
from engine.core.corporation import Corporation
from engine.core.trains import Train
from engine.errors import RuleError
from engine.legal import Choice
from engine.steps.base import Entity, Step
from engine.steps.emergency import EmergencyBuyTrain
from engine.titles.canada.national import owns_permanent, permanent
from engine.titles.canada.state import CanadaNumbers, canada
from engine.trains import take_over


class BorrowBestTrain(Step):
    """Until it has owned a permanent train the trainless national may borrow the best train (19.4)."""

    __slots__ = ()
    name = "borrow_train"

    def borrowable(self, entity: Entity) -> Train | None:
        state = canada(self.game)
        if not state.is_national(entity) or state.has_been_permanent or state.national.trains:
            return None
        names = CanadaNumbers.of(self.game).best_trains
        return next((train for train in self.game.depot_trains() if train.name in names), None)

    def actions(self, entity: Entity) -> Sequence[str]:
        if entity is not self.round.current or self.borrowable(entity) is None:
            return ()
        return ("borrow_train", "pass")

    def do_borrow_train(self, action: BorrowTrain) -> None:
        corporation = self.corporation_of(action)
        train = self.borrowable(corporation)
        if train is None or train.id != action.train:
            raise RuleError(f"{corporation.name} cannot borrow train {action.train}")
        take_over(self.game, corporation, train)
        train.operated = False
        canada(self.game).borrowed = train
        self.finish()

    def choices(self, entity: Entity) -> Iterator[Choice]:
        train = self.borrowable(entity)
        if train is not None:
            action = BorrowTrain(entity=entity.id, entity_type="corporation", train=train.id)
            yield Choice("borrow_train", train.name, action)


class CanadaBuyTrain(EmergencyBuyTrain):
    """The national trades at face value only and buys nothing that rusts (19.5)."""

    __slots__ = ()

    def must_buy(self, corporation: Corporation) -> bool:
        state = canada(self.game)
        if not state.is_national(corporation) or state.has_been_permanent:
            return super().must_buy(corporation)
        numbers = CanadaNumbers.of(self.game)
        if corporation.cash > numbers.train_price:
            return True
        tradable = any(not permanent(train) for train in corporation.trains)
        return tradable and corporation.cash > numbers.trade_in_price

    def cheapest(self) -> Train | None:
        """A train that it may not buy does not stand in the way of the president's help."""
        corporation = self.round.current
        offered = self.offered_bank_trains(corporation) if isinstance(corporation, Corporation) else []
        return min(offered, key=lambda train: train.price, default=None)

    def acceptable(self, corporation: Corporation, train: Train) -> bool:
        return permanent(train) or not canada(self.game).is_national(corporation)

    def offered_bank_trains(self, corporation: Corporation) -> list[Train]:
        return [t for t in super().offered_bank_trains(corporation) if self.acceptable(corporation, t)]

    def offered_others(self, corporation: Corporation) -> list[Train]:
        return [t for t in super().offered_others(corporation) if self.acceptable(corporation, t)]

    def price_range(self, corporation: Corporation, train: Train) -> tuple[int, int]:
        state = canada(self.game)
        if not state.is_national(corporation) and not state.is_national(train.owner):
            return super().price_range(corporation, train)
        return train.price, min(train.price, self.highest_for_others(corporation))

    def check_purchase(
        self, corporation: Corporation, train: Train, price: int, exchanged: Train | None
    ) -> None:
        super().check_purchase(corporation, train, price, exchanged)
        if self.game.strict and not self.acceptable(corporation, train):
            raise RuleError(f"{corporation.name} buys permanent trains only, not {train.id}")

    def buy(self, corporation: Corporation, train: Train, price: int, exchanged: Train | None = None) -> None:
        super().buy(corporation, train, price, exchanged)
        if canada(self.game).is_national(corporation) and permanent(train):
            owns_permanent(self.game)

    def finish(self) -> None:
        state = canada(self.game)
        if state.borrowed is not None and state.is_national(self.round.current):
            self.game.depot.discard(state.borrowed)
            state.borrowed = None
        super().finish()

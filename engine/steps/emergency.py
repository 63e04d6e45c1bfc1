"""Forced purchases with the president's money and shares (rules: common 5.6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine import shares
from engine.actions import Bankrupt as BankruptAction
from engine.actions import SellShares
from engine.core.corporation import Corporation, Player
from engine.core.shares import Bundle
from engine.core.trains import Train
from engine.errors import RuleError
from engine.legal import Choice
from engine.steps.base import Entity, Step
from engine.steps.buy_train import BuyTrain, purchase
from engine.steps.stock import sale_choice


class EmergencyBuyTrain(BuyTrain):
    """If the corporation must buy and cannot pay for the cheapest bank train, its president adds the
    difference.

    `sold_for`: corporations whose shares the president has sold in this step, in order.
    """

    __slots__ = ("sold_for",)
    sold_for: tuple[Corporation, ...]

    def begin_turn(self) -> None:
        self.sold_for = ()

    def finish(self) -> None:
        super().finish()
        self.sold_for = ()

    # -- money -----------------------------------------------------------------------------------------------

    def cheapest(self) -> Train | None:
        return min(self.game.depot_trains(), key=lambda train: train.price, default=None)

    def president(self) -> Player | None:
        corporation = self.round.current
        owner = corporation.owner if isinstance(corporation, Corporation) else None
        return owner if isinstance(owner, Player) else None

    def missing(self, corporation: Corporation) -> int:
        """What treasury and president's cash lack for the cheapest bank train; 0 or less if nothing."""
        cheapest, president = self.cheapest(), self.president()
        if cheapest is None or president is None:
            return 0
        return cheapest.price - corporation.cash - president.cash

    def in_need(self, corporation: Corporation) -> bool:
        """Must it buy, and can it not pay for the cheapest bank train itself?"""
        cheapest = self.cheapest()
        return (
            cheapest is not None
            and self.must_buy(corporation)
            and self.game.title.trains.room(self.game, corporation)
            and corporation.cash < cheapest.price
        )

    def actions(self, entity: Entity) -> Sequence[str]:
        corporation = self.round.current
        if isinstance(corporation, Corporation) and entity is self.president():
            return ("sell_shares",) if self.may_raise(corporation) else ()
        return super().actions(entity)

    def may_raise(self, corporation: Corporation) -> bool:
        """May the president sell now? A trusting game does not ask whether the purchase is mandatory."""
        if self.missing(corporation) <= 0:
            return False
        return not self.game.strict or self.in_need(corporation)

    # -- buying ----------------------------------------------------------------------------------------------

    def highest_for_others(self, corporation: Corporation) -> int:
        return 0 if self.sold_for else corporation.cash

    def raise_money(self, corporation: Corporation, train: Train, price: int) -> None:
        short = price - corporation.cash
        if short <= 0:
            return
        cheapest, president = self.cheapest(), self.president()
        if not self.must_buy(corporation) or president is None:
            raise RuleError(
                f"{corporation.name} has {corporation.cash} and cannot pay {price} for train {train.id}"
            )
        if train.owner is not None or cheapest is None or train.price > cheapest.price:
            raise RuleError("a president helps to buy the cheapest train of the bank only")
        if price > train.price:
            raise RuleError(f"a president adds money up to the price {train.price}, not for {price}")
        self.game.pay(president, corporation, short)

    def check_exchange(self, corporation: Corporation, train: Train, price: int, exchanged: Train) -> None:
        super().check_exchange(corporation, train, price, exchanged)
        if price > corporation.cash:
            raise RuleError("a president does not help with a trade-in")

    # -- selling ---------------------------------------------------------------------------------------------

    def may_sell(self, player: Player, bundle: Bundle) -> bool:
        """Is this sale allowed while money is raised: legal, no bigger than needed, own presidency kept?"""
        corporation = self.round.current
        if not isinstance(corporation, Corporation) or not self.game.title.shares.may_sell(
            self.game, player, bundle
        ):
            return False
        if self.game.title.shares.one_block_per_turn and bundle.corporation in self.sold_for:
            return False
        if bundle.corporation is corporation and loses_presidency(player, bundle):
            return False
        return is_needed(bundle, self.missing(corporation))

    def do_sell_shares(self, action: SellShares) -> None:
        player = self.player_of(action)
        bundle = self.game.bundle(action.shares, action.percent)
        if not self.may_sell(player, bundle):
            raise RuleError(f"{player.name} may not sell {', '.join(action.shares)} to raise money")
        self.sold_for = (*self.sold_for, bundle.corporation)
        shares.sell(self.game, bundle)
        self.turn.reorder_rest()

    def sellable_value(self, player: Player) -> int:
        """The best legal bundle of each corporation, added up."""
        total = 0
        for corporation in self.game.corporations:
            legal = [b.price for b in shares.bundles(player, corporation) if self.may_sell(player, b)]
            total += max(legal, default=0)
        return total

    def ruined(self, corporation: Corporation) -> bool:
        """Is all that treasury and president have or can sell less than the cheapest bank train costs?"""
        president = self.president()
        return (
            president is not None
            and self.in_need(corporation)
            and (self.sellable_value(president) < self.missing(corporation))
        )

    # -- listing ---------------------------------------------------------------------------------------------

    def choices(self, entity: Entity) -> Iterator[Choice]:
        corporation = self.round.current
        if isinstance(entity, Player) and isinstance(corporation, Corporation):
            for other in self.game.corporations:
                seen: set[int] = set()
                for bundle in shares.bundles(entity, other):
                    if bundle.percent not in seen and self.may_sell(entity, bundle):
                        seen.add(bundle.percent)
                        yield sale_choice(entity, bundle)
            return
        yield from super().choices(entity)
        if isinstance(entity, Corporation) and self.in_need(entity) and self.missing(entity) <= 0:
            cheapest = self.cheapest()
            assert cheapest is not None
            source = "discard" if cheapest in self.game.depot.discarded else "depot"
            yield purchase(entity, cheapest, source, cheapest.price, cheapest.price)


class Bankruptcy(Step):
    """A president who cannot raise the money goes bankrupt. What follows is the title's: subclasses `declare`
    it.
    """

    __slots__ = ()
    name = "bankrupt"
    blocks = False

    def buying(self) -> EmergencyBuyTrain | None:
        step = self.round.step(EmergencyBuyTrain)
        return step if step is not None and step.active() else None

    def is_ruined(self, corporation: Corporation) -> bool:
        step = self.buying()
        return step is not None and self.round.active_step() is step and step.ruined(corporation)

    def actions(self, entity: Entity) -> Sequence[str]:
        if entity is not self.round.current or not isinstance(entity, Corporation):
            return ()
        step = self.buying()
        return ("bankrupt",) if step is not None and step.blocking() else ()

    def do_bankrupt(self, action: BankruptAction) -> None:
        corporation = self.round.current
        assert isinstance(corporation, Corporation)
        if self.game.strict and not self.is_ruined(corporation):
            raise RuleError(f"{corporation.name}'s president can still raise the money for a train")
        owner = corporation.owner
        if not isinstance(owner, Player):
            raise RuleError(f"{corporation.name} has no president")
        self.declare(owner, corporation)

    def declare(self, player: Player, corporation: Corporation) -> None:
        """Executes the bankruptcy."""
        raise NotImplementedError

    def choices(self, entity: Entity) -> Iterator[Choice]:
        if isinstance(entity, Corporation) and self.is_ruined(entity):
            yield Choice("bankrupt", True, BankruptAction(entity=entity.id, entity_type="corporation"))


def loses_presidency(player: Player, bundle: Bundle) -> bool:
    """Would another player hold more after the sale?"""
    corporation = bundle.corporation
    if corporation.owner is not player:
        return False
    others = [
        percent
        for holder, percent in corporation.holdings.items()
        if isinstance(holder, Player) and holder is not player
    ]
    return corporation.holdings.get(player, 0) - bundle.percent < max(others, default=0)


def is_needed(bundle: Bundle, missing: int) -> bool:
    """A sale may not be bigger than needed: without its cheapest certificate it must not suffice."""
    cheapest = min(bundle.cost_of(share) for share in bundle.shares)
    return bundle.price - cheapest < missing

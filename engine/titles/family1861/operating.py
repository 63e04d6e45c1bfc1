"""Operating rounds of 1861 and 1867 (rules: 1861 section 10)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine import shares
from engine.actions import Action, BuyShares, Choose, Pass
from engine.board.hexes import Hex, Piece
from engine.core.corporation import Corporation
from engine.core.shares import Bundle
from engine.core.trains import Train
from engine.errors import RuleError
from engine.legal import Choice
from engine.rounds.operating import OperatingRound
from engine.steps.base import Entity, Step
from engine.steps.buy_company import BlockingBuyCompany, BuyCompany
from engine.steps.buy_train import BuyTrain
from engine.steps.dividend import Dividend
from engine.steps.token import Token
from engine.steps.track import Track
from engine.titles.family1861 import loans
from engine.titles.family1861.events import check_trainless, place_gray_tile_token
from engine.titles.family1861.nationalization import nationalize
from engine.titles.family1861.rules import FamilyTitleRules
from engine.titles.family1861.state import family


def national(entity: Entity) -> bool:
    return isinstance(entity, Corporation) and entity.kind == "national"


class FamilyOperatingRound(OperatingRound):
    """Minors, majors, and the national where it operates."""

    __slots__ = ()

    def skips(self, corporation: Corporation) -> bool:
        if corporation.kind == "national":
            return (
                not FamilyTitleRules.of(self.game).national_operates or not 4 <= int(self.game.phase.name) < 8
            )
        return not corporation.floated or corporation not in self.game.corporations

    def before_operating(self, corporation: Corporation) -> None:
        if corporation.kind == "national":
            self.national_home(corporation)

    def national_home(self, corporation: Corporation) -> None:
        """Its first turn puts a token into the last city of its home, unless it has one there (1861 14.2)."""
        state = family(self.game)
        home = corporation.home_hexes[0]
        hex_ = self.game.board.hex(home)
        token = corporation.next_token
        if home not in state.claims or token is None or any(c.has_token_of(corporation) for c in hex_.cities):
            return
        state.claims = tuple([claim for claim in state.claims if claim != home])
        self.game.board.put_token(token, hex_.cities[-1])


class MajorTrainless(Step):
    """Trainless majors decide whether to be nationalized (1861 16.2)."""

    __slots__ = ()
    name = "major_trainless"

    def active(self) -> bool:
        return bool(family(self.game).trainless)

    def current(self) -> Corporation | None:
        waiting = family(self.game).trainless
        return waiting[0] if waiting else None

    def actions(self, entity: Entity) -> Sequence[str]:
        return ("choose", "pass") if entity in family(self.game).trainless else ()

    def _decided(self, corporation: Corporation) -> None:
        state = family(self.game)
        state.trainless = tuple([other for other in state.trainless if other is not corporation])

    def do_pass(self, action: Pass) -> None:
        self._decided(self.corporation_of(action))

    def do_choose(self, action: Choose) -> None:
        corporation = self.corporation_of(action)
        if action.choice != "nationalize":
            raise RuleError(f"the choice is to nationalize or to pass, not {action.choice!r}")
        self._decided(corporation)
        nationalize(self.game, corporation)

    def choices(self, entity: Entity) -> Iterator[Choice]:
        action = Choose(entity=entity.id, entity_type="corporation", choice="nationalize")
        yield Choice("choose", "nationalize", action)


class FamilyBuyCompany(BuyCompany):
    """Early purchase of privates; not by the national."""

    __slots__ = ()

    def actions(self, entity: Entity) -> Sequence[str]:
        return () if national(entity) else super().actions(entity)


class LateBuyCompany(BlockingBuyCompany):
    """Last chance to buy privates."""

    __slots__ = ()

    def actions(self, entity: Entity) -> Sequence[str]:
        return () if national(entity) else super().actions(entity)


class PreloanBuyCompany(LateBuyCompany):
    """Purchase of privates before loans are repaid; passes by itself without loans."""

    __slots__ = ()
    name = "buy_company_preloan"

    def auto_actions(self, entity: Entity) -> list[Action]:
        if isinstance(entity, Corporation) and not entity.loans:
            return [Pass(entity=entity.id, entity_type="corporation")]
        return []


class RedeemShares(Step):
    """A corporation buys back a bundle of its shares from the market (1861 10.4)."""

    __slots__ = ()
    name = "redeem_shares"

    def redeemable(self, corporation: Corporation) -> list[Bundle]:
        if not self.game.market.shares_of(corporation):
            return []
        found = shares.bundles(self.game.market, corporation)
        return [bundle for bundle in found if bundle.price <= corporation.cash]

    def actions(self, entity: Entity) -> Sequence[str]:
        if entity is not self.round.current or not isinstance(entity, Corporation) or national(entity):
            return ()
        return ("buy_shares", "pass") if self.redeemable(entity) else ()

    def do_buy_shares(self, action: BuyShares) -> None:
        corporation = self.corporation_of(action)
        bundle = self.game.bundle(action.shares, action.percent)
        if bundle.corporation is not corporation or bundle.holder is not self.game.market or bundle.partial:
            raise RuleError(f"{corporation.name} may buy only its own shares from the market")
        shares.buy(self.game, corporation, bundle)
        self.finish()

    def choices(self, entity: Entity) -> Iterator[Choice]:
        if not isinstance(entity, Corporation):
            return
        for bundle in self.redeemable(entity):
            action = BuyShares(
                entity=entity.id,
                entity_type="corporation",
                shares=[share.id for share in bundle.shares],
                percent=bundle.percent,
            )
            yield Choice("buy_shares", [entity.id, "market", bundle.percent, bundle.price], action)


class FamilyTrack(Track):
    """Tiles are paid with automatic loans; the gray capital gives the national a token."""

    __slots__ = ()

    def actions(self, entity: Entity) -> Sequence[str]:
        return () if national(entity) else super().actions(entity)

    def pay(self, corporation: Corporation, cost: int) -> None:
        loans.borrow_for(self.game, corporation, cost)
        super().pay(corporation, cost)

    def lay(self, corporation: Corporation, hex_: Hex, piece: Piece, rotation: int, price: int) -> None:
        super().lay(corporation, hex_, piece, rotation, price)
        if piece.name == FamilyTitleRules.of(self.game).gray_tile_token:
            place_gray_tile_token(self.game, hex_)


class FamilyToken(Token):
    """Passes by itself if no reached place is affordable."""

    __slots__ = ()

    def actions(self, entity: Entity) -> Sequence[str]:
        return () if national(entity) else super().actions(entity)

    def auto_actions(self, entity: Entity) -> list[Action]:
        if not isinstance(entity, Corporation) or any(True for _ in self.choices(entity)):
            return []
        return [Pass(entity=entity.id, entity_type="corporation")]


class FamilyDividend(Dividend):
    """Minors pay half by themselves; majors choose; the national keeps all (1861 10.7)."""

    __slots__ = ()
    kinds = ("payout", "withhold", "half")

    def actions(self, entity: Entity) -> Sequence[str]:
        if not isinstance(entity, Corporation) or entity.kind != "major":
            return ()
        return super().actions(entity)

    def skip(self) -> None:
        corporation = self.round.current
        if isinstance(corporation, Corporation) and corporation.kind == "minor" and self.revenue() > 0:
            self.settle(corporation, "payout")
        else:
            super().skip()

    def withheld(self, corporation: Corporation, kind: str, revenue: int) -> int:
        if corporation.kind == "minor" and kind == "payout":
            return revenue // 2
        if corporation.kind == "national":
            return revenue
        return super().withheld(corporation, kind, revenue)

    def pay_shares(self, corporation: Corporation, paid: int) -> None:
        if corporation.kind != "minor":
            super().pay_shares(corporation, paid)
            return
        owner = corporation.owner
        for player in self.game.players:
            if player is owner:
                self.game.pay(self.game.bank, player, paid)

    def price_move(self, corporation: Corporation, paid: int) -> str | None:
        if corporation.kind == "national":
            return None
        if paid == 0:
            return "left"
        if corporation.kind == "minor":
            return "right"
        price = corporation.price.price if corporation.price is not None else 0
        return "right" if paid >= price else None


class LoanOperations(Step):
    """Interest and repayment, automatic (1861 10.8)."""

    __slots__ = ()
    name = "loan_operations"

    def actions(self, entity: Entity) -> Sequence[str]:
        return ()

    def skip(self) -> None:
        self.finish()
        corporation = self.round.current
        if not isinstance(corporation, Corporation):
            return
        if not loans.pay_interest(self.game, corporation):
            nationalize(self.game, corporation)
            return
        loans.repay(self.game, corporation)
        loans.fix_interest_of(self.game, corporation)


class FamilyBuyTrain(BuyTrain):
    """Loans help to a first train from the bank; who ends without a train is nationalized (1861 10.9)."""

    __slots__ = ()

    def actions(self, entity: Entity) -> Sequence[str]:
        return () if national(entity) else super().actions(entity)

    def money(self, corporation: Corporation) -> int:
        return loans.loan_power(corporation) if self.must_buy(corporation) else corporation.cash

    def trade_in_allowed(self, corporation: Corporation) -> bool:
        return self.game.phase.name == "8"

    def offered_others(self, corporation: Corporation) -> list[Train]:
        return [train for train in super().offered_others(corporation) if not national_owns(train)]

    def raise_money(self, corporation: Corporation, train: Train, price: int) -> None:
        if self.must_buy(corporation) and train.owner is None:
            loans.borrow_for(self.game, corporation, price)
        if price > corporation.cash:
            raise RuleError(
                f"{corporation.name} has {corporation.cash} and cannot pay {price} for train {train.id}"
            )

    def buy(self, corporation: Corporation, train: Train, price: int, exchanged: Train | None = None) -> None:
        super().buy(corporation, train, price, exchanged)
        check_trainless(self.game)

    def finish(self) -> None:
        super().finish()
        corporation = self.round.current
        if isinstance(corporation, Corporation) and not corporation.trains:
            nationalize(self.game, corporation)

    def skip(self) -> None:
        corporation = self.round.current
        if not national(corporation):
            super().skip()
            return
        self.national_buys(corporation)

    def national_buys(self, corporation: Corporation) -> None:
        """The cheapest train of the bank if it has none, then the next of the stack while it can pay (1861
        14.3).
        """
        depot = self.game.depot
        if self.must_buy(corporation):
            cheapest = min(self.game.depot_trains(), key=lambda train: train.price)
            self.purchase(corporation, cheapest)
        while corporation.cash >= depot.upcoming[0].price:
            self.purchase(corporation, depot.upcoming[0])

    def purchase(self, corporation: Corporation, train: Train) -> None:
        self.raise_money(corporation, train, train.price)
        self.buy(corporation, train, train.price)
        if not self.can_buy(corporation):
            self.finish()


def national_owns(train: Train) -> bool:
    return train.owner is not None and train.owner.kind == "national"

"""Paying out or withholding (rules: common 4.11)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, cast

from engine.actions import Dividend as DividendAction
from engine.core.corporation import Corporation, Owner
from engine.core.shares import ShareHolder
from engine.errors import RuleError
from engine.legal import Choice
from engine.rounds.operating import OperatingRound
from engine.steps.base import Entity, Step


class Dividend(Step):
    """Titles subclass it for their kinds of payment, their price moves, and who gets what."""

    __slots__ = ()
    name = "dividend"
    kinds: ClassVar[tuple[str, ...]] = ("payout", "withhold")

    @property
    def turn(self) -> OperatingRound:
        return cast(OperatingRound, self.round)

    def revenue(self) -> int:
        return sum((revenue for _, revenue in self.turn.routes), self.turn.extra_revenue)

    def actions(self, entity: Entity) -> Sequence[str]:
        if entity is not self.round.current or not isinstance(entity, Corporation) or self.revenue() == 0:
            return ()
        return ("dividend",)

    def do_dividend(self, action: DividendAction) -> None:
        if action.kind not in self.kinds:
            raise RuleError(f"a dividend is one of {', '.join(self.kinds)}, not {action.kind!r}")
        self.settle(self.corporation_of(action), action.kind)

    def skip(self) -> None:
        corporation = self.round.current
        if isinstance(corporation, Corporation):
            self.settle(corporation, "withhold")

    def settle(self, corporation: Corporation, kind: str) -> None:
        """The whole stage in the order of common 4.11."""
        game, turn = self.game, self.turn
        revenue = self.revenue()
        withheld = self.withheld(corporation, kind, revenue)
        if turn.routes:
            self.ran_trains(corporation)
        for train in corporation.trains:
            train.operated = True
        for train in corporation.trains:
            if train.obsolete:
                game.depot.remove(train)
        turn.routes = ()
        turn.extra_revenue = 0
        game.pay(game.bank, corporation, withheld)
        if revenue > withheld:
            self.pay_shares(corporation, revenue - withheld)
        direction = self.price_move(corporation, revenue - withheld)
        if direction is not None:
            game.title.movement.move(game.stock_market, corporation, direction)
        corporation.operated = True
        self.finish()

    def ran_trains(self, corporation: Corporation) -> None:
        """What running trains sets off, such as companies closing."""

    def withheld(self, corporation: Corporation, kind: str, revenue: int) -> int:
        """What the corporation keeps: nothing, all, or half rounded down to whole shares."""
        if kind == "withhold":
            return revenue
        if kind == "half":
            return revenue // 2 // corporation.total_shares * corporation.total_shares
        return 0

    def pay_shares(self, corporation: Corporation, paid: int) -> None:
        """The bank pays each player, then each corporation, rounded up for each holder."""
        game = self.game
        holders: list[Owner] = [*game.players, *game.corporations]
        for holder in holders:
            source: ShareHolder = self.own_share_source(corporation) if holder is corporation else holder
            game.pay(game.bank, holder, share_of(corporation, source, paid))

    def own_share_source(self, corporation: Corporation) -> ShareHolder:
        """Whose certificates pay the corporation itself: its own if incremental, else the market's."""
        return corporation if corporation.capitalization == "incremental" else self.game.market

    def price_move(self, corporation: Corporation, paid: int) -> str | None:
        """Which way the price moves."""
        return "right" if paid > 0 else "left"

    def choices(self, entity: Entity) -> Iterator[Choice]:
        for kind in self.kinds:
            action = DividendAction(entity=entity.id, entity_type="corporation", kind=kind)
            yield Choice("dividend", kind, action)


def share_of(corporation: Corporation, holder: ShareHolder, paid: int) -> int:
    """The holder's part of `paid`, rounded up."""
    percent = holder.percent_of(corporation)
    return -(-percent * paid // (corporation.share_percent * corporation.total_shares))

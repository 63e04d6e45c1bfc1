"""The opening auction with the RhE's director certificate and its pending par (rules: 18rhl section 3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from engine import shares
from engine.actions import Par
from engine.core.company import Company, close_company
from engine.core.corporation import Corporation, Player
from engine.core.market import Cell
from engine.core.shares import Bundle
from engine.errors import RuleError
from engine.legal import Choice
from engine.rounds.auction import AuctionRound
from engine.steps.auction import WaterfallAuction
from engine.steps.base import Entity, Step
from engine.titles.rhineland.rules import DELAYED_SHARES, RHE
from engine.titles.rhineland.state import rhineland

SHARE_COMPANY = "NLK"
FREE_SHARE = "GVE_1"
LOWEST_PAR, HIGHEST_PAR = 70, 80


class RhinelandAuctionRound(AuctionRound):
    """`pending_par`: the private whose owner must set the RhE's par, if any."""

    __slots__ = ("pending_par",)
    pending_par: Company | None

    def begin_round(self) -> None:
        self.pending_par = None


class PendingPar(Step):
    """The owner of the director certificate sets the price before anything else happens."""

    __slots__ = ()
    name = "company_pending_par"

    @property
    def company(self) -> Company | None:
        return cast(RhinelandAuctionRound, self.round).pending_par

    def active(self) -> bool:
        return self.company is not None

    def current(self) -> Player | None:
        owner = self.company.owner if self.company is not None else None
        return owner if isinstance(owner, Player) else None

    def actions(self, entity: Entity) -> Sequence[str]:
        return ("par",) if entity is self.current() else ()

    def corporation(self) -> Corporation:
        return self.game.corporation(RHE)

    def cells(self) -> list[Cell]:
        cells = self.game.stock_market.par_cells("par")
        return [cell for cell in cells if LOWEST_PAR <= cell.price <= HIGHEST_PAR or not self.game.strict]

    def do_par(self, action: Par) -> None:
        game, player, corporation = self.game, self.player_of(action), self.corporation()
        cell = game.stock_market.cell(action.share_price)
        if action.corporation != corporation.id:
            raise RuleError(
                f"the price of {corporation.name} must be set now, not that of {action.corporation}"
            )
        if cell not in self.cells():
            raise RuleError(f"{corporation.name} starts at 70, 75 or 80, not at {cell.id}")
        game.stock_market.set_par(corporation, cell)
        shares.buy(game, player, Bundle.of(corporation.certificates[0]), free=True)
        game.pay(game.bank, corporation, rhineland(game).bid)
        company = self.company
        assert company is not None
        close_company(company)
        cast(RhinelandAuctionRound, self.round).pending_par = None

    def choices(self, entity: Entity) -> Iterator[Choice]:
        corporation = self.corporation()
        for cell in self.cells():
            action = Par(
                entity=entity.id, entity_type="player", corporation=corporation.id, share_price=cell.id
            )
            yield Choice("par", [corporation.id, cell.price, cell.row, cell.column], action)


class RhinelandAuction(WaterfallAuction):
    """Two privates bring shares with them."""

    __slots__ = ()

    def sold(self, player: Player, company: Company, price: int) -> None:
        if company.id == SHARE_COMPANY:
            shares.buy(self.game, player, Bundle.of(self.game.share(FREE_SHARE)), free=True)
        if company.id == RHE:
            self.director_sold(company, price)

    def director_sold(self, company: Company, price: int) -> None:
        """Three certificates go to the market; the par is set next."""
        rhineland(self.game).bid = price
        for certificate in self.game.corporation(RHE).certificates[1 : 1 + DELAYED_SHARES]:
            shares.hand_over(certificate, self.game.market)
        cast(RhinelandAuctionRound, self.round).pending_par = company

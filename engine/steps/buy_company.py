"""Corporations buy private companies from players (rules: common 5.7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.actions import BuyCompany as BuyCompanyAction
from engine.core.company import Company, transfer_company
from engine.core.corporation import Corporation, Player
from engine.errors import RuleError
from engine.legal import Choice
from engine.steps.base import Entity, Step


class BuyCompany(Step):
    """A chance to buy at any time of the turn; does not block."""

    __slots__ = ()
    name = "buy_company"
    blocks = False

    def on_sale(self) -> list[Company]:
        return [c for c in self.game.companies if not c.closed and isinstance(c.owner, Player)]

    def money(self, corporation: Corporation) -> int:
        """What decides whether the step is offered."""
        return corporation.cash

    def may_buy(self, entity: Entity) -> bool:
        if entity is not self.round.current or not isinstance(entity, Corporation):
            return False
        if "can_buy_companies" not in self.game.phase.status:
            return False
        prices = [company.min_price for company in self.on_sale()]
        return bool(prices) and min(prices) <= self.money(entity)

    def actions(self, entity: Entity) -> Sequence[str]:
        if not self.may_buy(entity):
            return ()
        return ("buy_company", "pass") if self.blocks else ("buy_company",)

    def do_buy_company(self, action: BuyCompanyAction) -> None:
        corporation = self.corporation_of(action)
        company = self.game.company(action.company)
        owner = company.owner
        if company.closed or not isinstance(owner, Player):
            raise RuleError(f"{company.name} is not for sale: no player owns it")
        if not company.min_price <= action.price <= company.max_price:
            raise RuleError(
                f"{company.name} costs from {company.min_price} to {company.max_price}, not {action.price}"
            )
        transfer_company(company, corporation)
        self.game.pay(corporation, owner, action.price)
        self.bought(corporation, company, owner)

    def bought(self, corporation: Corporation, company: Company, seller: Player) -> None:
        """What the sale of a company sets off."""

    def choices(self, entity: Entity) -> Iterator[Choice]:
        if not isinstance(entity, Corporation) or not self.may_buy(entity):
            return
        for company in self.on_sale():
            highest = min(company.max_price, entity.cash)
            if highest >= company.min_price:
                action = BuyCompanyAction(
                    entity=entity.id, entity_type="corporation", company=company.id, price=company.min_price
                )
                item = [company.id, company.min_price, highest]
                yield Choice("buy_company", item, action, highest=highest)


class BlockingBuyCompany(BuyCompany):
    """The last chance of the turn."""

    __slots__ = ()
    blocks = True

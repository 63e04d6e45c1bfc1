"""Steps of an operating turn in 1856: companies, loans, track, destinations, tokens, dividends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from engine.actions import (
    Action,
    DestinationConnection,
    LayTile,
    PayoffLoan,
    PlaceToken,
    TakeLoan,
)
from engine.core.company import Company
from engine.core.corporation import Corporation, Player
from engine.core.shares import ShareHolder
from engine.errors import RuleError
from engine.legal import Choice
from engine.steps.base import Entity, Step
from engine.steps.buy_company import BlockingBuyCompany, BuyCompany
from engine.steps.dividend import Dividend
from engine.steps.emergency import EmergencyBuyTrain
from engine.steps.token import Token
from engine.steps.track import Track
from engine.titles.canada import loans
from engine.titles.canada.destinations import newly_linked, reach_destination
from engine.titles.canada.powers import company_sold
from engine.titles.canada.round import CanadaOperatingRound
from engine.titles.canada.rules import station_power
from engine.titles.canada.state import STATION, canada


class CanadaBuyCompany(BuyCompany):
    """An early chance to buy a private company; what it brings comes along."""

    __slots__ = ()

    def bought(self, corporation: Corporation, company: Company, seller: Player) -> None:
        company_sold(self.game, corporation, company)


class CanadaLateBuyCompany(BlockingBuyCompany):
    """The last chance, also to put the port marker; a loan may still be taken for it (7.5)."""

    __slots__ = ()

    def money(self, corporation: Corporation) -> int:
        return corporation.cash + loans.headroom(self.game, corporation)

    def actions(self, entity: Entity) -> Sequence[str]:
        found = super().actions(entity)
        if found or entity is not self.round.current or not isinstance(entity, Corporation):
            return found
        return ("pass",) if any(company.ability("assign_hexes") for company in entity.companies) else ()

    def bought(self, corporation: Corporation, company: Company, seller: Player) -> None:
        company_sold(self.game, corporation, company)


class Loans(Step):
    """One loan at any time of the turn; when trains are bought, the time to repay (16)."""

    __slots__ = ()
    name = "loan"

    @property
    def turn(self) -> CanadaOperatingRound:
        return cast(CanadaOperatingRound, self.round)

    def waits(self) -> bool:
        return self.turn.passed(EmergencyBuyTrain) and not canada(self.game).formed

    def blocking(self) -> bool:
        return self.waits() and super().blocking()

    def skip(self) -> None:
        if self.waits():
            self.finish()

    def may_repay(self, corporation: Corporation) -> bool:
        return (
            bool(corporation.loans) and corporation.cash >= loans.LOAN and self.turn.passed(EmergencyBuyTrain)
        )

    def actions(self, entity: Entity) -> Sequence[str]:
        if entity is not self.round.current or not isinstance(entity, Corporation):
            return ()
        found = []
        if self.may_repay(entity):
            found.append("payoff_loan")
        if loans.may_borrow(self.game, entity):
            found.append("take_loan")
        return (*found, "pass") if found and self.waits() else tuple(found)

    def do_take_loan(self, action: TakeLoan) -> None:
        corporation, game = self.corporation_of(action), self.game
        if action.loan not in game.loans:
            raise RuleError(f"loan {action.loan} is not to be had")
        game.pay(game.bank, corporation, loans.proceeds(self.turn, corporation))
        corporation.loans = (*corporation.loans, action.loan)
        game.loans = tuple([loan for loan in game.loans if loan != action.loan])
        self.turn.loan_taken = self.turn.loan_taken | {corporation}

    def do_payoff_loan(self, action: PayoffLoan) -> None:
        corporation, game = self.corporation_of(action), self.game
        if action.loan not in corporation.loans:
            raise RuleError(f"{corporation.name} has no loan {action.loan}")
        game.pay(corporation, game.bank, loans.LOAN)
        corporation.loans = tuple([loan for loan in corporation.loans if loan != action.loan])
        game.loans = (*game.loans, action.loan)
        self.turn.loan_repaid = self.turn.loan_repaid | {corporation}

    def choices(self, entity: Entity) -> Iterator[Choice]:
        if not isinstance(entity, Corporation):
            return
        if loans.may_borrow(self.game, entity):
            yield Choice(
                "loans",
                "take",
                TakeLoan(entity=entity.id, entity_type="corporation", loan=self.game.loans[0]),
            )
        if self.may_repay(entity):
            yield Choice(
                "loans",
                "payoff",
                PayoffLoan(entity=entity.id, entity_type="corporation", loan=entity.loans[0]),
            )


class CanadaTrackStep(Track):
    """Waits on after the lay while a private company could still lay a tile (7.5)."""

    __slots__ = ()

    def may_lay(self, corporation: Corporation) -> bool:
        return (
            super().may_lay(corporation) or self.power_open(corporation) or self.power_for_sale(corporation)
        )

    @staticmethod
    def power_open(corporation: Corporation) -> bool:
        """Does it own a company with an extra lay that is unused?"""
        abilities = [company.ability("tile_lay") for company in corporation.companies]
        return any(ability is not None and not ability.facts.get("consume_tile_lay") for ability in abilities)

    def power_for_sale(self, corporation: Corporation) -> bool:
        """Could it buy a company that lays tiles from a player?"""
        if "can_buy_companies" not in self.game.phase.status:
            return False
        return any(
            isinstance(company.owner, Player)
            and not company.closed
            and company.min_price <= corporation.cash
            and any(ability.kind == "tile_lay" for ability in company.abilities)
            for company in self.game.companies
        )

    def do_lay_tile(self, action: LayTile) -> None:
        station = self.game.company(STATION)
        if station.owner is self.round.current and not station.closed:
            ability = station.ability("tile_lay")
            if ability is not None and action.hex in ability.hexes:
                ability.count = 0
        super().do_lay_tile(action)


class DestinationCheck(Step):
    """After every track step all corporations are tested; automatic (10.4)."""

    __slots__ = ()
    name = "escrow"

    def actions(self, entity: Entity) -> Sequence[str]:
        return ("destination_connection",)

    def auto_actions(self, entity: Entity) -> list[Action]:
        found = [corporation.id for corporation in newly_linked(self.game)]
        return [DestinationConnection(entity=entity.id, entity_type="corporation", corporations=found)]

    def do_destination_connection(self, action: DestinationConnection) -> None:
        game = self.game
        if not game.recorded:
            expected = [corporation.id for corporation in newly_linked(game)]
            if action.corporations != expected:
                raise RuleError(f"destinations are reached now by {expected}, not {action.corporations}")
        for name in action.corporations:
            reach_destination(game, game.corporation(name))
        self.finish()


class CanadaToken(Token):
    """The station power makes a token in Kitchener free here too, and is used up without closing (8.2)."""

    __slots__ = ()

    def do_place_token(self, action: PlaceToken) -> None:
        corporation = self.corporation_of(action)
        power = station_power(self.game, corporation)
        hex_ = self.game.board.city(action.city).hex
        super().do_place_token(action)
        if power is not None and hex_.id in power.hexes:
            power.count = 0


class CanadaDividend(Dividend):
    """All or nothing, after the interest taken from the run; the market's shares pay the treasury (14)."""

    __slots__ = ()

    def actions(self, entity: Entity) -> Sequence[str]:
        state = canada(self.game)
        if entity is not self.round.current or not isinstance(entity, Corporation) or not self.turn.routes:
            return ()
        return () if state.is_national(entity) and not state.has_been_permanent else ("dividend",)

    def revenue(self) -> int:
        turn = cast(CanadaOperatingRound, self.round)
        return super().revenue() - turn.penalties.get(turn.current, 0)

    def own_share_source(self, corporation: Corporation) -> ShareHolder:
        return self.game.market

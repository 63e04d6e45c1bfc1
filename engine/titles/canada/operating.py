"""Operating rounds of 1856 (rules: 1856 sections 7, 11, 14, 15)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from engine.actions import (
    Action,
    BorrowTrain,
    DestinationConnection,
    LayTile,
    PayoffLoan,
    PlaceToken,
    TakeLoan,
)
from engine.board.hexes import Hex
from engine.core.company import Company, close_company
from engine.core.corporation import Corporation, Player
from engine.core.corporation import Token as StationToken
from engine.core.shares import ShareHolder
from engine.core.trains import Train
from engine.errors import RuleError
from engine.legal import Choice
from engine.rounds.operating import OperatingRound
from engine.steps.base import Entity, Step
from engine.steps.buy_company import BlockingBuyCompany, BuyCompany
from engine.steps.dividend import Dividend
from engine.steps.emergency import EmergencyBuyTrain
from engine.steps.route import Route
from engine.steps.token import Token
from engine.steps.track import Track
from engine.titles.canada import loans
from engine.titles.canada.destinations import newly_linked, reach_destination
from engine.titles.canada.national import owns_permanent, permanent
from engine.titles.canada.powers import company_sold
from engine.titles.canada.rules import sold_enough, station_power
from engine.titles.canada.state import STATION, CanadaNumbers, canada
from engine.tokens import place_home
from engine.trains import take_over


class CanadaOperatingRound(OperatingRound):
    """Remembered for the round: who was charged interest, took or repaid a loan, and finished its track step.

    `penalties`: interest taken from a run. `crisis_player`: the president on turn as of the last action; while he is
    in debt nothing else happens. `crisis_causes`: corporations for which the last action put him into debt.
    `station_used`: the station company closes with the round. `duplicates`: groups of the national's tokens in one hex
    of which one must go; `excess`: how many more must go, from `excess_hexes`.
    """

    __slots__ = (
        "crisis_causes", "crisis_player", "duplicates", "excess", "excess_hexes", "interest_charged", "loan_repaid",
        "loan_taken", "past_track", "penalties", "station_used",
    )  # fmt: skip
    interest_charged: frozenset[Corporation]
    loan_taken: frozenset[Corporation]
    loan_repaid: frozenset[Corporation]
    past_track: frozenset[Corporation]
    penalties: dict[Corporation, int]
    crisis_player: Player | None
    crisis_causes: tuple[Corporation, ...]
    station_used: bool
    duplicates: tuple[tuple[StationToken, ...], ...]
    excess: int
    excess_hexes: tuple[Hex, ...]

    def begin_round(self) -> None:
        super().begin_round()
        self.interest_charged = self.loan_taken = self.loan_repaid = self.past_track = frozenset()
        self.penalties = {}
        self.crisis_player = None
        self.crisis_causes = ()
        self.station_used = False
        self.duplicates = ()
        self.excess = 0
        self.excess_hexes = ()

    def passed(self, kind: type[Step]) -> bool:
        """Is the turn's step of this kind over?"""
        return any(step.passed for step in self.steps if isinstance(step, kind))

    # -- turns ----------------------------------------------------------------------------------------------------

    def floats(self, corporation: Corporation) -> bool:
        """Has it operated, or is enough sold for its first turn now (7.3)?"""
        if not corporation.floated and sold_enough(self.game, corporation):
            corporation.floated = True
        return corporation.floated

    def start_operating(self) -> None:
        while True:
            corporation = self.current
            if not self.skips(corporation):
                if self.floats(corporation):
                    place_home(self.game, corporation)
                    self.skip_steps()
                    if self.active_step() is not None or self.game.finished:
                        return
                    self.close_used_station()
                    self.after_operating(corporation)
                else:
                    for step in self.steps:
                        step.passed = True
            if not self.advance():
                return

    def keeps_turn(self, corporation: Corporation) -> bool:
        return not corporation.closed and super().keeps_turn(corporation)

    def before_skip(self, action: Action) -> None:
        """Interest as soon as the run is over, repayments as soon as trains are bought (7.5)."""
        corporation = self.current
        self.crisis_causes = ()
        if corporation.closed:
            return
        self.crisis_player = corporation.owner if isinstance(corporation.owner, Player) else None
        if corporation not in self.interest_charged and self.passed(Route):
            loans.charge_interest(self, corporation)
        if self.passed(Track):
            self.past_track = self.past_track | {corporation}
        if self.passed(EmergencyBuyTrain):
            loans.repay_excess(self, corporation)

    def skip_steps(self) -> None:
        player = self.crisis_player
        if (player is not None and player.cash < 0) or any(player.bankrupt for player in self.game.players):
            return
        super().skip_steps()

    def after_process(self, action: Action) -> None:
        super().after_process(action)
        self.close_used_station()

    def end_turn_of(self, entity: object) -> None:
        super().end_turn_of(entity)
        self.close_used_station()

    def close_used_station(self) -> None:
        """The station company closes when the round, or a turn without decisions, is over (8.2)."""
        if self.station_used and self.finished():
            self.station_used = False
            close_company(self.game.company(STATION))


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
        return bool(corporation.loans) and corporation.cash >= loans.LOAN and self.turn.passed(EmergencyBuyTrain)

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
            yield Choice("loans", "take", TakeLoan(entity=entity.id, entity_type="corporation", loan=self.game.loans[0]))
        if self.may_repay(entity):
            yield Choice("loans", "payoff", PayoffLoan(entity=entity.id, entity_type="corporation", loan=entity.loans[0]))


class CanadaTrackStep(Track):
    """Waits on after the lay while a private company could still lay a tile (7.5)."""

    __slots__ = ()

    def may_lay(self, corporation: Corporation) -> bool:
        return super().may_lay(corporation) or self.power_open(corporation) or self.power_for_sale(corporation)

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

    def check_purchase(self, corporation: Corporation, train: Train, price: int, exchanged: Train | None) -> None:
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

"""The operating round of 1856: order, turns, charges between decisions (rules: 1856 section 7)."""

from __future__ import annotations

from engine.actions import Action
from engine.board.hexes import Hex
from engine.core.company import close_company
from engine.core.corporation import Corporation, Player, Token
from engine.rounds.operating import OperatingRound
from engine.steps.base import Step
from engine.steps.emergency import EmergencyBuyTrain
from engine.steps.route import Route
from engine.steps.track import Track
from engine.titles.canada import loans
from engine.titles.canada.rules import sold_enough
from engine.titles.canada.state import STATION
from engine.tokens import place_home


class CanadaOperatingRound(OperatingRound):
    """Remembered for the round: who was charged interest, took or repaid a loan, and finished its track step.

    `penalties`: interest taken from a run. `crisis_player`: the president on turn as of the last action;
    while he is in debt nothing else happens. `crisis_causes`: corporations for which the last action put him
    into debt. `station_used`: the station company closes with the round. `duplicates`: groups of the
    national's tokens in one hex of which one must go; `excess`: how many more must go, from `excess_hexes`.
    """

    __slots__ = (
        "crisis_causes", "crisis_player", "duplicates", "excess", "excess_hexes", "interest_charged",
        "loan_repaid", "loan_taken", "past_track", "penalties", "station_used",
    )  # fmt: skip
    interest_charged: frozenset[Corporation]
    loan_taken: frozenset[Corporation]
    loan_repaid: frozenset[Corporation]
    past_track: frozenset[Corporation]
    penalties: dict[Corporation, int]
    crisis_player: Player | None
    crisis_causes: tuple[Corporation, ...]
    station_used: bool
    duplicates: tuple[tuple[Token, ...], ...]
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

    # -- turns -----------------------------------------------------------------------------------------------

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

"""Operating rounds (rules: common 3.5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from engine.actions import Action, Message
from engine.board.hexes import Hex
from engine.core.company import Company
from engine.core.corporation import Corporation, Player
from engine.rounds.base import Round

if TYPE_CHECKING:
    from engine.core.trains import Train
    from engine.game import Game


class OperatingRound(Round):
    """Corporations operate in a fixed order.

    State of the running turn: `routes` as submitted, `extra_revenue`; `laid_hexes`, `lays`, `upgraded`: what
    was laid; `tokened`: a token was placed; `bought`: trains bought.
    """

    __slots__ = ("bought", "extra_revenue", "laid_hexes", "lays", "routes", "tokened", "upgraded")
    short_name = "OR"
    long_name = "Operating Round"
    is_operating = True
    routes: tuple[tuple[str, int], ...]
    extra_revenue: int
    laid_hexes: tuple[Hex, ...]
    lays: int
    upgraded: bool
    tokened: bool
    bought: tuple[Train, ...]

    def begin_round(self) -> None:
        self.clear_turn()

    def clear_turn(self) -> None:
        """Forgets what the last corporation did."""
        self.routes = ()
        self.extra_revenue = 0
        self.laid_hexes = ()
        self.lays = 0
        self.upgraded = False
        self.tokened = False
        self.bought = ()

    def select_entities(self) -> Sequence[Corporation]:
        return self.game.title.operating_order(self.game)

    # -- start -----------------------------------------------------------------------------------------------

    def start(self) -> None:
        self.pay_companies()
        for corporation in self.entities:
            for train in corporation.trains:
                train.operated = False
        if self.any_to_act():
            self.start_operating()

    def pay_companies(self) -> None:
        """Private companies pay their owners: players by seat, then corporations in order; by income, then
        name.
        """
        game = self.game
        for company in paying_companies(game):
            owner = company.owner
            if owner is not None:
                game.pay(game.bank, owner, company.revenue)

    def any_to_act(self) -> bool:
        return any(not self.skips(entity) for entity in self.entities)

    def skips(self, corporation: Corporation) -> bool:
        """Does this corporation get no turn?"""
        return corporation.closed

    # -- turns -----------------------------------------------------------------------------------------------

    def before_operating(self, corporation: Corporation) -> None:
        """What happens by itself at the start of a turn, such as the home token."""

    def after_operating(self, corporation: Corporation) -> None:
        """What happens by itself at the end of a turn."""

    def start_operating(self) -> None:
        """The turn of the corporation at the index, or of the first one behind it that has something to
        decide.
        """
        while True:
            corporation = self.current
            if not self.skips(corporation):
                self.before_operating(corporation)
                self.skip_steps()
                if self.active_step() is not None or self.game.finished:
                    return
                self.after_operating(corporation)
            if not self.advance():
                return

    def advance(self) -> bool:
        """Moves the index to the next corporation that gets a turn; False at the end of the list."""
        while self.index < len(self.entities) - 1:
            self.next_index()
            if not self.skips(self.current):
                self.clear_turn()
                self.reset_steps()
                return True
        return False

    def after_process(self, action: Action) -> None:
        if isinstance(action, Message):
            return
        if self.active_step() is not None and self.keeps_turn(self.current):
            return
        self.after_operating(self.current)
        if not self.game.finished and self.advance():
            self.start_operating()

    def keeps_turn(self, corporation: Corporation) -> bool:
        """While a step blocks, does the corporation stay on turn? It must have a player who acts for it."""
        return isinstance(corporation.owner, Player)

    def end_turn_of(self, entity: Any) -> None:
        """The corporation on turn closed or was reset: all steps end and the next one starts."""
        if entity is not self.current:
            return
        for step in self.steps:
            step.passed = True
        if self.advance():
            self.start_operating()
        self.game.forget_acting_step()

    def after_closing(self) -> None:
        """If the corporation on turn closed while another entity had to decide, its turn ends with that
        decision.
        """
        if self.current.closed and self.active_step() is None and self.advance():
            self.start_operating()

    def finished(self) -> bool:
        return super().finished() or not self.any_to_act()

    def reorder_rest(self) -> None:
        """Sorts those that have not operated yet by the market as it is now."""
        rest = self.entities[self.index + 1 :]
        order = [entity for entity in self.game.title.operating_order(self.game) if entity in rest]
        self.entities = (*self.entities[: self.index + 1], *order)


def paying_companies(game: Game) -> list[Company]:
    """Companies with an owner and income in the order in which they pay (common 3.5)."""
    seats = {player: seat for seat, player in enumerate(game.players)}
    owners = [*game.players, *game.title.operating_order(game)]
    places = {owner: place for place, owner in enumerate(owners)}
    owned = [
        company
        for company in game.companies
        if not company.closed and company.owner is not None and company.revenue > 0
    ]
    return sorted(
        owned,
        key=lambda company: (
            company.owner not in seats,
            places.get(company.owner, len(places)),  # type: ignore[arg-type]
            company.revenue,
            company.name,
        ),
    )

"""What every step of a round has in common (rules: common 3.2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar

from engine.actions import Action, Pass
from engine.core.company import Company
from engine.core.corporation import Corporation, Player
from engine.core.state import Stateful
from engine.errors import RuleError
from engine.legal import Choice

if TYPE_CHECKING:
    from engine.game import Game
    from engine.rounds.base import Round

Entity = Player | Corporation | Company


class Step(Stateful):
    """One decision of a turn.

    `actions(entity)`: the action types that the entity may take now. A step *blocks* while it is active and
    offers its current entity something; what lies behind a blocking step must wait. `do_<type>` methods
    process actions. `choices` lists concrete legal actions. State of one turn is cleared in `begin_turn`.
    """

    __slots__ = ("passed", "round")
    name: ClassVar[str] = ""
    blocks: ClassVar[bool] = True
    round: Round
    passed: bool

    def __init__(self, round_: Round) -> None:
        super().__init__(round_.journal)
        self.round = round_
        self.passed = False

    @property
    def game(self) -> Game:
        return self.round.game

    def begin_turn(self) -> None:
        """Clears what the step remembers of a turn; called at the start of each turn and of the round."""

    def active(self) -> bool:
        return not self.passed

    def current(self) -> Entity | None:
        """Who must decide here."""
        entity: Entity | None = self.round.current
        return entity

    def blocking(self) -> bool:
        if not self.blocks or not self.active():
            return False
        entity = self.current()
        return entity is not None and not getattr(entity, "closed", False) and bool(self.actions(entity))

    def actions(self, entity: Entity) -> Sequence[str]:
        """Action types that `entity` may take now."""
        raise NotImplementedError

    def process(self, action: Action) -> None:
        """Executes an action that `actions` offers. Raises RuleError."""
        getattr(self, f"do_{action.type_name}")(action)

    def do_pass(self, action: Pass) -> None:
        self.finish()

    def finish(self) -> None:
        """The step is over for this turn."""
        self.passed = True

    def skip(self) -> None:
        """Nothing to decide: the step vanishes without an action."""
        self.finish()

    def choices(self, entity: Entity) -> Iterable[Choice]:
        """Concrete legal actions of the entity in this step, `pass` left out."""
        return ()

    def auto_actions(self, entity: Entity) -> list[Action]:
        """Actions that follow by themselves in live play (common 2.4)."""
        return []

    # -- helpers ---------------------------------------------------------------------------------------------

    def corporation_of(self, action: Action) -> Corporation:
        entity = self.game.entity_of(action)
        if not isinstance(entity, Corporation):
            raise RuleError(f"{action.type_name} is an action of a corporation, not of {entity.name}")
        return entity

    def player_of(self, action: Action) -> Player:
        entity = self.game.entity_of(action)
        if not isinstance(entity, Player):
            raise RuleError(f"{action.type_name} is an action of a player, not of {entity.name}")
        return entity

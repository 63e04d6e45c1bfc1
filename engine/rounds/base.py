"""Rounds: a list of entities, an index, and an ordered list of steps (rules: common 3.1, 3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from engine.actions import Action
from engine.core.corporation import Corporation, Token
from engine.core.state import Stateful
from engine.errors import RuleError
from engine.steps.base import Entity, Step

if TYPE_CHECKING:
    from engine.board.hexes import Hex
    from engine.game import Game

S = TypeVar("S", bound=Step)


class Round(Stateful):
    """Base of all rounds.

    `short_name` appears in traces; `number` counts the rounds of a set. `pending_tokens`: home tokens that
    must be placed before anything else, as (who decides, token, allowed hexes).
    """

    __slots__ = ("entities", "game", "index", "number", "pending_tokens", "steps")
    short_name: ClassVar[str] = ""
    long_name: ClassVar[str] = ""
    is_stock: ClassVar[bool] = False
    is_operating: ClassVar[bool] = False
    game: Game
    entities: tuple[Any, ...]
    index: int
    number: int
    steps: tuple[Step, ...]
    pending_tokens: tuple[tuple[Corporation, Token, tuple[Hex, ...]], ...]

    def __init__(self, game: Game, steps: Sequence[type[Step]], number: int = 1) -> None:
        super().__init__(game.journal)
        self.game = game
        self.number = number
        self.index = 0
        self.pending_tokens = ()
        self.entities = tuple(self.select_entities())
        self.begin_round()
        self.steps = tuple([step(self) for step in steps])
        for step in self.steps:
            step.begin_turn()

    def begin_round(self) -> None:
        """Sets what the round itself remembers; called before its steps are made."""

    def select_entities(self) -> Sequence[Any]:
        """Who takes part, in order; fixed at the start of the round."""
        raise NotImplementedError

    def start(self) -> None:
        """First things of the round; called once it is the game's round."""

    @property
    def current(self) -> Any:
        """The entity whose turn it is in the order of the round."""
        return self.entities[self.index] if self.index < len(self.entities) else None

    def step(self, kind: type[S]) -> S | None:
        """The round's first step of this class (or a subclass)."""
        return next((step for step in self.steps if isinstance(step, kind)), None)

    def active_step(self) -> Step | None:
        """The first blocking step: whose decision is waited for."""
        for step in self.steps:
            if step.blocking():
                return step
        return None

    def active_entity(self) -> Entity | None:
        step = self.active_step()
        return step.current() if step is not None else None

    def acting_entity(self) -> Entity | None:
        """Who decides in the step that was the active one when this was first asked during an action.

        Corporations that leave the game during an action end the turn only if they are this entity; the step
        is remembered for the rest of the action, as in the public engine.
        """
        step = self.game.acting_step(self)
        return step.current() if step is not None else None

    def finished(self) -> bool:
        return self.active_step() is None

    def find_step(self, action: Action) -> Step:
        """The step that takes this action; raises RuleError (common 3.2)."""
        entity = self.game.entity_of(action)
        for step in self.steps:
            if not step.active():
                continue
            if action.type_name in step.actions(entity):
                return step
            if step.blocking():
                self.game.note_step(step)
                who = step.current()
                name = who.name if who is not None else "nobody"
                raise RuleError(
                    f"{action.type_name} by {entity.name} is not possible now: "
                    f"{name} must decide in step {step.name}"
                )
        raise RuleError(f"no step accepts {action.type_name} by {entity.name} now")

    def process(self, action: Action) -> None:
        """Executes one action and everything that follows from it inside the round."""
        self.game.forget_acting_step()
        if action.free:
            self.game.process_free(action)
        else:
            step = self.find_step(action)
            self.game.note_step(step)
            step.process(action)
        self.before_skip(action)
        self.skip_steps()
        self.game.forget_acting_step()
        self.after_process(action)

    def before_skip(self, action: Action) -> None:
        """Consequences that come before empty steps are skipped."""

    def after_process(self, action: Action) -> None:
        """Ends the turn when nothing is left to decide."""

    def skip_steps(self) -> None:
        """Skips active steps that offer nothing, up to the first blocking one."""
        for step in self.steps:
            if not step.blocks or not step.active() or getattr(self.current, "closed", False):
                continue
            if step.blocking():
                return
            step.skip()

    def next_index(self) -> None:
        self.index = (self.index + 1) % len(self.entities)

    def go_to(self, entity: Any) -> None:
        self.index = self.entities.index(entity)

    def reset_steps(self) -> None:
        """All steps are open again for the next turn."""
        for step in self.steps:
            step.passed = False
        for step in self.steps:
            step.begin_turn()

    def end_turn_of(self, entity: Any) -> None:
        """The entity left the game during its own turn."""

    def after_closing(self) -> None:
        """A corporation closed after an action: what was left to decide may have gone with it."""

"""State that only this family has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.company import Company
from engine.core.corporation import Corporation, Token
from engine.core.state import Stateful

if TYPE_CHECKING:
    from engine.game import Game


class FamilyState(Stateful):
    """`national`: the state railway. `claims`: hexes where one of its tokens is still to come.

    `future`: corporations that come into play with phase 3. `interest`: loans on which each corporation owes
    in this round. `trainless`: majors that must decide about nationalization. `check_due`: the trainless
    check was raised. `hidden`: the company that blocks hexes until phase 3. `neutral`: neutral tokens that
    leave then.
    """

    __slots__ = ("check_due", "claims", "future", "hidden", "interest", "national", "neutral", "trainless")
    national: Corporation
    claims: tuple[str, ...]
    future: tuple[Corporation, ...]
    interest: dict[Corporation, int]
    trainless: tuple[Corporation, ...]
    check_due: bool
    hidden: Company
    neutral: tuple[Token, ...]

    def __init__(self, game: Game, claims: tuple[str, ...]) -> None:
        super().__init__(game.journal)
        self.claims = claims
        self.interest = {}
        self.trainless = ()
        self.check_due = False
        self.neutral = ()
        self.future = ()
        self.hidden = game.company("3")
        self.national = next(
            corporation for corporation in game.corporations if corporation.kind == "national"
        )


def family(game: Game) -> FamilyState:
    """The game's family state."""
    state = game.state
    assert isinstance(state, FamilyState)
    return state

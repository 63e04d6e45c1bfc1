"""State that only 18Rhl has, and names of places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.corporation import Corporation
from engine.core.shares import Market
from engine.core.state import Stateful
from optimizer.titles.t18rhl import METROPOLISES as METROPOLISES

if TYPE_CHECKING:
    from engine.game import Game

COLOGNE = "I10"
AACHEN, DUREN = "K2", "K6"
OSTERATH_HEX, OSTERATH_TILE = "E8", "935"
RATINGEN_HEX = "E12"
MARKED_CITIES = frozenset(("C14", "D15"))
FULL_CAPITAL_PHASE = 5


class RhinelandState(Stateful):
    """`bid`: what the winner paid for the RhE's director certificate. `link_owed`: what the bank owes the RhE
    until Köln, Düren and Aachen are linked. `newly_floated`: whose price rises at the end of this
    stock round. `rise_due`: the RhE, floated in the auction, still has that rise before it.
    """

    __slots__ = ("bid", "link_owed", "newly_floated", "rise_due")
    bid: int
    link_owed: int
    newly_floated: tuple[Corporation, ...]
    rise_due: bool

    def __init__(self, game: Game) -> None:
        super().__init__(game.journal)
        self.bid = 0
        self.link_owed = 0
        self.newly_floated = ()
        self.rise_due = True


def rhineland(game: Game) -> RhinelandState:
    """The game's own state."""
    state = game.state
    assert isinstance(state, RhinelandState)
    return state


def in_receivership(corporation: Corporation) -> bool:
    """Is the market its president?"""
    return isinstance(corporation.owner, Market)


def brown_phase(game: Game) -> bool:
    """Phase 5 or later."""
    return int(game.phase.name) >= FULL_CAPITAL_PHASE

"""Listing everything that may be done now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.actions import Pass
from engine.core.company import Company
from engine.core.corporation import Player
from engine.legal import Choice

if TYPE_CHECKING:
    from engine.game import Game
    from engine.steps.base import Entity


def legal_choices(game: Game) -> list[Choice]:
    """All choices of whoever is on turn, `pass` first; empty when the game is over.

    Steps before the blocking one that do not block offer theirs too, also through companies' powers and,
    while money is raised, through the president.
    """
    step = game.active_step
    if step is None:
        return []
    entity = step.current()
    if entity is None:
        return []
    found: list[Choice] = []
    for other in game.round.steps:
        if not other.active():
            continue
        for actor in actors(game, entity):
            offered = other.actions(actor)
            if "pass" in offered and actor is entity and other is step:
                found.append(Choice("pass", True, Pass(entity=entity.id, entity_type=type_of(entity))))
            if actor is not entity and isinstance(actor, Player) and "sell_shares" not in offered:
                continue
            if any(kind != "pass" for kind in offered):
                found.extend(other.choices(actor))
        if other is step:
            break
    return distinct(found)


def distinct(choices: list[Choice]) -> list[Choice]:
    """The choices without repetitions: an early and a late chance to do the same list it twice."""
    seen: set[object] = set()
    found = []
    for choice in choices:
        key = (choice.kind, choice.by, tuple(choice.item) if isinstance(choice.item, list) else choice.item)
        if key not in seen:
            seen.add(key)
            found.append(choice)
    return found


def type_of(entity: Entity) -> str:
    """The entity's type in the public format."""
    if isinstance(entity, Player):
        return "player"
    return "company" if isinstance(entity, Company) else "corporation"


def actors(game: Game, entity: Entity) -> list[Entity]:
    """The entity on turn and who else may act in its turn: companies, and its president."""
    if isinstance(entity, Player | Company):
        return [entity]
    others: list[Entity] = [entity]
    if isinstance(entity.owner, Player):
        others.append(entity.owner)
    others.extend(company for company in game.companies if not company.closed and company.owner is not None)
    return others

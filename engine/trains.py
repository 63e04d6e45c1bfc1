"""What the purchase of a train sets off: phases, rusting, events (rules: common 5.2 to 5.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.corporation import Corporation
from engine.core.trains import Train, attach

if TYPE_CHECKING:
    from engine.game import Game


def take_over(game: Game, buyer: Corporation, train: Train) -> bool:
    """The train goes to the buyer; True if it came from the bank. No money moves and nothing is set off."""
    from_bank = train.owner is None
    if from_bank:
        game.depot.take(train)
    attach(train, buyer)
    return from_bank


def train_arrives(game: Game, train: Train) -> None:
    """Phases that start with this train, rusting, and its events, in this order."""
    while game.phase_index + 1 < len(game.phases):
        following = game.phases[game.phase_index + 1]
        if train.name not in following.on and train.id not in following.on:
            break
        game.phase_index = game.phase_index + 1
    _rust(game, train)
    if train.announced:
        return
    train.announced = True
    for event, nth in train.kind.events:
        if train.index + 1 == nth:
            handler = game.title.events.get(event)
            if handler is not None:
                handler(game, train)


def _rust(game: Game, arriving: Train) -> None:
    name = arriving.name
    for train in list(game.depot.trains.values()):
        if train.rusted or train is arriving:
            continue
        if train.kind.obsolete_on == name and train.owner is not None:
            train.obsolete = True
        if train.kind.rusts_on == name or (train.kind.obsolete_on == name and train in game.depot.discarded):
            game.depot.remove(train)


def export_next(game: Game) -> Train | None:
    """The next train of the stack leaves the game with all effects of a purchase."""
    if not game.depot.upcoming:
        return None
    train = game.depot.upcoming[0]
    game.depot.take(train)
    train.rusted = True
    train_arrives(game, train)
    return train

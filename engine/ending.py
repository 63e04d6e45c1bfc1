"""How rounds follow each other and how the game ends (rules: common 3.1 and 10.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import programs
from engine.core.corporation import Player
from engine.title import EndTiming

if TYPE_CHECKING:
    from engine.game import Game

LAST_TURN = 100


def check_end(game: Game) -> None:
    """Tests the triggers of the end; one with a more urgent timing replaces the one that stands."""
    rules = game.title.end
    for trigger in rules.triggers:
        standing = game.end_trigger
        if standing is not None and (
            rules.priority.index(trigger.timing) >= rules.priority.index(standing.timing)
        ):
            continue
        if trigger.holds(game):
            game.end_trigger = trigger
    if game.end_trigger is not None:
        rules.plan_last_set(game, game.end_trigger)
        if game.end_trigger.timing is EndTiming.IMMEDIATE:
            end_game(game, game.end_trigger.reason)


def ends_with_round(game: Game) -> bool:
    """Does the game end with the round that is over?"""
    trigger = game.end_trigger
    if trigger is None or not game.round.is_operating:
        return False
    if trigger.timing is EndTiming.OPERATING_ROUND:
        return True
    last_of_set = game.round.number == game.operating_rounds
    if trigger.timing is EndTiming.ONE_MORE_SET:
        return last_of_set and game.turn == game.final_turn
    return last_of_set


def end_round(game: Game) -> None:
    """Clears the players' marks; then the next round starts, or the game is over."""
    for entity in game.round.entities:
        if isinstance(entity, Player):
            entity.passed = False
    trigger = game.end_trigger
    if trigger is not None and ends_with_round(game):
        end_game(game, trigger.reason)
    elif game.turn >= LAST_TURN:
        end_game(game, "dnf")
    else:
        following = game.title.next_round(game, game.round)
        if game.finished:
            return
        game.round = following
        programs.drop_for_round(game)
        game.round.start()


def end_game(game: Game, reason: str) -> None:
    """The game is over, for good."""
    if game.finished:
        return
    game.title.end.settle(game)
    game.finished = True
    game.end_reason = reason

"""Who plays first in the next round (rules: common 3.3, 3.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.corporation import Player

if TYPE_CHECKING:
    from engine.game import Game


def rotate_players(game: Game, first: Player) -> None:
    """The same order of seats, starting with `first`."""
    index = game.players.index(first)
    game.players = game.players[index:] + game.players[:index]


def left_of_last_actor(game: Game) -> None:
    """The player at the round's index gets priority."""
    seats = [player for player in game.players if not player.bankrupt]
    rotate_players(game, seats[game.round.index])


def most_cash(game: Game) -> None:
    """The one richest player gets priority; with a tie, left of the last actor."""
    richest = max(player.cash for player in game.players)
    leaders = [player for player in game.players if player.cash == richest]
    if len(leaders) == 1:
        rotate_players(game, leaders[0])
    else:
        left_of_last_actor(game)

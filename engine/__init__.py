"""Rules engine for 1861, 1867, 1856 and 18Rhl in the public 18xx.games format."""

from engine.errors import (
    ActionSyntaxError,
    GameError,
    GameFileError,
    IllegalActionError,
    RuleError,
    UnknownNameError,
)
from engine.game import Game
from engine.reading import read_game_file
from engine.replay import load_game, replay_actions, result, save_game, start_game, trace

__all__ = [
    "ActionSyntaxError",
    "Game",
    "GameError",
    "GameFileError",
    "IllegalActionError",
    "RuleError",
    "UnknownNameError",
    "load_game",
    "read_game_file",
    "replay_actions",
    "result",
    "save_game",
    "start_game",
    "trace",
]

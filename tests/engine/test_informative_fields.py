"""Fields that only repeat what the game knows already may be left out, but must not say anything else."""

from __future__ import annotations

from typing import Any

import pytest

from engine import IllegalActionError
from engine.actions import write_action
from engine.game import Game
from engine.player import RandomPlayer, new_game
from engine.title import TITLES
from engine.trace import snapshot

# Enough placements and purchases to have seen homes, lifted tokens and powers; games take seconds each.
WANTED = 12


def wrong(game: Game, action: dict[str, Any]) -> list[dict[str, Any]]:
    """What such an action cannot say."""
    if action["type"] == "place_token":
        slots = len(game.board.city(action["city"]).slots)
        return [
            *({"slot": slot} for slot in (-1, slots, slots + 1, 99)),
            *({"tokener": name} for name in ("", "XYZ")),
            {"token_type": "destination"},
        ]
    names = {train.name for train in game.depot.trains.values()} | {"", "99", "2+"}
    return [{"variant": name} for name in names if name != game.depot.train(action["train"]).name]


def right(game: Game, action: dict[str, Any]) -> list[dict[str, Any]]:
    """What such an action may say."""
    if action["type"] == "place_token":
        slots = len(game.board.city(action["city"]).slots)
        return [{"slot": None}, *({"slot": slot} for slot in range(slots)), {"token_type": "normal"}]
    return [{"variant": None}, {"variant": game.depot.train(action["train"]).name}]


def accepted(game: Game, action: dict[str, Any]) -> dict[str, Any]:
    """What an action leads to; it is taken back."""
    game.apply(action)
    after = snapshot(game)
    game.undo()
    del game.log[-2:]
    return after


@pytest.mark.parametrize("title", TITLES)
def test_nothing_but_what_is_so_is_accepted(title: str) -> None:
    game, player = new_game(title, 3, 5), RandomPlayer(5)
    seen = {"place_token": 0, "buy_train": 0}
    while not game.finished and min(seen.values()) < WANTED:
        for choice in game.legal_actions():
            action = write_action(choice.action)
            if action["type"] not in seen or seen[action["type"]] >= WANTED:
                continue
            seen[action["type"]] += 1
            before, wanted = snapshot(game), accepted(game, action)
            for said in wrong(game, action):
                with pytest.raises(IllegalActionError):
                    game.apply({**action, **said})
                assert snapshot(game) == before
            assert all(accepted(game, {**action, **said}) == wanted for said in right(game, action))
            break
        game.apply(player.choose(game))
    assert min(seen.values()) >= 3, seen

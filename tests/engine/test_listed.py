"""Everything that is listed is accepted, and what lies next to it is not."""

from __future__ import annotations

import random

import pytest

from engine import GameError, RuleError
from engine.actions import LayTile
from engine.game import Game
from engine.legal import Choice
from engine.operating import run_action
from engine.player import RandomPlayer, new_game

TITLES = ("1861", "1867")


def try_all(game: Game, source: random.Random) -> int:
    """Applies listed choices one by one and takes them back; at most so many of each kind."""
    tried = 0
    by_kind: dict[str, list[Choice]] = {}
    for choice in game.legal_actions():
        by_kind.setdefault(choice.kind, []).append(choice)
    for kind, choices in by_kind.items():
        for choice in source.sample(choices, min(6, len(choices))):
            entity = game.active_entity
            action = choice.pick(source)
            if kind == "run_routes":
                action = run_action(entity, game.best_routes())  # type: ignore[arg-type]
            mark = game.journal.mark()
            game.apply(action)
            tried += 1
            game.undo()
            del game.log[-2:]
            assert game.journal.mark() == mark
            assert game.active_entity is entity
    return tried


@pytest.mark.parametrize(
    ("title", "seed"),
    [(title, seed) for title in TITLES for seed in (11,)]
    + [pytest.param(title, seed, marks=pytest.mark.full) for title in TITLES for seed in range(12, 22)],
)
def test_everything_listed_is_accepted(title: str, seed: int) -> None:
    source = random.Random(seed)
    game = new_game(title, source.choice((2, 3, 4, 5)), seed)
    player = RandomPlayer(seed)
    tried = 0
    while not game.finished:
        if source.random() < 0.05:
            tried += try_all(game, source)
        game.apply(player.choose(game))
    assert tried > 80


@pytest.mark.parametrize("title", TITLES)
def test_unlisted_tile_lays_are_refused(title: str) -> None:
    """Other rotations and other tiles on the same hexes: listed or refused, nothing in between."""
    source = random.Random(5)
    game = new_game(title, 4, 5)
    player = RandomPlayer(5)
    refused = 0
    for _ in range(260):
        choices = [choice for choice in game.legal_actions() if choice.kind == "tile_lay"]
        if choices and source.random() < 0.3:
            listed = {tuple(choice.item) for choice in choices}
            some = source.choice(choices)
            assert isinstance(some.action, LayTile)
            for rotation in range(6):
                for number in {str(choice.item[1]) for choice in choices}:
                    if (some.action.hex, number, rotation) in listed:
                        continue
                    piece = game.board.in_stock(number)
                    assert piece is not None
                    with pytest.raises((GameError, RuleError)):
                        game.apply(
                            LayTile(
                                entity=some.action.entity,
                                entity_type="corporation",
                                hex=some.action.hex,
                                tile=piece.id,
                                rotation=rotation,
                            )
                        )
                    refused += 1
        game.apply(player.choose(game))
    assert refused > 100

"""Random players finish their games, keep all the money, and get everywhere."""

from __future__ import annotations

import collections
import random

import pytest

from engine import load_game, result, save_game
from engine.core.state import fingerprint
from engine.game import Game
from engine.player import RandomPlayer, new_game
from engine.title import load_game_title
from optimizer.titles.loader import known_optional_rules
from tests.engine.test_mutation import money

TITLES = ("1861", "1867")
SEATS = (2, 3, 4, 5, 6)


def table(title: str, seed: int) -> Game:
    """A new game whose number of players and optional rules follow from the seed."""
    source = random.Random(seed)
    seats = [n for n in SEATS if n in load_game_title(title, 4, ()).starting_cash]
    options = [rule for rule in known_optional_rules(title) if source.random() < 0.4]
    return new_game(title, source.choice(seats), seed, options)


def play(title: str, seed: int) -> Game:
    """One whole game; the money is counted after every action."""
    game = table(title, seed)
    total = money(game)

    def count(after: Game) -> None:
        assert money(after) == total, after.log[-1]

    RandomPlayer(seed).play(game, after=count)
    return game


@pytest.mark.parametrize("title", TITLES)
def test_a_random_game_finishes_and_can_be_loaded_again(title: str) -> None:
    game = play(title, 1)
    assert game.finished
    assert game.phase.name == "8"
    loaded = load_game(save_game(game))
    assert fingerprint(loaded) == fingerprint(game)
    assert result(loaded) == result(game)


def test_the_same_seed_plays_the_same_game() -> None:
    first, second = play("1867", 2), play("1867", 2)
    assert save_game(first) == save_game(second)


def reached(game: Game) -> set[str]:
    """What happened in a game."""
    kinds = {entry["type"] for entry in game.log}
    kinds |= {f"phase {game.phase.name}", f"end: {game.end_reason}"}
    if any(token.used for token in game.state.national.tokens[1:]):
        kinds.add("nationalization")
    return kinds


@pytest.mark.full
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("title", TITLES)
def test_two_hundred_random_games(title: str) -> None:
    counts: collections.Counter[str] = collections.Counter()
    for seed in range(1, 201):
        counts.update(reached(play(title, seed)))
    for event in (
        "phase 8", "end: final_phase", "end: bank", "nationalization", "merge", "convert", "remove_token",
        "choose", "discard_train", "par", "sell_shares", "buy_company",
    ):  # fmt: skip
        assert counts[event] > 1, (event, counts)

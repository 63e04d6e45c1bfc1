"""1856: random games finish, keep the money together, and get everywhere."""

import random

import pytest

from engine import load_game, save_game
from engine.actions import read_action, write_action
from engine.core.state import fingerprint
from engine.player import RandomPlayer, new_game
from engine.titles.canada.state import canada
from optimizer.titles.loader import known_optional_rules
from tests.engine.canada import BANK, money

# What a long series must reach (counted in games).
EVERYWHERE = ("escrow released", "bankrupt", "bank", "national formed", "diesel", "corporation closed")


def options(seed):
    """Number of players and optional rules of a seed."""
    source = random.Random(seed)
    players = source.choice((3, 4, 5, 6))
    return players, [rule for rule in known_optional_rules("1856") if source.random() < 0.4]


def play(seed, each=None):
    """Plays the game of a seed with a look at the money after every action; returns what was reached."""
    players, rules = options(seed)
    game = new_game("1856", players, seed, rules)
    reached = set()

    def look(game):
        assert money(game) == BANK, game.log[-1]
        state = canada(game)
        if any(corporation.started for corporation in state.connected):
            reached.add("escrow released")
        if state.formed:
            reached.add("national formed")
        if state.borrowed is not None:
            reached.add("train borrowed")
        if game.phase_index == len(game.phases) - 1:
            reached.add("diesel")
        if any(c.closed for c in game.entities.values() if hasattr(c, "trains") and c not in state.merged):
            reached.add("corporation closed")
        if each is not None:
            each(game)

    RandomPlayer(seed).play(game, after=look)
    assert game.finished
    reached.add(game.end_reason)
    return game, reached


def everything_listed_is_accepted(game, most=60):
    """Every choice, at its lowest and highest price, is executed and taken back."""
    choices = game.legal_actions()
    if len(choices) > most:
        choices = random.Random(len(game.log)).sample(choices, most)
    for choice in choices:
        actions = list(choice.actions())
        for action in {id(action): action for action in (actions[0], actions[-1])}.values():
            game.apply(read_action(write_action(action)))
            game.undo()


# Both see the national (three players with the eight-train variant, six players) in moderate time.
@pytest.mark.parametrize("seed", [9, 10])
def test_a_random_game(seed):
    number = 0

    def each(game):
        nonlocal number
        number += 1
        if number % 40 == 0 and not game.finished:
            before = fingerprint(game)
            everything_listed_is_accepted(game)
            assert fingerprint(game) == before

    game, _ = play(seed, each)
    loaded = load_game(save_game(game))
    assert fingerprint(loaded) == fingerprint(game)


@pytest.mark.full
@pytest.mark.timeout(7200)
def test_two_hundred_random_games():
    counts = dict.fromkeys(EVERYWHERE, 0)
    for seed in range(200):
        _, reached = play(seed)
        for name in reached:
            counts[name] = counts.get(name, 0) + 1
    assert all(counts[name] > 0 for name in EVERYWHERE), counts

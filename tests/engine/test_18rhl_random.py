"""18Rhl: random games finish, conserve money, and reach the rare events of the title."""

import re
from collections import Counter

import pytest

from engine.errors import GameError
from engine.player import RandomPlayer, new_game
from engine.replay import load_game, result, save_game
from engine.titles.rhineland.state import METROPOLISES, in_receivership
from tests.engine.rhineland import BANK, money

OPTIONS = ("optional_2_train", "lower_starting_capital", "promotion_tiles", "ratingen_variant")
NOTES = ("Montanx2", "Iron Rhine", "Ratingen", "[Tr]")


def options_of(seed):
    """None for every third game, all combinations of the optional rules for the others."""
    return tuple(option for bit, option in enumerate(OPTIONS) if seed >> bit & 1 and seed % 3)


def play(seed, found):
    """Plays a whole game; `found` counts in how many games each event happened."""
    game = new_game("18Rhl", 3 + seed % 4, seed, options_of(seed))
    events = set()

    def after(game):
        assert money(game) == BANK, game.log[-1]
        entry = game.log[-1]
        if entry["type"] == "run_routes":
            text = " ".join(route["revenue_str"] for route in entry["routes"])
            events.update(note for note in NOTES if note in text)
            if re.search(r"\([A-L]\d", text):  # only in doubled runs are there hexes in parentheses
                events.add("doubled RGE")
        if entry["type"] == "bankrupt":
            events.add("bankrupt")
            if any(in_receivership(corporation) for corporation in game.corporations):
                events.add("receivership")

    RandomPlayer(seed).play(game, after=after)
    colors = {game.board.hex(hex_id).face.color for hex_id in METROPOLISES}
    if colors & {"brown", "gray"}:
        events.add("brown metropolis")
    if game.state.link_owed == 0:
        events.add("link")
    found.update(events)
    return game


@pytest.mark.parametrize("seed", [125, 222, 238])
def test_a_random_game_finishes_and_loads(seed):
    game = play(seed, Counter())
    assert game.finished
    assert game.end_reason == "bank"
    assert game.bank.cash < 0
    loaded = load_game(save_game(game))
    assert result(loaded) == result(game)


def test_random_bidders_come_to_an_end():
    """Player 3 once put all income of his ATB into his own bid for the RhE, for ever."""
    game = new_game("18Rhl", 5, 298, ("lower_starting_capital", "ratingen_variant"))
    player = RandomPlayer(298)
    for _ in range(2000):
        if game.round.short_name != "ISR":
            break
        game.apply(player.choose(game))
    assert game.round.short_name == "SR"


@pytest.mark.full
@pytest.mark.timeout(7200)
def test_two_hundred_random_games():
    found = Counter()
    for seed in range(100, 300):
        try:
            play(seed, found)
        except GameError as error:
            raise AssertionError(f"seed {seed}: {error}") from error
    for event in (*NOTES, "doubled RGE", "bankrupt", "receivership", "brown metropolis", "link"):
        assert found[event] >= 5, (event, found)

"""1856: undo, save and load, mutated games, money, speed (the shared games)."""

import copy
import random
import statistics
import time

import pytest

from engine import load_game, replay_actions, save_game, start_game
from engine.actions import read_action
from engine.audit import runs
from engine.core.state import fingerprint
from engine.errors import GameError
from tests.engine.canada import BANK, money
from tests.engine.conftest import case_names, recorded

pytestmark = [
    pytest.mark.cases,
    pytest.mark.timeout(1800),
]  # the longest games take minutes on a busy machine

# People to the bank's end; bankruptcies for a train and for a debt; a borrowed train; tokens removed.
SAMPLE = ("1856-hotseat005", "1856-hotseat006", "1856-r2108")
ALL = case_names("games", "1856")
GAMES = [pytest.param(name, marks=() if name in SAMPLE else pytest.mark.full) for name in ALL]


@pytest.mark.parametrize("name", GAMES)
def test_money_is_conserved_and_undo_is_exact(name):
    """Each action is undone; the sample compares every fifth state of its longest game."""
    file = recorded(name)
    game = start_game(file)
    every = 5 if name == SAMPLE[1] else 1
    states = {0: fingerprint(game)}
    number = 0
    for number, _ in enumerate(replay_actions(game, file), 1):
        assert money(game) == BANK
        if number % every == 0:
            states[number] = fingerprint(game)
    for undone in range(number, -1, -1):
        assert undone not in states or fingerprint(game) == states.pop(undone), undone
        if undone:
            game.undo()
    assert states == {}


@pytest.mark.parametrize("name", GAMES)
def test_save_and_load_at_every_tenth_action(name):
    """Loading costs as much as the game so far, so the sample thins out later on; `full` does not."""
    file = recorded(name)
    game = start_game(file)
    for number, _ in enumerate(replay_actions(game, file)):
        if number % 10 == 0 and (name not in SAMPLE or number < 60 or number % 50 == 0):
            assert fingerprint(load_game(copy.deepcopy(save_game(game)))) == fingerprint(game), number


LIVE = [
    pytest.param(name, marks=() if name in SAMPLE else pytest.mark.full)
    for name in ALL
    if name != "1856-hotseat001"  # played with other destinations than its settings say (rules: section 25)
]


@pytest.mark.parametrize("name", LIVE)
def test_played_again_it_finds_the_same_destinations_and_revenues(name):
    """Every action is given as in play, without what followed from it and without revenues."""
    file = recorded(name)
    game = start_game(file)
    for entry in list(replay_actions(start_game(file), file)):
        follows = entry.get("auto_actions", ())
        if any(follow["type"] != "destination_connection" for follow in follows):
            game.apply(read_action(entry), recorded=True)  # programs give their reasons in other words
            continue
        given = copy.deepcopy({field: value for field, value in entry.items() if field != "auto_actions"})
        for route in given.get("routes", ()):
            del route["revenue"]
        for player in game.players:
            player.program = None
        done = game.apply(given)
        found = [follow.corporations for follow in done.auto_actions]
        assert found == [follow["corporations"] for follow in follows], entry["id"]
        if entry["type"] == "run_routes":
            revenues = [route["revenue"] for route in done.routes]
            assert revenues == [route["revenue"] for route in entry["routes"]], entry["id"]


HEXES = ("L15", "N11", "I12", "H11", "L3", "K10", "M10", "F9", "C14", "A20", "N5", "Z1")
TILES = ("8-0", "9-12", "57-0", "59-0", "69-0", "120-0", "14-1", "63-0", "123-0", "3-0", "nothing")
ENTITIES = (
    ("CA", "corporation"), ("CGR", "corporation"),
    ("WSRC", "company"), ("TCC", "company"), ("GLSC", "company"),
)  # fmt: skip
PRICES = (-1, 0, 1, 7, 65, 100, 9000)


def mutations(entry, following, source):
    """Wrong and odd versions of an action: price, place, tile, rotation, entity, and the action after it."""
    changed = [{"entity": entity, "entity_type": kind} for entity, kind in source.sample(ENTITIES, 2)]
    if "price" in entry:
        changed.append({"price": source.choice(PRICES)})
        changed.append({"price": entry["price"] + source.choice((-5, 5, 1))})
    if "hex" in entry:
        changed.append({"hex": source.choice(HEXES)})
        changed.append({"tile": source.choice(TILES)})
        changed.append({"rotation": source.randint(-1, 6)})
    if "city" in entry:
        changed.append({"city": source.choice(("N11-0-0", "L15-0-1", "K8-7-0", "120-0-1", "X-0-0"))})
    if "share_price" in entry:
        changed.append({"share_price": source.choice(("100,0,4", "65,5,4", "110,0,5", "70,4,4"))})
    if "shares" in entry:
        changed.append({"percent": source.choice((5, 10, 20, 30, 100))})
        changed.append({"shares": [source.choice(("CGR_0", "CGR_25", "CV_1", "GW_0", "LPS_9"))]})
    if "train" in entry:
        changed.append({"train": source.choice(("2-0", "3-4", "6-0", "D-0", "9-9"))})
    if "loan" in entry:
        changed.append({"loan": source.choice((0, 5, 109, 110))})
    if entry["type"] == "dividend":
        changed.append({"kind": "half"})
    if entry["type"] == "special_buy":
        changed.append({"cost": 40})
    found = [{**entry, **change} for change in changed]
    if following is not None:
        found.append(dict(following))
    for mutant in found:
        mutant.pop("id", None)
        mutant.pop("auto_actions", None)
    return found


@pytest.mark.parametrize("name", GAMES)
def test_mutated_actions_are_refused_or_keep_the_rules(name):
    file = recorded(name)
    source = random.Random(name)
    game = start_game(file)
    refused = accepted = 0
    live = list(replay_actions(start_game(file), file))
    for entry, following in zip(live, [*live[1:], None], strict=True):
        if source.random() < (0.2 if name in SAMPLE else 0.5):
            before = fingerprint(game)
            for mutant in mutations(entry, following, source):
                try:
                    game.apply(mutant)
                except GameError as error:
                    refused += bool(str(error))
                else:
                    accepted += 1
                    assert money(game) == BANK
                    assert all(player.cash >= 0 for player in game.players) or (
                        game.finished or game.active_step.name == "cash_crisis"
                    )
                    game.undo()
                assert fingerprint(game) == before, mutant
        game.apply(read_action(entry), recorded=True)
    assert refused > accepted > 0


@pytest.mark.full
def test_a_game_of_650_actions_replays_in_half_a_second():
    """Processor time, the best of five tries."""
    file = recorded("1856-hotseat006")  # 677 actions
    assert len(file["actions"]) >= 650
    tries = []
    for _ in range(5):
        begun = time.process_time()
        load_game(file)
        tries.append(time.process_time() - begun)
    assert min(tries) < 0.5


@pytest.mark.full
def test_legal_actions_take_20_milliseconds_at_the_median_late_in_the_game():
    file = recorded("1856-game-end-bank")
    game = start_game(file)
    times = []
    for number, _ in enumerate(replay_actions(game, file)):
        if number > 600 and not game.finished:
            begun = time.process_time()
            game.legal_actions()
            times.append(time.process_time() - begun)
    assert len(times) > 20
    assert statistics.median(times) < 0.02


@pytest.mark.full
def test_the_audit_of_a_whole_game_takes_5_seconds():
    """Processor time, the best of five tries."""
    tries = []
    for _ in range(5):
        begun = time.process_time()
        found = list(runs(recorded("1856-hotseat006")))
        tries.append(time.process_time() - begun)
        assert all(run.best.proven and run.missed >= 0 for run in found)
    assert min(tries) < 5

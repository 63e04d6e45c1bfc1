"""18Rhl: undo, save and load, mutated games, money (the shared games)."""

import copy
import random
import statistics
import time

import msgspec
import pytest

from engine import load_game, replay_actions, save_game, start_game
from engine.actions import read_action
from engine.audit import runs
from engine.core.state import fingerprint
from engine.errors import GameError
from tests.engine.conftest import case_names, recorded
from tests.engine.rhineland import BANK, money

pytestmark = [pytest.mark.cases, pytest.mark.timeout(1200)]

# With bankruptcies and receivership; Ratingen with every private; promotion tiles; one of people.
SAMPLE = ("18rhl-r1012", "18rhl-r2001", "18rhl-game-end-bank")
ALL = case_names("games", "18rhl")
GAMES = [pytest.param(name, marks=() if name in SAMPLE else pytest.mark.full) for name in ALL]


@pytest.mark.parametrize("name", GAMES)
def test_money_is_conserved_and_undo_is_exact(name):
    """Each action is undone; the sample compares every fifth state of its longer games."""
    file = recorded(name)
    game = start_game(file)
    every = 5 if name in SAMPLE[1:] else 1
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
        if number % 10 == 0 and (name not in SAMPLE or number < 60 or number % 80 == 0):
            assert fingerprint(load_game(copy.deepcopy(save_game(game)))) == fingerprint(game), number


HEXES = ("D9", "F9", "I10", "E8", "E12", "E14", "D7", "D13", "K4", "C8", "Z1")
TILES = ("8-0", "9-0", "57-0", "141-0", "X925-0", "927-0", "935-0", "932-0", "1910-0", "nothing")
ENTITIES = (("CCE", "corporation"), ("KEG", "corporation"), ("Szl", "company"), ("KEO", "company"))
PRICES = (-1, 0, 1, 7, 65, 100, 5000)


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
        changed.append({"city": source.choice(("D9-0-0", "I10-0-1", "C14-0-0", "935-0-0", "X921-0-1"))})
    if "share_price" in entry:
        changed.append({"share_price": source.choice(("100,0,3", "65,3,1", "50,5,0", "70,2,1"))})
    if "shares" in entry:
        changed.append({"percent": source.choice((10, 20, 30, 100))})
        changed.append({"shares": [source.choice(("KEG_0", "RhE_1", "GVE_1", "ADR_9"))]})
    if "train" in entry:
        changed.append({"train": source.choice(("2-0", "3-4", "6-0", "8-3", "9-9"))})
    if entry["type"] == "dividend":
        changed.append({"kind": "half"})
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
    entries = [entry for entry in file["actions"] if entry["type"] not in ("undo", "redo", "message")]
    refused = accepted = 0
    for entry in replay_actions(game, file):
        after = entries[entries.index(entry) + 1 :] if entry in entries else []
        if not after or game.finished or source.random() < 0.7:
            continue
        before = fingerprint(game) if source.random() < 0.2 else None
        for mutant in mutations(after[0], after[1] if len(after) > 1 else None, source):
            mark = game.journal.mark()
            try:
                game.apply(read_action(mutant))
            except GameError as error:
                assert game.journal.mark() == mark, mutant
                refused += bool(str(error))
            else:
                assert money(game) == BANK, mutant
                game.undo()
                del game.log[-2:]
                accepted += 1
            assert before is None or fingerprint(game) == before, mutant
    assert refused > 100
    assert accepted > 0


@pytest.mark.parametrize("name", GAMES)
def test_everything_listed_is_accepted(name):
    """Each listed action, at its lowest and its highest price, at some moments of the game."""
    file = recorded(name)
    source = random.Random(name)
    game = start_game(file)
    tried = 0
    for _ in replay_actions(game, file):
        if game.finished or source.random() < 0.95:
            continue
        listed = [choice for choice in game.legal_actions() if choice.kind != "run_routes"]
        for choice in source.sample(listed, min(30, len(listed))):
            for price in {getattr(choice.action, "price", None), choice.highest} - {None} or {None}:
                action = (
                    choice.action if price is None else msgspec.structs.replace(choice.action, price=price)
                )
                game.apply(msgspec.structs.replace(action, auto_actions=[]))
                game.undo()
                del game.log[-2:]
                tried += 1
    assert tried > 50


@pytest.mark.full
def test_a_game_of_650_actions_replays_in_half_a_second():
    """Processor time, the best of five tries."""
    file = recorded("18rhl-r1007")  # 646 actions
    assert len(file["actions"]) >= 640
    tries = []
    for _ in range(5):
        begun = time.process_time()
        load_game(file)
        tries.append(time.process_time() - begun)
    assert min(tries) < 0.5


@pytest.mark.full
def test_legal_actions_take_20_milliseconds_at_the_median_late_in_the_game():
    file = recorded("18rhl-r1007")
    game = start_game(file)
    times = []
    for number, _ in enumerate(replay_actions(game, file)):
        if number > 400 and not game.finished:
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
        found = list(runs(recorded("18rhl-r1007")))
        tries.append(time.process_time() - begun)
        assert all(run.best.proven and run.missed >= 0 for run in found)
    assert min(tries) < 5

"""Undo, redo, saving, loading and copying bring back exactly the same state."""

from __future__ import annotations

import pytest

from engine import IllegalActionError, load_game, replay_actions, save_game, start_game
from engine.core.state import fingerprint
from engine.player import RandomPlayer, new_game
from engine.trace import snapshot
from tests.engine.conftest import case_names, recorded

pytestmark = pytest.mark.cases

PLAYED = ["1861-167259", "1867-21268"]
GENERATED = ["1861-r1010", "1867-r1002"]
EVERY_GAME = [pytest.param(name, 1, marks=pytest.mark.full) for name in case_names("games", "1861", "1867")]


@pytest.mark.parametrize(("name", "every"), [(name, 25) for name in PLAYED] + EVERY_GAME)
def test_undo_of_each_action_gives_the_state_before_it(name: str, every: int) -> None:
    """One undo after another back to the start; the state is compared after every so many of them."""
    file = recorded(name)
    game = start_game(file)
    states = [fingerprint(game)]
    for number, _ in enumerate(replay_actions(game, file), 1):
        states.append(fingerprint(game) if number % every == 0 else None)
    assert len(states) > 100
    while True:
        state = states.pop()
        assert state is None or fingerprint(game) == state
        if not states:
            break
        game.undo()


@pytest.mark.parametrize("name", GENERATED)
def test_redo_gives_the_state_after_again(name: str) -> None:
    file = recorded(name)
    game = load_game(file)
    after = fingerprint(game)
    for _ in range(30):
        game.undo()
    assert fingerprint(game) != after
    for _ in range(30):
        game.redo()
    assert fingerprint(game) == after
    with pytest.raises(IllegalActionError, match="nothing to redo"):
        game.redo()


@pytest.mark.parametrize(("name", "later"), [(name, 90) for name in [*PLAYED, *GENERATED]] + EVERY_GAME)
def test_save_and_load_at_every_tenth_action(name: str, later: int) -> None:
    """Loading costs as much as the game so far: the sample loads less often from the hundredth action on."""
    file = recorded(name)
    game = start_game(file)
    checked = 0
    for number, _ in enumerate(replay_actions(game, file)):
        if number % 10 == 0 and (number < 100 or number % later == 0):
            loaded = load_game(save_game(game))
            assert snapshot(loaded) == snapshot(game)
            assert fingerprint(loaded) == fingerprint(game)
            checked += 1
    assert checked > 9


def test_undo_to_an_action_and_redo_in_play() -> None:
    game = new_game("1861", 3, 5)
    player = RandomPlayer(5)
    for _ in range(120):
        game.apply(player.choose(game))
    after = fingerprint(game)
    target = game.log[99]["id"]
    entity = game.log[99]["entity"]
    kind = game.log[99]["entity_type"]
    game.apply({"type": "undo", "entity": entity, "entity_type": kind, "action_id": target})
    again = new_game("1861", 3, 5)
    for entry in game.log[:100]:
        again.apply(entry, recorded=True)
    assert fingerprint(game) == fingerprint(again)
    game.apply({"type": "redo", "entity": entity, "entity_type": kind})
    assert fingerprint(game) == after
    loaded = load_game(save_game(game))
    assert fingerprint(loaded) == after
    assert [entry["type"] for entry in loaded.log[-2:]] == ["undo", "redo"]


def test_a_copy_goes_its_own_way() -> None:
    game = new_game("1867", 4, 3)
    player = RandomPlayer(3)
    for _ in range(80):
        game.apply(player.choose(game))
    before = fingerprint(game)
    twin = game.clone()
    assert fingerprint(twin) == before
    for _ in range(40):
        twin.apply(player.choose(twin))
    assert fingerprint(game) == before
    assert fingerprint(twin) != before
    for _ in range(40):
        twin.undo()
    assert fingerprint(twin) == before
    with pytest.raises(IllegalActionError, match="nothing to undo"):
        twin.undo()
    twin.apply(player.choose(twin))
    with pytest.raises(IllegalActionError, match="before the copy"):
        twin.apply({"type": "undo", "entity": 1, "entity_type": "player", "action_id": 40})
    twin.undo()
    assert fingerprint(twin) == before


def test_nothing_to_undo_at_the_start() -> None:
    with pytest.raises(IllegalActionError, match="nothing to undo"):
        new_game("1861", 3, 1).undo()

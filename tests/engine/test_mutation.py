"""Broken actions: refused with a clear error and unchanged state, or accepted with the rules intact."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

from engine import GameError, IllegalActionError, start_game
from engine.core.corporation import Corporation
from engine.core.state import fingerprint
from engine.game import Game
from engine.replay import executed
from tests.engine.conftest import case_names, recorded

pytestmark = pytest.mark.cases

SAMPLE = ("1861-r1010", "1867-r1002")
GAMES = [
    pytest.param(name, marks=() if name in SAMPLE else pytest.mark.full)
    for name in case_names("games", "1861", "1867")
]


def money(game: Game) -> int:
    """All the money there is."""
    corporations = [entity for entity in game.entities.values() if isinstance(entity, Corporation)]
    gone = [
        entity
        for entity in game.round.entities
        if isinstance(entity, Corporation) and entity not in corporations
    ]
    holders = [game.bank, *game.players, *corporations, *dict.fromkeys(gone)]
    return sum(holder.cash for holder in holders)


def mutate(entry: dict[str, Any], entries: list[dict[str, Any]], source: random.Random) -> dict[str, Any]:
    """The action with one field changed, or another action of the game in its place."""
    changed = copy.deepcopy(entry)
    changed.pop("auto_actions", None)
    names = [name for name in changed if name not in ("type", "id", "user", "created_at", "original_id")]
    name = source.choice([*names, "whole"])
    if name == "whole":
        other = copy.deepcopy(source.choice(entries))
        other["id"] = entry["id"]
        return other
    value = changed[name]
    if isinstance(value, bool) or value is None:
        changed[name] = source.choice([True, False, 7, "x"])
    elif isinstance(value, int):
        changed[name] = value + source.choice([-1000, -5, -1, 1, 5, 1000])
    elif isinstance(value, list):
        changed[name] = source.choice([[], value[1:], value + value[:1], "x"])
    else:
        pool = [other[name] for other in entries if isinstance(other.get(name), str)]
        changed[name] = source.choice([*pool, "nonsense", ""])
    return changed


def attempt(game: Game, action: dict[str, Any]) -> GameError | None:
    """Applies the action; a refusal leaves nothing behind in the journal."""
    mark = game.journal.mark()
    try:
        game.apply(action)
    except GameError as error:
        assert game.journal.mark() == mark
        return error
    return None


def check_error(error: GameError, action: dict[str, Any]) -> None:
    assert str(error)
    if isinstance(error, IllegalActionError):
        nested = [item["type"] for item in action.get("auto_actions", ())]
        assert error.reason
        assert error.action["type"] in (action["type"], *nested)


@pytest.mark.parametrize("name", GAMES)
def test_mutated_actions(name: str) -> None:
    file = recorded(name)
    source = random.Random(name)
    game = start_game(file)
    entries = [entry for entry in file["actions"] if entry["type"] not in ("undo", "redo", "message")]
    total = money(game)
    refused = accepted = 0
    for entry, execute in executed(game, file):
        for _ in range(2):
            changed = mutate(entry, entries, source)
            if changed == entry or changed["type"] in ("undo", "redo"):
                continue
            before = fingerprint(game) if source.random() < 0.1 else None
            error = attempt(game, changed)
            if error is None:
                accepted += 1
                assert money(game) == total
                game.undo()
                del game.log[-2:]
            else:
                refused += 1
                check_error(error, changed)
            if before is not None:
                assert fingerprint(game) == before
        execute()
        assert money(game) == total
    assert refused > 200
    assert accepted > 10  # most fields say something that can be wrong


def test_the_error_names_action_step_and_rule() -> None:
    file = recorded("1861-r1010")
    game = start_game(file)
    player = file["players"][0]["id"]
    with pytest.raises(IllegalActionError) as caught:
        game.apply({"type": "bid", "entity": player, "entity_type": "player", "company": "TSR", "price": 5})
    error = caught.value
    assert error.step == "single_item_auction"
    assert error.reason == "the lowest bid on Tsarskoye Selo Railway is 20, not 5"
    assert "bid by player" in str(error)
    with pytest.raises(IllegalActionError, match="must decide in step single_item_auction") as caught:
        game.apply({"type": "pass", "entity": "N", "entity_type": "corporation"})
    assert caught.value.step == "single_item_auction"


@pytest.mark.parametrize(
    ("name", "number"),
    [("18rhl-r1012", 281), ("18rhl-r2001", 212)],  # one certificate sold for a train
)
@pytest.mark.parametrize("percent", [1, 5, 9])
def test_a_certificate_is_not_sold_in_part_to_raise_money(name: str, number: int, percent: int) -> None:
    file = recorded(name)
    game = start_game(file)
    for entry, execute in executed(game, file):
        if entry["id"] == number:
            break
        execute()
    mark = game.journal.mark()
    with pytest.raises(IllegalActionError, match="percent cannot be made of these certificates"):
        game.apply({**entry, "percent": percent})
    assert game.journal.mark() == mark


def test_recorded_games_keep_all_money() -> None:
    for name in ("1861-167259", "1867-nationalization-cash"):
        file = recorded(name)
        game = start_game(file)
        total = money(game)
        assert total == 15000
        for _, execute in executed(game, file):
            execute()
            assert money(game) == total

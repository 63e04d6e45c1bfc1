"""Broken game files are refused with the name of the faulty field."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from engine import GameFileError, load_game, read_game_file, save_game, start_game
from engine.player import new_file

GOOD: dict[str, Any] = new_file("1861", 3, 1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"title": 1861}, "title: must be"),
        ({"title": "1830"}, "unknown title '1830'; the engine plays 1861"),
        ({"players": None}, "players: must be a list"),
        ({"players": [1, 2]}, "players\\[0\\]: must be an object"),
        ({"players": [{"id": 1}, {"id": 1}]}, "players\\[1\\].id: 1 is there twice"),
        ({"players": [{"id": None}]}, "players\\[0\\].id: must be"),
        ({"players": [{"id": n} for n in range(9)]}, "no set-up for 9 players"),
        ({"settings": []}, None),
        ({"settings": {"optional_rules": ["fast"]}}, "optional rule 'fast'; it has column_market"),
        ({"settings": {"optional_rules": "fast"}}, "optional_rules: must be a list"),
        ({"settings": {"seed": "x1"}}, "settings.seed: must be a number"),
        ({"settings": {"seed": "9" * 5000}}, "settings.seed: has too many digits"),
        ({"id": "9" * 5000, "settings": {}}, "id: has too many digits"),
        ({"actions": {}}, None),
        ({"actions": [3]}, "actions\\[0\\]: must be an object"),
        ({"actions": [{"type": "fly", "id": 1}]}, "action 1: unknown type 'fly'"),
        ({"actions": [{"type": "undo", "id": 1, "action_id": 7}]}, "no action has the id 7"),
        ({"actions": [{"type": "undo", "id": 1, "action_id": {}}]}, "no action has the id {}"),
        ({"actions": [{"type": "pass", "id": []}, {"type": "undo", "action_id": 7}]}, "has the id 7"),
        ({"actions": [{"type": "pass", "id": 1, "entity": 9, "entity_type": "player"}]}, "no player 9"),
    ],
)
def test_faulty_fields(change: dict[str, Any], message: str | None) -> None:
    file = {**GOOD, **change}
    if message is None:
        assert load_game(file).turn == 1  # empty is as good as missing
        return
    with pytest.raises(GameFileError, match=message):
        load_game(file)


def test_files_that_are_none(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    with pytest.raises(GameFileError, match=r"game\.json"):
        read_game_file(path)
    path.write_text("[]")
    with pytest.raises(GameFileError, match="one JSON object"):
        read_game_file(path)
    path.write_text("[" * 100_000)
    with pytest.raises(GameFileError, match="nested too deeply"):
        read_game_file(path)


def test_packed_files_that_are_broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.json.gz"
    packed = gzip.compress(json.dumps(GOOD).encode())
    path.write_bytes(packed[:-12])
    with pytest.raises(GameFileError, match=r"ended before"):
        read_game_file(path)
    path.write_bytes(packed[:10] + b"\xff" * 20)
    with pytest.raises(GameFileError, match="decompressing"):
        read_game_file(path)
    path.write_bytes(packed)
    assert read_game_file(path) == GOOD
    monkeypatch.setattr("engine.reading.MOST_BYTES", 100)
    with pytest.raises(GameFileError, match="too large"):
        read_game_file(path)


def test_saving_keeps_what_the_file_had() -> None:
    game = start_game({**GOOD, "description": "friends"})
    saved = json.loads(json.dumps(save_game(game)))
    assert saved["description"] == "friends"
    assert (saved["status"], saved["turn"], saved["round"]) == ("active", 1, "Auction Round")
    assert saved["actions"] == []


def test_names_serve_as_ids_in_old_files() -> None:
    game = start_game({**GOOD, "players": [{"name": "Ann"}, {"name": "Bob"}, {"name": "Cy"}]})
    game.apply({"type": "pass", "entity": "Ann", "entity_type": "player"})
    assert game.active_entity is game.player("Bob")

"""Loading and saving game files, and replaying them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from engine.actions import read_action
from engine.errors import GameFileError
from engine.game import Game
from engine.liveness import live_flags
from engine.title import load_game_title
from engine.trace import changes, snapshot


def read_game_file(path: Path | str) -> dict[str, Any]:
    """Reads a game file, gzipped or not; raises GameFileError."""
    path = Path(path)
    try:
        raw = path.read_bytes()
        text = gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw
        data = json.loads(text)
    except (OSError, ValueError) as error:
        raise GameFileError(f"{path}: {error}") from None
    if not isinstance(data, dict):
        raise GameFileError(f"{path}: a game file is one JSON object")
    return data


def start_game(file: Mapping[str, Any], *, strict: bool = True) -> Game:
    """The game of a file before its first action; raises GameFileError."""
    title_name = file.get("title")
    if not isinstance(title_name, str):
        raise GameFileError("title: must be the name of a title")
    players = file.get("players")
    if not isinstance(players, Sequence) or not players:
        raise GameFileError("players: must be a list of players")
    seats = [
        (player.get("id", player.get("name")), str(player.get("name", player.get("id"))))
        for player in players
    ]
    settings = file.get("settings") or {}
    optional_rules = tuple(settings.get("optional_rules") or ())
    title = load_game_title(title_name, len(seats), optional_rules, settings.get("switches"))
    if len(seats) not in title.starting_cash:
        raise GameFileError(f"players: {title.name} has no set-up for {len(seats)} players")
    header = {name: value for name, value in file.items() if name != "actions"}
    return Game(title, seats, header, strict=strict)


def load_game(file: Mapping[str, Any], *, strict: bool = True) -> Game:
    """The game after all live actions of the file; raises the first action's error."""
    game = start_game(file, strict=strict)
    for _ in replay_actions(game, file):
        pass
    return game


def executed(game: Game, file: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], Callable[[], None]]]:
    """Yields each live action of the file with a function that executes it; to be called before going on."""
    actions = file.get("actions") or ()
    for entry, live in zip(actions, live_flags(actions), strict=True):
        if live:
            yield entry, partial(_execute, game, entry)
        else:
            game.note_entry(entry)


def _execute(game: Game, entry: Mapping[str, Any]) -> None:
    game.apply(read_action(entry), recorded=True)


def replay_actions(game: Game, file: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Executes the file's live actions one by one and yields each after it was executed."""
    for entry, execute in executed(game, file):
        execute()
        yield entry


def save_game(game: Game) -> dict[str, Any]:
    """The game as a file in the public format."""
    file = dict(game.file)
    file["actions"] = [dict(entry) for entry in game.log]
    file["status"] = "finished" if game.finished else "active"
    file["turn"] = game.turn
    file["round"] = game.round.long_name
    if game.finished:
        file["result"] = result(game)
    return file


def result(game: Game) -> dict[str, int]:
    """Final values by player id."""
    return {str(player.id): game.title.score(game, player) for player in game.players}


def trace(file: Mapping[str, Any], *, strict: bool = True) -> Iterator[dict[str, Any]]:
    """The trace of a game: its full state at the start, then what each live action changes."""
    game = start_game(file, strict=strict)
    before = snapshot(game)
    yield {"id": 0, "changes": before}
    for entry in replay_actions(game, file):
        after = snapshot(game)
        yield {"id": entry.get("id"), "changes": changes(before, after)}
        before = after

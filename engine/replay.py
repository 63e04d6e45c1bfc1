"""Games from files and back, and replaying them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from engine.actions import read_action
from engine.errors import GameFileError
from engine.game import Game
from engine.liveness import live_flags
from engine.rng import game_seed
from engine.title import load_game_title
from engine.trace import changes, snapshot
from optimizer.titles.loader import UnknownTitle


def start_game(file: Mapping[str, Any], *, strict: bool = True) -> Game:
    """The game of a file before its first action; raises GameFileError naming the faulty field."""
    name = file.get("title")
    if not isinstance(name, str):
        raise GameFileError(f"title: must be the name of a title, not {name!r}")
    seats = _seats(file.get("players"))
    settings = file.get("settings") or {}
    if not isinstance(settings, Mapping):
        raise GameFileError("settings: must be an object")
    optional_rules = settings.get("optional_rules") or []
    if not isinstance(optional_rules, list) or not all(isinstance(rule, str) for rule in optional_rules):
        raise GameFileError("settings.optional_rules: must be a list of names")
    if not isinstance(settings.get("seed") or 0, int) and not str(settings["seed"]).isdecimal():
        raise GameFileError(f"settings.seed: must be a number, not {settings['seed']!r}")
    try:
        game_seed(settings.get("seed"), file.get("id"))
    except ValueError:  # Python reads numbers of some thousand digits only
        where = "id" if settings.get("seed") in (None, "") else "settings.seed"
        raise GameFileError(f"{where}: has too many digits for a seed") from None
    try:
        title = load_game_title(name, len(seats), tuple(optional_rules), settings.get("switches"))
    except UnknownTitle as error:
        raise GameFileError(f"settings.optional_rules: {error}") from None
    if len(seats) not in title.starting_cash:
        raise GameFileError(f"players: {title.name} has no set-up for {len(seats)} players")
    header = {field: value for field, value in file.items() if field != "actions"}
    return Game(title, seats, header, strict=strict)


def _seats(players: Any) -> list[tuple[int | str, str]]:
    """(id, name) of the players in seating order; old files have names only."""
    if not isinstance(players, list) or not players:
        raise GameFileError("players: must be a list of players")
    seats: list[tuple[int | str, str]] = []
    for number, player in enumerate(players):
        if not isinstance(player, Mapping):
            raise GameFileError(f"players[{number}]: must be an object with id and name")
        player_id = player.get("id", player.get("name"))
        if isinstance(player_id, bool) or not isinstance(player_id, int | str):
            raise GameFileError(f"players[{number}].id: must be a number or a text, not {player_id!r}")
        if any(player_id == other for other, _ in seats):
            raise GameFileError(f"players[{number}].id: {player_id!r} is there twice")
        seats.append((player_id, str(player.get("name", player_id))))
    return seats


def _actions(file: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The entries of the file's list of actions."""
    actions = file.get("actions") or []
    if not isinstance(actions, list):
        raise GameFileError("actions: must be a list")
    for number, entry in enumerate(actions):
        if not isinstance(entry, Mapping):
            raise GameFileError(f"actions[{number}]: must be an object")
    return actions


def load_game(file: Mapping[str, Any], *, strict: bool = True) -> Game:
    """The game after all live actions of the file; raises the first action's error."""
    game = start_game(file, strict=strict)
    for _ in replay_actions(game, file):
        pass
    return game


def executed(game: Game, file: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], Callable[[], None]]]:
    """Yields each live action of the file with a function that executes it; to be called before going on."""
    actions = _actions(file)
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

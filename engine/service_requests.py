"""What a request of `GameEngine` brings, as game files and actions: faults are told by the field's path."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn

from rheingold.v1 import game_service_pb2 as pb

from engine.errors import GameFileError
from engine.title import TITLES, Title, load_game_title
from optimizer.model.data import Fault
from optimizer.model.faults import show
from optimizer.service.errors import BadRequestError
from optimizer.titles.loader import known_optional_rules

MAX_ACTIONS = 10_000
MAX_PLAYERS = 12

# Deeper documents could be read but not always be written again.
MAX_DEPTH = 100

# The field that the text of a GameFileError begins with, as in `players[1].id: ...`.
_FIELD = re.compile(r"([a-z_]+(?:\.\w+|\[\d+\])*): ")


def new_game_file(request: pb.CreateGameRequest, name: str) -> dict[str, Any]:
    """The file of a game without actions; raises BadRequestError with every fault."""
    faults = _player_faults(request.players)
    title = _title(request.title)
    if title is None:
        faults.insert(0, _title_fault("title", request.title))
    else:
        if not faults and len(request.players) not in title.starting_cash:
            known = ", ".join(map(str, title.starting_cash))
            faults.append(
                Fault("players", f"{title.name} is for {known} players, not {len(request.players)}")
            )
        faults += _option_faults(title.name, request.optional_rules)
        faults += switch_faults(title, request.switches)
    if faults:
        raise BadRequestError(faults)
    settings: dict[str, Any] = {"seed": request.seed, "optional_rules": list(request.optional_rules)}
    if request.switches:
        settings["switches"] = dict(request.switches)
    return {
        "id": name,
        "title": request.title,
        "players": [
            {"id": _player_id(player.id), "name": player.name or player.id} for player in request.players
        ],
        "settings": settings,
        "actions": [],
    }


def recorded_file(request: pb.LoadGameRequest) -> dict[str, Any]:
    """The file of a recorded game, cut and with other switches as asked; raises BadRequestError."""
    file = parse(request.game_json, "game_json")
    actions = file.get("actions") or []
    if not isinstance(actions, list) or len(actions) > MAX_ACTIONS:
        raise BadRequestError([Fault("game_json.actions", f"must be a list of at most {MAX_ACTIONS}")])
    faults: list[Fault] = []
    name = file.get("title")
    title = _title(name) if isinstance(name, str) else None
    if title is None:
        faults.append(_title_fault("game_json.title", name))
    if request.HasField("actions"):
        if not 0 <= request.actions <= len(actions):
            faults.append(Fault("actions", f"must be 0 to {len(actions)}, not {request.actions}"))
        file = {**file, "actions": actions[: max(0, request.actions)]}
    if request.switches:
        faults += switch_faults(title, request.switches) if title is not None else []
        file = {**file, "settings": _with_switches(file.get("settings"), request.switches)}
    if faults:
        raise BadRequestError(faults)
    return file


def file_fault(error: GameFileError, document: str) -> Fault:
    """The fault that a game file's error tells of; `document` is the request's field that holds the file."""
    text = str(error)
    found = _FIELD.match(text)
    if found is None:
        return Fault(document, text)
    return Fault(".".join(filter(None, (document, found[1]))), text[found.end() :])


def switch_faults(title: Title, switches: Mapping[str, str]) -> list[Fault]:
    """A fault for every switch that the title lacks, and for every value that its switch lacks."""
    faults = []
    for name, value in sorted(switches.items()):
        switch = title.switches.get(name)
        if switch is None:
            known = ", ".join(sorted(title.switches)) or "none"
            what = f"{title.name} has no switch {show(name)}; it has {known}"
        elif value not in switch.values:
            what = f"must be {' or '.join(switch.values)}, not {show(value)}"
        else:
            continue
        faults.append(Fault(f"switches[{name}]", what))
    return faults


def parse_all(texts: Sequence[str], path: str) -> list[dict[str, Any]]:
    """The JSON objects of a repeated field; raises BadRequestError with the faults of all that are none."""
    objects = []
    faults: list[Fault] = []
    for number, text in enumerate(texts):
        try:
            objects.append(parse(text, f"{path}[{number}]"))
        except BadRequestError as error:
            faults += error.faults
    if faults:
        raise BadRequestError(faults)
    return objects


def parse(text: str, path: str) -> dict[str, Any]:
    """The JSON object that a field holds; raises BadRequestError for what could not be written again, too."""
    try:
        value = json.loads(text, parse_constant=_no_number, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise BadRequestError([Fault(path, f"is not JSON: {error}")]) from error
    if not isinstance(value, dict):
        raise BadRequestError([Fault(path, "must be a JSON object")])
    if _depth(value) > MAX_DEPTH:
        raise BadRequestError([Fault(path, f"is nested more than {MAX_DEPTH} deep")])
    if "\\ud" in text.lower():  # half of a pair of escapes is no character and fits into no answer
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise BadRequestError([Fault(path, "has an escape that is half a character")]) from None
    return value


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        _no_number(text)
    return value


def _depth(value: object) -> int:
    """How deep objects and lists are nested, without recursion."""
    depth = 0
    level: list[Any] = [value]
    while level:
        depth += 1
        inner: list[Iterable[Any]] = [
            row.values() if isinstance(row, dict) else row for row in level if isinstance(row, dict | list)
        ]
        level = [part for row in inner for part in row if isinstance(part, dict | list)]
    return depth


def _title(name: str) -> Title | None:
    try:
        # Which readings and set-ups a title has depends neither on players nor on optional rules.
        return load_game_title(name, 3, ())
    except GameFileError:
        return None


def _title_fault(path: str, name: object) -> Fault:
    return Fault(path, f"must be one of {', '.join(TITLES)}, not {show(name)}")


def _player_faults(players: Sequence[pb.Player]) -> list[Fault]:
    if not 1 <= len(players) <= MAX_PLAYERS:
        return [Fault("players", f"must be 1 to {MAX_PLAYERS}, not {len(players)}")]
    faults = []
    seen: set[int | str] = set()
    for number, player in enumerate(players):
        name = _player_id(player.id)
        if not player.id or name in seen:
            faults.append(Fault(f"players[{number}].id", "must be given, and unlike the others"))
        seen.add(name)
    return faults


def _option_faults(title: str, rules: Sequence[str]) -> list[Fault]:
    known = known_optional_rules(title)
    faults = []
    for number, rule in enumerate(rules):
        if rule not in known:
            what = f"{title} has no optional rule {show(rule)}; it has {', '.join(known) or 'none'}"
        elif rule in rules[:number]:
            what = f"optional rule {rule} is named twice"
        else:
            continue
        faults.append(Fault(f"optional_rules[{number}]", what))
    return faults


def _with_switches(settings: Any, switches: Mapping[str, str]) -> Any:
    """The settings of a file with these switches over its own; what is no object stays, to be refused."""
    settings = settings or {}
    own = (settings.get("switches") or {}) if isinstance(settings, dict) else None
    if not isinstance(own, dict):
        return settings
    return {**settings, "switches": {**own, **switches}}


def _player_id(text: str) -> int | str:
    """Public game files number their players; other names are kept as they are."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text

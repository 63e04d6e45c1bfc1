"""What the game commands have in common: the argument that names a game file."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from engine.errors import GameFileError
from engine.replay import read_game_file

F = TypeVar("F", bound=Callable[..., Any])

game_argument: Callable[[F], F] = click.argument(
    "path", metavar="GAME", type=click.Path(exists=True, dir_okay=False, allow_dash=True)
)


def read(path: str) -> dict[str, Any]:
    """The game file at `path`, gzipped or not; `-` reads JSON from standard input."""
    if path != "-":
        return read_game_file(Path(path))
    try:
        data = json.load(sys.stdin)
    except RecursionError:
        raise GameFileError("standard input: is nested too deeply") from None
    except ValueError as error:
        raise GameFileError(f"standard input: {error}") from None
    if not isinstance(data, dict):
        raise GameFileError("standard input: a game file is one JSON object")
    return data


def game_name(file: dict[str, Any], path: str) -> str:
    """What output calls the game: the file's name without its endings, else its id."""
    name = Path(path).name
    for ending in (".gz", ".json"):
        name = name.removesuffix(ending)
    return str(file.get("id", "game")) if path == "-" else name


def write_line(record: Any) -> None:
    """One JSON line on standard output."""
    click.echo(json.dumps(record, ensure_ascii=False))

"""What the game commands have in common: the argument that names a game file."""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from engine.errors import GameFileError
from engine.reading import read_game, read_game_file

F = TypeVar("F", bound=Callable[..., Any])

STANDARD_INPUT = "standard input"


def game_argument(command: F) -> F:
    """Adds the argument GAME to a command; what is wrong with that file is told with its name."""

    @functools.wraps(command)
    def run(path: str, **given: Any) -> Any:
        try:
            return command(path=path, **given)
        except GameFileError as error:
            name, text = shown_name(path), str(error)
            raise GameFileError(text if text.startswith(f"{name}: ") else f"{name}: {text}") from None

    kind = click.Path(exists=True, dir_okay=False, allow_dash=True)
    argument: Callable[[Any], Any] = click.argument("path", metavar="GAME", type=kind)
    wrapped: F = argument(run)
    return wrapped


def read(path: str) -> dict[str, Any]:
    """The game file at `path`; `-` is standard input. Either may be gzipped."""
    if path != "-":
        return read_game_file(Path(path))
    return read_game(sys.stdin.buffer, STANDARD_INPUT)


def shown_name(path: str) -> str:
    """What messages call the file."""
    return STANDARD_INPUT if path == "-" else path


def game_name(file: dict[str, Any], path: str) -> str:
    """What output calls the game: the file's name without its endings, else its id."""
    name = Path(path).name
    for ending in (".gz", ".json"):
        name = name.removesuffix(ending)
    return str(file.get("id", "game")) if path == "-" else name


def write_line(record: Any) -> None:
    """One JSON line on standard output."""
    click.echo(json.dumps(record, ensure_ascii=False))

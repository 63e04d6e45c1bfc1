"""Reading game files: from a path or a stream, gzipped or not."""

from __future__ import annotations

import gzip
import io
import json
import zlib
from pathlib import Path
from typing import Any, BinaryIO, cast

from engine.errors import GameFileError

MOST_BYTES = 64_000_000
WANTED = "a game file is one JSON object, as 18xx.games exports it"
POSITION_FIELDS = frozenset({"company", "trains", "inline", "position", "recorded"})


def read_game_file(path: Path | str) -> dict[str, Any]:
    """Reads a game file, gzipped or not; raises GameFileError."""
    try:
        with open(path, "rb") as file:
            return read_game(file, str(path))
    except OSError as error:
        raise GameFileError(f"{path}: {error.strerror or error}") from None


def read_game(file: BinaryIO, name: str) -> dict[str, Any]:
    """Reads a game from a stream, gzipped or not; raises GameFileError, beginning with the name."""
    try:
        return _game(_unpacked(file))
    except RecursionError:
        raise GameFileError(f"{name}: is nested too deeply") from None
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise GameFileError(f"{name}: cannot be unpacked: {error}") from None
    except ValueError as error:
        raise GameFileError(f"{name}: {error}") from None


def _unpacked(file: BinaryIO) -> bytes:
    buffered = file if isinstance(file, io.BufferedReader) else io.BufferedReader(cast(io.RawIOBase, file))
    zipped = buffered.peek(2)[:2] == b"\x1f\x8b"
    data = (gzip.GzipFile(fileobj=buffered) if zipped else buffered).read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ValueError(f"is too large: at most {MOST_BYTES} bytes, unpacked")
    return data


def _game(data: bytes) -> dict[str, Any]:
    """The game that a file holds; raises ValueError saying what it holds instead."""
    if not data.strip():
        raise ValueError(f"is empty; {WANTED}")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"is not UTF-8 text (byte {error.start}); {WANTED}") from None
    try:
        game = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(_what_else(text, error)) from None
    if not isinstance(game, dict):
        raise ValueError(f"{WANTED}, and this is none")
    if "players" not in game and not POSITION_FIELDS.isdisjoint(game):
        raise ValueError("holds a position and no game; `rheingold solve` reads positions")
    return game


def _what_else(text: str, error: json.JSONDecodeError) -> str:
    """Says what is wrong with text that is not one JSON value."""
    try:
        first, _ = json.JSONDecoder().raw_decode(text.lstrip())
    except ValueError:
        return f"is not JSON: {error.msg} at line {error.lineno} column {error.colno}; {WANTED}"
    if isinstance(first, dict) and "players" not in first and not POSITION_FIELDS.isdisjoint(first):
        return "holds positions and no game; `rheingold solve` reads positions"
    return f"goes on after its first JSON value (line {error.lineno}); {WANTED}, and each has its own file"

"""Commands that cannot read, write or reach what they are told to: one line, no traceback."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.cli.main import main
from engine.player import new_file

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["render", "examples/own-map.json", "-o", "no-such-folder/map.svg"], "no-such-folder/map.svg"),
        (["play", "--title", "1867", "--random", "-o", "no-such-folder/game.json"], "no-such-folder"),
        (["audit", "examples/game-18rhl.json.gz", "--server", "127.0.0.1:1"], "UNAVAILABLE"),
        (["audit", "examples/game-18rhl.json.gz", "--time", "nan"], "no finite number"),
        (["render", "examples/own-map.json", "--scale", "nan"], "no finite number"),
        (["solve", "--rules", "tests.engine.broken_rules", "examples/own-map.json"], "broken_rules"),
    ],
)
def test_failures_are_told_in_one_line(arguments: list[str], told: str) -> None:
    """Whatever cannot be written, reached or imported is named; the exit status is 1 or 2."""
    run = subprocess.run(
        [sys.executable, "-m", "engine.cli.main", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert run.returncode in (1, 2)
    assert told in run.stderr
    assert "Traceback" not in run.stderr


def text_of(**changed: Any) -> bytes:
    return json.dumps({**new_file("1861", 3, 1), **changed}).encode()


RUN: dict[str, Any] = {"type": "run_routes", "id": 1, "entity_type": "corporation"}

# What a file holds, and what is said of it after its name.
NO_GAMES: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "is empty; a game file is one JSON object"),
    "blank": (b" \n", "is empty"),
    "binary": (bytes(range(128, 200)), "is not UTF-8 text (byte 0); a game file is"),
    "cut": (b"\x1f\x8b\x08\x00", "cannot be unpacked"),
    "list": (b"[1]", "one JSON object"),
    "words": (b"no game", "is not JSON: Expecting value at line 1 column 1"),
    "nested": (b"[" * 100_000, "is nested too deeply"),
    "two games": (text_of() + b"\n" + text_of(), "goes on after its first JSON value (line 2)"),
    "position": ((ROOT / "examples/own-map.json").read_bytes(), "`rheingold solve` reads positions"),
    "positions": ((ROOT / "examples/positions.jsonl").read_bytes(), "`rheingold solve` reads positions"),
    "nothing in it": (b"{}", "title: must be the name of a title"),
    "other title": (text_of(title="1830"), "unknown title '1830'"),
    "no players": (text_of(players=None), "players: must be a list"),
    "no action": (text_of(actions=[3]), "actions[0]: must be an object"),
    "unknown action": (text_of(actions=[{"type": "fly", "id": 1}]), "action 1: unknown type 'fly'"),
    "run of nobody": (text_of(actions=[{**RUN, "routes": []}]), "missing required field `entity`"),
    "run of nothing": (text_of(actions=[{**RUN, "entity": "N", "routes": [3]}]), "got `int`"),
}


@pytest.mark.parametrize("command", ["replay", "audit", "positions", "legal"])
@pytest.mark.parametrize("kind", NO_GAMES)
def test_files_that_are_no_games(
    command: str,
    kind: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Every game command names the file and what is wrong, and ends with status 2 as `solve` does."""
    data, told = NO_GAMES[kind]
    path = tmp_path / "given.json"
    path.write_bytes(data)
    monkeypatch.setattr(sys, "argv", ["rheingold", command, str(path)])
    with pytest.raises(SystemExit) as ended:
        main()
    said = capfd.readouterr().err
    assert ended.value.code == 2, said
    assert said.startswith(f"Error: {path}: ")
    assert told in said
    assert said.count("\n") == 1


def test_a_game_that_breaks_the_rules_is_no_bad_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "given.json"
    path.write_bytes(text_of(actions=[{**RUN, "entity": "N", "routes": []}]))
    monkeypatch.setattr(sys, "argv", ["rheingold", "replay", str(path)])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    assert "action 1 (run_routes by corporation N) refused" in capfd.readouterr().err

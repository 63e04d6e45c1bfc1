"""The guide to rules in Python is run as it stands: its files, its command, its programs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

pytest.importorskip("optimizer.native.fleet")

TEXT = (ROOT / "docs" / "custom-rules.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)
BLOCKS = [(found[1], found[2] or "", found[3]) for found in BLOCK.finditer(TEXT)]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with the files that the guide writes."""
    for _, name, body in BLOCKS:
        if name:
            (tmp_path / name).write_text(body, encoding="utf-8")
    return tmp_path


def start(place: Path, *arguments: str) -> str:
    """Run Python in the folder and return what it prints."""
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'proto/generated'}"}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=place, env=environment, check=False, capture_output=True, text=True,
        timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_command_prints_what_the_guide_shows(place: Path) -> None:
    (console,) = (body for language, _, body in BLOCKS if language == "console")
    command, _, shown = console.partition("\n")
    words = command.removeprefix("$ rheingold ").split()
    printed = start(place, "-c", "from engine.cli.main import main; main()", *words)
    without_times = re.compile(r"[\d.]+ ms")
    assert without_times.sub("", printed) == without_times.sub("", shown)


def test_programs_run(place: Path) -> None:
    program = "\n".join(body for language, name, body in BLOCKS if language == "python" and not name)
    start(place, "-c", f"import sys; sys.path.insert(0, '')\n{program}")


def test_the_rule_fits_on_a_screen() -> None:
    (body,) = (body for _, name, body in BLOCKS if name == "harbours.py")
    assert len(body.splitlines()) <= 25


def test_fields_are_those_of_the_view() -> None:
    from optimizer.custom import Route, Stop

    for name in (*Stop._fields, *Route._fields):
        assert f"`{name}`" in TEXT, name

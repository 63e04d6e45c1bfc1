"""Commands that cannot write or reach what they are told to: one line, no traceback."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

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

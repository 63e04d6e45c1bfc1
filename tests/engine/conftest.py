"""Fixtures of the engine's tests: recorded games and fresh ones."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import pytest

from engine import read_game_file
from tests.conftest import cases_folder


@functools.cache
def recorded(name: str) -> dict[str, Any]:
    """The recorded game of this name from the shared cases."""
    folder = cases_folder()
    assert folder is not None
    return read_game_file(folder / "games" / f"{name}.json.gz")


def case_names(kind: str, *titles: str) -> list[str]:
    """Names of the shared files of a kind (`games`, `legal` ...) of these titles; none without cases."""
    folder = cases_folder()
    if folder is None:
        return []
    names = [path.name.split(".")[0] for path in Path(folder / kind).glob("*.gz")]
    return sorted(name for name in names if name.split("-")[0] in titles)


def sampled(names: list[str]) -> list[Any]:
    """Names as parameters: played games and every fourth generated one always, the rest when asked for."""
    generated = [name for name in names if name.split("-")[1].startswith("r")]
    always = {name for name in names if name not in generated} | set(generated[::4])
    return [name if name in always else pytest.param(name, marks=pytest.mark.full) for name in names]

"""Shared fixtures: where the shared cases are, and skipping where they are not."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent


def cases_folder() -> Path | None:
    """Return the folder of shared cases, or None where there is none."""
    named = os.environ.get("RHEINGOLD_CASES")
    folder = Path(named) if named else ROOT.parent / "shared" / "cases"
    return folder if folder.is_dir() else None


def read_lines(file: Path) -> Iterator[dict[str, Any]]:
    """Read a .jsonl.gz file line by line."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip tests marked ``cases`` where the shared cases are missing; in CI that is a failure."""
    if cases_folder() is not None or os.environ.get("CI") == "true":
        return
    skip = pytest.mark.skip(reason="the shared cases are not here (set RHEINGOLD_CASES to their folder)")
    for item in items:
        if item.get_closest_marker("cases"):
            item.add_marker(skip)


@pytest.fixture(scope="session")
def cases() -> Path:
    """The folder of shared cases."""
    folder = cases_folder()
    if folder is None:
        pytest.fail("the shared cases are missing: set RHEINGOLD_CASES to their folder")
    return folder

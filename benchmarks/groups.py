"""Groups of positions to measure: the named instances, and the shared cases where they are."""

from __future__ import annotations

import gzip
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.named import known, load
from optimizer.model.cases_io import position_from_case
from optimizer.model.position import Position
from optimizer.titles.resolve import resolve

ROOT = Path(__file__).resolve().parent.parent
PUBLISHED = "1867-published"


@dataclass(frozen=True)
class Item:
    """A position and what is known: no legal set earns more than ``most``, some set earns ``least``."""

    name: str
    position: Position
    least: int
    most: int | None

    def fault(self, revenue: int, bound: int) -> str:
        """Tell what is wrong with an answer; empty if nothing is."""
        if self.most is not None and revenue > self.most:
            return f"{self.name}: {revenue} was found, but {self.most} is the most there is"
        if bound < max(self.least, revenue):
            return f"{self.name}: the bound is {bound}, but {max(self.least, revenue)} can be earned"
        return ""


def cases_folder() -> Path | None:
    """Return the folder of shared cases, or None where there is none."""
    named = os.environ.get("RHEINGOLD_CASES")
    folder = Path(named) if named else ROOT.parent / "shared" / "cases"
    return folder if folder.is_dir() else None


def _shared(files: list[Path]) -> Iterator[Item]:
    for file in files:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                row = json.loads(line)
                name = f"{file.name.removesuffix('.jsonl.gz')}:{number}"
                best = row["best"]
                most = best["revenue"] if best["complete"] else None
                yield Item(name, resolve(position_from_case(row)), best["revenue"], most)


def _generated(file: Path) -> bool:
    """Tell whether a shared game was generated; the files of such games are called ``<title>-r<number>``."""
    return re.match(r"\w+-r\d+\.", file.name) is not None


def shared_groups() -> dict[str, list[Path]]:
    """Return the files of each group of shared positions; empty where the cases are missing."""
    folder = cases_folder()
    if folder is None:
        return {}
    files = sorted((folder / "positions").glob("*.jsonl.gz"))
    published = [file for file in files if file.name.startswith(PUBLISHED)]
    games = [file for file in files if file not in published]
    return {
        "people's games": [file for file in games if not _generated(file)],
        "generated games": [file for file in games if _generated(file)],
        "published 1867": published,
        "other titles": sorted((folder / "other-titles").glob("*.jsonl.gz")),
        "stress": sorted((folder / "stress").glob("*.jsonl.gz")),
    }


def read_group(name: str) -> list[Item]:
    """Return the positions of a group: one of the shared ones, ``full maps`` or ``dense maps``."""
    if name in ("full maps", "dense maps"):
        return [item for item in named() if f"-{name.partition(' ')[0]}-" in item.name]
    return list(_shared(shared_groups()[name]))


def named() -> list[Item]:
    """Return the named instances with what is known about them."""
    facts = known()
    items = []
    for name, position in load().items():
        fact = facts.get(name)
        items.append(Item(name, position, fact.revenue if fact else 0, fact.bound if fact else None))
    return items


def group_names() -> list[str]:
    """Return the names of all groups that can be measured here."""
    return [*shared_groups(), "full maps", "dense maps"]

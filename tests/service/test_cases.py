"""The shared cases over the wire: the library's answers, and the recorded ones."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from optimizer.model.cases_io import position_from_case
from optimizer.service.client import BatchItem
from optimizer.solution import routes_to_json
from optimizer.solve import optimize
from optimizer.titles.resolve import resolve
from tests.conftest import read_lines
from tests.service.conftest import Running, Serve

pytestmark = pytest.mark.cases

# Without the marker `full`: this part of the positions.
SAMPLE = 10


def lines(folder: Path, every: int = 1) -> Iterator[dict[str, Any]]:
    """Yield the lines of a folder, or a sample that depends on their ids only."""
    for file in sorted(folder.glob("*.jsonl.gz")):
        for row in read_lines(file):
            if zlib.crc32(row["id"].encode()) % every == 0:
                yield row


def test_wire_equals_library_on_a_sample(server: Running, cases: Path) -> None:
    assert check_positions(server, cases, SAMPLE) > 300


@pytest.mark.full
def test_wire_equals_library_on_all_positions(server: Running, cases: Path) -> None:
    assert check_positions(server, cases, 1) > 3900


def check_positions(server: Running, cases: Path, every: int) -> int:
    """Solve positions over the wire and in this process; returns how many."""
    rows = {row["id"]: row for row in lines(cases / "positions", every)}
    count = 0
    for answer in server.client.optimize_batch(BatchItem(name, row) for name, row in rows.items()):
        assert answer.answer is not None, (answer.id, answer.problem)
        here, there = optimize(resolve(position_from_case(rows[answer.id]))), answer.answer
        told = (there.message.id, there.revenue, there.bound, there.proven, there.limit)
        assert told == (answer.id, here.revenue, here.bound, here.proven, here.limit)
        assert there.run_routes() == routes_to_json(here.routes), answer.id
        count += 1
    assert count == len(rows)
    return count


def test_other_titles_as_inline_maps_on_a_sample(serve: Serve, cases: Path) -> None:
    assert check_other_titles(serve(), cases, 4) > 60


@pytest.mark.full
def test_all_other_titles_as_inline_maps(serve: Serve, cases: Path) -> None:
    assert check_other_titles(serve(), cases, 1) > 300


def check_other_titles(server: Running, cases: Path, every: int) -> int:
    """Solve inline maps and evaluate their recorded routes over the wire; returns how many."""
    count = 0
    for row in lines(cases / "other-titles", every):
        answer = server.client.optimize(row)
        assert answer.proven, row["id"]
        assert answer.run_routes() == routes_to_json(optimize(resolve(position_from_case(row))).routes), row[
            "id"
        ]
        if row["best"]["complete"]:
            assert answer.revenue == row["best"]["revenue"], row["id"]
        else:
            assert answer.revenue >= row["best"]["revenue"], row["id"]
        for part in ("recorded", "best"):
            verdict = server.client.evaluate(row, row[part]["routes"])
            assert verdict.legal, (row["id"], part, verdict.faults)
            assert verdict.revenue == row[part]["revenue"], (row["id"], part)
        count += 1
    return count

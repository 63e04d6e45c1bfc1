"""The evaluator on every shared position: recorded and best routes are legal and earn what they say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from optimizer.brute import TooManyRoutes, count_routes
from optimizer.evaluate import evaluate, priced_routes
from optimizer.model.position import Position, Route
from optimizer.model.route_io import routes_from_data
from optimizer.titles import LoadedPosition, load_positions
from tests.conftest import read_lines

# What a folder must have at least, so that a truncated copy does not pass.
LINES = {"positions": 3903, "other-titles": 410, "stress": 81}


def items(folder: Path) -> Iterator[LoadedPosition]:
    for file in sorted(folder.glob("*.jsonl.gz")):
        yield from load_positions(file)


def wrong(position: Position, given: tuple[Route, ...], total: int, name: str) -> list[str]:
    """Say what is wrong with a set of routes; nothing if all is well."""
    verdict = evaluate(position, given)
    found = [f"{name}: {fault}" for fault in verdict.faults]
    if verdict.revenue != total:
        found.append(f"{name}: {verdict.revenue} instead of {total}")
    for route, row in zip(given, verdict.routes, strict=True):
        if route.revenue != row.revenue:
            found.append(f"{name} {route.train}: {row.revenue} instead of {route.revenue}")
    again = evaluate(position, priced_routes(verdict))
    if (again.revenue, again.faults) != (verdict.revenue, verdict.faults):
        found.append(f"{name}: judged otherwise when the track is given")
    return found


@pytest.mark.cases
@pytest.mark.parametrize("folder", LINES)
def test_routes_are_legal_and_earn_what_they_say(cases: Path, folder: str) -> None:
    problems: list[str] = []
    lines = 0
    for item in items(cases / folder):
        assert item.position is not None, f"{item.where}: {item.faults}"
        lines += 1
        for which, rows in item.routes.items():
            if rows:  # hard positions may come with a figure and no routes
                total = item.revenues[which]
                given = routes_from_data(rows, which)
                problems += wrong(item.position, given, total, f"{item.id} {which}")
    assert problems == []
    assert lines >= LINES[folder]


def turned(text: str) -> str:
    """The revenue text of the same route run the other way."""
    route, *notes = text.split(" + ")
    return " + ".join(["-".join(route.split("-")[::-1]), *notes])


@pytest.mark.cases
def test_revenue_texts_are_those_of_the_reference(cases: Path) -> None:
    different = []
    for item in items(cases / "positions"):
        assert item.position is not None
        for which, rows in item.routes.items():
            for row, route in zip(rows, evaluate(item.position, routes_from_data(rows)).routes, strict=True):
                if route.revenue_str not in (row.revenue_str, turned(row.revenue_str)):
                    different.append((item.id, which, route.revenue_str, row.revenue_str))
    assert different == []


@pytest.mark.cases
def test_brute_force_counts_the_routes_of_small_positions(cases: Path) -> None:
    checked = 0
    for folder in ("positions", "other-titles"):
        for file in sorted((cases / folder).glob("*.jsonl.gz"))[::4]:
            rows = {row["id"]: row["best"] for row in read_lines(file)}
            for item in list(load_positions(file))[:3]:
                best = rows[item.id]
                assert item.position is not None
                if not best["complete"] or sum(best["legal_routes"].values()) > 60:
                    continue
                try:
                    found = count_routes(item.position, limit=4000)
                except TooManyRoutes:
                    continue
                assert found == best["legal_routes"], item.id
                checked += 1
    assert checked > 30

"""Every shared position can be drawn, with its best routes on it, and fast enough."""

from __future__ import annotations

import statistics
import time
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from optimizer.evaluate import evaluate
from optimizer.model.position import Position
from optimizer.model.route_io import routes_from_data
from optimizer.render import Options, render
from optimizer.titles import load_positions

FOLDERS = ("positions", "other-titles", "stress")


def files(cases: Path, folder: str) -> list[Path]:
    return sorted((cases / folder).glob("*.jsonl.gz"))


@pytest.mark.cases
@pytest.mark.parametrize("step", [pytest.param(1, marks=pytest.mark.full), 12])
@pytest.mark.parametrize("folder", FOLDERS)
def test_every_position_renders(cases: Path, folder: str, step: int) -> None:
    """All of them in the long suite, every twelfth otherwise."""
    count = 0
    for file in files(cases, folder):
        for number, item in enumerate(list(load_positions(file))[::step]):
            assert isinstance(item.position, Position), item.where
            evaluation = evaluate(item.position, routes_from_data(item.routes.get("best", []), "best"))
            svg = render(item.position, evaluation, Options(prefix="x-", crop=number % 2 == 1))
            count += 1
            assert 'class="route guess"' not in svg, f"{item.where}: the track of a route was not found"
            assert svg.count('class="legend-route"') == len(evaluation.routes), item.where
            if number == 0:
                ET.fromstring(svg)
    assert count > 5


@pytest.mark.cases
@pytest.mark.full
def test_a_picture_takes_less_than_30_ms(cases: Path) -> None:
    times = []
    for file in files(cases, "positions")[::8]:
        for item in list(load_positions(file))[::5]:
            assert item.position is not None
            evaluation = evaluate(item.position, routes_from_data(item.routes.get("best", []), "best"))
            start = time.process_time()
            render(item.position, evaluation)
            times.append(time.process_time() - start)
    assert statistics.median(times) < 0.030

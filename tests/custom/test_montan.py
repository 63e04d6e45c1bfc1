"""A rule in Python that says again what a built-in bonus says gives the same optimum everywhere."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from optimizer.model.cases_io import position_from_case
from optimizer.model.position import Position
from optimizer.titles.resolve import resolve
from tests.conftest import read_lines
from tests.custom.montan import with_rule
from tests.small_maps import titled

pytest.importorskip("optimizer.native.fleet")

from optimizer.solve import optimize

NAMES = ("test montan", "test montan by route")


def compare(position: Position, name: str) -> None:
    built_in = optimize(position)
    custom = optimize(with_rule(position, name))
    assert custom.revenue == built_in.revenue
    assert custom.proven
    assert built_in.proven


@pytest.mark.parametrize("name", NAMES)
def test_worked_example_of_two_pairs(name: str) -> None:
    # Rules reference, 18rhl section 16, example 13, drawn on the map of seed 16 (K on D11, S on D9):
    # C14-D13-D11(K)-D9(S)-D7(K): 10+50+40+50+30 = 180, Montan twice 80, two links 20.
    position = titled(
        "18Rhl",
        "5",
        "KEG",
        "5",
        tiles="D13=216r0 D11=916r0 D9=929r0 D7=947r1",
        tokens="D7:KEG",
    )
    compare(position, name)


@pytest.mark.cases
@pytest.mark.parametrize("name", NAMES)
def test_same_optimum_on_a_sample_of_positions(cases: Path, name: str) -> None:
    for file in sorted((cases / "positions").glob("18rhl-*.jsonl.gz")):
        for row in islice(read_lines(file), 3, None, 17):
            compare(resolve(position_from_case(row)), name)


@pytest.mark.cases
@pytest.mark.full
@pytest.mark.parametrize("name", NAMES)
def test_same_optimum_on_every_position(cases: Path, name: str) -> None:
    for file in sorted((cases / "positions").glob("18rhl-*.jsonl.gz")):
        for row in read_lines(file):
            compare(resolve(position_from_case(row)), name)

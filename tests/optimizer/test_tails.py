"""Routes that end in towns on both sides of one token: the two arms are alike to the search, not the same."""

from __future__ import annotations

import pytest

from optimizer.brute import brute_force
from optimizer.model.rules import DistanceRow, TrainType
from optimizer.solution import Limits
from tests.small_maps import small

pytest.importorskip("optimizer.native.fleet")

from optimizer.solve import optimize

# Two cities and any towns; the towns cost nothing.
TRAIN = TrainType("2+", (DistanceRow(("city", "offboard"), 2, 2), DistanceRow(("town",), 99, 99)))
# F2 town 20 - F4 own city 0 - F6 town 10; elsewhere B2 own city 25 - B4 city 0
TILES = {"F2": "t20 0A", "F4": "c0 3A 0A", "F6": "t10 3A", "B2": "c25 0A", "B4": "c0 3A"}


def test_both_towns_are_found_when_another_route_is_nearly_as_good() -> None:
    # 20 + 0 + 10 is better than 25 + 0, though neither town alone is
    position = small(TILES, TRAIN, tokens="F4:A B2:A")
    assert brute_force(position).revenue == 30
    solution = optimize(position)
    assert (solution.revenue, solution.proven) == (30, True)


@pytest.mark.parametrize("nodes", [1, 2, 3, 4])
def test_bound_covers_both_towns(nodes: int) -> None:
    solution = optimize(small(TILES, TRAIN, tokens="F4:A"), Limits(nodes=nodes))
    assert solution.bound >= 30

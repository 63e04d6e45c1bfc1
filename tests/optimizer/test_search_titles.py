"""The search on small positions of the titles whose rules depend on the order of a route's stops."""

from __future__ import annotations

import pytest

from optimizer.brute import brute_force
from optimizer.solve import optimize
from tests.small_maps import titled

# Both banks of Düsseldorf and Köln, a line from Duisburg's side and one to the east (rules 18rhl, 16).
BOARD = "F11=9r1 F9=X922r0 G10=2r2 H11=8r0 I10=X923r0 E8=56r5 E6=202r4"


@pytest.mark.parametrize("trajekt", ["engine", "designer"])
@pytest.mark.parametrize(
    "tokens",
    ["F9.1:DEE", "F9.1:DEE F9.1:BME F13:CCE", "F9:GVE F9.1:DEE F9.1:BME F13:GVE", "I10:CCE F13:CCE"],
)
@pytest.mark.parametrize("trains", ["2", "3", "3 2"])
def test_ferries_and_foreign_banks(trajekt: str, tokens: str, trains: str) -> None:
    company = tokens.rsplit(":", 1)[1]
    position = titled("18Rhl", "3", company, trains, BOARD, tokens, switches={"trajekt": trajekt})
    solution = optimize(position)
    assert solution.proven
    assert solution.revenue == brute_force(position).revenue


def test_a_foreign_bank_is_passed_by_ferry() -> None:
    # Example 8: F13 30 + F9 40 + G10 10 + I10 40 = 120, by the designer's reading 10 less.
    tokens = "F9.1:DEE F9.1:BME F13:CCE"
    engine = titled("18Rhl", "3", "CCE", "3", BOARD, tokens)
    designer = titled("18Rhl", "3", "CCE", "3", BOARD, tokens, switches={"trajekt": "designer"})
    assert optimize(engine).revenue == 120
    assert optimize(designer).revenue == 110


@pytest.mark.parametrize("train", ["2", "3", "8"])
def test_town_and_city_of_tile_949_are_one_stop(train: str) -> None:
    # The first of the two along the route counts: the direction decides what it earns and how long it is.
    tiles = "D9=949r0 F9=932Vr0 E10=8r0 B7=8r2 B9=15r4 C10=1r2 E8=9r2"
    position = titled("18Rhl", "8", "GVE", train, tiles, "F9:GVE", optional_rules=["promotion_tiles"])
    solution = optimize(position)
    assert solution.proven
    assert solution.revenue == brute_force(position).revenue

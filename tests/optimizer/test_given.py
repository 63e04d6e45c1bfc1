"""Arguments of the wrong type get a TypeError that says what would be right."""

from __future__ import annotations

from typing import Any

import pytest

from optimizer import Limits, Route, evaluate, optimize
from tests.small_maps import small

LINE = small({"F2": "c30 0A", "F4": "c10 3A"}, tokens="F2:A")
ROUTE = Route("3-0", (("F2", "F4"),), ())


@pytest.mark.parametrize("position", [{}, None, [], "a.json", small])
def test_positions_of_another_type(position: Any) -> None:
    for ask in (lambda: optimize(position), lambda: evaluate(position, [])):
        with pytest.raises(TypeError, match=r"the position must be a Position, not .*load_position"):
            ask()


@pytest.mark.parametrize("routes", [[{}], [ROUTE, None], ROUTE, 5, {"train": "3-0"}, "F2-F4"])
def test_routes_of_another_type(routes: Any) -> None:
    for ask in (lambda: optimize(LINE, fixed=routes), lambda: evaluate(LINE, routes)):
        with pytest.raises(TypeError, match=r"routes(\[\d\])? must be a"):
            ask()


@pytest.mark.parametrize("limits", [5, 5.0, {"time": 5}, "5"])
def test_limits_of_another_type(limits: Any) -> None:
    with pytest.raises(TypeError, match=r"the limits must be Limits or None, not .*write Limits"):
        optimize(LINE, limits)


def test_what_is_right() -> None:
    assert optimize(LINE, Limits(time=5), fixed=[ROUTE]).revenue == 40  # 30 + 10
    assert optimize(LINE, fixed=(ROUTE,)).revenue == evaluate(LINE, (ROUTE,)).revenue

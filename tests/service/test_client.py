"""What the Python clients make of their arguments before anything is sent."""

from __future__ import annotations

from typing import Any

import pytest

from optimizer import Limits, optimize
from optimizer.model.data import DistanceRowData, PositionData, TrainData
from optimizer.model.position import Route
from optimizer.service.client.messages import BatchItem, limits_of, position_of, route_of
from tests.service.conftest import Running
from tests.service.positions import line_map
from tests.small_maps import small


@pytest.mark.parametrize("asked", [2**31 - 2, 2**31 - 1, 2**31, 2**62 + 1, 10**12, 10**30])
def test_limits_beyond_all_messages_mean_what_they_mean_in_the_library(server: Running, asked: int) -> None:
    # Nothing earns that much and no search gets that far: the best of the map is 40, as without limits.
    library = optimize(
        small({"A1": "c20 0A", "A3": "c20 3A"}, tokens="A1:A"), Limits(nodes=asked, cutoff=asked)
    )
    assert library.better_than_cutoff is False
    limits = Limits(nodes=asked, cutoff=asked)
    (item,) = server.client.optimize_batch([BatchItem("a", line_map(), limits)])
    assert item.answer is not None
    for answer in (server.client.optimize(line_map(), limits), item.answer):
        assert answer.message.better_than_cutoff is False
        assert answer.solution().better_than_cutoff is False
    assert server.client.optimize(line_map(), Limits(nodes=asked)).revenue == 40


@pytest.mark.parametrize("limits", [5, {"time": 5}, "5"])
def test_limits_of_another_type(limits: Any) -> None:
    with pytest.raises(TypeError, match=r"limits are Limits or None, not .*write Limits"):
        limits_of(limits)


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"trains": [TrainData("2-0", distance=10**12)]}, r"position\.trains\[0\]\.distance: "),
        (
            {"trains": [TrainData("2", rows=[DistanceRowData(["city"], 2, -(2**31) - 1)])]},
            r"rows\[0\]\.pay: ",
        ),
        ({"trains": [TrainData("2", rows=[DistanceRowData([5])])]}, r"rows\[0\]\.nodes\[0\]: "),
        ({"counters": {"east": 10**12}}, r"position\.counters\[east\]: "),
        ({"switches": {"ferry": 5}}, r"position\.switches\[ferry\]: "),
    ],
)
def test_values_that_fit_no_message_are_named(changed: dict[str, Any], named: str) -> None:
    with pytest.raises((TypeError, ValueError), match=named):
        position_of(PositionData(**changed))


@pytest.mark.parametrize("route", [5, None, "F2-F4", {"connections": 5}, [["F2", "F4"]]])
def test_routes_of_another_type(route: Any) -> None:
    with pytest.raises(ValueError, match=r"a route is a dict|not the JSON of a route"):
        route_of(route)


def test_routes_of_the_library_are_sent(server: Running) -> None:
    route = Route("2-0", (("A1", "A3"),), ())
    assert server.client.evaluate(line_map(), [route]).revenue == 40

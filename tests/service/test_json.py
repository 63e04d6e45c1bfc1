"""JSON files of the command line are the proto3 JSON of the messages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format
from rheingold.v1 import position_pb2, solve_pb2

from optimizer.model import position_from_case, position_to_data, read_position, write_position
from optimizer.service.convert.position import position_data
from optimizer.service.convert.solution import solution_message
from optimizer.service.convert.write import position_message
from optimizer.solve import optimize
from optimizer.titles.resolve import resolve
from tests.service.positions import line_map
from tests.service.test_cases import lines


def as_json(message: Any) -> Any:
    return json_format.MessageToDict(message, preserving_proto_field_name=True)


def test_solution_json_is_the_messages_json() -> None:
    solution = optimize(resolve(position_data(line_map())))
    written = json.loads(json.dumps(solution.to_json()))
    message = solution_message(solution, "RED")
    assert {**as_json(message), **written} == {**written, **as_json(message)}
    assert json_format.ParseDict(written, solve_pb2.Solution()).routes[0] == message.routes[0]


def test_position_json_is_the_messages_json() -> None:
    position = resolve(position_data(line_map()))
    written = write_position(position_to_data(position))
    message = json_format.ParseDict(written, position_pb2.Position())
    assert message == position_message(position_to_data(position))
    assert resolve(read_position(as_json(line_map()))) == position


def test_order_of_a_map_does_not_matter() -> None:
    data = position_data(line_map(cities=4))
    assert data.inline is not None
    stop = next(iter(data.inline.hexes.values())).definition.stops[0]  # type: ignore[union-attr]
    stop.revenue_by_color = {"brown": 40, "yellow": 20}
    one = resolve(data)
    stop.revenue_by_color = {"yellow": 20, "brown": 40}
    data.inline.hexes = dict(reversed(data.inline.hexes.items()))
    other = resolve(data)
    assert one == other
    assert list(one.board.printed) == list(other.board.printed)
    assert optimize(one).routes == optimize(other).routes


@pytest.mark.cases
@pytest.mark.parametrize("folder", ["positions", "other-titles"])
def test_position_json_of_the_cases(cases: Path, folder: str) -> None:
    for row in lines(cases / folder, 40):
        position = resolve(position_from_case(row))
        message = json_format.ParseDict(write_position(position_to_data(position)), position_pb2.Position())
        assert message == position_message(position_to_data(position)), row["id"]
        assert resolve(read_position(as_json(message))) == position, row["id"]

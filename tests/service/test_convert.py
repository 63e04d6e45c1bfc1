"""Positions as messages: every field of the data classes comes back from the wire."""

from __future__ import annotations

import dataclasses
import itertools
import types
import typing
from typing import Any

import pytest
from rheingold.v1 import position_pb2

from optimizer.model import data as data_module
from optimizer.model.data import InlineHexData, PositionData, TokenData
from optimizer.service.convert.position import hex_data, position_data
from optimizer.service.convert.write import position_message


def filled(kind: type[Any], numbers: itertools.count[int]) -> Any:
    """Return a data class with a different value in every field, and two items in each list."""
    hints = typing.get_type_hints(kind, vars(data_module))
    return kind(**{field.name: _value(hints[field.name], numbers) for field in dataclasses.fields(kind)})


def _value(hint: Any, numbers: itertools.count[int]) -> Any:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is types.UnionType:
        return _value(arguments[0], numbers)
    if origin is list:
        return [_value(arguments[0], numbers) for _ in range(2)]
    if origin is dict:
        return {_value(arguments[0], numbers): _value(arguments[1], numbers) for _ in range(2)}
    if dataclasses.is_dataclass(hint):
        return filled(typing.cast(type[Any], hint), numbers)
    number = next(numbers)
    return {str: f"name{number}", int: number, bool: True}[hint]


def choose(position: PositionData) -> PositionData:
    """Keep one of the fields that exclude each other (``oneof`` in the message)."""

    def tokens(rows: list[TokenData]) -> list[TokenData]:
        return [
            dataclasses.replace(row, **{("city", "stop")[index % 2]: None}) for index, row in enumerate(rows)
        ]

    def end(path: Any, index: int) -> Any:
        kept = ("edge", "stop", "junction")[index % 3]
        return dataclasses.replace(
            path, **{name: None for name in ("edge", "stop", "junction") if name != kept}
        )

    assert position.inline is not None
    for index, row in enumerate(position.inline.hexes.values()):
        assert row.definition is not None
        for number, path in enumerate(row.definition.paths):
            path.a, path.b = end(path.a, number), end(path.b, number + 1)
        row.tokens = tokens(row.tokens)
        if index:
            row.definition = None
        else:
            row.tile = ""
    for state in position.hexes.values():
        state.tokens = tokens(state.tokens)
    return dataclasses.replace(position, title="")


def read(message: position_pb2.Position) -> PositionData:
    """Read a whole message."""
    hexes = {hex_id: hex_data(state) for hex_id, state in message.hexes.items()}
    return dataclasses.replace(position_data(message), hexes=hexes)


def test_every_field_of_an_inline_position_survives() -> None:
    position = choose(filled(PositionData, itertools.count(1)))
    raw = position_message(position).SerializeToString()
    assert read(position_pb2.Position.FromString(raw)) == position


def test_every_field_of_a_titled_position_survives() -> None:
    position = dataclasses.replace(
        choose(filled(PositionData, itertools.count(1))), title="1861", inline=None
    )
    raw = position_message(position).SerializeToString()
    assert read(position_pb2.Position.FromString(raw)) == position


def test_absent_fields_stay_absent() -> None:
    empty = read(position_pb2.Position())
    assert empty == PositionData()
    assert position_message(empty) == position_pb2.Position()


def test_empty_message_inside_is_kept_apart_from_none() -> None:
    given = PositionData(inline=data_module.InlineMapData(hexes={"A1": InlineHexData()}))
    again = read(position_message(given))
    assert again == given
    assert again.inline is not None
    assert again.inline.rules is None


def test_number_out_of_range_names_the_field() -> None:
    given = PositionData(hexes={"H8": data_module.HexData(rotation=1 << 40)})
    with pytest.raises(ValueError, match=r"position\.hexes\[H8\]\.rotation"):
        position_message(given)

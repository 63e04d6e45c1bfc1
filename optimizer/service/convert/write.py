"""Positions as messages, for clients.

Fields go by their names, which messages and data classes share. What there is much of, hexes and tiles,
is written out field by field.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from google.protobuf.message import Message
from rheingold.v1 import position_pb2 as pb

from optimizer.model.data import (
    EndData,
    HexData,
    InlineHexData,
    LaneData,
    PathData,
    PositionData,
    StopData,
    TileData,
    TokenData,
)


def position_message(data: PositionData) -> pb.Position:
    """Write a position as a message.

    Raises ValueError or TypeError, naming the field, if something does not fit the message's types.
    """
    message = pb.Position()
    inline = data.inline
    bare = None if inline is None else dataclasses.replace(inline, hexes={})
    _write(dataclasses.replace(data, hexes={}, inline=bare), message, "position")
    for hex_id, state in data.hexes.items():
        try:
            message.hexes[hex_id].CopyFrom(_hex(state))
        except (TypeError, ValueError):  # the slow way names the field
            _write(state, message.hexes[hex_id], f"position.hexes[{hex_id}]")
    for hex_id, row in ({} if inline is None else inline.hexes).items():
        try:
            message.inline.hexes[hex_id].CopyFrom(_inline_hex(row))
        except (TypeError, ValueError):
            _write(row, message.inline.hexes[hex_id], f"position.inline.hexes[{hex_id}]")
    return message


def _hex(state: HexData) -> pb.HexState:
    return pb.HexState(
        tile=state.tile,
        rotation=state.rotation,
        tokens=[_token(token) for token in state.tokens],
        markers=state.markers,
        assignments=state.assignments,
    )


def _token(token: TokenData) -> pb.Token:
    message = pb.Token(slot=token.slot, company=token.company, kind=token.kind)
    if token.city is not None:
        message.city = token.city
    elif token.stop is not None:
        message.stop = token.stop
    return message


def _inline_hex(row: InlineHexData) -> pb.InlineHex:
    message = pb.InlineHex(
        rotation=row.rotation,
        neighbors=row.neighbors,
        tokens=[_token(token) for token in row.tokens],
    )
    if row.definition is not None:
        message.definition.CopyFrom(_tile(row.definition))
    elif row.tile:
        message.tile = row.tile
    return message


def _tile(tile: TileData) -> pb.Tile:
    return pb.Tile(
        color=tile.color,
        stops=[_stop(stop) for stop in tile.stops],
        paths=[_path(path) for path in tile.paths],
        labels=tile.labels,
        impassable=tile.impassable,
    )


def _stop(stop: StopData) -> pb.Stop:
    return pb.Stop(
        kind=stop.kind,
        revenue=stop.revenue,
        revenue_by_color=stop.revenue_by_color,
        slots=stop.slots,
        groups=stop.groups,
        loc=stop.loc,
        visit_cost=stop.visit_cost,
    )


def _path(path: PathData) -> pb.Path:
    return pb.Path(
        a=_end(path.a),
        b=_end(path.b),
        terminal=path.terminal,
        ferry=path.ferry,
        lane_a=_lane(path.lane_a),
        lane_b=_lane(path.lane_b),
        track=path.track,
    )


def _end(end: EndData) -> pb.PathEnd:
    if end.edge is not None:
        return pb.PathEnd(edge=end.edge)
    if end.stop is not None:
        return pb.PathEnd(stop=end.stop)
    return pb.PathEnd() if end.junction is None else pb.PathEnd(junction=end.junction)


def _lane(lane: LaneData | None) -> pb.Lane | None:
    return None if lane is None else pb.Lane(width=lane.width, index=lane.index)


def _write(data: Any, message: Message, path: str) -> None:
    """Copy the fields of a data class into the message whose fields have the same names."""
    for field in dataclasses.fields(data):
        value = getattr(data, field.name)
        where = f"{path}.{field.name}"
        if dataclasses.is_dataclass(value):
            getattr(message, field.name).SetInParent()
            _write(value, getattr(message, field.name), where)
        elif isinstance(value, Mapping):
            _write_map(value, getattr(message, field.name), where)
        elif isinstance(value, Sequence) and not isinstance(value, str):
            _write_list(value, getattr(message, field.name), where)
        elif value is not None and not (value == "" and _is_choice(message, field.name)):
            _set(message, field.name, value, where)


def _is_choice(message: Message, name: str) -> bool:
    """Tell whether a field belongs to a ``oneof``, where setting an empty text would choose it."""
    return message.DESCRIPTOR.fields_by_name[name].containing_oneof is not None


def _write_map(value: Mapping[Any, Any], target: Any, path: str) -> None:
    for key, item in value.items():
        if dataclasses.is_dataclass(item):
            target.get_or_create(key)
            _write(item, target[key], f"{path}[{key}]")
        else:
            with _named(f"{path}[{key}]"):
                target[key] = item


def _write_list(value: Sequence[Any], target: Any, path: str) -> None:
    for index, item in enumerate(value):
        if dataclasses.is_dataclass(item):
            _write(item, target.add(), f"{path}[{index}]")
        else:
            with _named(f"{path}[{index}]"):
                target.append(item)


def _set(message: Message, name: str, value: object, path: str) -> None:
    with _named(path):
        setattr(message, name, value)


@contextmanager
def _named(path: str) -> Iterator[None]:
    """Name the field whose value does not fit its type."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise type(error)(f"{path}: {error}") from error

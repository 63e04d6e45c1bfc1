"""Positions: messages into :class:`~optimizer.model.data.PositionData`."""

from __future__ import annotations

from collections.abc import Callable

from rheingold.v1 import position_pb2 as pb

from optimizer.model.data import (
    DistanceRowData,
    EndData,
    HexBonusData,
    HexData,
    InlineHexData,
    InlineMapData,
    KnownTileData,
    LaneData,
    PathData,
    PositionData,
    StopData,
    TileData,
    TokenData,
    TrainData,
)
from optimizer.model.tile import Tile
from optimizer.service.convert.rules import rules_data

KnownTile = Callable[[str, pb.Tile], Tile | None]


def position_data(message: pb.Position, known_tile: KnownTile | None = None) -> PositionData:
    """Read a position as it is written, all but its ``hexes``; nothing is checked.

    ``known_tile`` gives the tiles of an inline map that were read before, by hex and definition.
    """
    return PositionData(
        id=message.id,
        title=message.title,
        inline=_inline(message.inline, known_tile) if message.HasField("inline") else None,
        optional_rules=list(message.optional_rules),
        phase=message.phase,
        company=message.company,
        company_kind=message.company_kind,
        privates=list(message.privates),
        hex_bonuses=[HexBonusData(row.name, list(row.hexes), row.amount) for row in message.hex_bonuses],
        assignments=list(message.assignments),
        counters=dict(message.counters),
        switches=dict(message.switches),
        trains=[_train(train) for train in message.trains],
    )


def hex_data(message: pb.HexState) -> HexData:
    """Read what lies on a hex; nothing is checked."""
    tokens = message.tokens
    markers = message.markers
    assignments = message.assignments
    return HexData(
        message.tile,
        message.rotation,
        [_token(token) for token in tokens] if tokens else [],
        list(markers) if markers else [],
        list(assignments) if assignments else [],
    )


def _token(message: pb.Token) -> TokenData:
    place = message.WhichOneof("place")
    return TokenData(
        message.city if place == "city" else None,
        message.stop if place == "stop" else None,
        message.slot,
        message.company,
        message.kind,
    )


def _train(message: pb.Train) -> TrainData:
    has = message.HasField
    return TrainData(
        id=message.id,
        name=message.name,
        distance=message.distance if has("distance") else None,
        rows=[_row(row) for row in message.rows],
        multiplier=message.multiplier if has("multiplier") else None,
        requires_token=message.requires_token if has("requires_token") else None,
        pay_total=message.pay_total if has("pay_total") else None,
        pay_first=list(message.pay_first),
        pay_needs_token=message.pay_needs_token if has("pay_needs_token") else None,
    )


def _row(message: pb.DistanceRow) -> DistanceRowData:
    visit = message.visit if message.HasField("visit") else None
    return DistanceRowData(list(message.nodes), visit, message.pay, message.multiplier)


def _inline(message: pb.InlineMap, known_tile: KnownTile | None) -> InlineMapData:
    return InlineMapData(
        layout=message.layout,
        phase_colors=list(message.phase_colors),
        hexes={hex_id: _inline_hex(hex_id, state, known_tile) for hex_id, state in message.hexes.items()},
        rules=rules_data(message.rules) if message.HasField("rules") else None,
    )


def _inline_hex(hex_id: str, message: pb.InlineHex, known_tile: KnownTile | None) -> InlineHexData:
    tokens = message.tokens
    definition = None
    if message.HasField("definition"):
        known = known_tile(hex_id, message.definition) if known_tile is not None else None
        definition = KnownTileData(made=known) if known is not None else _tile(message.definition)
    return InlineHexData(
        message.tile,
        definition,
        message.rotation,
        dict(message.neighbors),
        [_token(token) for token in tokens] if tokens else [],
    )


def _tile(message: pb.Tile) -> TileData:
    return TileData(
        message.color,
        [_stop(stop) for stop in message.stops],
        [_path(path) for path in message.paths],
        list(message.labels),
        list(message.impassable),
    )


def _stop(message: pb.Stop) -> StopData:
    return StopData(
        message.kind,
        message.revenue,
        dict(message.revenue_by_color),
        message.slots if message.HasField("slots") else None,
        list(message.groups),
        message.loc,
        message.visit_cost if message.HasField("visit_cost") else None,
    )


def _path(message: pb.Path) -> PathData:
    return PathData(
        _end(message.a),
        _end(message.b),
        message.terminal,
        message.ferry,
        _lane(message.lane_a) if message.HasField("lane_a") else None,
        _lane(message.lane_b) if message.HasField("lane_b") else None,
        message.track,
    )


def _end(message: pb.PathEnd) -> EndData:
    which = message.WhichOneof("end")
    if which == "edge":
        return EndData(edge=message.edge)
    if which == "stop":
        return EndData(stop=message.stop)
    return EndData(junction=message.junction) if which == "junction" else EndData()


def _lane(message: pb.Lane) -> LaneData:
    return LaneData(message.width, message.index)

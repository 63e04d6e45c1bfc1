"""Small positions drawn by the tests: hand-made, with one of everything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from optimizer.evaluation.report import BonusPay, Evaluation, RouteEvaluation, StopPay
from optimizer.model.grid import Layout, neighbors_of
from optimizer.model.position import Board, HexState, Position, Token, Train
from optimizer.model.rules import DistanceRow, RouteRules, TrainType
from optimizer.model.tile import STOP_KINDS
from optimizer.model.tile_io import tile_from_json
from optimizer.titles.loader import standard_tiles

TRAIN = TrainType("3", (DistanceRow(STOP_KINDS, 3, 3),))


def edge(a: int, b: int) -> dict[str, Any]:
    """A path from side to side."""
    return {"a": {"edge": a}, "b": {"edge": b}}


def to_stop(side: int, stop: int = 0) -> dict[str, Any]:
    """A path from a side to a stop."""
    return {"a": {"edge": side}, "b": {"stop": stop}}


def board(layout: Layout, tiles: Mapping[str, Any], locations: Mapping[str, str] | None = None) -> Board:
    """A board of these printed tiles."""
    printed = {hex_id: tile_from_json(hex_id, row) for hex_id, row in tiles.items()}
    return Board("test", layout, neighbors_of(printed, layout), printed, dict(locations or {}))


def position(layout: Layout = "flat") -> Position:
    """Three hexes in a row over sides 0 and 3: an off-board, a city (tile 14), a town."""
    first, middle, last = {"flat": ("B2", "B4", "B6"), "pointy": ("A3", "B2", "C1")}[layout]
    tiles = {
        first: {
            "color": "red",
            "stops": [{"kind": "offboard", "revenue": {"yellow": 20, "green": 40, "brown": 60}}],
            "paths": [to_stop(0)],
        },
        middle: {"color": "white", "stops": [{"kind": "city", "revenue": 0, "slots": 1}]},
        last: {
            "color": "yellow",
            "stops": [{"kind": "town", "revenue": 10}],
            "paths": [to_stop(3), to_stop(5)],
            "labels": ["B"],
            "terrain": [{"cost": 40, "kinds": ["mountain"]}],
            "icons": [{"name": "port"}],
        },
    }
    state = HexState(standard_tiles()["14"], 0, (Token(0, 0, "AB"), Token(0, 1, "CDE")))
    return Position(
        board=board(layout, tiles, {first: "The <North>", middle: "Middletown"}),
        company="AB",
        trains=(Train("3-0", TRAIN),),
        colors=("yellow", "green"),
        hexes=((middle, state),),
        rules=RouteRules(),
        phase="3",
        id="test-1",
    )


def run(of: Position) -> Evaluation:
    """The route over all three hexes of :func:`position`: 40 + 30 + 10, and a bonus of 5."""
    first, middle, last = of.board.printed
    stops = (
        StopPay(first, 0, "offboard", 40, 40),
        StopPay(middle, 0, "city", 30, 30),
        StopPay(last, 0, "town", 10, 10),
    )
    paths = ((first, 0), (middle, 2), (middle, 0), (last, 0))
    chains = ((first, middle), (middle, last))
    route = RouteEvaluation("3-0", 85, "text", stops, (BonusPay("Port", 5),), (), paths, chains)
    return Evaluation(85, (route,))

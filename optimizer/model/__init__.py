"""The model: hexes, tiles, trains, rules, and positions with their reading and writing."""

from optimizer.model.cases_io import position_from_case, routes_from_case
from optimizer.model.data import Fault, PositionData, PositionError, RouteData
from optimizer.model.json_io import dumps, parse_json, read_position, write_position
from optimizer.model.position import Board, HexState, Position, Route, Token, Train
from optimizer.model.read_limits import DEFAULT_LIMITS, ReadLimits
from optimizer.model.rules import RouteRules, TrainType
from optimizer.model.tile import Tile
from optimizer.model.to_data import position_to_data

__all__ = [
    "DEFAULT_LIMITS",
    "Board",
    "Fault",
    "HexState",
    "Position",
    "PositionData",
    "PositionError",
    "ReadLimits",
    "Route",
    "RouteData",
    "RouteRules",
    "Tile",
    "Token",
    "Train",
    "TrainType",
    "dumps",
    "parse_json",
    "position_from_case",
    "position_to_data",
    "read_position",
    "routes_from_case",
    "write_position",
]

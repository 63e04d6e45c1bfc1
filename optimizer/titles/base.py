"""Positions that bring their own map: the common rules, and whatever the position adds to them."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from optimizer.custom.rule import RuleError
from optimizer.custom.view import number
from optimizer.custom_registry import find_rule
from optimizer.model.data import (
    InlineHexData,
    InlineMapData,
    KnownTileData,
    PathData,
    PositionData,
    TileData,
    TrainData,
)
from optimizer.model.faults import Faults, show
from optimizer.model.grid import SIDES, Layout, neighbors_of, opposite, parse_coordinate, passable_sides
from optimizer.model.position import Board, HexState, Position, Token, Train
from optimizer.model.read_limits import DEFAULT_LIMITS, ReadLimits
from optimizer.model.rules import DistanceRow, RouteRules, TrainType
from optimizer.model.rules_data import rules_from_data
from optimizer.model.tile import STOP_KINDS, StopKind, Tile, rotate
from optimizer.model.tile_io import tile_from_json
from optimizer.titles.figures import MOST_REVENUE, most_revenue
from optimizer.titles.loader import standard_tiles
from optimizer.titles.tokens import add_token, city_of

MAX_DISTANCE = 1_000_000
LAYOUTS: tuple[Layout, ...] = ("flat", "pointy")

# In order of advance.
COLORS = ("white", "yellow", "green", "brown", "gray")

# Printed hexes that trains enter only by the exits printed on them.
CLOSED_COLORS = frozenset(("red", "gray", "blue"))

# What belongs to a title and so has no meaning on an inline map.
_TITLE_FIELDS = (
    "optional_rules",
    "company_kind",
    "privates",
    "hex_bonuses",
    "assignments",
    "counters",
    "switches",
    "hexes",
)


def resolve_inline(
    data: PositionData, inline: InlineMapData, faults: Faults, limits: ReadLimits = DEFAULT_LIMITS
) -> Position | None:
    """Check a position with its own map, adding to ``faults``; None if anything was wrong."""
    before = len(faults.found)
    # Whoever wrote the map may have its hexes in any order: the answer must not depend on it.
    inline = dataclasses.replace(inline, hexes=dict(sorted(inline.hexes.items())))
    for name in _TITLE_FIELDS:
        if getattr(data, name):
            where = "; put them into inline.hexes" if name == "hexes" else ""
            faults.add(name, f"has no meaning with an inline map{where}")
    if not data.company:
        faults.add("company", "missing")
    if inline.layout not in LAYOUTS:
        faults.add("inline.layout", f"must be flat or pointy, not {show(inline.layout)}")
    layout: Layout = "pointy" if inline.layout == "pointy" else "flat"
    if not inline.hexes:
        faults.add("inline.hexes", "missing: a map has hexes")
    tiles = {hex_id: _tile(hex_id, row, faults) for hex_id, row in inline.hexes.items()}
    hexes = {hex_id: _hex(hex_id, row, tiles[hex_id], faults) for hex_id, row in inline.hexes.items()}
    if not inline.phase_colors and any(s.revenue.by_color for tile in tiles.values() for s in tile.stops):
        faults.add("inline.phase_colors", "missing: there are stops that pay by colour")
    neighbors = _neighbors(inline, layout, tiles, faults)
    placeless = any(stop.visit_cost == 0 for tile in tiles.values() for stop in tile.stops)
    trains = _trains(data.trains, faults, placeless)
    rules = RouteRules()
    if inline.rules is not None:
        stops = {hex_id: len(tile.stops) for hex_id, tile in tiles.items()}
        rules = rules_from_data(inline.rules, stops, "inline.rules", faults.add)
        _check_custom(rules, [*tiles, *(train.name for train in data.trains)], faults)
    if len(faults.found) > before:
        return None
    if most_revenue(tiles.values(), trains, rules) > MOST_REVENUE:
        faults.add("inline", f"its figures, multiplied and added up, could exceed {MOST_REVENUE}")
        return None
    board = Board(_key(layout, tiles, neighbors), layout, neighbors, tiles)
    states = {h: state for h, state in sorted(hexes.items()) if state.rotation or state.tokens}
    return Position(
        board=board,
        company=data.company,
        trains=trains,
        colors=tuple(inline.phase_colors),
        hexes=tuple(states.items()),
        rules=rules,
        phase=data.phase,
        id=data.id,
    )


def _check_custom(rules: RouteRules, names: Sequence[str], faults: Faults) -> None:
    """Check what rules in Python need; ``names`` of hexes and trains are numbers to them."""
    known = {counter.name for counter in rules.counters}
    for i, custom in enumerate(rules.custom):
        path = f"inline.rules.custom[{i}]"
        try:
            if not custom.name:
                continue
            rule = find_rule(custom.name)
            rule.values(dict(custom.parameters))
            for name in sorted(set(rule.counters) - known):
                faults.add(f"{path}.name", f"rule {custom.name} needs a counter named {name!r}")
            for name in names:
                number(name)
        except KeyError as error:
            faults.add(f"{path}.name", str(error.args[0]))
        except RuleError as error:
            faults.add(f"{path}.parameters", str(error))
        except ValueError as error:
            faults.add(f"{path}.name", str(error))


def _key(layout: str, tiles: Mapping[str, Tile], neighbors: Mapping[str, Mapping[int, str]]) -> str:
    """Return a name that two boards share only if they are the same."""
    digest = hashlib.blake2b(layout.encode(), digest_size=16)
    for hex_id in sorted(tiles):
        tile = tiles[hex_id]
        digest.update(repr((hex_id, sorted(neighbors[hex_id].items()))).encode())
        digest.update(tile.track_text)
    return f"inline:{digest.hexdigest()}"


def _hex(hex_id: str, row: InlineHexData, tile: Tile, faults: Faults) -> HexState:
    path = f"inline.hexes[{hex_id}]"
    try:
        parse_coordinate(hex_id)
    except ValueError as error:
        faults.add(path, str(error))
    if not 0 <= row.rotation <= 5:
        faults.add(f"{path}.rotation", f"must be 0 to 5, not {show(row.rotation)}")
    tokens: list[Token] = []
    for i, token in enumerate(row.tokens):
        where = f"{path}.tokens[{i}]"
        if not token.company:
            faults.add(f"{where}.company", "missing")
        if token.kind not in ("", "normal", "neutral"):
            faults.add(f"{where}.kind", f"must be normal or neutral, not {show(token.kind)}")
        city = city_of(where, token, tile, faults)
        if city is not None:
            placed = Token(city, token.slot, token.company, token.kind == "neutral")
            add_token(where, placed, tile, tokens, faults, again=True)
    return HexState(tile, row.rotation, tuple(sorted(tokens)))


def _tile(hex_id: str, row: InlineHexData, faults: Faults) -> Tile:
    if isinstance(row.definition, KnownTileData):
        return row.definition.made
    path = f"inline.hexes[{hex_id}]"
    if row.tile and row.definition is not None:
        faults.add(path, "has either a standard tile or a definition, not both")
    if row.definition is not None:
        return _defined_tile(hex_id, row.definition, f"{path}.definition", faults)
    if not row.tile:
        return Tile(hex_id, "white")
    tile = standard_tiles().get(row.tile)
    if tile is None:
        faults.add(f"{path}.tile", f"there is no standard tile {show(row.tile)}: give a definition")
        return Tile(hex_id, "white")
    return tile


def _lanes(path: PathData) -> list[list[int]] | None:
    if path.lane_a is None and path.lane_b is None:
        return None
    lanes = ((lane.width, lane.index) if lane is not None else (1, 0) for lane in (path.lane_a, path.lane_b))
    return [list(lane) for lane in lanes]


def _advance(figure: tuple[str, int]) -> tuple[int, str]:
    """Sort figures by colour in order of advance, so that equal stops are equal however written."""
    color = figure[0]
    return (COLORS.index(color) if color in COLORS else len(COLORS), color)


def tile_json(tile: TileData) -> dict[str, Any]:
    """Return a tile in the schema of :mod:`optimizer.model.tile_io`."""
    return {
        "color": tile.color,
        "stops": [
            {
                "kind": stop.kind,
                "revenue": stop.revenue,
                "revenue_by_color": dict(sorted(stop.revenue_by_color.items(), key=_advance)),
                "slots": (1 if stop.kind == "city" else 0) if stop.slots is None else stop.slots,
                "groups": stop.groups,
                "loc": stop.loc,
                "visit_cost": 1 if stop.visit_cost is None else stop.visit_cost,
            }
            for stop in tile.stops
        ],
        "paths": [
            {
                "a": {"edge": path.a.edge, "stop": path.a.stop, "junction": path.a.junction},
                "b": {"edge": path.b.edge, "stop": path.b.stop, "junction": path.b.junction},
                "terminal": path.terminal,
                "ferry": path.ferry,
                "lanes": _lanes(path),
                "track": path.track,
            }
            for path in tile.paths
        ],
        "labels": tile.labels,
        "borders": [{"edge": side, "kind": "impassable"} for side in tile.impassable],
    }


MOST_LANES = 6


def _defined_tile(hex_id: str, data: TileData, path: str, faults: Faults) -> Tile:
    if not data.color:
        faults.add(f"{path}.color", "missing")
    for i, side in enumerate(data.impassable):
        if side not in SIDES:
            faults.add(f"{path}.impassable[{i}]", f"must be a side from 0 to 5, not {show(side)}")
    for i, piece in enumerate(data.paths):
        for name, lane in (("lane_a", piece.lane_a), ("lane_b", piece.lane_b)):
            if lane is not None and not 0 <= lane.index < lane.width <= MOST_LANES:
                what = f"must have 0 <= index < width <= {MOST_LANES}, not {lane.index} of {lane.width}"
                faults.add(f"{path}.paths[{i}].{name}", what)

    def report(where: str, what: str) -> None:
        if not where.endswith(".lanes"):  # which of the two has been said
            faults.add(where, what)

    before = len(faults.found)
    tile = tile_from_json(hex_id, tile_json(data), path, report)
    if len(faults.found) == before:
        _check_paths(tile, path, faults)
    return tile


def _check_paths(tile: Tile, path: str, faults: Faults) -> None:
    """Check each path. The same one may be there twice: published tiles have such track."""
    for i, piece in enumerate(tile.paths):
        where = f"{path}.paths[{i}]"
        if piece.a == piece.b and piece.lane_a == piece.lane_b:
            faults.add(where, "its two ends are the same")
        if piece.ferry and len(piece.stops) != 2:
            faults.add(where, "a ferry link joins two stops")


def _neighbors(
    inline: InlineMapData, layout: Layout, tiles: Mapping[str, Tile], faults: Faults
) -> dict[str, dict[int, str]]:
    """Return what lies across each side: as given, or worked out if no hex says anything."""
    if any(row.neighbors for row in inline.hexes.values()):
        _check_neighbors(inline, faults)
        return {hex_id: dict(sorted(row.neighbors.items())) for hex_id, row in inline.hexes.items()}
    try:
        near = neighbors_of(inline.hexes, layout)
    except ValueError:  # reported with the hex itself
        return {hex_id: {} for hex_id in inline.hexes}
    turned = {hex_id: row.rotation for hex_id, row in inline.hexes.items()}
    closed: dict[str, frozenset[int]] = {}
    walls: dict[str, frozenset[int]] = {}
    for hex_id, tile in tiles.items():
        if tile.color in CLOSED_COLORS:
            open_sides = {rotate(side, turned[hex_id]) for side in tile.exits}
            closed[hex_id] = frozenset(set(SIDES) - open_sides)
        walls[hex_id] = frozenset(
            rotate(border.side, turned[hex_id]) for border in tile.borders if border.kind == "impassable"
        )
    return passable_sides(near, closed, walls)


def _check_neighbors(inline: InlineMapData, faults: Faults) -> None:
    """Each neighbour is on the map, and where it names a hex on the same side it is this one."""
    for hex_id, row in inline.hexes.items():
        for side, other in row.neighbors.items():
            path = f"inline.hexes[{hex_id}].neighbors[{side}]"
            if side not in SIDES:
                faults.add(path, "sides are numbered 0 to 5")
                continue
            if other not in inline.hexes:
                faults.add(path, f"{show(other)} is not on the map")
                continue
            if other == hex_id:
                faults.add(path, "a hex is no neighbour of itself")
                continue
            back = inline.hexes[other].neighbors.get(opposite(side))
            if back is not None and back != hex_id:
                faults.add(path, f"is {other}, but across its side {opposite(side)} {other} has {back}")


def _kinds(path: str, names: list[str], faults: Faults) -> tuple[StopKind, ...]:
    for i, name in enumerate(names):
        if name not in STOP_KINDS:
            faults.add(f"{path}[{i}]", f"must be one of {', '.join(STOP_KINDS)}, not {show(name)}")
    return tuple(kind for kind in STOP_KINDS if kind in names)


def _number(path: str, value: int, low: int, high: int, faults: Faults) -> int:
    if not low <= value <= high:
        faults.add(path, f"must be {low} to {high}, not {show(value)}")
        return low
    return value


def _rows(path: str, row: TrainData, faults: Faults, placeless: bool) -> tuple[DistanceRow, ...]:
    """Read how far a train goes. A plain distance pays all it visits, also what takes no place."""
    if (row.distance is None) == (not row.rows):
        faults.add(path, "must say how far it goes: by distance or by rows, one of the two")
        return ()
    if row.distance is not None:
        distance = _number(f"{path}.distance", row.distance, 0, MAX_DISTANCE, faults)
        return (DistanceRow(STOP_KINDS, distance, MAX_DISTANCE if placeless else distance),)
    found = []
    for i, part in enumerate(row.rows):
        where = f"{path}.rows[{i}]"
        if not part.nodes:
            faults.add(f"{where}.nodes", f"missing: name kinds of stop out of {', '.join(STOP_KINDS)}")
        pay = _number(f"{where}.pay", part.pay, 0, MAX_DISTANCE, faults)
        visit = pay if part.visit is None else _number(f"{where}.visit", part.visit, 0, MAX_DISTANCE, faults)
        multiplier = _number(f"{where}.multiplier", part.multiplier, 0, 100, faults)
        found.append(DistanceRow(_kinds(f"{where}.nodes", part.nodes, faults), visit, pay, multiplier))
    return tuple(found)


def _trains(rows: list[TrainData], faults: Faults, placeless: bool) -> tuple[Train, ...]:
    trains: list[Train] = []
    seen: dict[str, int] = {}
    types: dict[str, TrainType] = {}
    for i, row in enumerate(rows):
        path = f"trains[{i}]"
        if not row.id:
            faults.add(f"{path}.id", "missing")
        elif row.id in seen:
            faults.add(f"{path}.id", f"{row.id} is also the id of trains[{seen[row.id]}]")
        seen.setdefault(row.id, i)
        if not row.name:
            faults.add(f"{path}.name", "missing")
        kind = _train_type(path, row, faults, placeless)
        if types.setdefault(row.name, kind) != kind:
            faults.add(f"{path}.name", f"another train named {show(row.name)} goes by other rules")
        trains.append(Train(row.id, kind))
    return tuple(trains)


def _train_type(path: str, row: TrainData, faults: Faults, placeless: bool) -> TrainType:
    total = row.pay_total
    return TrainType(
        name=row.name,
        rows=_rows(path, row, faults, placeless),
        multiplier=_number(
            f"{path}.multiplier", 1 if row.multiplier is None else row.multiplier, 1, 100, faults
        ),
        requires_token=row.requires_token is not False,
        pay_total=None if total is None else _number(f"{path}.pay_total", total, 0, MAX_DISTANCE, faults),
        pay_first=frozenset(_kinds(f"{path}.pay_first", row.pay_first, faults)),
        pay_needs_token=row.pay_needs_token is not False,
    )

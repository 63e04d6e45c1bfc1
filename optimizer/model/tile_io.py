"""Tiles as JSON: read and write one tile definition.

Schema (all fields but ``color`` may be absent)::

    {"color": "green",
     "stops": [{"kind": "city", "revenue": 40, "slots": 2, "groups": ["G"], "loc": "4"},
               {"kind": "offboard", "revenue": {"yellow": 40, "brown": 60}}],
     "paths": [{"a": {"edge": 0}, "b": {"stop": 0}, "terminal": true, "ferry": true,
                "lanes": [[2, 0], [1, 0]]}, {"a": {"edge": 1}, "b": {"junction": 0}}],
     "labels": ["Y"], "future_label": {"label": "Y", "color": "green"},
     "terrain": [{"cost": 40, "kinds": ["mountain"]}],
     "borders": [{"edge": 1, "kind": "impassable", "cost": 0}],
     "stubs": [2], "icons": [{"name": "mine", "sticky": true}], "partitions": [...]}

``revenue`` may also be split as ``revenue`` and ``revenue_by_color``. A path may have a ``track`` (narrow
or dual); narrow track between two stops is read as ``ferry``. Faults are reported to a callback with the
path of the field, so that a reader can collect all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from optimizer.model.tile import (
    STOP_KINDS,
    TRACKS,
    Border,
    End,
    Icon,
    Path,
    Revenue,
    Stop,
    Terrain,
    Tile,
    Track,
)

Report = Callable[[str, str], None]

MAX_STOPS = 30
MAX_PATHS = 60
MAX_VISIT_COST = 1000


class TileError(ValueError):
    """A tile definition that makes no sense; the text names the field."""


def _raise(path: str, message: str) -> None:
    raise TileError(f"{path}: {message}")


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _revenue(data: Mapping[str, Any], path: str, report: Report) -> Revenue:
    plain = data.get("revenue", 0)
    table = data.get("revenue_by_color") or {}
    color_path = "revenue_by_color[{}]"
    if isinstance(plain, Mapping):
        plain, table, color_path = 0, plain, "revenue.{}"
    if not isinstance(table, Mapping):
        report(f"{path}.revenue_by_color", "must map colours to numbers")
        return Revenue()
    figures = [("revenue", plain), *((color_path.format(color), value) for color, value in table.items())]
    for name, value in figures:
        if not _is_number(value) or not 0 <= value <= 1_000_000:
            report(f"{path}.{name}", f"must be a number from 0 to 1000000, not {value!r}")
            return Revenue()
    return Revenue(plain, tuple((str(color), value) for color, value in table.items()))


def _stop(data: Any, index: int, path: str, report: Report) -> Stop:
    if not isinstance(data, Mapping):
        report(path, "must be an object")
        return Stop("town")
    kind = data.get("kind")
    if kind not in STOP_KINDS:
        report(f"{path}.kind", f"must be one of {', '.join(STOP_KINDS)}, not {kind!r}")
        return Stop("town")
    slots = data.get("slots", 1 if kind == "city" else 0)
    if not _is_number(slots) or not 0 <= slots <= 12:
        report(f"{path}.slots", f"must be a number from 0 to 12, not {slots!r}")
        slots = 1
    visit_cost = data.get("visit_cost", 1)
    if not _is_number(visit_cost) or not 0 <= visit_cost <= MAX_VISIT_COST:
        report(f"{path}.visit_cost", f"must be a number from 0 to {MAX_VISIT_COST}, not {visit_cost!r}")
        visit_cost = 1
    groups = data.get("groups", ())
    if not isinstance(groups, Sequence) or isinstance(groups, str):
        report(f"{path}.groups", "must be a list of names")
        groups = ()
    loc = data.get("loc")
    return Stop(
        kind=kind,
        revenue=_revenue(data, path, report),
        slots=slots if kind == "city" else 0,
        groups=tuple(str(group) for group in groups),
        loc=None if loc in (None, "") else str(loc),
        part=int(data.get("part", index)),
        to_city=bool(data.get("to_city", False)),
        route=str(data.get("route") or "mandatory"),
        visit_cost=visit_cost,
        hidden=bool(data.get("hidden", False)),
    )


def _end(data: Any, stops: int, path: str, report: Report) -> End:
    if not isinstance(data, Mapping):
        report(path, 'must be an object such as {"edge": 0}, {"stop": 0} or {"junction": 0}')
        return End(side=0)
    named = [name for name in ("edge", "stop", "junction") if data.get(name) is not None]
    if len(named) != 1:
        report(path, "must have exactly one of edge, stop, junction")
        return End(side=0)
    name, value = named[0], data[named[0]]
    limit = {"edge": 6, "stop": stops, "junction": 6}[name]
    if not _is_number(value) or not 0 <= value < limit:
        right = f"must be a number from 0 to {limit - 1}" if limit else "names a stop, but the tile has none"
        report(f"{path}.{name}", f"{right}, not {value!r}")
        return End(side=0)
    if name == "edge":
        return End(side=value)
    return End(stop=value) if name == "stop" else End(junction=value)


def _path(data: Any, stops: int, path: str, report: Report) -> Path:
    if not isinstance(data, Mapping):
        report(path, "must be an object")
        return Path(End(side=0), End(side=3))
    lanes = data.get("lanes") or ((1, 0), (1, 0))
    try:
        (width_a, lane_a), (width_b, lane_b) = lanes
        if not (0 <= lane_a < width_a <= 6 and 0 <= lane_b < width_b <= 6):
            raise ValueError
    except (TypeError, ValueError):
        report(f"{path}.lanes", "must be [[width, index], [width, index]] with 0 <= index < width <= 6")
        width_a, lane_a, width_b, lane_b = 1, 0, 1, 0
    a = _end(data.get("a"), stops, f"{path}.a", report)
    b = _end(data.get("b"), stops, f"{path}.b", report)
    track: Track = data.get("track") or "broad"
    if track not in TRACKS:
        report(f"{path}.track", f"must be one of {', '.join(TRACKS)}, not {track!r}")
        track = "broad"
    link = track == "narrow" and a.stop >= 0 and b.stop >= 0
    return Path(
        a,
        b,
        terminal=bool(data.get("terminal", False)),
        ferry=link or bool(data.get("ferry", False)),
        lane_a=(width_a, lane_a),
        lane_b=(width_b, lane_b),
        track="broad" if link else track,
    )


def _rows(data: Mapping[str, Any], name: str, path: str, report: Report) -> Sequence[Any]:
    rows = data.get(name) or ()
    if not isinstance(rows, Sequence) or isinstance(rows, str):
        report(f"{path}.{name}", "must be a list")
        return ()
    return rows


def tile_from_json(name: str, data: Any, path: str = "tile", report: Report = _raise) -> Tile:
    """Read a tile definition; faults go to ``report(path, message)`` (default: raise TileError)."""
    if not isinstance(data, Mapping):
        report(path, "must be an object")
        return Tile(name, "white")
    color = data.get("color", "white")
    stop_rows = _rows(data, "stops", path, report)
    path_rows = _rows(data, "paths", path, report)
    if len(stop_rows) > MAX_STOPS or len(path_rows) > MAX_PATHS:
        report(path, f"has more than {MAX_STOPS} stops or {MAX_PATHS} paths")
        stop_rows, path_rows = stop_rows[:MAX_STOPS], path_rows[:MAX_PATHS]
    stops = tuple(_stop(row, i, f"{path}.stops[{i}]", report) for i, row in enumerate(stop_rows))
    paths = tuple(_path(row, len(stops), f"{path}.paths[{i}]", report) for i, row in enumerate(path_rows))
    future = data.get("future_label")
    return Tile(
        name=name,
        color=str(color),
        stops=stops,
        paths=paths,
        labels=tuple(str(label) for label in _rows(data, "labels", path, report)),
        future_label=(str(future["label"]), str(future["color"])) if isinstance(future, Mapping) else None,
        terrain=tuple(
            Terrain(int(row.get("cost", 0)), tuple(row.get("kinds", ())))
            for row in _rows(data, "terrain", path, report)
            if isinstance(row, Mapping)
        ),
        borders=tuple(
            Border(int(row["edge"]), str(row.get("kind") or ""), int(row.get("cost") or 0))
            for row in _rows(data, "borders", path, report)
            if isinstance(row, Mapping) and "edge" in row
        ),
        stubs=tuple(int(side) for side in _rows(data, "stubs", path, report)),
        icons=tuple(
            Icon(str(row.get("name", "")), bool(row.get("sticky", False)))
            for row in _rows(data, "icons", path, report)
            if isinstance(row, Mapping)
        ),
        partitions=tuple(
            dict(row) for row in _rows(data, "partitions", path, report) if isinstance(row, Mapping)
        ),
        frame=str(data.get("frame") or ""),
    )


def _end_to_json(end: End) -> dict[str, int]:
    if end.side >= 0:
        return {"edge": end.side}
    return {"stop": end.stop} if end.stop >= 0 else {"junction": end.junction}


def _stop_to_json(stop: Stop, index: int) -> dict[str, Any]:
    row: dict[str, Any] = {"kind": stop.kind}
    row["revenue"] = dict(stop.revenue.by_color) if stop.revenue.by_color else stop.revenue.plain
    if stop.kind == "city":
        row["slots"] = stop.slots
    optional: dict[str, Any] = {
        "groups": list(stop.groups),
        "loc": stop.loc,
        "part": None if stop.part == index else stop.part,
        "to_city": stop.to_city,
        "route": None if stop.route == "mandatory" else stop.route,
        "visit_cost": None if stop.visit_cost == 1 else stop.visit_cost,
        "hidden": stop.hidden,
    }
    row.update({key: value for key, value in optional.items() if value not in (None, False, [])})
    return row


def _path_to_json(path: Path) -> dict[str, Any]:
    row: dict[str, Any] = {"a": _end_to_json(path.a), "b": _end_to_json(path.b)}
    if path.terminal:
        row["terminal"] = True
    if path.ferry:
        row["ferry"] = True
    if path.track != "broad":
        row["track"] = path.track
    if (path.lane_a, path.lane_b) != ((1, 0), (1, 0)):
        row["lanes"] = [list(path.lane_a), list(path.lane_b)]
    return row


def tile_to_json(tile: Tile) -> dict[str, Any]:
    """Write a tile definition in the schema above (routing and drawing fields; no empty ones)."""
    future = tile.future_label
    row: dict[str, Any] = {
        "color": tile.color,
        "stops": [_stop_to_json(stop, i) for i, stop in enumerate(tile.stops)],
        "paths": [_path_to_json(path) for path in tile.paths],
        "labels": list(tile.labels),
        "future_label": {"label": future[0], "color": future[1]} if future else None,
        "terrain": [{"cost": row.cost, "kinds": list(row.kinds)} for row in tile.terrain],
        "borders": [{"edge": b.side, "kind": b.kind, "cost": b.cost} for b in tile.borders],
        "stubs": list(tile.stubs),
        "icons": [{"name": icon.name, "sticky": icon.sticky} for icon in tile.icons],
        "partitions": [dict(row) for row in tile.partitions],
        "frame": tile.frame,
    }
    return {key: value for key, value in row.items() if value not in (None, "", [], False) or key == "color"}

"""Positions in the shared cases' format, for all its folders (positions, stress, other-titles).

A line is a JSON object; ``cases/README.md`` documents its fields. Beside the position it holds routes:
``recorded`` (what was run) and ``best`` (the best set with its revenue). A line is first brought into
the form of the project's own JSON and then read like that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from optimizer.model.data import PositionData, RouteData
from optimizer.model.faults import Faults
from optimizer.model.json_io import read_into, read_routes
from optimizer.model.read_limits import DEFAULT_LIMITS, ReadLimits

# Fields that only this format has; one of them tells it from the project's own JSON.
MARKS = frozenset({"recorded", "best", "eastern_ruhr_links", "layout", "phase_colors"})

_LINKS = "eastern_ruhr_links"

# Fields of tiles that say nothing about routes. Others are handed on, for the reader to know or refuse.
_UNUSED_OF_STOPS = frozenset({"to_city", "route", "hidden"})


def is_cases_line(row: Any) -> bool:
    """Tell whether a parsed JSON value is in the cases' format rather than the project's own."""
    return isinstance(row, Mapping) and not MARKS.isdisjoint(row)


def _each(rows: Any, change: Any) -> Any:
    """Apply ``change`` to the objects of a list; what is none is left to the reader to complain of."""
    if not isinstance(rows, list):
        return rows
    return [change(row) if isinstance(row, Mapping) else row for row in rows]


def _stop(row: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: item for name, item in row.items() if name not in _UNUSED_OF_STOPS}
    if isinstance(kept.get("revenue"), Mapping):
        kept["revenue_by_color"] = kept.pop("revenue")
    return kept


def _lane(lanes: Any, side: int) -> Any:
    try:
        width, index = lanes[side]
    except (TypeError, ValueError, KeyError, IndexError):
        return lanes
    return {"width": width, "index": index}


def _path(row: Mapping[str, Any]) -> dict[str, Any]:
    kept = dict(row)
    lanes = kept.pop("lanes", None)
    if lanes is not None:
        kept["lane_a"], kept["lane_b"] = _lane(lanes, 0), _lane(lanes, 1)
    return kept


def _tile(row: Any) -> Any:
    if not isinstance(row, Mapping):
        return row
    kept = {name: row[name] for name in ("color", "labels") if name in row}
    kept["stops"] = _each(row.get("stops", []), _stop)
    kept["paths"] = _each(row.get("paths", []), _path)
    borders = row.get("borders", [])
    if isinstance(borders, list):
        walls = [wall for wall in borders if isinstance(wall, Mapping) and wall.get("kind") == "impassable"]
        kept["impassable"] = [wall.get("edge") for wall in walls]
    return kept


def _inline_hex(row: Any, known: Mapping[str, Any]) -> Any:
    if not isinstance(row, Mapping):
        return row
    kept = {name: item for name, item in row.items() if name != "tile"}
    if "tile" in row:
        kept["definition"] = _tile(row["tile"])
    near = row.get("neighbors")
    if isinstance(near, Mapping):
        # Only hexes with track are listed, while neighbours without track are still named.
        kept["neighbors"] = {
            side: other for side, other in near.items() if not isinstance(other, str) or other in known
        }
    return kept


def _worthless(row: Mapping[str, Any], rows: list[Any]) -> dict[str, Any]:
    """Bring a row of stops that earn nothing (times 0) into one that is not paid.

    In the project's own JSON a multiplier of 0 is that of the train. Cities must be able to pay for the
    token that they hold, and kinds of other rows would be paid there: the reader refuses such a row.
    """
    kept = dict(row)
    if type(kept.get("multiplier")) is not int or kept["multiplier"]:
        return kept
    elsewhere = {kind for other in rows if other is not row for kind in _kinds(other)}
    if {"city", *elsewhere} & set(_kinds(row)):
        kept["multiplier"] = "0 for cities or for kinds of two rows"
        return kept
    del kept["multiplier"]
    kept["visit"] = kept.get("visit", kept.get("pay"))
    kept["pay"] = 0
    return kept


def _kinds(row: Any) -> list[str]:
    kinds = row.get("nodes") if isinstance(row, Mapping) else None
    return [kind for kind in kinds if isinstance(kind, str)] if isinstance(kinds, list) else []


def _train(row: Mapping[str, Any]) -> dict[str, Any]:
    kept = dict(row)
    if isinstance(kept.get("distance"), list):
        rows = kept.pop("distance")
        kept["rows"] = _each(rows, lambda part: _worthless(part, rows))
    return kept


def case_to_json(row: Mapping[str, Any]) -> dict[str, Any]:
    """Bring the position of a line into the form of the project's own JSON (unchecked)."""
    kept = {name: item for name, item in row.items() if name not in ("recorded", "best", _LINKS)}
    if _LINKS in row:
        kept["counters"] = {_LINKS: row[_LINKS]}
    if "layout" not in row and "phase_colors" not in row:
        return kept
    # These lines name a title of which only the map in the line itself is known.
    kept.pop("title", None)
    hexes = kept.pop("hexes", {})
    if isinstance(hexes, Mapping):
        hexes = {hex_id: _inline_hex(state, hexes) for hex_id, state in hexes.items()}
    kept["trains"] = _each(kept.get("trains", []), _train)
    kept["inline"] = {
        "layout": kept.pop("layout", None),
        "phase_colors": kept.pop("phase_colors", None),
        "hexes": hexes,
    }
    return kept


def read_case_into(row: Mapping[str, Any], faults: Faults, limits: ReadLimits) -> PositionData:
    """Read the position of a line; what is faulty goes to ``faults`` and keeps its default."""
    return read_into(case_to_json(row), faults, limits)


def position_from_case(row: Mapping[str, Any], limits: ReadLimits = DEFAULT_LIMITS) -> PositionData:
    """Read the position of one line (a parsed JSON object); raise PositionError with every fault."""
    faults = Faults(limits.faults)
    data = read_case_into(row, faults, limits)
    faults.raise_if_any()
    return data


def read_case_routes(
    row: Mapping[str, Any], which: str, faults: Faults, limits: ReadLimits
) -> list[RouteData] | None:
    """Read the routes under ``recorded`` or ``best``; None if the line has none there."""
    part = row.get(which)
    if part is None:
        return None
    if not isinstance(part, Mapping):
        faults.add(which, "must be an object with routes")
        return None
    routes = part.get("routes")
    return None if routes is None else read_routes(routes, f"{which}.routes", faults, limits)


def routes_from_case(row: Mapping[str, Any], which: str = "recorded") -> list[RouteData] | None:
    """Read the routes under ``recorded`` or ``best``; None if there are none, PositionError if faulty."""
    faults = Faults()
    routes = read_case_routes(row, which, faults, DEFAULT_LIMITS)
    faults.raise_if_any()
    return routes

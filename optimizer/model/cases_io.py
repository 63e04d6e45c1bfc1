"""Positions in the shared cases' format, for all its folders (positions, stress, other-titles).

A line is a JSON object; ``cases/README.md`` documents its fields. Beside the position it holds routes:
``recorded`` (what was run) and ``best`` (the best set with its revenue).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from optimizer.model.data import (
    DistanceRowData,
    EndData,
    HexBonusData,
    HexData,
    InlineHexData,
    InlineMapData,
    LaneData,
    PathData,
    PositionData,
    RouteData,
    StopData,
    TileData,
    TokenData,
    TrainData,
)

# Fields that only this format has; one of them tells it from the project's own JSON.
MARKS = frozenset({"recorded", "best", "eastern_ruhr_links", "layout", "phase_colors"})


class CasesFormatError(ValueError):
    """A line that is not in the cases' format at all."""


def is_cases_line(row: Mapping[str, Any]) -> bool:
    """Tell whether an object is in the cases' format rather than the project's own."""
    return not MARKS.isdisjoint(row)


def _token(row: Mapping[str, Any]) -> TokenData:
    return TokenData(
        city=row.get("city"),
        stop=row.get("stop"),
        slot=row.get("slot", 0),
        company=row["company"],
        kind=row.get("kind") or "",
    )


def _hex(row: Mapping[str, Any]) -> HexData:
    return HexData(
        tile=row.get("tile") or "",
        rotation=row.get("rotation") or 0,
        tokens=[_token(token) for token in row.get("tokens", ())],
        markers=list(row.get("markers", ())),
        assignments=list(row.get("assignments", ())),
    )


def _stop(row: Mapping[str, Any]) -> StopData:
    revenue = row.get("revenue", 0)
    table = dict(revenue) if isinstance(revenue, Mapping) else {}
    return StopData(
        kind=row["kind"],
        revenue=0 if table else revenue,
        revenue_by_color=table,
        slots=row.get("slots"),
        groups=list(row.get("groups", ())),
        loc=str(row.get("loc") or ""),
    )


def _end(row: Mapping[str, Any]) -> EndData:
    return EndData(edge=row.get("edge"), stop=row.get("stop"), junction=row.get("junction"))


def _path(row: Mapping[str, Any]) -> PathData:
    lanes = row.get("lanes")
    return PathData(
        a=_end(row["a"]),
        b=_end(row["b"]),
        terminal=bool(row.get("terminal", False)),
        ferry=bool(row.get("ferry", False)) or row.get("track") == "narrow",
        lane_a=LaneData(*lanes[0]) if lanes else None,
        lane_b=LaneData(*lanes[1]) if lanes else None,
    )


def tile_data(row: Mapping[str, Any]) -> TileData:
    """Read a tile in the schema of the facts (what matters for routes)."""
    return TileData(
        color=row.get("color", "white"),
        stops=[_stop(stop) for stop in row.get("stops", ())],
        paths=[_path(path) for path in row.get("paths", ())],
        labels=list(row.get("labels", ())),
        impassable=[b["edge"] for b in row.get("borders", ()) if b.get("kind") == "impassable"],
    )


def _inline_hex(row: Mapping[str, Any], known: Mapping[str, Any]) -> InlineHexData:
    # Only hexes with track are listed, while neighbours without track are still named.
    near = {int(side): other for side, other in row["neighbors"].items() if other in known}
    return InlineHexData(
        definition=tile_data(row["tile"]),
        neighbors=near,
        tokens=[_token(token) for token in row.get("tokens", ())],
    )


def _distance(row: Mapping[str, Any]) -> tuple[int | None, list[DistanceRowData]]:
    distance = row.get("distance")
    if not isinstance(distance, Sequence):
        return distance, []
    return None, [
        DistanceRowData(list(part["nodes"]), part.get("visit"), part["pay"], part.get("multiplier") or 0)
        for part in distance
    ]


def _inline_train(row: Mapping[str, Any]) -> TrainData:
    distance, rows = _distance(row)
    return TrainData(
        id=row["id"],
        name=row["name"],
        distance=distance,
        rows=rows,
        multiplier=row.get("multiplier"),
        requires_token=row.get("requires_token"),
    )


def _inline(row: Mapping[str, Any]) -> PositionData:
    hexes = row["hexes"]
    return PositionData(
        id=row.get("id", ""),
        phase=row.get("phase", ""),
        company=row["company"],
        trains=[_inline_train(train) for train in row["trains"]],
        inline=InlineMapData(
            layout=row["layout"],
            phase_colors=list(row["phase_colors"]),
            hexes={hex_id: _inline_hex(state, hexes) for hex_id, state in hexes.items()},
        ),
    )


def _titled(row: Mapping[str, Any]) -> PositionData:
    links = row.get("eastern_ruhr_links")
    return PositionData(
        id=row.get("id", ""),
        title=row["title"],
        optional_rules=list(row.get("optional_rules", ())),
        phase=row["phase"],
        company=row["company"],
        company_kind=row.get("company_kind") or "",
        privates=list(row.get("privates", ())),
        hex_bonuses=[
            HexBonusData(bonus.get("name", ""), list(bonus["hexes"]), bonus["amount"])
            for bonus in row.get("hex_bonuses", ())
        ],
        assignments=list(row.get("assignments", ())),
        counters={} if links is None else {"eastern_ruhr_links": links},
        trains=[TrainData(train["id"], train["name"]) for train in row["trains"]],
        hexes={hex_id: _hex(state) for hex_id, state in row["hexes"].items()},
    )


def position_from_case(row: Mapping[str, Any]) -> PositionData:
    """Read one line of the cases (a parsed JSON object); raise CasesFormatError if it is none."""
    try:
        return _inline(row) if "layout" in row else _titled(row)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        what = f"lacks {error}" if isinstance(error, KeyError) else str(error)
        raise CasesFormatError(f"not a line in the cases' format: {what}") from error


def routes_from_case(row: Mapping[str, Any], which: str = "recorded") -> list[RouteData] | None:
    """Read the routes under ``recorded`` or ``best``; None if the line has none there."""
    part = row.get(which)
    if part is None:
        return None
    try:
        return [route_data(route) for route in part.get("routes", ())]
    except (KeyError, TypeError, AttributeError) as error:
        what = f"lacks {error}" if isinstance(error, KeyError) else str(error)
        raise CasesFormatError(f"{which}: not routes in the cases' format: {what}") from error


def route_data(row: Mapping[str, Any]) -> RouteData:
    """Read one route in the format of recorded games."""
    return RouteData(
        train=row["train"],
        connections=[list(chain) for chain in row["connections"]],
        nodes=list(row.get("nodes", ())),
        hexes=list(row.get("hexes", ())),
        revenue=row.get("revenue"),
        revenue_str=row.get("revenue_str") or "",
    )

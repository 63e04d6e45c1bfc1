"""Positions as JSON: the proto3 JSON of ``rheingold.v1.Position``, without needing protobuf.

>>> data = read_position({"title": "1861", "phase": "2", "company": "N", "trains": [{"id": "2-0"}]})
>>> data.trains[0].id
'2-0'
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from optimizer.model.data import Fault, PositionData, PositionError, RouteData
from optimizer.model.faults import Faults
from optimizer.model.read_limits import DEFAULT_LIMITS, ReadLimits
from optimizer.model.schema import Context, RepeatedNames, read_object, write_object


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    row = dict(pairs)
    if len(row) == len(pairs):
        return row
    marked = RepeatedNames(row)
    names = [name for name, _ in pairs]
    marked.repeated = sorted({name for name in names if names.count(name) > 1})
    return marked


_DECODER = json.JSONDecoder(object_pairs_hook=_object)


def parse_json(text: str | bytes, limits: ReadLimits = DEFAULT_LIMITS) -> Any:
    """Parse one JSON document; raise PositionError saying where it is broken."""
    if len(text) > limits.input_bytes:
        raise PositionError([Fault("", f"is too large: at most {limits.input_bytes} bytes")])
    try:
        return _DECODER.decode(text if isinstance(text, str) else text.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise PositionError([Fault("", f"is not UTF-8 text (byte {error.start})")]) from error
    except json.JSONDecodeError as error:
        where = f"line {error.lineno} column {error.colno}"
        raise PositionError([Fault("", f"is not JSON: {error.msg} at {where}")]) from error
    except RecursionError as error:
        raise PositionError([Fault("", "is nested too deeply")]) from error
    except ValueError as error:  # a number of thousands of digits
        raise PositionError([Fault("", f"is not JSON that can be read: {error}")]) from error


def read_into(row: Any, faults: Faults, limits: ReadLimits = DEFAULT_LIMITS) -> PositionData:
    """Read a parsed JSON object; what is faulty goes to ``faults`` and keeps its default."""
    return read_object(PositionData, row, "", Context(faults, limits))


def read_position(row: Any, limits: ReadLimits = DEFAULT_LIMITS) -> PositionData:
    """Read a parsed JSON object; raise PositionError with every fault of form.

    Names are not checked here: :func:`optimizer.titles.resolve.resolve` does that, and
    :func:`optimizer.titles.load.load_position` does both and reports all faults together.
    """
    faults = Faults(limits.faults)
    data = read_into(row, faults, limits)
    faults.raise_if_any()
    return data


def write_position(data: PositionData) -> dict[str, Any]:
    """Write a position as a JSON object; fields at their default are left out."""
    return write_object(data)


def dumps(data: PositionData) -> str:
    """Write a position as one line of JSON."""
    return json.dumps(write_position(data), ensure_ascii=False, separators=(",", ":"))


def read_routes(rows: Any, path: str, faults: Faults, limits: ReadLimits = DEFAULT_LIMITS) -> list[RouteData]:
    """Read a list of routes in the form of a ``run_routes`` action; fields it doesn't know are skipped.

    Routes come from recorded games too, whose clients write more fields than a route needs.
    """
    if not isinstance(rows, list):
        faults.add(path, "must be a list of routes")
        return []
    known = ("train", "connections", "nodes", "hexes", "revenue", "revenue_str")
    context = Context(faults, limits)
    return [
        read_object(
            RouteData,
            {name: row[name] for name in known if name in row} if isinstance(row, Mapping) else row,
            f"{path}[{i}]",
            context,
        )
        for i, row in enumerate(rows)
    ]

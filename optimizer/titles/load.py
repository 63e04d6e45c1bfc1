"""Reading positions from JSON values, files and streams, in the project's own and the cases' format.

A file holds one position, a list of them, or one a line (JSON Lines); it may be gzipped. An item is a
position, or an object ``{"position": ..., "routes": [...]}`` with routes to check, or a line of the
shared cases. A faulty item doesn't end the reading: it comes with its faults.
"""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, TextIO, cast

from optimizer.model.cases_io import is_cases_line, read_case_into, read_case_routes
from optimizer.model.data import Fault, PositionData, PositionError, RouteData
from optimizer.model.faults import Faults
from optimizer.model.json_io import parse_json, read_into, read_routes
from optimizer.model.position import Position
from optimizer.model.read_limits import DEFAULT_LIMITS, ReadLimits
from optimizer.titles.resolve import try_resolve

Source = str | Path | BinaryIO | TextIO


@dataclass(frozen=True, slots=True)
class LoadedPosition:
    """One item of a file: ``position`` is None if there are ``faults``.

    ``where`` tells its place (``positions.jsonl:12``). ``routes`` holds the routes that came with it, by
    the name they go under (``routes``, or ``recorded`` and ``best`` in the cases' format), ``revenues``
    what they are said to earn together.
    """

    where: str
    id: str = ""
    position: Position | None = None
    faults: tuple[Fault, ...] = ()
    routes: Mapping[str, list[RouteData]] = field(default_factory=dict)
    revenues: Mapping[str, int] = field(default_factory=dict)

    def error(self) -> PositionError:
        """Return its faults as an error."""
        return PositionError(list(self.faults))


def load_position(row: Any, limits: ReadLimits = DEFAULT_LIMITS) -> Position:
    """Turn a parsed JSON value in either format into a position; raise PositionError with all faults."""
    item = _load(row, "", limits)
    if item.position is None:
        raise item.error()
    return item.position


def loads(text: str | bytes, limits: ReadLimits = DEFAULT_LIMITS) -> Position:
    """Read a position from one JSON document; raise PositionError with all faults."""
    return load_position(parse_json(text, limits), limits)


def _bind(data: PositionData, faults: Faults, limits: ReadLimits) -> Position | None:
    """Resolve what was read; faults of names in fields whose form is at fault are left out."""
    found = Faults(limits.faults)
    position = try_resolve(data, found, limits)
    faults.extend(found.found)
    return None if faults else position


def _load(row: Any, where: str, limits: ReadLimits) -> LoadedPosition:
    if isinstance(row, Mapping) and {"players", "actions"} <= row.keys():
        hint = "`rheingold positions` writes the positions of its runs of trains"
        return LoadedPosition(where, faults=(Fault("", f"is a game, not a position; {hint}"),))
    faults = Faults(limits.faults)
    routes: dict[str, list[RouteData]] = {}
    revenues: dict[str, int] = {}
    if is_cases_line(row):
        data = read_case_into(row, faults, limits)
        for which in ("recorded", "best"):
            found = read_case_routes(row, which, faults, limits)
            if found is not None:
                routes[which] = found
            revenue = row[which].get("revenue") if isinstance(row.get(which), Mapping) else None
            if isinstance(revenue, int):
                revenues[which] = revenue
    elif isinstance(row, Mapping) and "position" in row:
        data = read_into(row["position"], faults, limits)
        for name in row:
            if name not in ("position", "routes", "id"):
                faults.add(str(name)[:40], "unknown field; beside position there may be routes")
        if row.get("routes") is not None:
            routes["routes"] = read_routes(row["routes"], "routes", faults, limits)
    else:
        data = read_into(row, faults, limits)
    position = _bind(data, faults, limits)
    return LoadedPosition(where, data.id, position, tuple(faults.found), routes, revenues)


@contextmanager
def _binary(source: Source) -> Iterator[tuple[io.BufferedReader, str]]:
    """Open a source, unpacking gzip, with a name for messages."""
    if isinstance(source, (str, Path)):
        with open(source, "rb") as file:
            yield _unpacked(file), str(source)
        return
    name = getattr(source, "name", "")
    raw = source.buffer if isinstance(source, io.TextIOWrapper) else source
    if isinstance(raw, io.StringIO):
        raw = io.BytesIO(raw.read().encode("utf-8", "surrogatepass"))
    yield _unpacked(cast(BinaryIO, raw)), name if isinstance(name, str) else ""


def _unpacked(file: BinaryIO) -> io.BufferedReader:
    buffered = file if isinstance(file, io.BufferedReader) else io.BufferedReader(cast(io.RawIOBase, file))
    if buffered.peek(2)[:2] == b"\x1f\x8b":
        return io.BufferedReader(cast(io.RawIOBase, gzip.GzipFile(fileobj=buffered)))
    return buffered


def load_positions(source: Source, limits: ReadLimits = DEFAULT_LIMITS) -> Iterator[LoadedPosition]:
    """Read all positions of a file or stream, one after the other.

    JSON Lines take constant memory; a document that spans lines is read as a whole. Raises OSError if
    the file cannot be opened; whatever is wrong inside is told in the items.
    """
    with _binary(source) as (file, name):
        prefix = f"{name}:" if name else ""
        number = 0
        try:
            for number, row in _values(file, limits):
                where = f"{prefix}{number}"
                if isinstance(row, PositionError):
                    yield LoadedPosition(where, faults=tuple(row.faults))
                elif isinstance(row, list):
                    for i, item in enumerate(row):
                        yield _load(item, f"{where}[{i}]", limits)
                else:
                    yield _load(row, where, limits)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            fault = Fault("", f"cannot be unpacked further: {error}")
            yield LoadedPosition(f"{prefix}{number + 1}", faults=(fault,))


def _lines(file: io.BufferedReader, limits: ReadLimits) -> Iterator[tuple[int, bytes]]:
    """Yield lines that are not blank with their number; of too long ones only the beginning."""
    number = 0
    while True:
        line = file.readline(limits.input_bytes + 1)
        if not line:
            return
        number += 1
        rest = line
        while len(rest) > limits.input_bytes and not rest.endswith(b"\n"):
            rest = file.readline(limits.input_bytes + 1)
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        if line.strip():
            yield number, line


def _parsed(text: bytes, limits: ReadLimits) -> Any:
    try:
        return parse_json(text, limits)
    except PositionError as error:
        return error


def _values(file: io.BufferedReader, limits: ReadLimits) -> Iterator[tuple[int, Any]]:
    """Yield JSON values with the number of their first line; a PositionError for those that are broken."""
    lines = _lines(file, limits)
    first = next(lines, None)
    if first is None:
        return
    number, line = first
    row = _parsed(line, limits)
    second = next(lines, None)
    jsonl = second is None or not isinstance(row, PositionError)
    if second is not None and not jsonl:
        jsonl = line.startswith(b"{") and second[1].startswith(b"{")
    if jsonl:
        yield number, row
        if second is not None:
            yield second[0], _parsed(second[1], limits)
        for number, line in lines:
            yield number, _parsed(line, limits)
    elif second is not None:
        rest = file.read(limits.input_bytes + 1)
        text = line + b"\n" * (second[0] - number - 1) + second[1] + rest
        yield number, _parsed(text, limits)

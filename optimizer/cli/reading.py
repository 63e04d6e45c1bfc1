"""Reading positions for the commands: faulty items are told on stderr and remembered, not raised."""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from collections.abc import Iterator, Sequence

import click

from optimizer.model.data import PositionError
from optimizer.model.faults import Faults
from optimizer.model.json_io import parse_json, read_routes
from optimizer.model.position import Route
from optimizer.model.read_limits import DEFAULT_LIMITS
from optimizer.model.route_io import routes_from_data
from optimizer.titles import LoadedPosition, load_positions

EXIT_FAILED = 1
EXIT_BAD_INPUT = 2


class Input:
    """The positions of some files, one after the other. ``bad`` tells whether anything was wrong."""

    def __init__(self, files: Sequence[str]) -> None:
        """Take the names of the files; ``-`` is standard input."""
        self.files = files
        self.bad = False
        self.failed = False

    def __iter__(self) -> Iterator[LoadedPosition]:
        """Yield every item that is a position; say on stderr what is wrong with the others."""
        for name in self.files:
            try:
                yield from self._items(name)
            except OSError as error:
                self.complain(name, str(error.strerror or error))

    def _items(self, name: str) -> Iterator[LoadedPosition]:
        empty = True
        source = sys.stdin.buffer if name == "-" else name
        for item in load_positions(source):
            empty = False
            if item.position is not None:
                yield item
                continue
            for fault in item.faults:
                self.complain(item.where, str(fault))
        if empty:
            self.complain("standard input" if name == "-" else name, "holds no position")

    def complain(self, where: str, message: str) -> None:
        """Say what is wrong with the input, and where."""
        self.bad = True
        click.echo(f"{where}: {message}", err=True)

    def fail(self, where: str, message: str) -> None:
        """Say what this program got wrong, and where."""
        self.failed = True
        click.echo(f"{where}: {message}", err=True)

    def exit_code(self) -> int:
        """Return 0, 1 if this program failed anywhere, or 2 if anything was wrong with the input."""
        if self.failed:
            return EXIT_FAILED
        return EXIT_BAD_INPUT if self.bad else 0


def read_fixed_routes(name: str) -> tuple[Route, ...]:
    """Read routes from a file, gzipped or not: a list of them, or an object with ``routes``.

    Raises click.UsageError with every fault.
    """
    try:
        with click.open_file(name, "rb") as file:
            row = parse_json(_unpacked(file.read()))
        rows = row.get("routes") if isinstance(row, dict) else row
        faults = Faults()
        data = read_routes(rows, "routes", faults)
        faults.raise_if_any()
        return routes_from_data(data)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise click.UsageError(f"{name}: cannot be unpacked: {error}") from error
    except OSError as error:
        raise click.UsageError(f"{name}: {error.strerror or error}") from error
    except PositionError as error:
        raise click.UsageError("\n".join(f"{name}: {fault}" for fault in error.faults)) from error


def _unpacked(data: bytes) -> bytes:
    """Unpack gzip, but no more than is read of a document."""
    if not data.startswith(b"\x1f\x8b"):
        return data
    return gzip.GzipFile(fileobj=io.BytesIO(data)).read(DEFAULT_LIMITS.input_bytes + 1)

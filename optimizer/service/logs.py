"""Structured logs: one JSON object a line on standard error."""

from __future__ import annotations

import atexit
import contextlib
import logging
import os
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, TextIO

import msgspec

WRITE_SECONDS = 0.05

# So many events at most wait to be written.
MAX_WAITING = 10_000

# How long the end of the process waits for a write that was begun.
FLUSH_SECONDS = 1.0

# A string in a line of the log has at most so many characters.
MAX_TEXT = 400

LOGGER = logging.getLogger("rheingold.service")


# What a line says beside what all say; or what makes it, when the line is written.
Fields = Mapping[str, Any] | Callable[[], Mapping[str, Any]]

# When, how grave, what, its fields, and its error.
_Event = tuple[float, int, str, Fields, BaseException | None]


class LateWriter:
    """Writes events as JSON lines a moment later, many at once: calls never wait for their log line.

    If nobody reads the stream, or its disk is full, lines are lost, the oldest first; calls go on.
    """

    def __init__(self, stream: TextIO | None, worker: int) -> None:
        self._stream = stream
        self._worker = worker
        self._encoder = msgspec.json.Encoder(enc_hook=str)
        self._second = (0, "")  # a time and how it is written: most lines share theirs with others
        self._waiting: deque[_Event] = deque(maxlen=MAX_WAITING)
        self._written = threading.Event()
        self._urgent = threading.Event()
        threading.Thread(target=self._write_on, name="log", daemon=True).start()
        atexit.register(flush)

    def add(self, event: _Event) -> None:
        """Take an event; errors are written at once."""
        self._waiting.append(event)
        if event[1] >= logging.ERROR:
            self._urgent.set()

    def line(self, event: _Event) -> bytes:
        """Return an event as one JSON object: time, level, event, and the fields given with it."""
        created, level, name, fields, error = event
        second = int(created)
        if self._second[0] != second:
            self._second = (second, time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(second)))
        row: dict[str, Any] = {
            "time": f"{self._second[1]}.{int(created % 1 * 1000):03d}Z",
            "level": logging.getLevelName(level).lower(),
            "worker": self._worker,
            "event": name,
        }
        row.update(fields() if callable(fields) else fields)
        for key, value in row.items():
            if isinstance(value, str) and len(value) > MAX_TEXT:
                row[key] = _short(value)
        if error is not None:
            row["traceback"] = "".join(traceback.format_exception(error)).rstrip()
        try:
            return self._encoder.encode(row)
        except UnicodeEncodeError:  # half a character: one such line must not cost the others
            return self._encoder.encode({key: _whole(value) for key, value in row.items()})

    def flush(self) -> None:
        """Have what waits written, unless that takes longer than :data:`FLUSH_SECONDS`."""
        self._written.clear()
        self._urgent.set()
        self._written.wait(FLUSH_SECONDS)

    def _write_on(self) -> None:
        while True:
            self._urgent.wait(WRITE_SECONDS)
            self._urgent.clear()
            with contextlib.suppress(OSError, ValueError):  # lost; there may be room again later
                self._write_waiting()
            if not self._waiting:
                self._written.set()

    def _write_waiting(self) -> None:
        lines = []
        while self._waiting:
            lines.append(self.line(self._waiting.popleft()))
        if lines and self._stream is not None:
            lines.append(b"")  # so that the last line ends, too
            _write(self._stream, b"\n".join(lines))


def _write(stream: TextIO, data: bytes) -> None:
    """Write past the stream's buffer: a thread that waits in it would keep the process from ending."""
    try:
        number = stream.fileno()
    except OSError:  # it is no file
        stream.write(data.decode())
        return
    while data:
        data = data[os.write(number, data) :]


def _whole(value: Any) -> Any:
    """Return a text with what UTF-8 cannot hold written out."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


def _short(text: str) -> str:
    """Clients send texts of any length: a line of the log shows no more than their beginning."""
    return text[: MAX_TEXT - 1] + "\N{HORIZONTAL ELLIPSIS}"


_writer: LateWriter | None = None


def set_up(level: str, worker: int = 0, stream: TextIO | None = None) -> None:
    """Send the service's log to standard error or another stream, from ``level`` on.

    Until this is called it goes to the logger ``rheingold.service``.
    """
    global _writer
    LOGGER.setLevel(level.upper())
    _writer = LateWriter(stream or sys.stderr, worker)


def tear_down() -> None:
    """Write what waits, and send what comes to the logger again."""
    global _writer
    flush()
    _writer = None


def flush() -> None:
    """Write what waits to be logged, if it can be written."""
    if _writer is not None:
        _writer.flush()


def log(level: int, event: str, /, *, error: BaseException | None = None, **fields: Any) -> None:
    """Log an event with its fields; ``error`` adds its traceback (to the log only)."""
    log_late(level, event, fields, error)


def log_late(level: int, event: str, fields: Fields, error: BaseException | None = None) -> None:
    """Log an event; a function as its fields is called when the line is written, by another thread."""
    if not LOGGER.isEnabledFor(level):
        return
    if _writer is not None:
        _writer.add((time.time(), level, event, fields, error))
    else:
        given = fields() if callable(fields) else fields
        LOGGER.log(level, "%s", event, extra={"fields": given}, exc_info=error)

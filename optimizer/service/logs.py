"""Structured logs: one JSON object a line on standard error."""

from __future__ import annotations

import atexit
import contextlib
import logging
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Mapping
from typing import Any, NamedTuple, TextIO

import msgspec

WRITE_SECONDS = 0.05

# A string in a line of the log has at most so many characters.
MAX_TEXT = 400

LOGGER = logging.getLogger("rheingold.service")


class _Event(NamedTuple):
    created: float
    level: int
    name: str
    fields: Mapping[str, Any]
    error: BaseException | None


class LateWriter:
    """Writes events as JSON lines a moment later, many at once: calls must not wait for their log line.

    Errors are written at once, with all that wait.
    """

    def __init__(self, stream: TextIO, worker: int) -> None:
        self._stream = stream
        self._worker = worker
        self._encoder = msgspec.json.Encoder(enc_hook=str)
        self._waiting: deque[_Event] = deque()
        self._lock = threading.Lock()
        threading.Thread(target=self._write_on, name="log", daemon=True).start()
        atexit.register(self.flush)

    def add(self, event: _Event) -> None:
        """Take an event."""
        self._waiting.append(event)
        if event.level >= logging.ERROR:
            self.flush()

    def line(self, event: _Event) -> str:
        """Return an event as one JSON object: time, level, event, and the fields given with it."""
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(event.created))
        row: dict[str, Any] = {
            "time": f"{stamp}.{int(event.created % 1 * 1000):03d}Z",
            "level": logging.getLevelName(event.level).lower(),
            "worker": self._worker,
            "event": event.name,
        }
        for name, value in event.fields.items():
            row[name] = _short(value) if isinstance(value, str) else value
        if event.error is not None:
            row["traceback"] = "".join(traceback.format_exception(event.error)).rstrip()
        return self._encoder.encode(row).decode() + "\n"

    def flush(self) -> None:
        """Write what waits."""
        with self._lock:
            lines = []
            while self._waiting:
                lines.append(self.line(self._waiting.popleft()))
            with contextlib.suppress(OSError, ValueError):  # if nobody reads it any more, it is lost
                if lines:
                    self._stream.write("".join(lines))
                    self._stream.flush()

    def _write_on(self) -> None:
        while True:
            time.sleep(WRITE_SECONDS)
            self.flush()


def _short(text: str) -> str:
    """Clients send texts of any length: a line of the log shows no more than their beginning."""
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "\N{HORIZONTAL ELLIPSIS}"


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
    """Write what waits to be logged."""
    if _writer is not None:
        _writer.flush()


def log(level: int, event: str, /, *, error: BaseException | None = None, **fields: Any) -> None:
    """Log an event with its fields; ``error`` adds its traceback (to the log only)."""
    if not LOGGER.isEnabledFor(level):
        return
    if _writer is not None:
        _writer.add(_Event(time.time(), level, event, fields, error))
    else:
        LOGGER.log(level, "%s", event, extra={"fields": fields}, exc_info=error)

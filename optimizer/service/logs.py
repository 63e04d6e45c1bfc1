"""Structured logs: one JSON object a line on standard error."""

from __future__ import annotations

import atexit
import logging
import sys
import threading
import time
from collections import deque
from typing import Any, TextIO

import msgspec

WRITE_SECONDS = 0.05

LOGGER = logging.getLogger("rheingold.service")


class JsonFormatter(logging.Formatter):
    """Writes a record as one JSON object: time, level, event, and the fields given with it."""

    def __init__(self, worker: int) -> None:
        super().__init__()
        self._worker = worker
        self._encoder = msgspec.json.Encoder()

    def format(self, record: logging.LogRecord) -> str:
        """Return the line for a record."""
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        row: dict[str, Any] = {
            "time": f"{stamp}.{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "worker": self._worker,
            "event": record.getMessage(),
        }
        row.update(getattr(record, "fields", {}))
        if record.exc_info:
            row["traceback"] = self.formatException(record.exc_info)
        return self._encoder.encode(row).decode()


class LateHandler(logging.StreamHandler[TextIO]):
    """Writes records a moment later, many at once: calls must not wait for their log line.

    Errors are written at once, with all that wait.
    """

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream)
        self._waiting: deque[logging.LogRecord] = deque()
        threading.Thread(target=self._write_on, name="log", daemon=True).start()
        atexit.register(self.flush)

    def emit(self, record: logging.LogRecord) -> None:
        """Take a record."""
        self._waiting.append(record)
        if record.levelno >= logging.ERROR:
            self.flush()

    def flush(self) -> None:
        """Write what waits."""
        self.acquire()
        try:
            lines = []
            while self._waiting:
                lines.append(self.format(self._waiting.popleft()) + self.terminator)
            if lines:
                self.stream.write("".join(lines))
                self.stream.flush()
        finally:
            self.release()

    def _write_on(self) -> None:
        while True:
            time.sleep(WRITE_SECONDS)
            try:
                self.flush()
            except (OSError, ValueError):  # nobody reads it any more
                return


def set_up(level: str, worker: int = 0) -> None:
    """Send the service's log to standard error, from ``level`` on."""
    handler = LateHandler(sys.stderr)
    handler.setFormatter(JsonFormatter(worker))
    LOGGER.handlers = [handler]
    LOGGER.setLevel(level.upper())
    LOGGER.propagate = False


def flush() -> None:
    """Write what waits to be logged."""
    for handler in LOGGER.handlers:
        handler.flush()


def log(level: int, event: str, /, *, error: BaseException | None = None, **fields: Any) -> None:
    """Log an event with its fields; ``error`` adds its traceback (to the log only)."""
    if LOGGER.isEnabledFor(level):
        LOGGER.log(level, "%s", event, extra={"fields": fields}, exc_info=error)

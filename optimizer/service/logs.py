"""Structured logs: one JSON object a line on standard error."""

from __future__ import annotations

import logging
import sys
import time
from typing import Any

import msgspec

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


def set_up(level: str, worker: int = 0) -> None:
    """Send the service's log to standard error, from ``level`` on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter(worker))
    LOGGER.handlers = [handler]
    LOGGER.setLevel(level.upper())
    LOGGER.propagate = False


def log(level: int, event: str, /, *, error: BaseException | None = None, **fields: Any) -> None:
    """Log an event with its fields; ``error`` adds its traceback (to the log only)."""
    if LOGGER.isEnabledFor(level):
        LOGGER.log(level, "%s", event, extra={"fields": fields}, exc_info=error)

"""One call: who asks, by when, whether they are still there, and what the log says in the end."""

from __future__ import annotations

import hmac
import logging
import random
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any, NoReturn

import grpc

from optimizer.service.errors import Problem, UnauthenticatedError, problem_of, status_of
from optimizer.service.logs import log, log_late
from optimizer.service.metrics import Metrics

REQUEST_ID = "x-request-id"
DETAILS_KEY = "grpc-status-details-bin"
MAX_REQUEST_ID = 64

# gRPC tells of calls without a deadline that they have ages left.
NO_DEADLINE = 1e8


# What the log says of an answer, in this order.
ANSWER_FIELDS = ("title", "company", "trains", "hexes", "revenue", "proven", "cached", "limit")

Answered = tuple[str, str, int, int, int, bool, bool, str]


class Call:
    """A running call.

    ``deadline`` is a time of :func:`time.monotonic`, or None. What is kept for the log line, which is
    written when the call has ended: ``note`` its further fields, ``queue_seconds`` how long it waited for a
    search, and ``answered`` what it was answered (see :data:`ANSWER_FIELDS`).
    """

    __slots__ = (
        "_authorization",
        "_code",
        "_done",
        "_ended",
        "_fields",
        "_lock",
        "_metrics",
        "_on_end",
        "answered",
        "context",
        "deadline",
        "method",
        "queue_seconds",
        "request_id",
        "start",
    )

    def __init__(self, method: str, context: grpc.ServicerContext, metrics: Metrics) -> None:
        self.method = method
        self.start = time.monotonic()
        self.context = context
        self.queue_seconds: float | None = None
        self.answered: Answered | None = None
        self._metrics = metrics
        self._lock = threading.Lock()
        self._ended = False
        self._on_end: list[Callable[[], None]] = []
        self._fields: dict[str, Any] = {}
        self._code = grpc.StatusCode.OK
        self._done = False
        self._authorization = ""
        self.request_id = ""
        for key, value in context.invocation_metadata():
            if key == "authorization" and isinstance(value, str):
                self._authorization = value
            elif key == REQUEST_ID and isinstance(value, str):
                self.request_id = _clean_id(value)
        if not self.request_id:
            self.request_id = f"{random.getrandbits(64):016x}"
        remaining = context.time_remaining()
        endless = remaining is None or remaining > NO_DEADLINE
        self.deadline = None if endless else self.start + remaining
        if not context.add_callback(self._end):
            self._end()

    @property
    def ended(self) -> bool:
        """Whether the client is gone or the deadline has passed."""
        return self._ended

    def on_end(self, action: Callable[[], None]) -> None:
        """Run an action when the client goes away or the deadline passes; at once if that has happened."""
        with self._lock:
            if not self._ended:
                self._on_end.append(action)
                return
        action()

    def forget(self, action: Callable[[], None]) -> None:
        """Take back :meth:`on_end`."""
        with self._lock:
            if action in self._on_end:
                self._on_end.remove(action)

    def note(self, **fields: Any) -> None:
        """Add fields to the log line."""
        self._fields.update(fields)

    def authenticate(self, token: str) -> None:
        """Raise UnauthenticatedError unless the client sent the bearer token (an empty one: not needed)."""
        if not token:
            return
        given = self._authorization
        scheme, _, value = given.partition(" ")
        if not (scheme.lower() == "bearer" and hmac.compare_digest(value.encode(), token.encode())):
            what = "a wrong bearer token" if given else "no bearer token in the metadata 'authorization'"
            raise UnauthenticatedError(f"the call has {what}")

    def done(self) -> None:
        """The handler has its answer."""
        self._done = True
        self.context.set_trailing_metadata(((REQUEST_ID, self.request_id),))

    def abort(self, error: Exception) -> NoReturn:
        """End the call with the status that belongs to an error (by raising, as gRPC wants it)."""
        problem = problem_of(error, self.request_id)
        self._code = problem.code
        self._done = True
        if problem.code is grpc.StatusCode.INTERNAL:
            log(logging.ERROR, "internal error", error=error, request_id=self.request_id, method=self.method)
        self._fields["message"] = problem.message
        self.context.abort_with_status(_Status(problem, self.request_id))

    def _end(self) -> None:
        with self._lock:
            self._ended = True
            actions, self._on_end = self._on_end, []
        for action in actions:
            action()
        now = time.monotonic()
        code = self._code
        if not self._done:
            late = self.deadline is not None and now >= self.deadline
            code = grpc.StatusCode.DEADLINE_EXCEEDED if late else grpc.StatusCode.CANCELLED
        # An enum looks its name up each time, in Python.
        name = "OK" if code is grpc.StatusCode.OK else code.name
        seconds = now - self.start
        self._metrics.call(self.method, name, seconds)
        # Not the call itself, which would stay as long as its line waits.
        who = (self.request_id, self.method, self.context.peer())
        told = (self.queue_seconds, self.answered, self._fields)
        log_late(logging.INFO, "call", partial(_line, *who, name, seconds, *told))


def _line(
    request_id: str,
    method: str,
    peer: str,
    code: str,
    seconds: float,
    queue_seconds: float | None,
    answered: Answered | None,
    fields: dict[str, Any],
) -> dict[str, Any]:
    """Return the fields of a call's log line."""
    row: dict[str, Any] = {
        "request_id": request_id,
        "method": method,
        "peer": peer,
        "code": code,
        "seconds": round(seconds, 6),
    }
    if queue_seconds is not None:
        row["queue_seconds"] = round(queue_seconds, 6)
    if answered is not None:
        row.update(zip(ANSWER_FIELDS, answered, strict=True))
        if not row["limit"]:
            del row["limit"]
    row.update(fields)
    return row


class _Status(grpc.Status):
    """A problem as gRPC sends it, with its details and the request's id."""

    def __init__(self, problem: Problem, request_id: str) -> None:
        self.code = problem.code
        self.details = problem.message
        self.trailing_metadata = (
            (REQUEST_ID, request_id),
            (DETAILS_KEY, status_of(problem).SerializeToString()),
        )


def _clean_id(text: str) -> str:
    """Return a client's request id if it is safe to write into a log and a header."""
    fine = len(text) <= MAX_REQUEST_ID and text.isascii() and all(c.isalnum() or c in "-_.:" for c in text)
    return text if fine else ""

"""One call: who asks, by when, whether they are still there, and what the log says in the end."""

from __future__ import annotations

import hmac
import logging
import random
import threading
import time
from collections.abc import Callable
from typing import Any, NoReturn

import grpc

from optimizer.service.errors import Problem, UnauthenticatedError, problem_of, status_of
from optimizer.service.logs import log
from optimizer.service.metrics import Metrics

REQUEST_ID = "x-request-id"
DETAILS_KEY = "grpc-status-details-bin"
MAX_REQUEST_ID = 64

# gRPC tells of calls without a deadline that they have ages left.
NO_DEADLINE = 1e8


class Call:
    """A running call.

    ``deadline`` is a time of :func:`time.monotonic`, or None. ``note`` keeps fields for the log line that
    is written when the call has ended.
    """

    def __init__(self, method: str, context: grpc.ServicerContext, metrics: Metrics) -> None:
        self.method = method
        self.start = time.monotonic()
        self.context = context
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
        self.request_id = self.request_id or f"{random.getrandbits(64):016x}"
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
        given = self._authorization
        scheme, _, value = given.partition(" ")
        if token and not (scheme.lower() == "bearer" and hmac.compare_digest(value.encode(), token.encode())):
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
        seconds = time.monotonic() - self.start
        code = self._code
        if not self._done:
            late = self.deadline is not None and time.monotonic() >= self.deadline
            code = grpc.StatusCode.DEADLINE_EXCEEDED if late else grpc.StatusCode.CANCELLED
        self._metrics.call(self.method, code.name, seconds)
        log(
            logging.INFO,
            "call",
            request_id=self.request_id,
            method=self.method,
            peer=self.context.peer(),
            code=code.name,
            seconds=round(seconds, 6),
            **self._fields,
        )


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

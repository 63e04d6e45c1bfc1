"""The one table from error to gRPC status, and the errors of the service itself.

Nothing else in the service chooses a status code. An error that the table does not know becomes
INTERNAL with a fixed text: its own text and traceback go to the log, never to the client.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import grpc
from google.protobuf import any_pb2, duration_pb2
from google.rpc import error_details_pb2, status_pb2

from optimizer.model.data import Fault, PositionError


class ServiceError(Exception):
    """An error whose text may be shown to the client."""


class BadRequestError(ServiceError):
    """A request with faulty fields; ``faults`` names each with its path."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__("; ".join(str(fault) for fault in faults))
        self.faults = tuple(faults)


class UnsupportedRuleError(ServiceError):
    """A rule that the closed vocabulary does not cover; ``rule`` is its name."""

    def __init__(self, rule: str, path: str) -> None:
        super().__init__(f"{path}: the rule {rule!r} is not covered")
        self.rule = rule


class QueueFullError(ServiceError):
    """Too many calls wait already; ``retry_seconds`` is a guess when there will be room."""

    def __init__(self, retry_seconds: float) -> None:
        super().__init__(f"too many calls are waiting; try again in {retry_seconds:.1f} s")
        self.retry_seconds = retry_seconds


class DeadlineError(ServiceError):
    """The deadline passed, or left no time to search."""


class CancelledCallError(ServiceError):
    """The client went away."""


class ShuttingDownError(ServiceError):
    """The server is stopping."""


class UnauthenticatedError(ServiceError):
    """No bearer token, or a wrong one."""


class UnknownGameError(ServiceError):
    """No game with that handle."""


class IllegalActionError(ServiceError):
    """An action that the rules of the game do not allow now."""


class GameConflictError(ServiceError):
    """The game is not where the caller believes it to be."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What the client is told: status code, one sentence, every faulty field, when to try again."""

    code: grpc.StatusCode
    message: str
    faults: tuple[Fault, ...] = ()
    retry_seconds: float | None = None
    rule: str = ""


def _faults(error: Exception) -> tuple[Fault, ...]:
    return tuple(error.faults) if isinstance(error, BadRequestError | PositionError) else ()


def _retry(error: Exception) -> float | None:
    return error.retry_seconds if isinstance(error, QueueFullError) else None


# First match wins.
TABLE: tuple[tuple[type[Exception], grpc.StatusCode], ...] = (
    (BadRequestError, grpc.StatusCode.INVALID_ARGUMENT),
    (PositionError, grpc.StatusCode.INVALID_ARGUMENT),
    (UnsupportedRuleError, grpc.StatusCode.UNIMPLEMENTED),
    (QueueFullError, grpc.StatusCode.RESOURCE_EXHAUSTED),
    (DeadlineError, grpc.StatusCode.DEADLINE_EXCEEDED),
    (CancelledCallError, grpc.StatusCode.CANCELLED),
    (ShuttingDownError, grpc.StatusCode.UNAVAILABLE),
    (UnauthenticatedError, grpc.StatusCode.UNAUTHENTICATED),
    (UnknownGameError, grpc.StatusCode.NOT_FOUND),
    (IllegalActionError, grpc.StatusCode.FAILED_PRECONDITION),
    (GameConflictError, grpc.StatusCode.ABORTED),
)

MAX_TEXT = 400

# Clients refuse trailers beyond 8 KB by default; binary ones grow by a third on the way.
MAX_STATUS_BYTES = 4500


def _short(text: str) -> str:
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"


def problem_of(error: Exception, request_id: str) -> Problem:
    """Return what the client is told about an error."""
    for kind, code in TABLE:
        if isinstance(error, kind):
            faults = tuple(Fault(_short(fault.path), _short(fault.message)) for fault in _faults(error))
            rule = _short(error.rule) if isinstance(error, UnsupportedRuleError) else ""
            return Problem(code, _short(str(error)), faults, _retry(error), rule)
    return Problem(grpc.StatusCode.INTERNAL, f"internal error in request {request_id}")


def _detail(
    message: error_details_pb2.BadRequest | error_details_pb2.RetryInfo | error_details_pb2.ErrorInfo,
) -> any_pb2.Any:
    packed = any_pb2.Any()
    packed.Pack(message)
    return packed


def status_of(problem: Problem) -> status_pb2.Status:
    """Return a problem as ``google.rpc.Status`` with its details."""
    status = status_pb2.Status(code=problem.code.value[0], message=problem.message)
    if problem.faults:
        status.details.append(_detail(_bad_request(problem.faults, MAX_STATUS_BYTES - len(problem.message))))
    if problem.retry_seconds is not None:
        delay = duration_pb2.Duration()
        delay.FromMilliseconds(int(problem.retry_seconds * 1000))
        status.details.append(_detail(error_details_pb2.RetryInfo(retry_delay=delay)))
    if problem.rule:
        info = error_details_pb2.ErrorInfo(
            reason="UNSUPPORTED_RULE", domain="rheingold", metadata={"rule": problem.rule}
        )
        status.details.append(_detail(info))
    return status


def _bad_request(faults: Sequence[Fault], room: int) -> error_details_pb2.BadRequest:
    """Return the faults as far as there is room: paths come before what is said about them."""
    message = error_details_pb2.BadRequest()
    for fault in faults:
        message.field_violations.add(field=fault.path, description=fault.message)
    if message.ByteSize() <= room:
        return message
    for violation in reversed(message.field_violations):
        violation.description = ""
        if message.ByteSize() <= room:
            return message
    while message.ByteSize() > room:
        del message.field_violations[-1]
    dropped = len(faults) - len(message.field_violations) + 1
    message.field_violations[-1].field = ""
    message.field_violations[-1].description = f"and {dropped} more faults"
    return message

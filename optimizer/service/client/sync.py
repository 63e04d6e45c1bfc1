"""The client for ordinary code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any, TypeVar

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from rheingold.v1 import optimizer_service_pb2 as pb
from rheingold.v1 import optimizer_service_pb2_grpc as pb_grpc

from optimizer.service.client.messages import (
    Answer,
    AnyPosition,
    AnyRoute,
    BatchAnswer,
    BatchItem,
    batch_answer,
    call_error,
    item_of,
    limits_of,
    metadata_of,
    position_of,
    route_of,
)
from optimizer.solution import Limits

T = TypeVar("T")


class Client:
    """Calls a server. May be shared by threads; close it, or use it in a ``with`` block.

    ``timeout`` is the deadline of each call in seconds; the server answers a little before it with the
    best it has. Calls raise :class:`~optimizer.service.client.messages.CallError`.
    """

    def __init__(
        self,
        target: str = "127.0.0.1:50051",
        *,
        credentials: grpc.ChannelCredentials | None = None,
        token: str = "",
        timeout: float | None = None,
    ) -> None:
        if credentials is None:
            self._channel = grpc.insecure_channel(target)
        else:
            self._channel = grpc.secure_channel(target, credentials)
        self._stub = pb_grpc.RouteOptimizerStub(self._channel)
        self._health: Any = health_pb2_grpc.HealthStub(self._channel)  # the package has no types
        self._token = token
        self._timeout = timeout

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._channel.close()

    def optimize(
        self,
        position: AnyPosition,
        limits: Limits | None = None,
        *,
        fixed: Sequence[AnyRoute] = (),
        timeout: float | None = None,
        request_id: str = "",
    ) -> Answer:
        """Return the best routes of a position."""
        request = pb.OptimizeRequest(
            position=position_of(position),
            limits=limits_of(limits),
            fixed=[route_of(route) for route in fixed],
        )
        response = self._unary(self._stub.Optimize, request, timeout, request_id)
        return Answer(response.solution, response.cached)

    def optimize_stream(
        self,
        position: AnyPosition,
        limits: Limits | None = None,
        *,
        fixed: Sequence[AnyRoute] = (),
        timeout: float | None = None,
        request_id: str = "",
    ) -> Iterator[Answer]:
        """Yield each better solution as it is found, then the final one (``final``)."""
        request = pb.OptimizeStreamRequest(
            position=position_of(position),
            limits=limits_of(limits),
            fixed=[route_of(route) for route in fixed],
        )
        with _errors():
            call = self._stub.OptimizeStream(
                request, timeout=self._seconds(timeout), metadata=metadata_of(self._token, request_id)
            )
            try:
                for response in call:
                    yield Answer(response.solution, response.cached, response.final)
            finally:
                call.cancel()

    def optimize_batch(
        self, items: Iterable[BatchItem], *, timeout: float | None = None, request_id: str = ""
    ) -> Iterator[BatchAnswer]:
        """Yield the outcome of each item as it comes. Items are taken only as fast as they are answered."""
        with _errors():
            call = self._stub.OptimizeBatch(
                (item_of(item) for item in items),
                timeout=self._seconds(timeout),
                metadata=metadata_of(self._token, request_id),
            )
            try:
                for response in call:
                    yield batch_answer(response)
            finally:
                call.cancel()

    def evaluate(
        self,
        position: AnyPosition,
        routes: Sequence[AnyRoute],
        *,
        timeout: float | None = None,
        request_id: str = "",
    ) -> pb.EvaluateResponse:
        """Tell whether routes are legal, why not, and what they earn."""
        request = pb.EvaluateRequest(
            position=position_of(position), routes=[route_of(route) for route in routes]
        )
        return self._unary(self._stub.Evaluate, request, timeout, request_id)

    def list_titles(self, *, timeout: float | None = None) -> pb.ListTitlesResponse:
        """Return what is built in."""
        return self._unary(self._stub.ListTitles, pb.ListTitlesRequest(), timeout, "")

    def serving(self, *, timeout: float | None = 5.0) -> bool:
        """Tell whether the server is up and takes calls."""
        try:
            response = self._health.Check(health_pb2.HealthCheckRequest(), timeout=timeout)
        except grpc.RpcError:
            return False
        return bool(response.status == health_pb2.HealthCheckResponse.SERVING)

    def _seconds(self, timeout: float | None) -> float | None:
        return self._timeout if timeout is None else timeout

    def _unary(self, method: Callable[..., T], request: object, timeout: float | None, request_id: str) -> T:
        with _errors():
            return method(
                request, timeout=self._seconds(timeout), metadata=metadata_of(self._token, request_id)
            )


@contextmanager
def _errors() -> Iterator[None]:
    """Turn gRPC's errors into our own."""
    try:
        yield
    except grpc.RpcError as error:
        call: Any = error  # the errors of calls are calls themselves
        raise call_error(call.code(), call.details(), call.trailing_metadata()) from error

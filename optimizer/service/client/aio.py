"""The client for asyncio."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any, TypeVar

import grpc
import grpc.aio
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


class AsyncClient:
    """Calls a server from one event loop; close it, or use it in an ``async with`` block.

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
            self._channel = grpc.aio.insecure_channel(target)
        else:
            self._channel = grpc.aio.secure_channel(target, credentials)
        # The generated stubs are typed for both kinds of channel; which one decides at run time.
        self._stub: Any = pb_grpc.RouteOptimizerStub(self._channel)
        self._health: Any = health_pb2_grpc.HealthStub(self._channel)
        self._token = token
        self._timeout = timeout

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connection."""
        await self._channel.close()

    async def optimize(
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
        response: pb.OptimizeResponse = await self._unary(self._stub.Optimize, request, timeout, request_id)
        return Answer(response.solution, response.cached)

    async def optimize_stream(
        self,
        position: AnyPosition,
        limits: Limits | None = None,
        *,
        fixed: Sequence[AnyRoute] = (),
        timeout: float | None = None,
        request_id: str = "",
    ) -> AsyncIterator[Answer]:
        """Yield each better solution as it is found, then the final one (``final``)."""
        request = pb.OptimizeStreamRequest(
            position=position_of(position),
            limits=limits_of(limits),
            fixed=[route_of(route) for route in fixed],
        )
        call = self._stub.OptimizeStream(
            request, timeout=self._seconds(timeout), metadata=metadata_of(self._token, request_id)
        )
        with _errors():
            try:
                async for response in call:
                    yield Answer(response.solution, response.cached, response.final)
            finally:
                call.cancel()

    async def optimize_batch(
        self,
        items: Iterable[BatchItem] | AsyncIterable[BatchItem],
        *,
        timeout: float | None = None,
        request_id: str = "",
    ) -> AsyncIterator[BatchAnswer]:
        """Yield the outcome of each item as it comes. Items are taken only as fast as they are answered."""
        call = self._stub.OptimizeBatch(
            _requests(items), timeout=self._seconds(timeout), metadata=metadata_of(self._token, request_id)
        )
        with _errors():
            try:
                async for response in call:
                    yield batch_answer(response)
            finally:
                call.cancel()

    async def evaluate(
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
        response: pb.EvaluateResponse = await self._unary(self._stub.Evaluate, request, timeout, request_id)
        return response

    async def list_titles(self, *, timeout: float | None = None) -> pb.ListTitlesResponse:
        """Return what is built in."""
        response: pb.ListTitlesResponse = await self._unary(
            self._stub.ListTitles, pb.ListTitlesRequest(), timeout, ""
        )
        return response

    async def serving(self, *, timeout: float | None = 5.0) -> bool:
        """Tell whether the server is up and takes calls."""
        try:
            response = await self._health.Check(health_pb2.HealthCheckRequest(), timeout=timeout)
        except grpc.RpcError:
            return False
        return bool(response.status == health_pb2.HealthCheckResponse.SERVING)

    def _seconds(self, timeout: float | None) -> float | None:
        return self._timeout if timeout is None else timeout

    async def _unary(
        self, method: Callable[..., Any], request: object, timeout: float | None, request_id: str
    ) -> Any:
        with _errors():
            return await method(
                request, timeout=self._seconds(timeout), metadata=metadata_of(self._token, request_id)
            )


async def _requests(
    items: Iterable[BatchItem] | AsyncIterable[BatchItem],
) -> AsyncIterator[pb.OptimizeBatchRequest]:
    if isinstance(items, AsyncIterable):
        async for item in items:
            yield item_of(item)
    else:
        for item in items:
            yield item_of(item)


@contextmanager
def _errors() -> Any:
    """Turn gRPC's errors into our own."""
    try:
        yield
    except grpc.aio.AioRpcError as error:
        raise call_error(error.code(), error.details(), tuple(error.trailing_metadata())) from error

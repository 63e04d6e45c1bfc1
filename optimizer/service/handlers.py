"""Adapters from gRPC's handlers to plain functions over messages.

Handlers take and give bytes: so a request that cannot be read gets a clear status of our own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

import grpc
from google.protobuf.message import Message

from optimizer.service.call import Call
from optimizer.service.config import ServiceConfig
from optimizer.service.metrics import Metrics
from optimizer.service.solver import Solver

R = TypeVar("R")

# A response: its message, or the bytes of one.
Answer = Message | bytes


@dataclass(frozen=True, slots=True)
class Runtime:
    """What every service of a server shares."""

    config: ServiceConfig
    token: str
    metrics: Metrics
    solver: Solver

    def call(self, method: str, context: grpc.ServicerContext) -> Call:
        """Begin a call."""
        return Call(method, context, self.metrics)


@dataclass(frozen=True, slots=True)
class Registration:
    """A service to offer: its full name and its methods."""

    service: str
    methods: Mapping[str, grpc.RpcMethodHandler[bytes, bytes]]


Plugin = Callable[[Runtime], Registration]


def _bytes(answer: Answer) -> bytes:
    return answer if isinstance(answer, bytes) else answer.SerializeToString()


def unary(
    runtime: Runtime,
    name: str,
    read: Callable[[bytes], R],
    action: Callable[[R, Call], Answer],
) -> grpc.RpcMethodHandler[bytes, bytes]:
    """One request, one response. Errors of ``read`` and ``action`` become the call's status."""

    token, metrics = runtime.token, runtime.metrics

    def handle(data: bytes, context: grpc.ServicerContext) -> bytes:
        call = Call(name, context, metrics)
        try:
            call.authenticate(token)
            answer = _bytes(action(read(data), call))
        except Exception as error:
            call.abort(error)
        call.done()
        return answer

    return grpc.unary_unary_rpc_method_handler(handle)


def server_stream(
    runtime: Runtime,
    name: str,
    read: Callable[[bytes], R],
    action: Callable[[R, Call], Iterator[Answer]],
) -> grpc.RpcMethodHandler[bytes, bytes]:
    """One request, many responses."""

    def handle(data: bytes, context: grpc.ServicerContext) -> Iterator[bytes]:
        call = runtime.call(name, context)
        try:
            call.authenticate(runtime.token)
            for answer in action(read(data), call):
                yield _bytes(answer)
        except Exception as error:
            call.abort(error)
        call.done()

    return grpc.unary_stream_rpc_method_handler(handle)


def both_streams(
    runtime: Runtime, name: str, action: Callable[[Iterator[bytes], Call], Iterator[Answer]]
) -> grpc.RpcMethodHandler[bytes, bytes]:
    """Many requests, many responses; the action reads the requests' bytes itself."""

    def handle(requests: Iterator[bytes], context: grpc.ServicerContext) -> Iterator[bytes]:
        call = runtime.call(name, context)
        try:
            call.authenticate(runtime.token)
            for answer in action(requests, call):
                yield _bytes(answer)
        except Exception as error:
            call.abort(error)
        call.done()

    return grpc.stream_stream_rpc_method_handler(handle)

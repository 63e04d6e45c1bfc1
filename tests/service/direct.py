"""Calls of a service's handlers without a network: request bytes in, answer or status out."""

from __future__ import annotations

from typing import Any

import grpc

from optimizer.service.config import ServiceConfig
from optimizer.service.handlers import Runtime
from optimizer.service.methods import RouteOptimizer
from optimizer.service.metrics import NoMetrics
from optimizer.service.solver import Solver


class Aborted(Exception):
    """What gRPC raises when a handler ends a call."""


class Context:
    """As much of gRPC's context as the handlers use."""

    def __init__(self) -> None:
        self.status: Any = None

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        return ()

    def time_remaining(self) -> None:
        return None

    def add_callback(self, _action: object) -> bool:
        return True

    def set_trailing_metadata(self, _rows: object) -> None:
        return None

    def peer(self) -> str:
        return "direct"

    def abort_with_status(self, status: Any) -> None:
        self.status = status
        raise Aborted


class Direct:
    """The optimizer's methods, called directly."""

    def __init__(self, **settings: Any) -> None:
        config = ServiceConfig(**settings)
        metrics = NoMetrics()
        runtime = Runtime(config, "", metrics, Solver(config, metrics))
        self._methods = RouteOptimizer(runtime).registration().methods

    def call(self, method: str, data: bytes) -> tuple[grpc.StatusCode, bytes]:
        """Return the status and, if it is OK, the answer. Other exceptions than an abort go through."""
        context = Context()
        try:
            answer = self._methods[method].unary_unary(data, context)
        except Aborted:
            return context.status.code, b""
        return grpc.StatusCode.OK, answer

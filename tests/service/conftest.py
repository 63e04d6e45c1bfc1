"""Servers for the tests: in this process, on a free port of the loopback."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import grpc
import pytest
from rheingold.v1 import optimizer_service_pb2_grpc as pb_grpc

from optimizer.model.position import Position
from optimizer.service import solver
from optimizer.service.client import Client
from optimizer.service.config import ServiceConfig
from optimizer.service.server import Service
from optimizer.solution import Limits, Solution


class Running:
    """A started server and what it takes to talk to it."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.target = f"127.0.0.1:{service.port}"
        self.channel = grpc.insecure_channel(self.target)
        self.stub = pb_grpc.RouteOptimizerStub(self.channel)
        self.client = Client(self.target)

    def close(self) -> None:
        self.client.close()
        self.channel.close()
        self.service.stop()


Serve = Callable[..., Running]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Start servers with any settings; all are stopped after the test."""
    started: list[Running] = []

    def start(**settings: Any) -> Running:
        service = Service(ServiceConfig(**{"port": 0, "grace_seconds": 1.0, **settings}))
        service.start()
        started.append(Running(service))
        return started[-1]

    yield start
    for running in started:
        running.close()


@pytest.fixture
def server(serve: Serve) -> Running:
    """A server with the default settings."""
    return serve()


class SlowSearch:
    """Stands in for the search: each one lasts until it is stopped, out of time, or released."""

    def __init__(self) -> None:
        self.released = threading.Event()
        self.began = threading.Semaphore(0)
        self.running = 0
        self.most = 0
        self.stopped = 0
        self._lock = threading.Lock()

    def __call__(
        self,
        position: Position,
        limits: Limits,
        *,
        fixed: object = (),
        stop: solver.StopFlag | None = None,
        on_improve: Callable[[Solution], None] | None = None,
    ) -> Solution:
        with self._lock:
            self.running += 1
            self.most = max(self.most, self.running)
        self.began.release()
        try:
            return self._wait(limits, stop)
        finally:
            with self._lock:
                self.running -= 1

    def _wait(self, limits: Limits, stop: solver.StopFlag | None) -> Solution:
        end = time.monotonic() + (limits.time or 60.0)
        while time.monotonic() < end:
            if self.released.wait(0.005):
                return Solution((), 0, 0, True)
            if stop is not None and stop.is_set():
                self.stopped += 1
                return Solution((), 0, 100, False, "stopped")
        return Solution((), 0, 100, False, "time")


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowSearch]:
    """Make every search slow; searches still running are released after the test."""
    search = SlowSearch()
    monkeypatch.setattr(solver, "optimize", search)
    yield search
    search.released.set()

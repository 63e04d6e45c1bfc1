"""The methods of ``rheingold.v1.RouteOptimizer``."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial

from rheingold.v1 import optimizer_service_pb2 as pb

from optimizer.native.encode import field
from optimizer.service.batch import Batch
from optimizer.service.call import Call
from optimizer.service.convert.titles import titles_message
from optimizer.service.decode import decoder
from optimizer.service.errors import QueueFullError
from optimizer.service.handlers import Registration, Runtime, both_streams, server_stream, unary
from optimizer.service.request import RouteRequest
from optimizer.service.streaming import improving

_SOLUTION = pb.OptimizeResponse.DESCRIPTOR.fields_by_name["solution"].number
_CACHED = {cached: pb.OptimizeResponse(cached=cached).SerializeToString() for cached in (False, True)}

SERVICE = pb.DESCRIPTOR.services_by_name["RouteOptimizer"].full_name


class RouteOptimizer:
    """The methods, over one solver."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._solver = runtime.solver
        self._pool = ThreadPoolExecutor(runtime.config.searches, thread_name_prefix="batch-item")
        self._streams = threading.Semaphore(runtime.config.max_streams)

    def registration(self) -> Registration:
        """Return the service for the server."""
        runtime = self._runtime
        return Registration(
            SERVICE,
            {
                "Optimize": unary(
                    runtime, "Optimize", partial(RouteRequest, pb.OptimizeRequest), self._optimize
                ),
                "OptimizeStream": server_stream(
                    runtime,
                    "OptimizeStream",
                    partial(RouteRequest, pb.OptimizeStreamRequest),
                    self._optimize_stream,
                ),
                "OptimizeBatch": both_streams(runtime, "OptimizeBatch", self._optimize_batch),
                "Evaluate": unary(runtime, "Evaluate", decoder(pb.EvaluateRequest), self._evaluate),
                "ListTitles": unary(runtime, "ListTitles", decoder(pb.ListTitlesRequest), self._list_titles),
            },
        )

    def _optimize(self, request: RouteRequest[pb.OptimizeRequest], call: Call) -> bytes:
        solution, cached = self._solver.optimize(request, call)
        return field(_SOLUTION, solution, _CACHED[cached])

    def _optimize_stream(
        self, request: RouteRequest[pb.OptimizeStreamRequest], call: Call
    ) -> Iterator[bytes]:
        with self._stream():
            yield from improving(self._solver, request, call)

    def _optimize_batch(self, requests: Iterator[bytes], call: Call) -> Iterator[bytes]:
        window = self._runtime.config.batch_window
        with self._stream():
            yield from Batch(self._solver, self._pool, call, window).answers(requests)

    @contextmanager
    def _stream(self) -> Iterator[None]:
        """Hold one of the places for calls that may last."""
        if not self._streams.acquire(blocking=False):
            raise QueueFullError(1.0)
        try:
            yield
        finally:
            self._streams.release()

    def _evaluate(self, request: pb.EvaluateRequest, call: Call) -> pb.EvaluateResponse:
        response = self._solver.evaluate(request)
        call.note(company=request.position.company, legal=response.legal, revenue=response.revenue)
        return response

    def _list_titles(self, _request: pb.ListTitlesRequest, _call: Call) -> pb.ListTitlesResponse:
        return titles_message()

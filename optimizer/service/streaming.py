"""Better solutions while the search runs: ``OptimizeStream``.

The search runs in a thread of its own and never waits for the client: a solution that was not sent
before the next one is found is dropped.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator

from rheingold.v1 import optimizer_service_pb2 as service_pb
from rheingold.v1 import solve_pb2 as pb

from optimizer.service.call import Call
from optimizer.service.request import RouteRequest
from optimizer.service.solver import Solver


class _Channel:
    """The newest solution that was not sent, and the outcome."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._newest: pb.Solution | None = None
        self._outcome: service_pb.OptimizeStreamResponse | None = None
        self._error: Exception | None = None

    def improved(self, solution: pb.Solution) -> None:
        with self._changed:
            self._newest = solution
            self._changed.notify()

    def finish(
        self, outcome: service_pb.OptimizeStreamResponse | None, error: Exception | None = None
    ) -> None:
        with self._changed:
            self._outcome, self._error = outcome, error
            self._changed.notify()

    def __iter__(self) -> Iterator[service_pb.OptimizeStreamResponse]:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._newest or self._outcome or self._error)
                newest, self._newest = self._newest, None
                outcome, error = self._outcome, self._error
            if error is not None:
                raise error
            if outcome is not None:
                yield outcome
                return
            yield service_pb.OptimizeStreamResponse(solution=newest)


def improving(
    solver: Solver, request: RouteRequest[service_pb.OptimizeStreamRequest], call: Call
) -> Iterator[service_pb.OptimizeStreamResponse]:
    """Yield each better solution, then the final one. Raises what the search raises."""
    channel = _Channel()

    def improved(solution: pb.Solution) -> None:
        solution.id = request.message.position.id
        channel.improved(solution)

    def search() -> None:
        final = service_pb.OptimizeStreamResponse(final=True)
        try:
            final.cached = solver.optimize(request, call, final.solution, improved=improved)
        except Exception as error:
            channel.finish(None, error)
        else:
            channel.finish(final)

    threading.Thread(target=search, name="optimize-stream", daemon=True).start()
    yield from channel

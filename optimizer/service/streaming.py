"""Better solutions while the search runs: ``OptimizeStream``.

The search runs in a thread of its own and never waits for the client: a solution that was not sent
before the next one is found is dropped.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator

from rheingold.v1 import optimizer_service_pb2 as pb

from optimizer.native.encode import field
from optimizer.service.call import Call
from optimizer.service.request import RouteRequest
from optimizer.service.solver import Solver

_SOLUTION = pb.OptimizeStreamResponse.DESCRIPTOR.fields_by_name["solution"].number
_FINAL = {
    cached: pb.OptimizeStreamResponse(final=True, cached=cached).SerializeToString()
    for cached in (False, True)
}


class _Channel:
    """The newest solution that was not sent, and the outcome."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._newest: bytes | None = None
        self._outcome: bytes | None = None
        self._error: Exception | None = None

    def improved(self, solution: bytes) -> None:
        with self._changed:
            self._newest = field(_SOLUTION, solution, b"")
            self._changed.notify()

    def finish(self, outcome: bytes | None, error: Exception | None = None) -> None:
        with self._changed:
            self._outcome, self._error = outcome, error
            self._changed.notify()

    def __iter__(self) -> Iterator[bytes]:
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
            assert newest is not None  # it was waited for one of the three
            yield newest


def improving(solver: Solver, request: RouteRequest[pb.OptimizeStreamRequest], call: Call) -> Iterator[bytes]:
    """Yield each better solution, then the final one, as bytes. Raises what the search raises."""
    channel = _Channel()

    def search() -> None:
        try:
            solution, cached = solver.optimize(request, call, improved=channel.improved)
        except Exception as error:
            channel.finish(None, error)
        else:
            channel.finish(field(_SOLUTION, solution, _FINAL[cached]))

    threading.Thread(target=search, name="optimize-stream", daemon=True).start()
    yield from channel

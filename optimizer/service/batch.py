"""Many positions over one call: ``OptimizeBatch``.

A reader thread takes items from the client while fewer than ``window`` of them are unanswered; so the
memory of a batch is bounded, and a client that does not read its answers is not read from either.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import grpc
from google.protobuf.message import DecodeError
from rheingold.v1 import optimizer_service_pb2 as service_pb

from optimizer.native.encode import field
from optimizer.service.call import Call
from optimizer.service.errors import CancelledCallError, problem_of
from optimizer.service.logs import log
from optimizer.service.request import RouteRequest
from optimizer.service.solver import Solver

_SOLUTION = service_pb.OptimizeBatchResponse.DESCRIPTOR.fields_by_name["solution"].number


class Batch:
    """One batch call."""

    def __init__(self, solver: Solver, pool: ThreadPoolExecutor, call: Call, window: int) -> None:
        self._solver = solver
        self._pool = pool
        self._call = call
        self._room = threading.Semaphore(window)
        self._answers: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._open = 0  # items read and not yet answered
        self._all_read = False

    def answers(self, requests: Iterator[bytes]) -> Iterator[bytes]:
        """Yield the answers as they come."""
        self._call.on_end(self._give_up)
        threading.Thread(target=self._read, args=(requests,), name="batch-reader", daemon=True).start()
        count = 0
        while (answer := self._answers.get()) is not None:
            yield answer
            count += 1
            self._call.note(items=count)
            self._room.release()

    def _give_up(self) -> None:
        """Wake the reader, which waits for room that will not come any more."""
        self._room.release()

    def _read(self, requests: Iterator[bytes]) -> None:
        try:
            while self._room.acquire() and not self._call.ended:
                data = next(requests, None)
                if data is None:
                    break
                with self._lock:
                    self._open += 1
                self._submit(data)
        except Exception as error:  # however the stream of requests broke: what was read is answered
            log(logging.DEBUG, "batch ended early", error=error, request_id=self._call.request_id)
        finally:
            with self._lock:
                self._all_read = True
                over = not self._open
            if over:
                self._answers.put(None)

    def _submit(self, data: bytes) -> None:
        try:
            self._pool.submit(self._item, data)
        except RuntimeError:  # the pool was shut down: the item is refused here
            self._item(data)

    def _item(self, data: bytes) -> None:
        # The answer is handed over before the item counts as done: the end must not overtake it.
        self._answers.put(self._answer(data))
        with self._lock:
            self._open -= 1
            over = self._all_read and not self._open
        if over:
            self._answers.put(None)

    def _answer(self, data: bytes) -> bytes:
        name = ""
        try:
            if self._call.ended:
                raise CancelledCallError("the call was cancelled")
            request = RouteRequest(service_pb.OptimizeBatchRequest, data)
            name = _item_id(data)
            solution, cached = self._solver.optimize(request, self._call, patient=True)
            rest = service_pb.OptimizeBatchResponse(id=name, cached=cached)
            return field(_SOLUTION, solution, rest.SerializeToString())
        except Exception as error:
            answer = service_pb.OptimizeBatchResponse(id=name, problem=self._problem(error))
            return answer.SerializeToString()

    def _problem(self, error: Exception) -> service_pb.Problem:
        problem = problem_of(error, self._call.request_id)
        if problem.code is grpc.StatusCode.INTERNAL:
            log(logging.ERROR, "internal error", error=error, request_id=self._call.request_id)
        return service_pb.Problem(
            code=problem.code.value[0],
            message=problem.message,
            faults=[
                service_pb.FieldFault(field=fault.path, description=fault.message) for fault in problem.faults
            ],
        )


def _item_id(data: bytes) -> str:
    """Return an item's id, also of an item that will be refused; an empty one if it cannot be read."""
    try:
        return service_pb.OptimizeBatchRequest.FromString(data).id
    except DecodeError:
        return ""

"""From request to answer: cache, validation, a slot, the search. No gRPC in here."""

from __future__ import annotations

import hashlib
import struct
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rheingold.v1 import optimizer_service_pb2 as service_pb
from rheingold.v1 import position_pb2
from rheingold.v1 import solve_pb2 as pb

from optimizer.evaluate import evaluate
from optimizer.graph.compile import TooComplex
from optimizer.graph.trains import UnsupportedRules
from optimizer.model.data import Fault, PositionError
from optimizer.model.position import Position, Route
from optimizer.model.read_limits import ReadLimits
from optimizer.service.admission import Admission, Waiter
from optimizer.service.cache import ResultCache
from optimizer.service.call import Call
from optimizer.service.config import ServiceConfig
from optimizer.service.convert.request import limits_from, routes_from
from optimizer.service.convert.solution import evaluation_message, solution_message
from optimizer.service.errors import BadRequestError, DeadlineError, UnsupportedRuleError
from optimizer.service.metrics import Metrics
from optimizer.service.positions import PositionReader
from optimizer.solution import Limits, Solution
from optimizer.solve import StopFlag, optimize

# A search that has less time than this is not begun.
LEAST_SECONDS = 0.001

# Threads that may read or judge at the same time.
READERS = 2

# Seconds kept for the way back, however long a call's deadline.
MOST_MARGIN = 0.5

OptimizeMessage = (
    service_pb.OptimizeRequest | service_pb.OptimizeStreamRequest | service_pb.OptimizeBatchRequest
)
Improved = Callable[[pb.Solution], None]


class Solver:
    """Answers decoded requests within the server's limits. All methods may be called from any thread."""

    def __init__(self, config: ServiceConfig, metrics: Metrics) -> None:
        self.config = config
        self.admission = Admission(config.searches, config.queue)
        self.cache = ResultCache(config.cache_bytes)
        self._metrics = metrics
        self._reader = PositionReader(ReadLimits(hexes=config.max_hexes, trains=config.max_trains))
        self._limits = Limits(time=config.max_seconds)
        # Reading and judging hold Python's lock: more threads at it would only keep health checks waiting.
        self._reading = threading.Semaphore(READERS)
        self._lock = threading.Lock()
        self._flags: set[StopFlag] = set()
        self._stopping = False
        metrics.watch(lambda: self.admission.running, lambda: self.admission.waiting)

    def optimize(
        self, request: OptimizeMessage, call: Call, *, improved: Improved | None = None, patient: bool = False
    ) -> tuple[pb.Solution, bool]:
        """Return the best routes and whether they came from the cache.

        ``improved`` is told of each better solution while the search runs. ``patient`` calls wait for a
        slot however many others do. Raises errors of :mod:`optimizer.service.errors`.
        """
        faults: list[Fault] = []
        asked = request.HasField("limits")
        limits = limits_from(request.limits, self.config, faults) if asked else self._limits
        raw = _anonymous(request.position)
        key = _digest(request, raw) if self.config.cache_bytes and not faults else b""
        known = self.cache.get(key) if key else None
        if known is not None:
            solution = pb.Solution.FromString(known)
            solution.id = request.position.id
            self._metrics.answer(solution.proven, True)
            _note(call, request, solution, True)
            return solution, True
        fixed = routes_from(request.fixed, self.config.max_trains, faults, "fixed") if request.fixed else []
        position = self._position(request.position, faults, raw)
        if fixed:
            _check_fixed(position, fixed)
        found = self._search(position, limits, fixed, call, improved, patient)
        with _within_32_bits():
            solution = solution_message(found, position.company)
        if key and not found.limit:
            self.cache.put(key, solution.SerializeToString())
        solution.id = position.id
        self._metrics.answer(found.proven, False)
        _note(call, request, solution, False)
        return solution, False

    def best(self, position: Position, limits: Limits, fixed: Sequence[Route], call: Call) -> Solution:
        """Return the best routes of a sound position, waiting for a slot; raises as :meth:`optimize`."""
        if fixed:
            _check_fixed(position, fixed)
        solution = self._search(position, limits, fixed, call, None, False)
        self._metrics.answer(solution.proven, False)
        return solution

    def evaluate(self, request: service_pb.EvaluateRequest) -> service_pb.EvaluateResponse:
        """Judge and price given routes."""
        faults: list[Fault] = []
        routes = routes_from(request.routes, self.config.max_trains, faults, "routes")
        position = self._position(request.position, faults)
        with self._reading:
            verdict = evaluate(position, routes)
        with _within_32_bits():
            return evaluation_message(verdict)

    def stop(self) -> None:
        """Make every running search answer with what it has, and begin no other."""
        self.admission.close()
        with self._lock:
            self._stopping = True
            for flag in self._flags:
                flag.set()

    def _position(
        self, message: position_pb2.Position, faults: list[Fault], raw: bytes | None = None
    ) -> Position:
        """Resolve the position, or raise with its faults and those found before."""
        try:
            with self._reading:
                position = self._reader.read(message, raw)
        except PositionError as error:
            found = [Fault(_under_position(fault.path), fault.message) for fault in error.faults]
            raise BadRequestError([*found, *faults]) from error
        if faults:
            raise BadRequestError(faults)
        return position

    def _search(
        self,
        position: Position,
        limits: Limits,
        fixed: Sequence[Route],
        call: Call,
        improved: Improved | None,
        patient: bool,
    ) -> Solution:
        """Wait for a slot, then search, until a limit, the deadline or the client's end."""
        waiter = Waiter()
        flag = StopFlag()
        # The search must end before the client's deadline by as much as the answer takes to get there.
        deadline = None if call.deadline is None else call.deadline - self._margin(call)

        def give_up() -> None:
            flag.set()
            waiter.cancel()

        def tell(solution: Solution) -> None:
            if improved is not None:
                improved(solution_message(solution, position.company))

        call.on_end(give_up)
        try:
            with self.admission.slot(waiter, deadline, patient=patient) as waited:
                self._metrics.queued(waited)
                call.note(queue_seconds=round(waited, 6))
                limits = _within(limits, deadline)
                with self._lock:
                    self._flags.add(flag)
                    if self._stopping:
                        flag.set()
                try:
                    return optimize(
                        position,
                        limits,
                        fixed=fixed,
                        stop=flag,
                        on_improve=tell if improved is not None else None,
                    )
                except (TooComplex, UnsupportedRules) as error:
                    raise UnsupportedRuleError(str(error), "position") from error
                finally:
                    with self._lock:
                        self._flags.discard(flag)
        finally:
            call.forget(give_up)

    def _margin(self, call: Call) -> float:
        """Seconds kept for the way back: as configured or a twentieth of what there is, at most half of it.

        A busy machine makes everything late, the end of a search too, and long searches more than short.
        """
        assert call.deadline is not None
        whole = max(0.0, call.deadline - call.start)
        return min(max(self.config.deadline_margin, min(whole / 20, MOST_MARGIN)), whole / 2)


@contextmanager
def _within_32_bits() -> Iterator[None]:
    """Refuse positions whose figures add up to more than the messages can hold."""
    try:
        yield
    except ValueError as error:
        raise UnsupportedRuleError("figures that add up to more than 2147483647", "position") from error


def _under_position(path: str) -> str:
    return f"position.{path}" if path else "position"


def _check_fixed(position: Position, fixed: Sequence[Route]) -> None:
    """Raise BadRequestError with every reason why the fixed routes may not be run."""
    verdict = evaluate(position, fixed)
    if not verdict.legal:
        raise BadRequestError(
            [
                Fault(f"fixed[{fault.route}]" if fault.route >= 0 else "fixed", str(fault))
                for fault in verdict.faults
            ]
        )


def _within(limits: Limits, deadline: float | None) -> Limits:
    """Cut the time limit to what is left before the deadline."""
    if deadline is None:
        return limits
    left = deadline - time.monotonic()
    if left < LEAST_SECONDS:
        raise DeadlineError("the deadline leaves no time for a search")
    seconds = left if limits.time is None else min(limits.time, left)
    return Limits(seconds, limits.nodes, limits.cutoff, limits.threads, limits.best)


def _anonymous(position: position_pb2.Position) -> bytes:
    """Return a position's bytes without its id: the same for the same position."""
    name, position.id = position.id, ""
    raw = position.SerializeToString(deterministic=True)
    position.id = name
    return raw


def _digest(request: OptimizeMessage, position: bytes) -> bytes:
    """Return what two requests have in common if they ask for the same.

    Limits of time, nodes and threads are left out: only answers that no limit cut short are kept, and
    those are the same with any limits.
    """
    limits = request.limits
    digest = hashlib.blake2b(position, digest_size=20)
    cutoff = limits.cutoff if limits.HasField("cutoff") else -1
    digest.update(struct.pack("<iii", cutoff, limits.best or 1, len(request.fixed)))
    for route in request.fixed:
        data = route.SerializeToString(deterministic=True)
        digest.update(struct.pack("<I", len(data)) + data)
    return digest.digest()


def _note(call: Call, request: OptimizeMessage, solution: pb.Solution, cached: bool) -> None:
    fields: dict[str, Any] = {
        "title": request.position.title,
        "company": solution.company,
        "trains": len(request.position.trains),
        "hexes": len(request.position.hexes) or len(request.position.inline.hexes),
        "revenue": solution.revenue,
        "proven": solution.proven,
        "cached": cached,
    }
    if solution.limit:
        fields["limit"] = solution.limit
    call.note(**fields)

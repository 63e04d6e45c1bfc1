"""From request to answer: cache, validation, a slot, the search. No gRPC in here."""

from __future__ import annotations

import hashlib
import struct
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial

from rheingold.v1 import optimizer_service_pb2 as service_pb
from rheingold.v1 import solve_pb2 as pb

from optimizer.evaluate import evaluate
from optimizer.graph.compile import TooComplex
from optimizer.graph.trains import UnsupportedRules
from optimizer.model.data import Fault, PositionError
from optimizer.model.position import Position, Route
from optimizer.model.read_limits import ReadLimits
from optimizer.native.encode import field, solution_bytes
from optimizer.service.admission import Admission, Waiter
from optimizer.service.cache import ResultCache
from optimizer.service.call import Call
from optimizer.service.config import ServiceConfig
from optimizer.service.convert.request import limits_from, routes_from
from optimizer.service.convert.solution import evaluation_message
from optimizer.service.errors import (
    BadRequestError,
    CancelledCallError,
    DeadlineError,
    UnsupportedRuleError,
)
from optimizer.service.metrics import Metrics
from optimizer.service.positions import PositionReader, plain
from optimizer.service.request import RouteRequest
from optimizer.solution import Limits, Solution
from optimizer.solve import Abandoned, StopFlag, optimize

# A search that has less time than this is not begun.
LEAST_SECONDS = 0.001

# Threads that may read or judge at the same time.
READERS = 1

# Seconds kept for the way back, however long a call's deadline.
MOST_MARGIN = 0.5

# Limits that were read are remembered by their bytes: so many of at most this size.
MAX_LIMITS = 1000
MAX_REST_BYTES = 64

AnyRequest = (
    RouteRequest[service_pb.OptimizeRequest]
    | RouteRequest[service_pb.OptimizeStreamRequest]
    | RouteRequest[service_pb.OptimizeBatchRequest]
)
Improved = Callable[[bytes], None]

_ID = pb.Solution.DESCRIPTOR.fields_by_name["id"].number


class Solver:
    """Answers decoded requests within the server's limits. All methods may be called from any thread."""

    def __init__(self, config: ServiceConfig, metrics: Metrics) -> None:
        self.config = config
        self.admission = Admission(config.searches, config.queue)
        self.cache = ResultCache(config.cache_bytes)
        self._metrics = metrics
        self._reader = PositionReader(ReadLimits(hexes=config.max_hexes, trains=config.max_trains))
        self._limits = Limits(time=config.max_seconds)
        self._limits_of: dict[tuple[type, bytes], Limits] = {}  # by kind and rest of requests
        # Reading and judging hold Python's lock: more threads at it would only keep health checks waiting.
        self._reading = threading.Semaphore(READERS)
        self._lock = threading.Lock()
        self._flags: set[StopFlag] = set()
        self._stopping = False
        metrics.watch(lambda: self.admission.running, lambda: self.admission.waiting)

    def optimize(
        self,
        request: AnyRequest,
        call: Call,
        *,
        improved: Improved | None = None,
        patient: bool = False,
    ) -> tuple[bytes, bool]:
        """Return the bytes of the solution's message, and whether they came from the cache.

        ``improved`` is told of each better solution while the search runs. ``patient`` calls wait for a
        slot however many others do. Raises errors of :mod:`optimizer.service.errors`.
        """
        faults: list[Fault] = []
        limits, fixed = self._asked(request, faults)
        key = self._key(request, limits, fixed) if self.config.cache_bytes and not faults else b""
        known = self.cache.get(key) if key else None
        if known is not None:
            return self._known(request, call, known), True
        position = self._position(request, faults)
        if fixed:
            _check_fixed(position, fixed)
        found = self._search(position, limits, fixed, call, improved, patient)
        answer = _bytes(found, position)
        if key and not found.limit:
            self.cache.put(key, answer)
        self._metrics.answer(found.proven, False)
        call.answered = (
            position.title,
            position.company,
            len(position.trains),
            len(position.hexes if position.title else position.board.printed),
            found.revenue,
            found.proven,
            False,
            found.limit,
        )
        return _named(answer, position.id), False

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
        position = self._judged(partial(self._reader.read, request.position), faults)
        with self._reading:
            verdict = evaluate(position, routes)
        try:
            return evaluation_message(verdict)
        except ValueError as error:
            raise _too_large() from error

    def stop(self) -> None:
        """Make every running search answer with what it has, and begin no other."""
        self.admission.close()
        self._stopping = True  # before the flags are read: a search that begins now sees one or the other
        for flag in list(self._flags):
            flag.set()

    def _asked(self, request: AnyRequest, faults: list[Fault]) -> tuple[Limits, Sequence[Route]]:
        """Read limits and fixed routes; what makes no sense is added to ``faults``."""
        known = self._limits_of.get((request.kind, request.rest)) if request.parts is not None else None
        if known is not None:
            return known, ()
        message = request.message
        limits, fixed = self._limits, list[Route]()
        if message.HasField("limits"):
            limits = limits_from(message.limits, self.config, faults)
        if message.fixed:
            fixed = routes_from(message.fixed, self.config.max_trains, faults, "fixed")
        elif request.parts is not None and not faults and len(request.rest) <= MAX_REST_BYTES:
            with self._lock:
                if len(self._limits_of) >= MAX_LIMITS:
                    self._limits_of.clear()
                self._limits_of[request.kind, request.rest] = limits
        return limits, fixed

    def _known(self, request: AnyRequest, call: Call, known: bytes) -> bytes:
        """Return an answer of the cache."""
        solution = pb.Solution.FromString(known)
        parts = request.parts
        frame = self._reader.frame(parts) if parts is not None else None
        if parts is not None and frame is not None:
            name, title, trains, hexes = parts.name, frame.title.name, len(frame.trains), len(parts.entries)
        else:
            position = request.message.position
            name, title, trains = position.id, position.title, len(position.trains)
            hexes = len(position.hexes) or len(position.inline.hexes)
        self._metrics.answer(solution.proven, True)
        told = (solution.revenue, solution.proven, True, solution.limit)
        call.answered = (title, solution.company, trains, hexes, *told)
        return _named(known, name)

    def _key(self, request: AnyRequest, limits: Limits, fixed: Sequence[Route]) -> bytes:
        """Return what two requests have in common if they ask for the same.

        Limits of time, nodes and threads are left out: only answers that no limit cut short are kept, and
        those are the same with any limits.
        """
        parts, content = request.parts, None
        if parts is not None and self._reader.frame(parts) is not None:
            content = parts.content()
            if content is None:
                request.parts = None
        if content is None:  # maps that a position brings along may be written in any order, too
            content = plain(request.message.position).content()
            assert content is not None  # a map is written with each key once
        digest = hashlib.blake2b(content, digest_size=20)
        cutoff = -1 if limits.cutoff is None else limits.cutoff
        routes = request.message.fixed if fixed else ()
        digest.update(struct.pack("<qii", cutoff, limits.best, len(routes)))
        for route in routes:
            data = route.SerializeToString(deterministic=True)
            digest.update(struct.pack("<I", len(data)) + data)
        return digest.digest()

    def _position(self, request: AnyRequest, faults: list[Fault]) -> Position:
        """Resolve the position, or raise with its faults and those found before."""
        if request.parts is not None and not faults:
            found = self._reader.find(request.parts)
            if found is not None:
                return found
        return self._judged(lambda: self._reader.read(request.message.position, request.parts), faults)

    def _judged(self, read: Callable[[], Position], faults: list[Fault]) -> Position:
        """Read a position, or raise BadRequestError with its faults and those found before."""
        try:
            with self._reading:
                position = read()
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
        turn = _Turn()
        # The search must end before the client's deadline by as much as the answer takes to get there.
        deadline = None if call.deadline is None else call.deadline - self._margin(call)
        tell = None if improved is None else partial(_tell, improved, position)
        call.on_end(turn.cancel)
        try:
            self.admission.take(turn, deadline, patient=patient)
            try:
                self._metrics.queued(turn.waited)
                call.queue_seconds = turn.waited
                if deadline is not None:
                    limits = _within(limits, deadline)
                self._flags.add(turn.flag)
                if self._stopping:
                    turn.flag.set()
                return optimize(position, limits, fixed=fixed, stop=turn.flag, on_improve=tell)
            except Abandoned as error:
                raise CancelledCallError("the call was cancelled") from error
            except (TooComplex, UnsupportedRules) as error:
                raise UnsupportedRuleError(str(error), "position") from error
            finally:
                self._flags.discard(turn.flag)
                self.admission.give(turn)
        finally:
            call.forget(turn.cancel)

    def _margin(self, call: Call) -> float:
        """Seconds kept for the way back: as configured or a twentieth of what there is, at most half of it.

        A busy machine makes everything late, the end of a search too, and long searches more than short.
        """
        assert call.deadline is not None
        whole = max(0.0, call.deadline - call.start)
        return min(max(self.config.deadline_margin, min(whole / 20, MOST_MARGIN)), whole / 2)


class _Turn(Waiter):
    """A call's wait for a slot, and its search; when nobody wants the answer any more, both end."""

    __slots__ = ("flag",)

    def __init__(self) -> None:
        super().__init__()
        self.flag = StopFlag()

    def cancel(self) -> None:
        """Give up waiting and searching."""
        self.flag.abandon()
        super().cancel()


def _bytes(solution: Solution, position: Position) -> bytes:
    """Return a solution's message, without the position's id.

    Raises UnsupportedRuleError for figures that add up to more than the messages can hold.
    """
    try:
        return solution_bytes(solution, position.company)
    except ValueError as error:
        raise _too_large() from error


def _tell(improved: Improved, position: Position, solution: Solution) -> None:
    improved(_named(_bytes(solution, position), position.id))


def _named(solution: bytes, name: str) -> bytes:
    """Return a solution's message with the position's id, if it has one."""
    return field(_ID, name.encode(), solution) if name else solution


def _too_large() -> UnsupportedRuleError:
    return UnsupportedRuleError("figures that add up to more than 2147483647", "position")


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


def _within(limits: Limits, deadline: float) -> Limits:
    """Cut the time limit to what is left before the deadline."""
    left = deadline - time.monotonic()
    if left < LEAST_SECONDS:
        raise DeadlineError("the deadline leaves no time for a search")
    seconds = left if limits.time is None else min(limits.time, left)
    return Limits(seconds, limits.nodes, limits.cutoff, limits.threads, limits.best)

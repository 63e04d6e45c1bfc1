"""What both clients share: requests from plain arguments, answers and errors from messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import grpc
from google.protobuf import json_format
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2, status_pb2
from rheingold.v1 import optimizer_service_pb2 as service_pb
from rheingold.v1 import position_pb2
from rheingold.v1 import solve_pb2 as pb

from optimizer.model.cases_io import is_cases_line, position_from_case
from optimizer.model.data import Fault, PositionData
from optimizer.model.position import Position, Route
from optimizer.model.to_data import position_to_data
from optimizer.service.call import DETAILS_KEY, REQUEST_ID
from optimizer.service.convert.solution import route_message
from optimizer.service.convert.write import position_message
from optimizer.solution import Limits, RouteSet, Solution, Statistics

# A position as a message, the library's own, as data, or as a JSON object (the project's own schema or the
# cases' format).
AnyPosition = position_pb2.Position | Position | PositionData | Mapping[str, Any]
# A route as a message, the library's own, or as in a run_routes action.
AnyRoute = pb.Route | Route | Mapping[str, Any]

# The largest limits that a message holds and a server takes.
MOST_NODES, MOST_REVENUE = 1 << 62, 2**31 - 1


class CallError(Exception):
    """A call that the server refused or could not finish.

    ``code`` is the gRPC status; ``faults`` name every faulty field; ``retry_seconds`` says when it is
    worth to try again; ``rule`` is the rule that is not covered (UNIMPLEMENTED).
    """

    def __init__(
        self, code: grpc.StatusCode, message: str, status: status_pb2.Status, request_id: str
    ) -> None:
        super().__init__(f"{code.name}: {message}")
        self.code = code
        self.message = message
        self.request_id = request_id
        self.faults: tuple[Fault, ...] = ()
        self.retry_seconds: float | None = None
        self.rule = ""
        for detail in status.details:
            self._read(detail)

    def _read(self, detail: Any) -> None:
        bad, retry, info = (
            error_details_pb2.BadRequest(),
            error_details_pb2.RetryInfo(),
            error_details_pb2.ErrorInfo(),
        )
        if detail.Unpack(bad):
            self.faults = tuple(Fault(row.field, row.description) for row in bad.field_violations)
        elif detail.Unpack(retry):
            self.retry_seconds = retry.retry_delay.ToMilliseconds() / 1000
        elif detail.Unpack(info):
            self.rule = info.metadata.get("rule", "")


def call_error(code: grpc.StatusCode, details: str | None, trailers: Any) -> CallError:
    """Return the error of a call from its code, text and trailing metadata."""
    metadata = dict(trailers or ())
    status = status_pb2.Status()
    try:
        status.ParseFromString(metadata.get(DETAILS_KEY, b""))
    except DecodeError:  # not from our server: the code and the text have to do
        status.Clear()
    return CallError(code, details or "", status, str(metadata.get(REQUEST_ID, "")))


@dataclass(frozen=True, slots=True)
class Answer:
    """A solution as the server sent it."""

    message: pb.Solution
    cached: bool = False
    final: bool = True

    @property
    def revenue(self) -> int:
        """What the routes earn."""
        return self.message.revenue

    @property
    def bound(self) -> int:
        """What no set of routes can exceed."""
        return self.message.bound

    @property
    def proven(self) -> bool:
        """Whether nothing better exists."""
        return self.message.proven

    @property
    def limit(self) -> str:
        """The limit that ended the search early: ``time``, ``nodes``, ``stopped``, or empty."""
        return self.message.limit

    def run_routes(self) -> list[dict[str, Any]]:
        """Return the ``routes`` of a ``run_routes`` action of 18xx.games, ready to submit."""
        return [_action_route(route) for route in self.message.routes]

    def solution(self) -> Solution:
        """Return the library's own solution (without the breakdown)."""
        message = self.message
        alternatives = tuple(RouteSet(row.revenue, _routes(row.routes)) for row in message.alternatives)
        return Solution(
            routes=_routes(message.routes),
            revenue=message.revenue,
            bound=message.bound,
            proven=message.proven,
            limit=_limit(message.limit),
            cutoff=message.cutoff if message.HasField("cutoff") else None,
            alternatives=alternatives,
            statistics=Statistics(
                message.nodes, message.compile_seconds, message.search_seconds, message.check_seconds
            ),
        )


@dataclass(frozen=True, slots=True)
class BatchItem:
    """A position of a batch, with an id of the caller's choice."""

    id: str
    position: AnyPosition
    limits: Limits | None = None
    fixed: Sequence[AnyRoute] = ()


@dataclass(frozen=True, slots=True)
class BatchAnswer:
    """The outcome of one item: an answer, or the problem."""

    id: str
    answer: Answer | None
    problem: service_pb.Problem | None = None


def position_of(position: AnyPosition) -> position_pb2.Position:
    """Return a position as a message. Raises ValueError for JSON that is no position."""
    if isinstance(position, position_pb2.Position):
        return position
    if isinstance(position, Position):
        return position_message(position_to_data(position))
    if isinstance(position, PositionData):
        return position_message(position)
    if is_cases_line(position):
        return position_message(position_from_case(position))
    if not isinstance(position, Mapping):
        kind = type(position).__name__
        raise ValueError(f"a position is a dict of its JSON, a Position or a PositionData, not {kind}")
    try:
        return json_format.ParseDict(dict(position), position_pb2.Position())
    except json_format.ParseError as error:
        raise ValueError(f"not the JSON of a position: {error}") from error


def route_of(route: AnyRoute) -> pb.Route:
    """Return a route as a message. Raises ValueError for JSON that is no route."""
    if isinstance(route, pb.Route):
        return route
    if isinstance(route, Route):
        return route_message(route)
    if not isinstance(route, Mapping):
        raise ValueError(
            f"a route is a dict as in a run_routes action or a Route, not {type(route).__name__}"
        )
    names = pb.Route.DESCRIPTOR.fields_by_name
    try:
        return json_format.ParseDict({key: value for key, value in route.items() if key in names}, pb.Route())
    except json_format.ParseError as error:
        raise ValueError(f"not the JSON of a route: {error}") from error


def limits_of(limits: Limits | None) -> pb.Limits | None:
    """Return limits as a message. Raises TypeError for what is neither limits nor None.

    Numbers beyond those of messages are cut to the largest: no revenue and no search gets that far.
    """
    if limits is None:
        return None
    if not isinstance(limits, Limits):
        raise TypeError(f"limits are Limits or None, not {type(limits).__name__}; write Limits(time=5)")
    return pb.Limits(
        time=limits.time,
        nodes=None if limits.nodes is None else min(limits.nodes, MOST_NODES),
        cutoff=None if limits.cutoff is None else min(limits.cutoff, MOST_REVENUE),
        threads=limits.threads,
        best=limits.best,
    )


def item_of(item: BatchItem) -> service_pb.OptimizeBatchRequest:
    """Return an item of a batch as a message."""
    return service_pb.OptimizeBatchRequest(
        id=item.id,
        position=position_of(item.position),
        limits=limits_of(item.limits),
        fixed=[route_of(route) for route in item.fixed],
    )


def batch_answer(message: service_pb.OptimizeBatchResponse) -> BatchAnswer:
    """Return the outcome of an item."""
    if message.WhichOneof("outcome") == "problem":
        return BatchAnswer(message.id, None, message.problem)
    return BatchAnswer(message.id, Answer(message.solution, message.cached))


def metadata_of(token: str, request_id: str) -> tuple[tuple[str, str], ...]:
    """Return what a call sends beside the request."""
    rows = []
    if token:
        rows.append(("authorization", f"Bearer {token}"))
    if request_id:
        rows.append((REQUEST_ID, request_id))
    return tuple(rows)


def _action_route(route: pb.Route) -> dict[str, Any]:
    return {
        "train": route.train,
        "connections": [[value.string_value for value in chain.values] for chain in route.connections],
        "hexes": list(route.hexes),
        "revenue": route.revenue,
        "revenue_str": route.revenue_str,
        "nodes": list(route.nodes),
    }


def _routes(messages: Sequence[pb.Route]) -> tuple[Route, ...]:
    return tuple(
        Route(
            train=route.train,
            connections=tuple(
                tuple(value.string_value for value in chain.values) for chain in route.connections
            ),
            stops=tuple(_stop(node) for node in route.nodes),
            revenue=route.revenue,
            revenue_str=route.revenue_str,
        )
        for route in messages
    )


def _stop(node: str) -> tuple[str, int]:
    hex_id, _, part = node.rpartition("-")
    return hex_id, int(part)


def _limit(name: str) -> Any:
    return name

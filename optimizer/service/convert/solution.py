"""Solutions and evaluations of the library as messages."""

from __future__ import annotations

from collections.abc import Iterable

from google.protobuf.struct_pb2 import ListValue, Value
from rheingold.v1 import optimizer_service_pb2 as service_pb
from rheingold.v1 import solve_pb2 as pb

from optimizer.evaluation.report import BonusPay, Evaluation, Fault, RouteEvaluation, StopPay
from optimizer.model.position import Route
from optimizer.solution import Solution

# Chains of hexes and stops recur from answer to answer: their messages are kept, so many at most, and copied,
# which takes a small part of the time that making them does.
MAX_KEPT = 10_000
MAX_CHAIN = 20
_chains: dict[tuple[str, ...], ListValue] = {}
_stops: dict[tuple[str | int, ...], pb.StopPay] = {}


def route_message(route: Route) -> pb.Route:
    """Return a route as a message."""
    message = pb.Route()
    _write_route(route, message)
    return message


def route_messages(routes: Iterable[Route]) -> list[pb.Route]:
    """Return routes as messages."""
    return [route_message(route) for route in routes]


def solution_message(solution: Solution, company: str) -> pb.Solution:
    """Return a solution as a message, without the position's id."""
    message = pb.Solution()
    write_solution(solution, company, message)
    return message


def write_solution(solution: Solution, company: str, message: pb.Solution) -> None:
    """Write a solution into an empty message, without the position's id."""
    statistics = solution.statistics
    message.company = company
    message.revenue = solution.revenue
    message.bound = solution.bound
    message.proven = solution.proven
    message.limit = solution.limit
    if solution.cutoff is not None:
        message.cutoff = solution.cutoff
    if solution.better_than_cutoff is not None:
        message.better_than_cutoff = solution.better_than_cutoff
    message.compile_seconds = statistics.compile_seconds
    message.search_seconds = statistics.search_seconds
    message.check_seconds = statistics.check_seconds
    message.seconds = statistics.seconds
    message.nodes = statistics.nodes
    for route in solution.routes:
        _write_route(route, message.routes.add())
    for found in solution.alternatives:
        row = message.alternatives.add(revenue=found.revenue)
        for route in found.routes:
            _write_route(route, row.routes.add())
    if solution.breakdown is not None:
        for judged in solution.breakdown.routes:
            _write_evaluation(judged, message.breakdown.add())
        message.bonuses.extend(_bonuses(solution.breakdown.bonuses))


def _write_route(route: Route, message: pb.Route) -> None:
    message.train = route.train
    connections = message.connections
    for chain in route.connections:
        connections.append(_chains.get(chain) or _new_chain(chain))
    message.hexes.extend(route.hexes)
    message.nodes.extend(route.nodes)
    message.revenue = route.revenue
    message.revenue_str = route.revenue_str


def _new_chain(chain: tuple[str, ...]) -> ListValue:
    message = ListValue(values=[Value(string_value=hex_id) for hex_id in chain])
    if len(_chains) >= MAX_KEPT:
        _chains.clear()
    if len(chain) <= MAX_CHAIN:
        _chains[chain] = message
    return message


def evaluation_message(evaluation: Evaluation) -> service_pb.EvaluateResponse:
    """Return a verdict as a message."""
    return service_pb.EvaluateResponse(
        legal=evaluation.legal,
        revenue=evaluation.revenue,
        routes=[_evaluation(route) for route in evaluation.routes],
        faults=[_fault(fault) for fault in evaluation.faults],
        bonuses=_bonuses(evaluation.bonuses),
    )


def _evaluation(route: RouteEvaluation) -> pb.RouteEvaluation:
    message = pb.RouteEvaluation()
    _write_evaluation(route, message)
    return message


def _write_evaluation(route: RouteEvaluation, message: pb.RouteEvaluation) -> None:
    message.train = route.train
    message.revenue = route.revenue
    message.revenue_str = route.revenue_str
    stops = message.stops
    for stop in route.stops:
        key = (
            stop.hex,
            stop.part,
            stop.value,
            stop.amount,
            stop.multiplier,
            stop.penalty,
            stop.factor,
            stop.counted,
            stop.paid,
        )
        stops.append(_stops.get(key) or _new_stop(stop, key))
    message.bonuses.extend(_bonuses(route.bonuses))
    if route.faults:
        message.faults.extend(_fault(fault) for fault in route.faults)


def _bonuses(bonuses: Iterable[BonusPay]) -> list[pb.BonusPay]:
    return [pb.BonusPay(name=bonus.name, amount=bonus.amount) for bonus in bonuses]


def _new_stop(stop: StopPay, key: tuple[str | int, ...]) -> pb.StopPay:
    message = pb.StopPay(
        stop=stop.signature,
        value=stop.value,
        amount=stop.amount,
        multiplier=stop.multiplier,
        penalty=stop.penalty,
        factor=stop.factor,
        counted=stop.counted,
        paid=stop.paid,
    )
    if len(_stops) >= MAX_KEPT:
        _stops.clear()
    _stops[key] = message
    return message


def _fault(fault: Fault) -> pb.RouteFault:
    return pb.RouteFault(
        rule=fault.rule,
        message=fault.message,
        route=fault.route if fault.route >= 0 else None,
        train=fault.train,
        hex=fault.hex,
        side=fault.side,
        stop=fault.stop,
    )

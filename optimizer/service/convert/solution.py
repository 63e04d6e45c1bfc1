"""Solutions and evaluations of the library as messages."""

from __future__ import annotations

from collections.abc import Iterable

from google.protobuf.struct_pb2 import ListValue, Value
from rheingold.v1 import optimizer_service_pb2 as service_pb
from rheingold.v1 import solve_pb2 as pb

from optimizer.evaluation.report import BonusPay, Evaluation, Fault, RouteEvaluation, StopPay
from optimizer.model.position import Route
from optimizer.solution import Solution


def route_message(route: Route) -> pb.Route:
    """Return a route as a message."""
    return pb.Route(
        train=route.train,
        connections=[
            ListValue(values=[Value(string_value=hex_id) for hex_id in chain]) for chain in route.connections
        ],
        hexes=route.hexes,
        nodes=route.nodes,
        revenue=route.revenue,
        revenue_str=route.revenue_str,
    )


def route_messages(routes: Iterable[Route]) -> list[pb.Route]:
    """Return routes as messages."""
    return [route_message(route) for route in routes]


def solution_message(solution: Solution, company: str) -> pb.Solution:
    """Return a solution as a message, without the position's id."""
    statistics = solution.statistics
    breakdown = solution.breakdown
    return pb.Solution(
        company=company,
        revenue=solution.revenue,
        bound=solution.bound,
        proven=solution.proven,
        limit=solution.limit,
        cutoff=solution.cutoff,
        better_than_cutoff=solution.better_than_cutoff,
        compile_seconds=statistics.compile_seconds,
        search_seconds=statistics.search_seconds,
        check_seconds=statistics.check_seconds,
        seconds=statistics.seconds,
        nodes=statistics.nodes,
        routes=route_messages(solution.routes),
        breakdown=[_evaluation(route) for route in breakdown.routes] if breakdown is not None else (),
        alternatives=[
            pb.RouteSet(revenue=found.revenue, routes=route_messages(found.routes))
            for found in solution.alternatives
        ],
        bonuses=_bonuses(breakdown.bonuses) if breakdown is not None else (),
    )


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
    return pb.RouteEvaluation(
        train=route.train,
        revenue=route.revenue,
        revenue_str=route.revenue_str,
        stops=[_stop(stop) for stop in route.stops],
        bonuses=_bonuses(route.bonuses),
        faults=[_fault(fault) for fault in route.faults],
    )


def _bonuses(bonuses: Iterable[BonusPay]) -> list[pb.BonusPay]:
    return [pb.BonusPay(name=bonus.name, amount=bonus.amount) for bonus in bonuses]


def _stop(stop: StopPay) -> pb.StopPay:
    return pb.StopPay(
        stop=stop.signature,
        value=stop.value,
        amount=stop.amount,
        multiplier=stop.multiplier,
        penalty=stop.penalty,
        factor=stop.factor,
        counted=stop.counted,
        paid=stop.paid,
    )


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

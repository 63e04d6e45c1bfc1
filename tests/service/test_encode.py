"""Answers written as bytes: what the messages of Python would be written as."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from google.protobuf import message as proto
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rheingold.v1 import optimizer_service_pb2 as service_pb
from rheingold.v1 import solve_pb2 as pb

from optimizer.evaluation.report import BonusPay, Evaluation, Fault, RouteEvaluation, StopPay
from optimizer.model.cases_io import position_from_case
from optimizer.model.position import Route
from optimizer.native.encode import field, solution_bytes
from optimizer.service.convert.solution import solution_message
from optimizer.solution import Limits, RouteSet, Solution, Statistics
from optimizer.solve import optimize
from optimizer.titles.resolve import resolve
from tests.service.test_cases import lines

ASKED = (Limits(), Limits(best=3), Limits(cutoff=0), Limits(cutoff=10_000), Limits(nodes=1), Limits(time=0))


@pytest.mark.cases
def test_answers_are_written_as_their_messages(cases: Path) -> None:
    count = routes = 0
    for row in lines(cases / "positions", 40):
        position = resolve(position_from_case(row))
        for limits in ASKED:
            solution = optimize(position, limits)
            wanted = solution_message(solution, position.company)
            assert pb.Solution.FromString(solution_bytes(solution, position.company)) == wanted, row["id"]
            count += 1
            routes += len(wanted.routes)
    assert count > 300
    assert routes > 300


def rows(item: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(item, max_size=3).map(tuple)


def solutions(number: st.SearchStrategy[int], text: st.SearchStrategy[str]) -> st.SearchStrategy[Solution]:
    part, flag, real = st.integers(-3, 30) | st.just(10**30), st.booleans(), st.floats() | st.just(-0.0)
    stops = rows(st.tuples(text, part))
    routes = rows(st.builds(Route, text, rows(rows(text)), stops, revenue=number, revenue_str=text))
    bonuses = rows(st.builds(BonusPay, text, number))
    faults = rows(st.builds(Fault, text, text, number, text, text, st.none() | number, text))
    pays = st.builds(StopPay, text, part, text, number, number, number, number, number, flag, flag)
    judged = rows(st.builds(RouteEvaluation, text, number, text, rows(pays), bonuses, faults))
    return st.builds(
        Solution,
        routes,
        number,
        number,
        flag,
        text,
        st.none() | number,
        st.none() | st.builds(Evaluation, number, judged, faults, bonuses),
        rows(st.builds(RouteSet, number, routes)),
        st.builds(Statistics, number, real, real, real),
    )


NUMBERS = st.integers(-(2**31), 2**31 - 1) | st.just(0)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=6) | st.sampled_from(
    ("", "A1", "ö" * 5000)
)
LARGE = NUMBERS | st.sampled_from((2**31, -(2**31) - 1, 2**63, -(2**63) - 1, 10**30))
ODD = TEXTS | st.text("\ud800a", max_size=3)
EMPTY = Solution((), 0, 0, False)


@settings(max_examples=400, deadline=None)
@given(solutions(NUMBERS, TEXTS) | solutions(LARGE, ODD), TEXTS | ODD)
@example(EMPTY, "")
@example(Solution((Route("", ((), ("",)), (("", 0),)),), -1, 2**31 - 1, True, cutoff=0), "N")
@example(Solution((Route("t", (("A1",) * 3000,), (("A1", 10),) * 3000),), 0, 0, True), "N")
@example(Solution((), 2**31, 0, False), "N")
@example(Solution((), 0, 0, False, statistics=Statistics(nodes=-(2**63))), "N")
@example(Solution((), 0, 0, False, statistics=Statistics(nodes=2**63)), "N")
def test_whatever_a_solution_says_is_written_or_refused_as_by_protobuf(
    solution: Solution, company: str
) -> None:
    try:
        wanted = solution_message(solution, company).SerializeToString(deterministic=True)
    except ValueError:
        with pytest.raises(ValueError):
            solution_bytes(solution, company)
        return
    found = solution_bytes(solution, company)
    # As bytes: a number that is none is not equal to itself.
    assert pb.Solution.FromString(found).SerializeToString(deterministic=True) == wanted


@pytest.mark.parametrize(
    "solution",
    [
        Solution(((),), 0, 0, True),  # type: ignore[arg-type]
        Solution((Route("t", (), ((),)),), 0, 0, True),  # type: ignore[arg-type]
        Solution((Route("t", (), (("A1", 0, 1),)),), 0, 0, True),  # type: ignore[arg-type]
        Solution((Route("t", ((None,),), ()),), 0, 0, True),  # type: ignore[arg-type]
        Solution((Route("t", ((7,),), ()),), 0, 0, True),  # type: ignore[arg-type]
        Solution((Route(None, (), ()),), 0, 0, True),  # type: ignore[arg-type]
        Solution((Route("t", (), ((None, 0),)),), 0, 0, True),  # type: ignore[arg-type]
        Solution((), "1", 0, True),  # type: ignore[arg-type]
        Solution((), 0.5, 0, True),  # type: ignore[arg-type]
        Solution(None, 0, 0, True),  # type: ignore[arg-type]
        Solution((), 0, 0, True, limit=b"time"),  # type: ignore[arg-type]
        None,
    ],
)
def test_what_is_no_solution_is_refused(solution: Any) -> None:
    with pytest.raises((TypeError, ValueError, AttributeError)):
        solution_bytes(solution, "N")


def test_a_field_is_put_before_the_rest() -> None:
    solution = pb.Solution(id="a", revenue=7)
    rest = service_pb.OptimizeBatchResponse(id="item", cached=True)
    wanted = service_pb.OptimizeBatchResponse(id="item", solution=solution, cached=True)
    found = field(2, solution.SerializeToString(), rest.SerializeToString())
    assert service_pb.OptimizeBatchResponse.FromString(found) == wanted
    assert field(1, b"", b"") == b"\x0a\x00"
    # 16 << 3 | 2 = 130 = 2 + 1 * 128, and a length of 300 = 44 + 2 * 128: two bytes each.
    assert field(16, b"x" * 300, b"rest") == b"\x82\x01\xac\x02" + b"x" * 300 + b"rest"
    large = b"y" * 100_000
    assert field(1, large, large) == b"\x0a\xa0\x8d\x06" + 2 * large
    for odd in (0, -1, 1 << 28):
        with pytest.raises(ValueError):
            field(odd, b"", b"")


def test_the_numbers_of_all_fields_are_written() -> None:
    """A message with every field set comes back whole: none was forgotten in the bytes."""
    bonus, fault = BonusPay("b", 2), Fault("rule", "text", 1, "t", "A1", 3, "A1-0")
    stop = StopPay("A1", 0, "city", 10, 20, 2, 5, 3)
    route = Route("t", (("A1", "A3"),), (("A1", 0), ("A3", 12)), 30, "A1-A3")
    judged = RouteEvaluation("t", 30, "A1-A3", (stop,), (bonus,), (fault,))
    solution = Solution(
        (route,),
        30,
        40,
        True,
        "time",
        20,
        Evaluation(30, (judged,), (), (bonus,)),
        (RouteSet(30, (route,)),),
        Statistics(9, 0.1, 0.2, 0.3),
    )
    message = pb.Solution.FromString(solution_bytes(solution, "N"))
    unset = {"rheingold.v1.Solution.id"}  # the service adds it
    assert missing(message) == unset


def missing(message: proto.Message) -> set[str]:
    """Return the fields of a message and of those in it that are not set."""
    found = {one.full_name for one in message.DESCRIPTOR.fields} - {
        one.full_name for one, _ in message.ListFields()
    }
    for one, value in message.ListFields():
        if one.message_type is not None and one.message_type.full_name.startswith("rheingold"):
            for item in value:
                found |= missing(item)
    return found

"""The table from error to status."""

from __future__ import annotations

import grpc
import pytest
from google.rpc import error_details_pb2
from rheingold.v1 import position_pb2

from optimizer.model.data import Fault, PositionError
from optimizer.service import errors
from optimizer.service.client import CallError
from optimizer.service.errors import BadRequestError, Problem, problem_of, status_of
from tests.service.conftest import Running
from tests.service.positions import line_map, titled


def test_every_error_of_the_service_is_in_the_table() -> None:
    kinds = [
        kind
        for kind in vars(errors).values()
        if isinstance(kind, type)
        and issubclass(kind, errors.ServiceError)
        and kind is not errors.ServiceError
    ]
    assert {kind for kind, _ in errors.TABLE} == {*kinds, PositionError}
    assert (
        len({code for _, code in errors.TABLE}) == len(errors.TABLE) - 1
    )  # faults of positions and requests


@pytest.mark.parametrize("error", [ValueError("secret"), KeyError("secret"), RuntimeError("secret")])
def test_unknown_errors_are_internal_and_silent(error: Exception) -> None:
    problem = problem_of(error, "id-1")
    assert problem == Problem(grpc.StatusCode.INTERNAL, "internal error in request id-1")


def violations(problem: Problem) -> list[tuple[str, str]]:
    detail = error_details_pb2.BadRequest()
    assert status_of(problem).details[0].Unpack(detail)
    return [(row.field, row.description) for row in detail.field_violations]


def test_few_faults_are_told_in_full() -> None:
    faults = [Fault(f"position.hexes[A{number}].tile", "there is no such tile") for number in range(20)]
    assert violations(problem_of(BadRequestError(faults), "x")) == [(f.path, f.message) for f in faults]


def test_many_faults_keep_their_paths_before_their_texts() -> None:
    faults = [Fault(f"position.hexes[A{number}].tile", "there is no such tile" * 3) for number in range(80)]
    told = violations(problem_of(BadRequestError(faults), "x"))
    assert [path for path, _ in told] == [fault.path for fault in faults]
    assert told[0][1]
    assert not told[-1][1]


def test_too_many_faults_are_counted() -> None:
    faults = [Fault(f"position.hexes[A{number}].tile", "there is no such tile") for number in range(1000)]
    problem = problem_of(BadRequestError(faults), "x")
    told = violations(problem)
    assert told[-1] == ("", f"and {1000 - len(told) + 1} more faults")
    assert status_of(problem).ByteSize() < 5000


@pytest.mark.parametrize("count", [1, 30, 100, 600])
def test_any_number_of_faults_arrives(server: Running, count: int) -> None:
    position = position_pb2.Position()
    position.CopyFrom(titled())
    for number in range(count):
        position.hexes[f"Z{number}"].tile = "no such tile"
    with pytest.raises(CallError) as caught:
        server.client.optimize(position)
    assert caught.value.code is grpc.StatusCode.INVALID_ARGUMENT
    assert len(caught.value.faults) >= min(count, 80)
    assert caught.value.request_id


def test_long_names_are_cut(server: Running) -> None:
    position = line_map()
    position.inline.rules.custom.add(name="x" * 10_000)
    with pytest.raises(CallError) as caught:
        server.client.optimize(position)
    assert caught.value.code is grpc.StatusCode.UNIMPLEMENTED
    assert caught.value.rule.startswith("xxx")
    assert len(caught.value.rule) <= 400

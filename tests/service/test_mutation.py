"""Mutated requests: each one gets an answer or a clear status, whatever is in it."""

from __future__ import annotations

import random
import time
from collections import Counter
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rheingold.v1 import optimizer_service_pb2 as pb
from rheingold.v1 import position_pb2, solve_pb2

from tests.service.direct import Direct
from tests.service.mutation import INTEGERS, WORDS, mutate_bytes, mutate_fields
from tests.service.positions import line_map, titled

CLEAR = {grpc.StatusCode.OK, grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.UNIMPLEMENTED}

# No request may take longer, search included (its limit is far lower; a busy machine needs room).
MOST_SECONDS = 30.0


def rich() -> position_pb2.Position:
    """A map with a rule of every kind."""
    position = line_map(cities=4)
    position.trains.add(
        id="3",
        name="3",
        rows=[position_pb2.DistanceRow(nodes=["city", "offboard"], pay=3, visit=4)],
        multiplier=2,
    )
    rules = position.inline.rules
    rules.train_rules.add(
        trains=["3"], ends_not=["town"], at_most_one=[position_pb2.HexSet(hexes=["A1", "A7"])]
    )
    rules.train_rules[0].doublings.add(hexes=["A3"], both_ends_in=["A1", "A5"])
    rules.counters.add(name="ends", hexes=["A1", "A5"], entries=[position_pb2.HexSide(hex="A3", edge=0)])
    rules.bonuses.add(
        name="ends", levels=[position_pb2.BonusLevel(needs={"ends": 2}, amount=10)], scope="company"
    )
    rules.ferry.penalty = 10
    rules.stop_sets_once.add(stops=[position_pb2.HexStop(hex="A1"), position_pb2.HexStop(hex="A5")])
    rules.exclusive.append("group")
    return position


def seeds() -> list[tuple[str, Any]]:
    """Good requests to begin with."""
    built = position_pb2.Position(
        title="18Rhl", phase="3", company="RhE", trains=[position_pb2.Train(id="3", name="3")]
    )
    built.hexes["D15"].tokens.add(city=0, slot=0, company="RhE")
    route = solve_pb2.Route(train="2-0", nodes=["A1-0", "A3-0"])
    route.connections.add().extend(["A1", "A3"])
    positions = [line_map(), rich(), titled(), built]
    found: list[tuple[str, Any]] = [
        ("Optimize", pb.OptimizeRequest(position=one, limits=solve_pb2.Limits(nodes=200)))
        for one in positions
    ]
    found += [("Optimize", pb.OptimizeRequest(position=line_map(cities=3), fixed=[route]))]
    return [*found, ("Evaluate", pb.EvaluateRequest(position=line_map(), routes=[route]))]


@pytest.fixture(scope="module")
def direct() -> Direct:
    """The methods, with a short limit for searches."""
    return Direct(max_seconds=0.05, cache_bytes=0)


def check(direct: Direct, method: str, data: bytes) -> grpc.StatusCode:
    start = time.monotonic()
    code, _ = direct.call(method, data)
    assert code in CLEAR, (method, data)
    assert time.monotonic() - start < MOST_SECONDS, (method, data)
    return code


def run(direct: Direct, count: int, seed: int) -> Counter[grpc.StatusCode]:
    """Send mutated requests, half of them with changed bytes, half with changed fields."""
    rng = random.Random(seed)
    begin = seeds()
    raw = [message.SerializeToString() for _, message in begin]
    codes: Counter[grpc.StatusCode] = Counter()
    for number in range(count):
        choice = rng.randrange(len(begin))
        method, message = begin[choice]
        if number % 2:
            data = mutate_bytes(rng, raw[choice], rng.choice(raw))
        else:
            changed = type(message)()
            changed.CopyFrom(message)
            mutate_fields(rng, changed)
            data = changed.SerializeToString()
        codes[check(direct, method, data)] += 1
    return codes


def test_seeds_are_good(direct: Direct) -> None:
    for method, message in seeds():
        assert check(direct, method, message.SerializeToString()) is grpc.StatusCode.OK, message


def test_mutated_requests(direct: Direct) -> None:
    codes = run(direct, 3000, 1)
    assert set(codes) == CLEAR  # all outcomes are met


@pytest.mark.full
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", range(9))
def test_ninety_thousand_mutated_requests(direct: Direct, seed: int) -> None:
    codes = run(direct, 10_000, 100 + seed)
    assert set(codes) == CLEAR


def messages(descriptor: Descriptor, depth: int) -> st.SearchStrategy[dict[str, Any]]:
    """Return a strategy for the fields of any message of a type, as keyword arguments."""
    fields: dict[str, st.SearchStrategy[Any]] = {}
    for field in descriptor.fields:
        value = values(field, depth)
        if value is not None:
            fields[field.name] = value
    return st.fixed_dictionaries({}, optional=fields)


def values(field: FieldDescriptor, depth: int) -> st.SearchStrategy[Any] | None:
    """Return a strategy for the values of a field."""
    kind = field.message_type
    if kind is not None and kind.full_name.startswith("google."):
        return None
    if kind is not None and kind.GetOptions().map_entry:
        entry = kind.fields_by_name
        key, value = values(entry["key"], depth), values(entry["value"], depth)
        return None if key is None or value is None else st.dictionaries(key, value, max_size=3)
    if kind is not None:
        one = messages(kind, depth - 1) if depth else st.just({})
    else:
        one = scalars(field)
    return st.lists(one, max_size=3) if field.is_repeated else one


def scalars(field: FieldDescriptor) -> st.SearchStrategy[Any]:
    """Return a strategy for fields that are no messages."""
    if field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        return st.sampled_from(WORDS) | st.text(max_size=5)
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        return st.booleans()
    if field.cpp_type == FieldDescriptor.CPPTYPE_DOUBLE:
        return st.floats()
    return st.sampled_from(INTEGERS) | st.integers(-(2**31), 2**31 - 1)


REQUESTS = messages(pb.OptimizeRequest.DESCRIPTOR, 5)


@given(REQUESTS)
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_message(direct: Direct, fields: dict[str, Any]) -> None:
    check(direct, "Optimize", pb.OptimizeRequest(**fields).SerializeToString())


@pytest.mark.full
@pytest.mark.timeout(1800)
@given(REQUESTS)
@settings(max_examples=10_000, deadline=None, suppress_health_check=list(HealthCheck))
def test_ten_thousand_messages(direct: Direct, fields: dict[str, Any]) -> None:
    check(direct, "Optimize", pb.OptimizeRequest(**fields).SerializeToString())


@given(st.binary(max_size=200))
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_bytes(direct: Direct, data: bytes) -> None:
    check(direct, "Optimize", data)
    check(direct, "Evaluate", data)
    check(direct, "ListTitles", data)

"""Requests known by their bytes: the same answers and the same errors as by decoding."""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import grpc
import pytest
from google.protobuf.message import DecodeError
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rheingold.v1 import optimizer_service_pb2 as service_pb
from rheingold.v1 import position_pb2 as pb
from rheingold.v1 import solve_pb2

from optimizer.model.data import PositionError
from optimizer.model.read_limits import ReadLimits
from optimizer.native.wire import (
    content,
    entry_value,
    known_pairs,
    look_up,
    request_parts,
    split_fields,
    split_request,
)
from optimizer.service.call import Call
from optimizer.service.config import ServiceConfig
from optimizer.service.convert.position import hex_data, position_data
from optimizer.service.errors import BadRequestError
from optimizer.service.metrics import NoMetrics
from optimizer.service.positions import PositionReader, parts_of, plain
from optimizer.service.request import RouteRequest
from optimizer.service.solver import Solver
from optimizer.titles.resolve import resolve
from tests.service.direct import Context, Direct
from tests.service.positions import line_map, titled
from tests.service.wire_forms import rewrite

# Numbers of the fields, as position.proto has them: id = 1, hexes = 14.
NAME, HEXES = 1, 14


def varint(value: int) -> bytes:
    """The format's way to write a number: seven bits a byte, the lowest first."""
    found = b""
    while value > 0x7F:
        found += bytes([value & 0x7F | 0x80])
        value >>= 7
    return found + bytes([value])


def field(number: int, content: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(content)) + content


def test_a_request_is_split() -> None:
    # 1: position (5 bytes of content), 2: limits, 3: fixed.
    data = field(2, b"limits") + field(1, b"place") + field(3, b"fixed")
    begin, end, rest = split_request(data, 1, 0) or (0, 0, b"")
    assert data[begin:end] == b"place"
    assert rest == field(2, b"limits") + field(3, b"fixed")
    # An item's id (1) says nothing about what is asked; its position is field 2.
    data = field(1, b"item 7") + field(2, b"place")
    assert (split_request(data, 2, 1) or (0, 0, b"?"))[2] == b""


@pytest.mark.parametrize(
    "data",
    [
        b"",  # no position
        field(2, b"limits"),
        field(1, b"a") + field(1, b"b"),  # two that would have to be merged
        varint(1 << 3) + b"\x05",  # a number in its place
        field(1, b"abc")[:-1],  # cut short
        field(1, b"abc") + b"\x80",  # a tag without end
        field(1, b"abc") + b"\x13",  # the beginning of a group
        field(1, b"abc") + b"\x80" * 10 + b"\x01",  # a tag longer than any
        field(1, b"abc") + b"\x00\x00",  # field 0
        b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",  # a length of 2**64 - 1
    ],
)
def test_what_is_not_plain_is_not_split(data: bytes) -> None:
    assert split_request(data, 1, 0) is None


def test_bounds_are_kept() -> None:
    data = field(NAME, b"abc")
    for begin, end in ((-1, 3), (0, len(data) + 1), (4, 3)):
        assert split_fields(data, begin, end, NAME, HEXES) is None
    assert split_fields(data, 0, 0, NAME, HEXES) == (b"", b"", [])


def test_an_entry_is_a_key_and_then_a_value() -> None:
    assert entry_value(field(1, b"F14") + field(2, b"tile")) == ("F14", field(2, b"tile"))
    for odd in (
        b"",
        field(1, b"F14"),
        field(2, b"tile") + field(1, b"F14"),
        field(1, b"F14") + field(2, b"tile") + field(2, b"more"),
        field(1, b"F14") + field(3, b"tile"),
        field(1, b"\xff\xfe") + field(2, b"tile"),  # no text
    ):
        assert entry_value(odd) is None


def test_one_hex_twice_is_not_looked_up() -> None:
    here, there = field(1, b"F14") + field(2, b"a"), field(1, b"F14") + field(2, b"b")
    known = {field(2, b"a"): 1, field(2, b"b"): 2}
    assert look_up([here], known, {"F14"}, {}) == ({"F14": 1}, {})
    assert look_up([here, there], known, {"F14"}, {}) is None
    for one in known:
        for pair in ([here, there], [there, here]):
            assert look_up(pair, {one: known[one]}, {"F14"}, {}) is None
    assert look_up([here], known, set(), {}) == ({}, {"F14": here})
    assert look_up([here], {}, set(), {here: 3}) == ({"F14": 3}, {})


def test_known_entries_come_in_order() -> None:
    one, two, three = b"one", b"two", b"three"
    known = {one: (5, ("B", 1), False), two: (0, ("A", 2), True), three: (7, ("C", 3), True)}
    pairs = ("A", 2), ("B", 1), ("C", 3)
    assert known_pairs([three, one, two], known, 8) == (pairs, dict(pairs), (pairs[0], pairs[2]))
    assert known_pairs([], known, 8) == ((), {}, ())
    assert known_pairs([one, b"four"], known, 8) is None
    assert known_pairs([one, two, one], known, 8) is None  # two have one key


@pytest.mark.parametrize(
    "row", [(), (1,), (8, ("A", 1), False), (-1, ("A", 1), False), (2**80, ("A", 1), False), (0, (), False)]
)
def test_what_is_known_in_another_form_is_refused(row: Any) -> None:
    with pytest.raises((ValueError, OverflowError)):
        known_pairs([b"one"], {b"one": row}, 8)


def test_contents_are_equal_in_whatever_order_entries_come() -> None:
    entries = [field(1, key.encode()) + field(2, b"tile") for key in ("F14", "G2", "Z", "F1", "Ö")]
    wanted = content(b"head", entries)
    assert wanted is not None
    assert content(b"head", entries[::-1]) == wanted
    assert content(b"other", entries) != wanted != content(b"head", entries[1:])
    assert content(b"head", [*entries, entries[0]]) is None
    assert content(b"head", [*entries, field(1, b"F14") + field(2, b"other")]) is None
    assert content(b"head", [field(1, b"F14")]) is None
    # What is the head's and what an entry's is told apart by their lengths.
    assert content(b"head" + entries[0], entries[1:]) != wanted


def test_numbers_longer_than_they_must_be_are_left_to_protobuf() -> None:
    # 3 as the length of a key in one byte and in two: the same hex, though its bytes differ
    short, long = b"\x0a\x03F14", b"\x0a\x83\x00F14"
    tile, other = field(2, b"tile"), field(2, b"other")
    assert content(b"", [short + tile, field(1, b"G2") + tile]) is not None
    for entries in ([long + tile, short + other], [short + other, long + tile], [long + tile]):
        assert content(b"", entries) is None
    assert entry_value(long + tile) is None
    assert split_request(b"\x0a\x81\x00a", 1, 0) is None
    assert split_request(b"\x8a\x00\x01a", 1, 0) is None  # a tag, likewise
    assert split_request(field(1, b"a") + b"\x10\x80\x00", 1, 0) is None  # a number, likewise


def test_a_request_is_split_into_parts_at_once() -> None:
    position = field(NAME, "Köln".encode()) + field(2, b"1861") + field(HEXES, b"entry")
    data = field(1, b"item") + field(2, position) + field(3, b"limits")
    assert request_parts(data, 2, 1, NAME, HEXES) == (
        "Köln",
        field(2, b"1861"),
        [b"entry"],
        field(3, b"limits"),
    )
    assert request_parts(field(2, b""), 2, 1, NAME, HEXES) == ("", b"", [], b"")
    assert request_parts(field(3, b"limits"), 2, 1, NAME, HEXES) is None
    assert request_parts(field(2, field(NAME, b"\xff")), 2, 1, NAME, HEXES) is None
    assert request_parts(field(2, position + field(NAME, b"two")), 2, 1, NAME, HEXES) is None


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=60), st.integers(0, 2**32))
@example(b"\x0a\x00", 0)
def test_any_bytes_split_as_they_decode(data: bytes, seed: int) -> None:
    """Whatever is split holds all of the bytes, and what protobuf finds in them."""
    rng = random.Random(seed)
    for candidate in (data, field(NAME, data[:20]) + field(HEXES, data[20:]) + data[:5] * rng.randrange(2)):
        parts = split_fields(candidate, 0, len(candidate), NAME, HEXES)
        if parts is None:
            continue
        name, head, entries = parts
        assert len(head) <= len(candidate)
        try:
            message = pb.Position.FromString(candidate)
        except DecodeError:
            continue
        assert message.id.encode() == name
        assert len(message.hexes) <= len(entries)
        rest = pb.Position.FromString(candidate)
        rest.id = ""
        rest.hexes.clear()
        assert pb.Position.FromString(head) == rest


def full() -> pb.Position:
    position = titled()
    position.id = "a position"
    position.hexes["F14"].tile, position.hexes["F14"].rotation = "8", 2
    position.hexes["G15"].tile = "9"
    position.hexes["H8"].tokens.add(city=1, slot=0, company="N")
    return position


def test_known_parts_give_the_position_without_its_message() -> None:
    reader = PositionReader(ReadLimits())
    position = full()
    parts = plain(position)
    assert reader.find(parts) is None
    read = reader.read(position, parts)
    found = reader.find(parts)
    assert found == read
    assert found is not None
    assert found.id == "a position"


def test_entries_in_any_order_are_the_same_position() -> None:
    position = full()
    parts = plain(position)
    data = field(HEXES, parts.entries[2]) + parts.head + field(HEXES, parts.entries[0])
    data += field(NAME, b"a position") + field(HEXES, parts.entries[1])
    other = parts_of(data, 0, len(data))
    assert other is not None
    assert other.content() == parts.content()
    reader = PositionReader(ReadLimits())
    assert (
        reader.read(position, parts) == reader.find(other) == reader.read(pb.Position.FromString(data), other)
    )


def test_the_last_of_two_entries_for_a_hex_counts_and_is_not_taken_for_the_first() -> None:
    position = full()
    first = plain(position)
    position.hexes["F14"].rotation = 3
    second = plain(position)
    data = first.head + b"".join(field(HEXES, entry) for entry in first.entries + second.entries)
    reader = PositionReader(ReadLimits())
    both = parts_of(data, 0, len(data))
    for _ in range(2):
        assert reader.read(pb.Position.FromString(data), both).by_hex["F14"].rotation == 3
        assert reader.read(full(), first).by_hex["F14"].rotation == 2


FAULTS: dict[str, Callable[[pb.Position], Any]] = {
    "title": lambda position: setattr(position, "title", "1999"),
    "optional_rules": lambda position: position.optional_rules.append("nope"),
    "phase": lambda position: setattr(position, "phase", "99"),
    "company": lambda position: setattr(position, "company", "nobody"),
    "company_kind": lambda position: setattr(position, "company_kind", "tiny"),
    "privates": lambda position: position.privates.append("nope"),
    "hex_bonuses": lambda position: position.hex_bonuses.add(name="nope", hexes=["Z99"], amount=10),
    "assignments": lambda position: position.assignments.append("nope"),
    "counters": lambda position: position.counters.update({"nope": 1}),
    "switches": lambda position: position.switches.update({"nope": "yes"}),
    "trains": lambda position: position.trains.add(id="x", name="99"),
    "hexes": lambda position: position.hexes["Z99"].MergeFrom(pb.HexState(tile="8")),
}


@pytest.mark.parametrize("name", sorted(FAULTS))
def test_a_fault_in_any_field_is_told_every_time(name: str) -> None:
    """As the library does, also after a good position, and after the faulty one itself."""
    assert set(FAULTS) == set(pb.Position.DESCRIPTOR.fields_by_name) - {"id", "inline"}
    good, bad = full(), full()
    FAULTS[name](bad)
    reader = PositionReader(ReadLimits())
    told = []
    for position in (bad, good, bad, bad):
        data = position.SerializeToString()
        parts = parts_of(data, 0, len(data))
        if position is good:
            assert reader.read(position, parts) == reader.find(parts)
            continue
        assert reader.find(parts) is None
        with pytest.raises(PositionError) as caught:
            reader.read(position, parts)
        told.append([str(fault) for fault in caught.value.faults])
    data_of = position_data(bad)
    data_of.hexes = {hex_id: hex_data(state) for hex_id, state in bad.hexes.items()}
    with pytest.raises(PositionError) as library:
        resolve(data_of)
    assert told == [[str(fault) for fault in library.value.faults]] * 3


def test_known_bytes_with_an_unknown_field_are_refused() -> None:
    server = Direct()
    request = service_pb.OptimizeRequest(position=full())
    request.limits.time = 5.0
    data = request.SerializeToString()
    assert server.call("Optimize", data)[0] is grpc.StatusCode.OK
    parts = plain(full())
    unknown = field(1000, b"?")
    position = parts.head + b"".join(field(HEXES, entry) for entry in parts.entries)
    in_position = field(1, position + unknown)
    in_hex = field(1, position + field(HEXES, parts.entries[0] + unknown))
    for odd in (data + unknown, in_position, in_hex):
        assert server.call("Optimize", odd)[0] is grpc.StatusCode.UNIMPLEMENTED


@pytest.mark.parametrize("empty", [1, 2, 10])
def test_no_field_hides_behind_entries_that_leave_out_what_is_empty(empty: int) -> None:
    """Entries of a map may be written without key and value; their size is not what others write."""
    server = Direct()
    position = full().SerializeToString() + field(HEXES, b"") * empty
    for size in range(40):
        data = field(1, position + field(99, b"?" * size))
        assert server.call("Optimize", data)[0] is grpc.StatusCode.UNIMPLEMENTED, size


def test_limits_known_by_their_bytes_are_the_limits() -> None:
    server = Direct()
    for _ in range(2):
        for cutoff in (0, 10, 10_000):
            request = service_pb.OptimizeRequest(position=full())
            request.limits.cutoff = cutoff
            status, answer = server.call("Optimize", request.SerializeToString())
            assert status is grpc.StatusCode.OK
            assert service_pb.OptimizeResponse.FromString(answer).solution.cutoff == cutoff
        bad = service_pb.OptimizeRequest(position=full())
        bad.limits.time = -1
        assert server.call("Optimize", bad.SerializeToString())[0] is grpc.StatusCode.INVALID_ARGUMENT


def test_identical_requests_come_from_the_cache_with_their_own_id() -> None:
    server = Direct()
    for number in range(3):
        position = full()
        position.id = f"number {number}"
        status, data = server.call(
            "Optimize", service_pb.OptimizeRequest(position=position).SerializeToString()
        )
        answer = service_pb.OptimizeResponse.FromString(data)
        assert (status, answer.cached) == (grpc.StatusCode.OK, number > 0)
        assert answer.solution.id == position.id


def test_a_request_is_decoded_only_when_needed() -> None:
    request = RouteRequest(service_pb.OptimizeRequest, b"\xff")
    assert request.parts is None
    with pytest.raises(BadRequestError, match="OptimizeRequest"):
        _ = request.message


def outcome(server: Direct, data: bytes) -> tuple[object, ...]:
    """Status and answer, without what differs from search to search."""
    status, answer = server.call("Optimize", data)
    if status is not grpc.StatusCode.OK:
        return (status,)
    solution = service_pb.OptimizeResponse.FromString(answer).solution
    return (
        status,
        solution.id,
        solution.company,
        solution.revenue,
        [route.revenue for route in solution.routes],
    )


def compare(count: int, seed: int) -> Counter[object]:
    """Send rewritten requests to a server that knows much, twice each, and to one that knows nothing.

    What protobuf makes of the bytes, written as usual, must be answered alike.
    """
    rng = random.Random(seed)
    begin = [
        service_pb.OptimizeRequest(position=position, limits=limits)
        for position in (full(), line_map(cities=3), titled())
        for limits in (None, solve_pb2.Limits(best=2), solve_pb2.Limits(cutoff=30))
    ]
    warm, cold = Direct(), Direct(cache_bytes=0)
    met: Counter[object] = Counter()
    for _ in range(count):
        data = rng.choice(begin).SerializeToString()
        for _ in range(rng.choice((1, 1, 2, 3))):
            with contextlib.suppress(IndexError):  # what was rewritten is no message any more
                data = rewrite(rng, data)
        try:
            usual = service_pb.OptimizeRequest.FromString(data).SerializeToString(deterministic=True)
        except DecodeError:
            wanted: tuple[object, ...] = (grpc.StatusCode.INVALID_ARGUMENT,)
        else:
            wanted = outcome(cold, usual)
        assert [outcome(server, data) for server in (warm, warm, cold)] == [wanted] * 3, data
        met[wanted[0]] += 1
    return met


KINDS = {grpc.StatusCode.OK, grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.UNIMPLEMENTED}


def test_however_it_is_written_a_request_means_what_protobuf_says() -> None:
    assert set(compare(1500, 1)) == KINDS


@pytest.mark.full
@pytest.mark.timeout(1800)
def test_many_requests_mean_what_protobuf_says() -> None:
    assert set(compare(20_000, 2)) == KINDS


def test_fixed_routes_are_part_of_the_question_however_it_is_written() -> None:
    """A position written in two parts is not known by its bytes; the fixed routes must not be forgotten."""
    route = solve_pb2.Route(train="2-0", nodes=["A1-0", "A3-0"])
    route.connections.add().extend(["A1", "A3"])
    position = line_map(cities=3)
    position.trains[0].distance = 3  # so that the best route goes on to A5
    free = service_pb.OptimizeRequest(position=position)
    fixed = service_pb.OptimizeRequest(position=position, fixed=[route])
    server = Direct()

    def nodes(request: service_pb.OptimizeRequest) -> list[str]:
        data = server.call("Optimize", field(1, b"") + request.SerializeToString())[1]
        return sorted(service_pb.OptimizeResponse.FromString(data).solution.routes[0].nodes)

    found = [nodes(request) for request in (free, fixed, free, fixed)]
    assert found[1::2] == [["A1-0", "A3-0"]] * 2
    assert found[0] == found[2] != found[1]


def test_two_entries_for_a_hex_are_told_apart_by_their_order() -> None:
    """The cache must not take one order for the other: the last entry counts."""
    server = Direct()
    one, other = full(), full()
    other.hexes["F14"].rotation = 3
    entries = {False: plain(one), True: plain(other)}
    base = plain(one)
    rest = [entry for entry in base.entries if b"F14" not in entry]
    of_hex = {key: next(e for e in parts.entries if b"F14" in e) for key, parts in entries.items()}
    for last in (False, True, False):
        order = [of_hex[not last], of_hex[last], *rest]
        data = field(1, base.head + b"".join(field(HEXES, entry) for entry in order))
        plainly = service_pb.OptimizeRequest.FromString(data).SerializeToString(deterministic=True)
        assert outcome(server, data) == outcome(Direct(cache_bytes=0), plainly)


def test_limits_of_one_kind_of_request_are_not_taken_for_fixed_routes_of_another() -> None:
    """Field 3 holds the limits of a batch's item, and the fixed routes of a single call."""
    position = line_map()
    single = service_pb.OptimizeRequest(position=position, fixed=[solve_pb2.Route(revenue=3)])
    item = service_pb.OptimizeBatchRequest(position=position, limits=solve_pb2.Limits(best=3))
    metrics = NoMetrics()
    solver = Solver(ServiceConfig(cache_bytes=0), metrics)

    def ask(kind: Any, message: Any) -> bytes:
        call = Call("test", Context(), metrics)
        return solver.optimize(RouteRequest(kind, message.SerializeToString()), call)[0]

    for _ in range(2):
        with pytest.raises(BadRequestError):
            ask(service_pb.OptimizeRequest, single)
        assert ask(service_pb.OptimizeBatchRequest, item)

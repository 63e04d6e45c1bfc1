"""Batches: own ids, own problems, bounded reading."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import grpc
import pytest
from rheingold.v1 import optimizer_service_pb2 as pb
from rheingold.v1 import position_pb2

from optimizer.service import batch
from optimizer.service.client import BatchItem, CallError
from tests.service.conftest import Running, Serve, SlowSearch
from tests.service.positions import line_map
from tests.service.test_admission import until


def test_each_item_has_its_own_answer_or_problem(server: Running) -> None:
    items = [
        BatchItem("good", line_map()),
        BatchItem("bad", position_pb2.Position(title="1861", phase="0")),
        BatchItem("also good", line_map(revenue=50)),
    ]
    answers = {answer.id: answer for answer in server.client.optimize_batch(items)}
    assert set(answers) == {"good", "bad", "also good"}
    assert answers["good"].answer is not None
    assert answers["good"].answer.revenue == 40
    assert answers["also good"].answer is not None
    assert answers["also good"].answer.revenue == 100
    problem = answers["bad"].problem
    assert problem is not None
    assert problem.code == grpc.StatusCode.INVALID_ARGUMENT.value[0]
    assert "position.phase" in {fault.field for fault in problem.faults}


def test_empty_batch_ends(server: Running) -> None:
    assert list(server.client.optimize_batch([])) == []


def test_many_items_all_come_back(server: Running) -> None:
    items = (BatchItem(str(number), line_map(revenue=number)) for number in range(1, 301))
    found = {
        answer.id: answer.answer.revenue for answer in server.client.optimize_batch(items) if answer.answer
    }
    assert found == {str(number): 2 * number for number in range(1, 301)}


def test_undecodable_item_is_a_problem_of_its_own(server: Running) -> None:
    call = server.channel.stream_stream(
        "/rheingold.v1.RouteOptimizer/OptimizeBatch",
        response_deserializer=pb.OptimizeBatchResponse.FromString,
    )
    good = pb.OptimizeBatchRequest(id="good", position=line_map()).SerializeToString()
    answers = list(call(iter([b"\xff\xff", good])))
    assert {(answer.id, answer.WhichOneof("outcome")) for answer in answers} == {
        ("", "problem"),
        ("good", "solution"),
    }


@pytest.mark.parametrize("odd", [b"\x08\x05", b"\x0a\x01\xff"])
def test_an_id_that_is_no_text_is_refused_also_where_the_answer_is_known(server: Running, odd: bytes) -> None:
    call = server.channel.stream_stream(
        "/rheingold.v1.RouteOptimizer/OptimizeBatch",
        response_deserializer=pb.OptimizeBatchResponse.FromString,
    )
    good = pb.OptimizeBatchRequest(position=line_map()).SerializeToString()
    for _ in range(3):
        answers = [next(iter(call(iter([item])))) for item in (good, odd + good)]
        assert [answer.WhichOneof("outcome") for answer in answers] == ["solution", "problem"]


def test_items_are_read_only_while_there_is_room(serve: Serve, slow: SlowSearch) -> None:
    server = serve(batch_window=5, concurrency=2, cache_bytes=0)
    sent = 0

    def endless() -> Iterator[pb.OptimizeBatchRequest]:
        nonlocal sent
        big = line_map()
        big.id = "x" * 100_000  # so that buffers on the way hold few of them
        while True:
            sent += 1
            yield pb.OptimizeBatchRequest(id=str(sent), position=big)

    call = server.stub.OptimizeBatch(endless())
    for _ in range(2):
        assert slow.began.acquire(timeout=60)
    # Two searches run, three items wait for them; the rest is what buffers of both sides hold (megabytes,
    # which gRPC and the kernel let grow for a fast peer), and then it stops.
    seen = -1
    end = time.monotonic() + 60
    while seen != sent:
        assert time.monotonic() < end, f"it never stops: {sent} items"
        seen = sent
        time.sleep(1.0)
    assert slow.most == 2
    assert sent < 1000
    call.cancel()


def test_cancelled_batch_stops_its_searches(serve: Serve, slow: SlowSearch) -> None:
    server = serve(concurrency=2, cache_bytes=0)
    call = server.stub.OptimizeBatch(
        iter([pb.OptimizeBatchRequest(id=str(number), position=line_map()) for number in range(20)])
    )
    for _ in range(2):
        assert slow.began.acquire(timeout=60)
    call.cancel()
    until(lambda: slow.running == 0)
    assert slow.most == 2
    assert server.service.solver.admission.waiting == 0
    until(lambda: not [thread for thread in threading.enumerate() if thread.name == "batch-reader"])


def test_too_many_batches_are_refused(serve: Serve, slow: SlowSearch) -> None:
    server = serve(max_streams=1, cache_bytes=0)
    first = server.stub.OptimizeBatch(iter([pb.OptimizeBatchRequest(id="1", position=line_map())]))
    assert slow.began.acquire(timeout=60)
    with pytest.raises(CallError) as caught:
        list(server.client.optimize_batch([BatchItem("2", line_map())]))
    assert caught.value.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert caught.value.retry_seconds
    slow.released.set()
    assert [answer.id for answer in first] == ["1"]


class LateQueue(queue.SimpleQueue[Any]):
    """A queue in which answers take longer to arrive than the sign of the end."""

    def put(self, item: Any, block: bool = True, timeout: float | None = None) -> None:
        if item is not None:
            time.sleep(0.5)
        super().put(item)


def test_the_end_never_overtakes_an_answer(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "queue", SimpleNamespace(SimpleQueue=LateQueue))

    def items() -> Iterator[BatchItem]:
        yield BatchItem("only", line_map())
        time.sleep(0.25)  # the client ends while the answer is on its way

    assert [answer.id for answer in server.client.optimize_batch(items())] == ["only"]

"""Load, deadlines, cancellation and the end of the server."""

from __future__ import annotations

import threading
import time

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from rheingold.v1 import optimizer_service_pb2 as pb

from benchmarks.service_positions import hard
from optimizer.service.client import CallError
from optimizer.solution import Limits
from tests.service.conftest import Running, Serve, SlowSearch
from tests.service.positions import line_map
from tests.service.test_admission import until

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


def begin(server: Running, slow: SlowSearch, count: int, timeout: float | None = None) -> list[grpc.Future]:
    """Start calls and wait until as many searches run."""
    calls = [
        server.stub.Optimize.future(pb.OptimizeRequest(position=line_map()), timeout=timeout)
        for _ in range(count)
    ]
    for _ in range(count):
        assert slow.began.acquire(timeout=60)
    return calls


def test_full_server_refuses_with_a_hint_and_stays_healthy(serve: Serve, slow: SlowSearch) -> None:
    server = serve(concurrency=2, queue=3, cache_bytes=0)
    running = begin(server, slow, 2)
    waiting = [server.stub.Optimize.future(pb.OptimizeRequest(position=line_map())) for _ in range(3)]
    until(lambda: server.service.solver.admission.waiting == 3)
    with pytest.raises(CallError) as caught:
        server.client.optimize(line_map())
    assert caught.value.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert caught.value.retry_seconds is not None
    assert caught.value.retry_seconds > 0
    health = health_pb2_grpc.HealthStub(server.channel)
    assert health.Check(health_pb2.HealthCheckRequest(), timeout=60).status == SERVING
    assert len(server.client.list_titles(timeout=60).titles) == 4
    slow.released.set()
    assert all(call.result(timeout=60).solution.proven for call in running + waiting)
    assert slow.most == 2


def test_deadline_in_answer_out(serve: Serve, slow: SlowSearch) -> None:
    server = serve(cache_bytes=0, deadline_margin=1.5)
    answer = server.client.optimize(line_map(), timeout=2.5)
    assert (answer.limit, answer.proven, answer.bound) == ("time", False, 100)


def test_limited_answers_are_not_cached(serve: Serve, slow: SlowSearch) -> None:
    server = serve(deadline_margin=1.5)
    server.client.optimize(line_map(), timeout=2.5)
    slow.released.set()
    answer = server.client.optimize(line_map())
    assert (answer.cached, answer.proven) == (False, True)


def test_call_that_waits_past_its_deadline_is_told_so(serve: Serve, slow: SlowSearch) -> None:
    server = serve(concurrency=1, cache_bytes=0)
    kept = begin(server, slow, 1)  # a call that is dropped is cancelled
    with pytest.raises(CallError) as caught:
        server.client.optimize(line_map(), timeout=0.2)
    assert caught.value.code is grpc.StatusCode.DEADLINE_EXCEEDED
    until(lambda: server.service.solver.admission.waiting == 0)
    assert not kept[0].done()


def test_time_is_cut_to_the_servers_limit(serve: Serve, slow: SlowSearch) -> None:
    server = serve(max_seconds=0.1, cache_bytes=0)
    assert server.client.optimize(line_map()).limit == "time"


def test_cancel_stops_the_search(serve: Serve, slow: SlowSearch) -> None:
    server = serve(cache_bytes=0)
    (call,) = begin(server, slow, 1)
    call.cancel()
    until(lambda: slow.running == 0)
    assert slow.stopped == 1


def test_disconnect_stops_the_search(serve: Serve, slow: SlowSearch) -> None:
    server = serve(cache_bytes=0)
    kept = begin(server, slow, 1)  # a call that is dropped is cancelled
    server.channel.close()
    until(lambda: slow.running == 0)
    assert (slow.stopped, len(kept)) == (1, 1)


def test_cancelled_stream_stops_the_search(serve: Serve, slow: SlowSearch) -> None:
    server = serve(cache_bytes=0)
    call = server.stub.OptimizeStream(pb.OptimizeStreamRequest(position=line_map()))
    assert slow.began.acquire(timeout=60)
    call.cancel()
    until(lambda: slow.running == 0)
    assert slow.stopped == 1


def test_stopping_turns_health_and_answers_with_what_there_is(serve: Serve, slow: SlowSearch) -> None:
    server = serve(concurrency=1, cache_bytes=0)
    watch = health_pb2_grpc.HealthStub(server.channel).Watch(health_pb2.HealthCheckRequest())
    assert next(watch).status == SERVING
    (running,) = begin(server, slow, 1)
    waiting = server.stub.Optimize.future(pb.OptimizeRequest(position=line_map()))
    until(lambda: server.service.solver.admission.waiting == 1)
    stopper = threading.Thread(target=server.service.stop)
    stopper.start()
    assert next(watch).status == NOT_SERVING
    solution = running.result(timeout=60).solution
    assert (solution.limit, solution.bound) == ("stopped", 100)
    with pytest.raises(grpc.RpcError) as caught:
        waiting.result(timeout=60)
    assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
    watch.cancel()
    stopper.join(60)
    assert not stopper.is_alive()


def test_cancel_ends_a_real_search(serve: Serve) -> None:
    server = serve(cache_bytes=0)
    call = server.stub.Optimize.future(pb.OptimizeRequest(position=hard()))
    until(lambda: server.service.solver.admission.running == 1)
    time.sleep(0.2)  # into the native search
    call.cancel()
    until(lambda: server.service.solver.admission.running == 0)


def test_deadline_of_a_real_search_gets_an_answer(serve: Serve) -> None:
    server = serve(cache_bytes=0)
    answer = server.client.optimize(hard(), timeout=3)
    assert (answer.limit, answer.proven) == ("time", False)
    assert answer.bound > answer.revenue > 0
    assert server.client.evaluate(hard(), answer.run_routes()).revenue == answer.revenue


def test_real_stream_improves(serve: Serve) -> None:
    server = serve(cache_bytes=0)
    answers = list(server.client.optimize_stream(hard(), Limits(time=2.5)))
    revenues = [answer.revenue for answer in answers]
    assert revenues == sorted(revenues)
    assert len(answers) > 1
    assert answers[-1].final
    assert all(answer.bound >= answers[-1].revenue for answer in answers)
    assert not answers[0].proven


def test_stop_answers_real_searches(serve: Serve) -> None:
    server = serve(cache_bytes=0)
    call = server.stub.Optimize.future(pb.OptimizeRequest(position=hard()))
    until(lambda: server.service.solver.admission.running == 1)
    time.sleep(0.3)
    server.service.stop()
    solution = call.result(timeout=60).solution
    assert solution.limit == "stopped"
    assert solution.bound >= solution.revenue

"""Reflection, logs, metrics, request ids."""

from __future__ import annotations

import io
import json
import socket
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from google.protobuf import descriptor_pool, json_format, message_factory
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase
from rheingold.v1 import optimizer_service_pb2 as pb

from optimizer.service import logs
from optimizer.service.client import CallError
from optimizer.service.config import ServiceConfig
from optimizer.service.metrics import start_metrics
from optimizer.service.server import Service
from tests.service.conftest import Running, Serve
from tests.service.positions import line_map, titled
from tests.service.test_admission import until


@pytest.fixture
def log_lines() -> Iterator[Any]:
    """Return a function that waits for log lines of an event."""
    written = io.StringIO()
    logs.set_up("info", worker=3, stream=written)

    def lines(event: str, count: int = 1) -> list[dict[str, Any]]:
        def found() -> list[dict[str, Any]]:
            rows = [json.loads(line) for line in written.getvalue().splitlines()]
            return [row for row in rows if row["event"] == event]

        until(lambda: len(found()) >= count)
        return found()

    yield lines
    logs.tear_down()


def test_reflection_knows_the_services(server: Running) -> None:
    stub = reflection_pb2_grpc.ServerReflectionStub(server.channel)
    asked = [
        reflection_pb2.ServerReflectionRequest(list_services=""),
        reflection_pb2.ServerReflectionRequest(file_containing_symbol="rheingold.v1.RouteOptimizer"),
    ]
    names, file = stub.ServerReflectionInfo(iter(asked))
    services = {service.name for service in names.list_services_response.service}
    assert {"rheingold.v1.RouteOptimizer", "grpc.health.v1.Health"} <= services
    assert file.file_descriptor_response.file_descriptor_proto


def test_calls_by_reflection_need_no_files(server: Running) -> None:
    pool = descriptor_pool.DescriptorPool(ProtoReflectionDescriptorDatabase(server.channel))
    method = pool.FindServiceByName("rheingold.v1.RouteOptimizer").FindMethodByName("Optimize")
    request = json_format.ParseDict(
        {"position": json_format.MessageToDict(line_map())},
        message_factory.GetMessageClass(method.input_type)(),
    )
    answer_type = message_factory.GetMessageClass(method.output_type)
    call = server.channel.unary_unary(
        "/rheingold.v1.RouteOptimizer/Optimize", response_deserializer=answer_type.FromString
    )
    answer = json_format.MessageToDict(call(request.SerializeToString()))
    assert answer["solution"]["revenue"] == 40
    assert sorted(answer["solution"]["routes"][0]["connections"][0]) == ["A1", "A3"]


def test_request_id_of_the_client_comes_back_and_is_logged(server: Running, log_lines: Any) -> None:
    _, call = server.stub.Optimize.with_call(
        pb.OptimizeRequest(position=line_map()), metadata=(("x-request-id", "turn-17"),)
    )
    assert dict(call.trailing_metadata())["x-request-id"] == "turn-17"
    (row,) = log_lines("call")
    expected = {
        "level": "info",
        "worker": 3,
        "request_id": "turn-17",
        "method": "Optimize",
        "code": "OK",
        "company": "RED",
        "trains": 1,
        "hexes": 2,
        "revenue": 40,
        "proven": True,
        "cached": False,
    }
    assert expected.items() <= row.items()
    assert row["seconds"] > 0
    assert row["queue_seconds"] >= 0


def test_unsafe_request_id_is_replaced(server: Running) -> None:
    _, call = server.stub.ListTitles.with_call(pb.ListTitlesRequest(), metadata=(("x-request-id", "a b{}"),))
    given = dict(call.trailing_metadata())["x-request-id"]
    assert given != "a b{}"
    assert len(given) == 16


def test_refused_call_is_logged_with_its_code(server: Running, log_lines: Any) -> None:
    with pytest.raises(CallError) as caught:
        server.client.evaluate(line_map(), [{"train": ""}])
    (row,) = log_lines("call")
    assert (row["code"], row["request_id"]) == ("INVALID_ARGUMENT", caught.value.request_id)


def test_metrics_count_calls_and_answers() -> None:
    pytest.importorskip("prometheus_client")
    port = _free_port()
    service = Service(ServiceConfig(port=0), metrics=start_metrics("127.0.0.1", port))
    service.start()
    running = Running(service)
    try:
        for _ in range(2):
            running.client.optimize(line_map())
        running.client.optimize(titled())
        with pytest.raises(CallError):
            running.client.evaluate(line_map(), [{"train": ""}])

        def text() -> str:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=60) as page:
                return str(page.read().decode())

        until(lambda: 'rheingold_calls_total{code="INVALID_ARGUMENT",method="Evaluate"} 1.0' in text())
        found = text()
        assert 'rheingold_calls_total{code="OK",method="Optimize"} 3.0' in found
        assert 'rheingold_answers_total{cached="true",proven="true"} 1.0' in found
        assert 'rheingold_answers_total{cached="false",proven="true"} 2.0' in found
        assert "rheingold_searches_running 0.0" in found
        assert "rheingold_calls_waiting 0.0" in found
        assert 'rheingold_call_seconds_count{method="Optimize"} 3.0' in found
        assert "rheingold_queue_seconds_count 2.0" in found
    finally:
        running.close()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_no_metrics_without_a_port(serve: Serve) -> None:
    assert type(start_metrics("127.0.0.1", 0)).__name__ == "NoMetrics"

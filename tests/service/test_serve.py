"""``rheingold serve`` as a process: flags, workers, signals."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import grpc
import pytest
from click.testing import CliRunner
from rheingold.v1 import game_service_pb2 as game_pb
from rheingold.v1 import game_service_pb2_grpc as game_pb_grpc

from optimizer.service.cli import serve as serve_cli
from optimizer.service.client import CallError, Client
from optimizer.service.config import ServiceConfig, flag
from tests.service.positions import line_map
from tests.service.test_admission import until

ROOT = Path(__file__).resolve().parents[2]


class Process:
    """A running ``rheingold serve``."""

    def __init__(self, *flags: str, **environment: str) -> None:
        paths = os.pathsep.join([str(ROOT), str(ROOT / "proto" / "generated")])
        python_path = os.pathsep.join(filter(None, [paths, os.environ.get("PYTHONPATH", "")]))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "engine.cli.main", "serve", "--port", "0", *flags],
            env={**os.environ, "PYTHONPATH": python_path, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.log: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.match(r"serving on (127\.0\.0\.1:\d+)", line)
        assert found, (line, self.log)
        self.target = found[1]

    def _read(self) -> None:
        assert self.process.stderr is not None
        self.log.extend(self.process.stderr)

    def events(self, name: str) -> list[dict[str, object]]:
        rows = [json.loads(line) for line in list(self.log) if line.startswith("{")]
        return [row for row in rows if row["event"] == name]

    def stop(self, number: int = signal.SIGTERM) -> int:
        if self.process.poll() is None:
            self.process.send_signal(number)
        code = self.process.wait(60)
        self._reader.join(60)
        return code


Start = Callable[..., Process]


@pytest.fixture
def start() -> Iterator[Start]:
    """Start processes; all are stopped after the test."""
    started: list[Process] = []

    def begin(*flags: str, **environment: str) -> Process:
        started.append(Process(*flags, **environment))
        return started[-1]

    yield begin
    for process in started:
        process.stop()


@pytest.fixture
def hang_up() -> Iterator[Callable[[signal.Handlers], None]]:
    """Set what a hang-up does to processes started from now on."""
    before = signal.getsignal(signal.SIGHUP)

    def act(action: signal.Handlers) -> None:
        signal.signal(signal.SIGHUP, action)

    yield act
    signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_signal_ends_the_server_in_order(
    start: Start, number: int, hang_up: Callable[[signal.Handlers], None]
) -> None:
    hang_up(signal.SIG_DFL)  # the tests themselves may run under nohup
    process = start()
    with Client(process.target) as client:
        assert client.serving()
        assert client.optimize(line_map()).revenue == 40
        assert process.stop(number) == 0
        assert not client.serving(timeout=1)
    assert [len(process.events(name)) for name in ("serving", "stopping", "stopped")] == [1, 1, 1]


def test_a_hang_up_that_is_ignored_from_outside_ends_nothing(
    start: Start, hang_up: Callable[[signal.Handlers], None]
) -> None:
    hang_up(signal.SIG_IGN)  # as nohup does
    process = start()
    process.process.send_signal(signal.SIGHUP)
    with Client(process.target) as client:
        assert client.optimize(line_map()).revenue == 40
    assert process.stop() == 0


def test_environment_sets_limits(start: Start) -> None:
    process = start(RHEINGOLD_MAX_HEXES="5")
    with Client(process.target) as client, pytest.raises(CallError, match="at most 5"):
        client.optimize(line_map(cities=6))


def test_workers_share_the_port_and_the_dead_are_replaced(start: Start) -> None:
    process = start("--workers", "2", "--concurrency", "1")

    def serving_workers() -> set[object]:
        # Each client is a connection of its own; the kernel deals them out.
        for _ in range(10):
            with Client(process.target) as client:
                assert client.optimize(line_map()).revenue == 40
        return {row["worker"] for row in process.events("call")}

    until(lambda: serving_workers() == {1, 2}, 20)
    children = [int(pid) for pid in _children(process.process.pid)]
    assert len(children) == 2
    os.kill(children[0], signal.SIGKILL)
    until(lambda: len(process.events("serving")) == 3, 20)
    assert len(process.events("worker died")) == 1
    assert process.stop() == 0
    assert len(process.events("stopped")) == 2


def _children(parent: int) -> list[str]:
    return Path(f"/proc/{parent}/task/{parent}/children").read_text().split()


def test_workers_end_with_their_parent(start: Start) -> None:
    process = start("--workers", "2")
    children = _children(process.process.pid)
    process.process.kill()
    process.process.wait(10)
    until(lambda: not any(_alive(pid) for pid in children), 15)


def _alive(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False


def test_metrics_of_workers_are_added_up(start: Start) -> None:
    pytest.importorskip("prometheus_client")
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = start("--workers", "2", "--metrics-port", str(port))
    for _ in range(8):
        with Client(process.target) as client:
            client.optimize(line_map())

    def text() -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=60) as page:
            return str(page.read().decode())

    until(lambda: 'rheingold_calls_total{code="OK",method="Optimize"} 8.0' in text(), 10)


def test_port_in_use_is_a_usage_error(start: Start) -> None:
    process = start()
    result = CliRunner().invoke(serve_cli, ["--port", process.target.rpartition(":")[2]])
    assert result.exit_code == 2
    assert "cannot listen" in result.output


@pytest.mark.parametrize("workers", [1, 2])
def test_a_port_that_workers_share_is_not_shared_with_another_server(start: Start, workers: int) -> None:
    port = start("--workers", "2").target.rpartition(":")[2]
    result = CliRunner().invoke(serve_cli, ["--port", port, "--workers", str(workers)])
    assert result.exit_code == 2
    assert f"cannot listen on 127.0.0.1:{port}" in result.output


def test_a_port_in_use_is_named_for_metrics_too(start: Start) -> None:
    port = start().target.rpartition(":")[2]
    for workers in ("1", "2"):
        result = CliRunner().invoke(serve_cli, ["--port", "0", "--metrics-port", port, "--workers", workers])
        assert result.exit_code == 2, result.output
        assert f"--metrics-host, --metrics-port: cannot listen on 127.0.0.1:{port}" in result.output


def test_bad_settings_are_usage_errors() -> None:
    for flags in (["--workers", "0"], ["--port", "x"], ["--tls-cert", __file__]):
        result = CliRunner().invoke(serve_cli, flags)
        assert result.exit_code == 2, result.output
        assert flags[0] in result.output


def test_help_lists_every_setting() -> None:
    import dataclasses

    text = CliRunner().invoke(serve_cli, ["--help"]).output
    assert all(flag(item.name) in text for item in dataclasses.fields(ServiceConfig))


def test_open_address_without_protection_is_warned_about() -> None:
    # An address of the documentation range (RFC 5737) that this machine does not have.
    result = CliRunner().invoke(serve_cli, ["--host", "192.0.2.1", "--port", "0"])
    assert "without TLS" in result.output
    assert "everybody may call" in result.output
    assert result.exit_code == 2


@pytest.mark.full
def test_start_takes_no_more_than_a_few_seconds(start: Start) -> None:
    began = time.monotonic()
    start()
    assert time.monotonic() - began < 20


def test_rules_are_loaded_and_listed(start: Start) -> None:
    process = start("--rules", "optimizer.custom.examples.east_west")
    with Client(process.target) as client:
        (rule,) = client.list_titles().custom_rules
    assert rule.name == "1846 east-west"
    assert rule.description


def test_rules_that_cannot_be_loaded_are_a_usage_error() -> None:
    result = CliRunner().invoke(serve_cli, ["--port", "0", "--rules", "no.such.module"])
    assert result.exit_code == 2
    assert "--rules" in result.output
    assert "no.such.module" in result.output


def test_games_are_known_to_all_workers(start: Start) -> None:
    process = start("--workers", "2")
    options = [("grpc.use_local_subchannel_pool", 1)]  # a connection for each channel

    def stub(channel: grpc.Channel) -> game_pb_grpc.GameEngineStub:
        return game_pb_grpc.GameEngineStub(channel)

    with grpc.insecure_channel(process.target, options=options) as channel:
        seats = [game_pb.Player(id=str(number)) for number in (1, 2, 3)]
        request = game_pb.CreateGameRequest(title="1861", players=seats)
        game_id = stub(channel).CreateGame(request).status.game_id
    for number in range(12):
        with grpc.insecure_channel(process.target, options=options) as channel:
            legal = stub(channel).ListLegalActions(game_pb.ListLegalActionsRequest(game_id=game_id))
            assert legal.status.actions == number
            apply = game_pb.ApplyActionsRequest(
                game_id=game_id, actions_json=[legal.choices[0].action_json], expected_actions=number
            )
            assert stub(channel).ApplyActions(apply).status.actions == number + 1
    until(lambda: {row["worker"] for row in process.events("call")} == {1, 2}, 10)

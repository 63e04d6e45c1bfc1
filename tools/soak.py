"""Soak the service: thousands of mixed calls from several connections, some good, most kinds of bad.

    python tools/soak.py --calls 20000

Starts ``rheingold serve`` on a free port of the loopback and checks while it works: every good call gets
the right answer (known beforehand from the library), every bad one a clear status, health is answered in
time, the process lives, its memory does not grow after warm-up, and it ends in order. Exit status 1 and
a reason for whatever fails.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import statistics
import sys
import threading
import time
from collections import Counter
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from rheingold.v1 import optimizer_service_pb2 as pb
from rheingold.v1 import optimizer_service_pb2_grpc as pb_grpc
from rheingold.v1 import position_pb2, solve_pb2

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "proto" / "generated")]

from benchmarks.service_positions import field, hard, quick  # noqa: E402
from benchmarks.service_process import ServerProcess  # noqa: E402
from optimizer.model.read_limits import ReadLimits  # noqa: E402
from optimizer.service.positions import PositionReader  # noqa: E402
from optimizer.solve import optimize  # noqa: E402

Code = grpc.StatusCode

MAX_MESSAGE_BYTES = 200_000
MAX_HEXES = 160
HEALTH_SECONDS = 0.05
WARM_UP = 0.3  # share of the calls before memory is looked at
MAX_GROWTH_BYTES = 20 << 20

# How many of a hundred calls are of which kind.
MIX = {
    "good": 45,
    "stream": 8,
    "batch": 2,
    "evaluate": 8,
    "malformed": 10,
    "garbage": 7,
    "oversized": 4,
    "too many hexes": 4,
    "cancelled": 6,
    "past deadline": 6,
}


class Soak:
    """The shared state of all clients."""

    def __init__(self, calls: int, seed: int) -> None:
        self.calls = calls
        self.seed = seed
        reader = PositionReader(ReadLimits())
        self.positions = [quick(number) for number in range(40)] + [
            field(2, (3, 4), number) for number in range(10)
        ]
        self.revenues = [optimize(reader.read(position)).revenue for position in self.positions]
        self.hard = hard()
        self.outcomes: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.done = 0
        self.lock = threading.Lock()
        self.health: list[float] = []
        self.memory: list[tuple[int, int]] = []
        self.over = threading.Event()

    def count(self, kind: str, outcome: str) -> None:
        """Note what became of a call."""
        with self.lock:
            self.outcomes[f"{kind}: {outcome}"] += 1
            self.done += 1

    def complain(self, text: str) -> None:
        """Note what should not have happened."""
        with self.lock:
            self.wrong.append(text)


class SoakClient(threading.Thread):
    """One connection that sends its share of the calls."""

    def __init__(self, soak: Soak, target: str, number: int, calls: int) -> None:
        super().__init__(name=f"client-{number}")
        self.soak = soak
        self.rng = random.Random(soak.seed * 1000 + number)
        self.count = calls
        options = [("grpc.use_local_subchannel_pool", 1), ("grpc.max_receive_message_length", -1)]
        self.channel = grpc.insecure_channel(target, options=options)
        self.stub = pb_grpc.RouteOptimizerStub(self.channel)
        self.raw: Any = self.channel.unary_unary("/rheingold.v1.RouteOptimizer/Optimize")
        self.kinds = [kind for kind, share in MIX.items() for _ in range(share)]

    def run(self) -> None:
        """Send the calls."""
        for _ in range(self.count):
            kind = self.rng.choice(self.kinds)
            try:
                outcome = getattr(self, "_" + kind.replace(" ", "_"))()
            except grpc.RpcError as error:
                outcome = error.code().name
                self._judge(kind, outcome)
            self.soak.count(kind, outcome)
        self.channel.close()

    def _judge(self, kind: str, outcome: str) -> None:
        """Complain if an error is not one that this kind of call may end with."""
        busy = {"RESOURCE_EXHAUSTED"}
        allowed = {
            "malformed": busy | {"INVALID_ARGUMENT", "UNIMPLEMENTED"},
            "garbage": busy | {"INVALID_ARGUMENT", "UNIMPLEMENTED"},
            "oversized": busy,
            "too many hexes": busy | {"INVALID_ARGUMENT"},
            "cancelled": busy | {"CANCELLED"},
            "past deadline": busy | {"DEADLINE_EXCEEDED"},
        }
        if outcome not in allowed.get(kind, busy):
            self.soak.complain(f"{kind} call ended with {outcome}")

    def _pick(self) -> tuple[position_pb2.Position, int]:
        number = self.rng.randrange(len(self.soak.positions))
        return self.soak.positions[number], self.soak.revenues[number]

    def _check(self, solution: solve_pb2.Solution, revenue: int) -> str:
        if not (solution.proven and solution.revenue == revenue == solution.bound):
            self.soak.complain(f"wrong answer {solution.revenue} <= {solution.bound}, right is {revenue}")
        return "right"

    def _good(self) -> str:
        position, revenue = self._pick()
        return self._check(self.stub.Optimize(pb.OptimizeRequest(position=position)).solution, revenue)

    def _stream(self) -> str:
        position, revenue = self._pick()
        answers = list(self.stub.OptimizeStream(pb.OptimizeStreamRequest(position=position)))
        if not answers[-1].final or any(answer.final for answer in answers[:-1]):
            self.soak.complain("a stream without a final answer, or with several")
        return self._check(answers[-1].solution, revenue)

    def _batch(self) -> str:
        chosen = {str(number): self._pick() for number in range(self.rng.randrange(30))}
        items = [
            pb.OptimizeBatchRequest(id=name, position=position) for name, (position, _) in chosen.items()
        ]
        items.append(pb.OptimizeBatchRequest(id="bad", position=position_pb2.Position(title="none")))
        answers = {answer.id: answer for answer in self.stub.OptimizeBatch(iter(items))}
        if set(answers) != {*chosen, "bad"} or answers["bad"].problem.code != Code.INVALID_ARGUMENT.value[0]:
            self.soak.complain("a batch without all its answers")
            return "wrong"
        for name, (_, revenue) in chosen.items():
            self._check(answers[name].solution, revenue)
        return "right"

    def _evaluate(self) -> str:
        position, revenue = self._pick()
        routes = self.stub.Optimize(pb.OptimizeRequest(position=position)).solution.routes
        verdict = self.stub.Evaluate(pb.EvaluateRequest(position=position, routes=routes))
        if not verdict.legal or verdict.revenue != revenue:
            self.soak.complain(f"evaluated to {verdict.revenue}, right is {revenue}")
        return "right"

    def _malformed(self) -> str:
        position = position_pb2.Position()
        position.CopyFrom(self._pick()[0])
        match self.rng.randrange(5):
            case 0:
                position.trains.add(id=position.trains[0].id, name="x")
            case 1:
                position.inline.layout = "round"
            case 2:
                position.inline.rules.custom.add(name="no such rule")
            case 3:
                next(iter(position.inline.hexes.values())).rotation = 17
            case _:
                position.ClearField("company")
        self.stub.Optimize(pb.OptimizeRequest(position=position))
        self.soak.complain("a malformed position was answered")
        return "answered"

    def _garbage(self) -> str:
        data = bytearray(pb.OptimizeRequest(position=self._pick()[0]).SerializeToString())
        start = self.rng.randrange(len(data) - 8)
        data[start : start + 8] = b"\xff" * 8
        self.raw(bytes(data))
        return "answered"  # rarely, the bytes lay where they do no harm

    def _oversized(self) -> str:
        self.stub.Optimize(
            pb.OptimizeRequest(position=position_pb2.Position(id="x" * (MAX_MESSAGE_BYTES + 1)))
        )
        self.soak.complain("an oversized request was answered")
        return "answered"

    def _too_many_hexes(self) -> str:
        self.stub.Optimize(pb.OptimizeRequest(position=field(7, (2,))))
        self.soak.complain("a map with too many hexes was answered")
        return "answered"

    def _cancelled(self) -> str:
        call = self.stub.Optimize.future(pb.OptimizeRequest(position=self.soak.hard))
        time.sleep(self.rng.random() * 0.03)
        call.cancel()
        return "cancelled"

    def _past_deadline(self) -> str:
        seconds = self.rng.choice((0.0005, 0.002, 0.01, 0.05, 0.1))
        solution = self.stub.Optimize(pb.OptimizeRequest(position=self.soak.hard), timeout=seconds).solution
        if solution.proven or solution.bound < solution.revenue or solution.limit not in ("time", "routes"):
            self.soak.complain(
                f"answer at a deadline: {solution.revenue} <= {solution.bound} {solution.limit}"
            )
        return "answered in time"


def watch_health(target: str, over: Event, found: Connection) -> None:
    """Ask for health again and again, in a process of its own; sends the seconds taken and what failed."""
    channel = grpc.insecure_channel(target)
    stub: Any = health_pb2_grpc.HealthStub(channel)  # the package has no types
    seconds: list[float] = []
    failed: list[str] = []
    while not over.wait(0.02):
        start = time.perf_counter()
        try:
            stub.Check(health_pb2.HealthCheckRequest(), timeout=5)
        except grpc.RpcError as error:
            failed.append(f"health check ended with {error}")
        seconds.append(time.perf_counter() - start)
    channel.close()
    found.send((seconds, failed))


def watch_memory(soak: Soak, server: ServerProcess) -> None:
    """Look at the server's memory as the calls go on."""
    while not soak.over.wait(0.25):
        soak.memory.append((soak.done, server.memory_bytes()))


def run(calls: int, connections: int, seed: int, health_seconds: float = HEALTH_SECONDS) -> Soak:
    """Soak a server; what went wrong is in ``wrong``."""
    soak = Soak(calls, seed)
    flags = [f"--max-message-bytes={MAX_MESSAGE_BYTES}", f"--max-hexes={MAX_HEXES}", "--cache-bytes=100000"]
    with ServerProcess(*flags, "--log-level=error") as server:
        clients = [
            SoakClient(soak, server.target, number, calls // connections + (number < calls % connections))
            for number in range(connections)
        ]
        processes = multiprocessing.get_context("spawn")
        over, (receiver, sender) = processes.Event(), processes.Pipe(duplex=False)
        health = processes.Process(target=watch_health, args=(server.target, over, sender))
        memory = threading.Thread(target=watch_memory, args=(soak, server))
        health.start()
        memory.start()
        for client in clients:
            client.start()
        for client in clients:
            client.join()
        over.set()
        soak.over.set()
        soak.health, failed = receiver.recv()
        soak.wrong.extend(failed)
        health.join()
        memory.join()
        code = server.stop()
        if code != 0:
            soak.complain(f"the server ended with {code}")
        soak.wrong.extend(f"log: {line.strip()}" for line in server.log[:20])
    _judge_run(soak, health_seconds)
    return soak


def growth_bytes(soak: Soak) -> int:
    """Return how much more memory the last calls find than those right after warm-up."""
    later = [size for done, size in soak.memory if done > WARM_UP * soak.calls]
    part = max(1, len(later) // 5)
    return int(statistics.median(later[-part:]) - statistics.median(later[:part])) if later else 0


def _judge_run(soak: Soak, health_seconds: float) -> None:
    late = [seconds for seconds in soak.health if seconds > health_seconds]
    if late:
        text = f"{len(late)} health checks took more than {health_seconds * 1000:.0f} ms"
        soak.complain(f"{text}, the slowest {max(late) * 1000:.0f} ms")
    if growth_bytes(soak) > MAX_GROWTH_BYTES:
        soak.complain(f"memory grew by {growth_bytes(soak) >> 20} MB")


def report(soak: Soak, seconds: float) -> str:
    """Return the figures as text."""
    health = sorted(soak.health)
    rows = [f"{soak.done} calls in {seconds:.1f} s"]
    rows += [f"  {name}: {count}" for name, count in sorted(soak.outcomes.items())]
    rows.append(
        f"health: {len(health)} checks, median {statistics.median(health) * 1000:.1f} ms, "
        f"99 % {health[int(len(health) * 0.99)] * 1000:.1f} ms, most {health[-1] * 1000:.1f} ms"
    )
    rows.append(f"memory: {soak.memory[-1][1] >> 20} MB at the end, growth {growth_bytes(soak) / 1e6:.1f} MB")
    rows += [f"WRONG {text} ({count} times)" for text, count in Counter(soak.wrong).most_common(20)]
    return "\n".join(rows)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Soak the service with mixed calls.")
    parser.add_argument("--calls", type=int, default=20_000)
    parser.add_argument("--connections", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print the outcomes as JSON")
    options = parser.parse_args()
    start = time.monotonic()
    soak = run(options.calls, options.connections, options.seed)
    seconds = time.monotonic() - start
    print(json.dumps(soak.outcomes) if options.json else report(soak, seconds))
    sys.exit(1 if soak.wrong else 0)


if __name__ == "__main__":
    main()

"""What the service costs on top of the library: the same positions by call and by wire, in one run.

    python benchmarks/service_overhead.py [--cases FOLDER] [--count 400]

Without a folder of shared cases the positions are fields of cities. The server's cache is off, but for the
row that measures it. The client waits for its sockets as docs/service.md advises (see ``GRPC_EXPERIMENTS``
there); set the variable to nothing to see the difference.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "proto" / "generated")]

GIVEN = os.environ.get("GRPC_EXPERIMENTS")
os.environ.setdefault("GRPC_EXPERIMENTS", "-event_engine_client")  # read when gRPC is imported

import grpc  # noqa: E402
from grpc_health.v1 import health_pb2, health_pb2_grpc  # noqa: E402
from rheingold.v1 import optimizer_service_pb2 as pb  # noqa: E402
from rheingold.v1 import optimizer_service_pb2_grpc as pb_grpc  # noqa: E402
from rheingold.v1 import position_pb2  # noqa: E402

from benchmarks.service_positions import field, quick  # noqa: E402
from benchmarks.service_process import ServerProcess  # noqa: E402
from optimizer.model.cases_io import position_from_case  # noqa: E402
from optimizer.model.read_limits import ReadLimits  # noqa: E402
from optimizer.service.convert.write import position_message  # noqa: E402
from optimizer.service.positions import PositionReader  # noqa: E402
from optimizer.solve import optimize  # noqa: E402

if GIVEN is None:
    del os.environ["GRPC_EXPERIMENTS"]  # the server sets its own

ROUNDS = 5
TURN = 40


def case_positions(folder: Path, count: int) -> list[position_pb2.Position]:
    """Return the positions of whole games of the shared cases, chosen at random, in the order played."""
    files = sorted((folder / "positions").glob("*.jsonl.gz"))
    random.Random(1).shuffle(files)
    found: list[position_pb2.Position] = []
    for file in files:
        with gzip.open(file, "rt", encoding="utf-8") as rows:
            found += [position_message(position_from_case(json.loads(line))) for line in rows]
        if len(found) >= count:
            break
    return found


def own_positions(count: int) -> list[position_pb2.Position]:
    """Return fields of 7 and 19 cities."""
    return [quick(number) if number % 2 else field(2, (3, 4), number) for number in range(count)]


def seconds(action: Callable[[], object]) -> float:
    """Return how long an action takes."""
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def after(pause: float, action: Callable[[], object]) -> float:
    """Return how long an action takes some seconds after the one before it."""
    time.sleep(pause)
    return seconds(action)


def row(name: str, values: list[float]) -> str:
    """Return a line of the table, in milliseconds."""
    ordered = sorted(values)
    marks = [ordered[int(len(ordered) * share)] * 1000 for share in (0.5, 0.9, 0.99)]
    return f"| {name} | " + " | ".join(f"{mark:.2f}" for mark in marks) + " |"


def measure(positions: list[position_pb2.Position]) -> list[str]:
    """Return the table's rows.

    The ways take turns every :data:`TURN` positions, so that all of them meet the same moods of the machine
    (not position by position: a client does not search itself between its calls). Of each position's rounds
    the middle one counts.

    The library is called in two ways: one call right after the other, when the processor has all of it at
    hand, and with pauses in between that are as long as a call without a search. A server is never called
    without such pauses, nor is a library by a program that does anything else.
    """
    reader = PositionReader(ReadLimits())
    library_calls: list[Callable[[], object]] = [partial(optimize, reader.read(one)) for one in positions]
    requests = [pb.OptimizeRequest(position=one) for one in positions]
    with ServerProcess("--cache-bytes=0") as server, grpc.insecure_channel(server.target) as channel:
        stub = pb_grpc.RouteOptimizerStub(channel)
        wire_calls: list[Callable[[], object]] = [partial(stub.Optimize, request) for request in requests]
        health: Any = health_pb2_grpc.HealthStub(channel)  # the package has no types
        check = partial(health.Check, health_pb2.HealthCheckRequest())
        pause = statistics.median(seconds(check) for _ in positions)
        ways: dict[str, list[Callable[[], float]]] = {
            "library": [partial(seconds, call) for call in library_calls],
            "paced": [partial(after, pause, call) for call in library_calls],
            "wire": [partial(seconds, call) for call in wire_calls],
            "check": [partial(seconds, check)] * len(positions),
        }
        rounds: dict[str, list[list[float]]] = {name: [] for name in ways}
        for number in range(ROUNDS + 1):
            found: dict[str, list[float]] = {name: [] for name in ways}
            for first in range(0, len(positions), TURN):
                for name, calls in ways.items():
                    found[name] += [call() for call in calls[first : first + TURN]]
            if number:  # the first round warms up
                for name, values in found.items():
                    rounds[name].append(values)
    middle = {
        name: [statistics.median(one) for one in zip(*rows, strict=True)] for name, rows in rounds.items()
    }
    over = {
        name: [there - here for here, there in zip(middle[name], middle["wire"], strict=True)]
        for name in ("library", "paced")
    }
    with ServerProcess() as server, grpc.insecure_channel(server.target) as channel:
        stub = pb_grpc.RouteOptimizerStub(channel)
        for request in requests:
            stub.Optimize(request)
        cached = [seconds(partial(stub.Optimize, request)) for request in requests]
    return [
        row("library: `optimize(position)`, one after the other", middle["library"]),
        row("library: `optimize(position)`, with a pause before each", middle["paced"]),
        row("wire: `Optimize(request)`", middle["wire"]),
        row("**overhead** over the library with pauses, position by position", over["paced"]),
        row("**overhead** over the library without pauses", over["library"]),
        row("wire, answered from the cache", cached),
        row("wire, a health check (what any call costs)", middle["check"]),
    ]


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Measure the service's overhead over the library.")
    parser.add_argument("--cases", type=Path, help="folder of the shared cases")
    parser.add_argument("--count", type=int, default=400)
    options = parser.parse_args()
    positions = (
        case_positions(options.cases, options.count) if options.cases else own_positions(options.count)
    )
    hexes = statistics.median(len(one.hexes) or len(one.inline.hexes) for one in positions)
    print(f"{len(positions)} positions, {hexes:.0f} hexes at the median; milliseconds\n")
    print("| | median | 90 % | 99 % |\n|---|---|---|---|")
    print("\n".join(measure(positions)))


if __name__ == "__main__":
    main()

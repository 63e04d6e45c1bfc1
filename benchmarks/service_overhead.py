"""What the service costs on top of the library: the same positions by call and by wire, in one run.

    python benchmarks/service_overhead.py [--cases FOLDER] [--count 400]

Without a folder of shared cases the positions are fields of cities. The server's cache is off, but for the
row that measures it.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "proto" / "generated")]

import grpc  # noqa: E402
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


def case_positions(folder: Path, count: int) -> list[position_pb2.Position]:
    """Return a sample of the shared cases' positions."""
    lines: list[str] = []
    for file in sorted((folder / "positions").glob("*.jsonl.gz")):
        with gzip.open(file, "rt", encoding="utf-8") as rows:
            lines.extend(rows)
    random.Random(1).shuffle(lines)
    return [position_message(position_from_case(json.loads(line))) for line in lines[:count]]


def own_positions(count: int) -> list[position_pb2.Position]:
    """Return fields of 7 and 19 cities."""
    return [quick(number) if number % 2 else field(2, (3, 4), number) for number in range(count)]


def seconds(action: Callable[[], object]) -> float:
    """Return how long an action takes."""
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def row(name: str, values: list[float]) -> str:
    """Return a line of the table, in milliseconds."""
    ordered = sorted(values)
    marks = [ordered[int(len(ordered) * share)] * 1000 for share in (0.5, 0.9, 0.99)]
    return f"| {name} | " + " | ".join(f"{mark:.2f}" for mark in marks) + " |"


def measure(positions: list[position_pb2.Position]) -> list[str]:
    """Return the table's rows."""
    reader = PositionReader(ReadLimits())
    read = [reader.read(position) for position in positions]
    requests = [pb.OptimizeRequest(position=position) for position in positions]
    library: list[float] = []
    wire: list[float] = []
    difference: list[float] = []
    empty: list[float] = []
    with ServerProcess("--cache-bytes=0", "--log-level=info") as server:
        channel = grpc.insecure_channel(server.target)
        stub = pb_grpc.RouteOptimizerStub(channel)
        nothing = pb.EvaluateRequest(position=position_pb2.Position(title="1861", phase="2", company="KK"))
        for position, request in zip(read[:50], requests[:50], strict=True):
            optimize(position)
            stub.Optimize(request)
        for position, request in zip(read, requests, strict=True):
            here = seconds(partial(optimize, position))
            there = seconds(partial(stub.Optimize, request))
            library.append(here)
            wire.append(there)
            difference.append(there - here)
            empty.append(seconds(partial(stub.Evaluate, nothing)))
        channel.close()
    with ServerProcess("--log-level=info") as server:
        channel = grpc.insecure_channel(server.target)
        stub = pb_grpc.RouteOptimizerStub(channel)
        for request in requests:
            stub.Optimize(request)
        cached = [seconds(partial(stub.Optimize, request)) for request in requests]
        channel.close()
    return [
        row("library: `optimize(position)`", library),
        row("wire: `Optimize(request)`", wire),
        row("**overhead** (wire - library, position by position)", difference),
        row("wire, answered from the cache", cached),
        row("wire, `Evaluate` of no routes (what any call costs)", empty),
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

"""Calls per second with one and with two busy workers, as processes and as threads of one process.

    python benchmarks/service_throughput.py [--seconds 8]

More connections than workers keep all of them busy. The longer the searches, the less it matters that a
single worker reads the next calls, on another processor, while it searches, and that the senders need
processors, too.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "proto" / "generated")]

import grpc  # noqa: E402
from rheingold.v1 import optimizer_service_pb2 as pb  # noqa: E402
from rheingold.v1 import optimizer_service_pb2_grpc as pb_grpc  # noqa: E402

from benchmarks.service_positions import field  # noqa: E402
from benchmarks.service_process import ServerProcess  # noqa: E402

CONNECTIONS = 12

# Size of the map and the trains: searches of about 20, 50 and 300 milliseconds.
LOADS = (("20 ms", 4, (12, 12)), ("50 ms", 5, (14, 14)), ("300 ms", 4, (16, 16)))

VARIANTS = (
    ("one worker process, one search at a time", ("--workers=1", "--concurrency=1")),
    ("two worker processes, one search each", ("--workers=2", "--concurrency=1")),
    ("one process, two searches at a time", ("--workers=1", "--concurrency=2")),
)


def send(target: str, end: float, radius: int, distances: tuple[int, ...]) -> int:
    """Send calls over one connection until a time of the monotonic clock; returns how many were answered."""
    requests = [pb.OptimizeRequest(position=field(radius, distances, seed)) for seed in range(8)]
    channel = grpc.insecure_channel(target)
    stub = pb_grpc.RouteOptimizerStub(channel)
    count = 0
    while time.monotonic() < end:
        answer = stub.Optimize(requests[count % len(requests)]).solution
        assert answer.proven
        count += 1
    channel.close()
    return count


def calls_per_second(
    flags: tuple[str, ...], seconds: float, radius: int, distances: tuple[int, ...]
) -> float:
    """Return how many calls a second a server with these flags answers."""
    # The senders are started before anything of gRPC runs in this process.
    with (
        multiprocessing.get_context("spawn").Pool(CONNECTIONS) as pool,
        ServerProcess("--cache-bytes=0", "--log-level=error", *flags) as server,
    ):
        pool.starmap(send, [(server.target, time.monotonic() + 2.0, radius, distances)] * CONNECTIONS)
        start = time.monotonic()
        counts = pool.starmap(send, [(server.target, start + seconds, radius, distances)] * CONNECTIONS)
        return sum(counts) / (time.monotonic() - start)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Measure the service's throughput.")
    parser.add_argument("--seconds", type=float, default=8.0)
    options = parser.parse_args()
    print("| searches of | | calls a second | times one worker |\n|---|---|---|---|")
    for load, radius, distances in LOADS:
        base = 0.0
        for name, flags in VARIANTS:
            rate = calls_per_second(flags, options.seconds, radius, distances)
            base = base or rate
            print(f"| {load} | {name} | {rate:.1f} | {rate / base:.2f} |", flush=True)


if __name__ == "__main__":
    main()

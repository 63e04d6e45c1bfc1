"""Calls per second with one and with two busy workers, as processes and as threads of one process.

    python benchmarks/service_throughput.py [--seconds 3] [--rounds 5]

More connections than workers keep all of them busy. The longer the searches, the less it matters that a
single worker reads the next calls, on another processor, while it searches, and that the senders need
processors, too. The servers take turns, so that all of them meet the same moods of the machine.
"""

from __future__ import annotations

import argparse
import multiprocessing
import multiprocessing.pool
import statistics
import sys
import time
from contextlib import ExitStack
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
    pool: multiprocessing.pool.Pool, target: str, seconds: float, radius: int, distances: tuple[int, ...]
) -> float:
    """Return how many calls a second a server answers."""
    start = time.monotonic()
    counts = pool.starmap(send, [(target, start + seconds, radius, distances)] * CONNECTIONS, chunksize=1)
    return sum(counts) / (time.monotonic() - start)


def rates(seconds: float, rounds: int, radius: int, distances: tuple[int, ...]) -> list[list[float]]:
    """Return the calls a second of each variant, round after round."""
    with ExitStack() as stack:
        # The senders are started before anything of gRPC runs in this process.
        pool = stack.enter_context(multiprocessing.get_context("spawn").Pool(CONNECTIONS))
        servers = [
            stack.enter_context(ServerProcess("--cache-bytes=0", "--log-level=error", *flags))
            for _, flags in VARIANTS
        ]
        found = [
            [calls_per_second(pool, server.target, seconds, radius, distances) for server in servers]
            for _ in range(rounds + 1)
        ]
        return found[1:]  # the first round warms up


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Measure the service's throughput.")
    parser.add_argument("--seconds", type=float, default=3.0, help="of each turn")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    print("Medians of the rounds; last column: lowest and highest.\n")
    print("| searches of | | calls a second | times one worker | |\n|---|---|---|---|---|")
    for load, radius, distances in LOADS:
        found = rates(options.seconds, options.rounds, radius, distances)
        for number, (name, _) in enumerate(VARIANTS):
            rate = statistics.median(row[number] for row in found)
            times = sorted(row[number] / row[0] for row in found)
            middle = statistics.median(times)
            print(
                f"| {load} | {name} | {rate:.1f} | {middle:.2f} | {times[0]:.2f} - {times[-1]:.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()

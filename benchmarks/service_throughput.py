"""Calls per second with one and with two busy workers, as processes and as threads of one process.

    python benchmarks/service_throughput.py [--rounds 5]

More connections than workers keep all of them busy. The longer the searches, the less it matters that a
single worker reads the next calls, on another processor, while it searches, and that the senders need
processors, too. All servers get the same calls in the same order, and take turns, so that they meet the
same moods of the machine.
"""

from __future__ import annotations

import argparse
import multiprocessing
import multiprocessing.pool
import statistics
import sys
import time
from collections.abc import Sequence
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

# Size of the map, the trains and the maps' seeds: searches of about 15, 60 and 300 milliseconds.
LOADS = (
    ("15 ms", 4, (12, 12), (0, 1, 2, 3, 4, 5)),
    ("60 ms", 5, (14, 14), (0, 1, 2, 3, 6)),
    ("300 ms", 4, (16, 16), (0, 1, 2, 6)),
)
CALLS = {"15 ms": 240, "60 ms": 60, "300 ms": 24}

VARIANTS = (
    ("one worker process, one search at a time", ("--workers=1", "--concurrency=1")),
    ("two worker processes, one search each", ("--workers=2", "--concurrency=1")),
    ("one process, two searches at a time", ("--workers=1", "--concurrency=2")),
)


_stubs: dict[str, pb_grpc.RouteOptimizerStub] = {}


def send(call: tuple[str, bytes]) -> None:
    """Send a call to a server, over this process's own connection to it."""
    target, request = call
    if target not in _stubs:
        _stubs[target] = pb_grpc.RouteOptimizerStub(grpc.insecure_channel(target))
    answer = _stubs[target].Optimize(pb.OptimizeRequest.FromString(request)).solution
    assert answer.proven


def calls_per_second(pool: multiprocessing.pool.Pool, target: str, requests: Sequence[bytes]) -> float:
    """Return how many calls a second a server answers."""
    start = time.monotonic()
    for _ in pool.imap_unordered(send, [(target, request) for request in requests]):
        pass
    return len(requests) / (time.monotonic() - start)


def rates(rounds: int, requests: Sequence[bytes]) -> list[list[float]]:
    """Return the calls a second of each variant, round after round."""
    with ExitStack() as stack:
        # The senders are started before anything of gRPC runs in this process.
        pool = stack.enter_context(multiprocessing.get_context("spawn").Pool(CONNECTIONS))
        servers = [
            stack.enter_context(ServerProcess("--cache-bytes=0", "--log-level=error", *flags))
            for _, flags in VARIANTS
        ]
        found = [
            [calls_per_second(pool, server.target, requests) for server in servers] for _ in range(rounds + 1)
        ]
        return found[1:]  # the first round warms up


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Measure the service's throughput.")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    print("Medians of the rounds; last column: lowest and highest.\n")
    print("| searches of | | calls a second | times one worker | |\n|---|---|---|---|---|")
    for load, radius, distances, seeds in LOADS:
        maps = [pb.OptimizeRequest(position=field(radius, distances, seed)) for seed in seeds]
        requests = [maps[number % len(maps)].SerializeToString() for number in range(CALLS[load])]
        found = rates(options.rounds, requests)
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

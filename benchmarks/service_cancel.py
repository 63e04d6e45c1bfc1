"""How long a search goes on after its client is gone.

    python benchmarks/service_cancel.py [--rounds 40]

The server runs in this process, so that both moments are read from one clock.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "proto" / "generated")]

import grpc  # noqa: E402
from rheingold.v1 import optimizer_service_pb2 as pb  # noqa: E402
from rheingold.v1 import optimizer_service_pb2_grpc as pb_grpc  # noqa: E402

from benchmarks.service_positions import hard  # noqa: E402
from optimizer import solve  # noqa: E402
from optimizer.service import solver  # noqa: E402
from optimizer.service.config import ServiceConfig  # noqa: E402
from optimizer.service.server import Service  # noqa: E402
from optimizer.service.workers import SWITCH_SECONDS  # noqa: E402


class Watch:
    """Stands before the native search and the whole call of the library, and notes when each ends."""

    def __init__(self) -> None:
        self._fleet: Any = vars(solve)["Fleet"]
        self._optimize: Any = vars(solver)["optimize"]
        self.running = False
        self.searched = self.ended = 0.0

    def optimize(self, *arguments: Any, **named: Any) -> Any:
        """In the place of the library's function."""
        try:
            return self._optimize(*arguments, **named)
        finally:
            self.ended = time.perf_counter()
            self.running = False

    def fleet(self, *arguments: Any) -> Any:
        """In the place of the native search's class."""
        search = self._fleet(*arguments)

        class Watched:
            def solve(_self, *limits: Any) -> Any:
                self.running = True
                found = search.solve(*limits)
                self.searched = time.perf_counter()
                return found

        return Watched()


def rounds(service: Service, watch: Watch, count: int, disconnect: bool) -> list[tuple[float, float]]:
    """Return the milliseconds from the client's end to the end of the search, and of the library's call."""
    found: list[tuple[float, float]] = []
    rng = random.Random(1)
    for _ in range(count):
        channel = grpc.insecure_channel(
            f"127.0.0.1:{service.port}", options=[("grpc.use_local_subchannel_pool", 1)]
        )
        call = pb_grpc.RouteOptimizerStub(channel).Optimize.future(pb.OptimizeRequest(position=hard()))
        while not watch.running:
            time.sleep(0.001)
        time.sleep(0.05 + 0.3 * rng.random())
        start = time.perf_counter()
        if disconnect:
            channel.close()
        else:
            call.cancel()
        while watch.running:
            time.sleep(0.0005)
        found.append(((watch.searched - start) * 1000, (watch.ended - start) * 1000))
        channel.close()
    return found


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Measure how fast a cancelled call's search ends.")
    parser.add_argument("--rounds", type=int, default=40)
    count = parser.parse_args().rounds
    sys.setswitchinterval(SWITCH_SECONDS)
    watch = Watch()
    vars(solver)["optimize"] = watch.optimize
    vars(solve)["Fleet"] = watch.fleet
    service = Service(ServiceConfig(port=0, cache_bytes=0))
    service.start()
    print("| | median | 90 % | most |\n|---|---|---|---|")
    for name, disconnect in (("client cancels", False), ("client disconnects", True)):
        found = rounds(service, watch, count, disconnect)
        for what, column in (("the native search has ended", 0), ("its worker is free", 1)):
            ordered = sorted(row[column] for row in found)
            marks = (ordered[count // 2], ordered[int(count * 0.9)], ordered[-1])
            print(f"| {name}: {what} | " + " | ".join(f"{mark:.1f}" for mark in marks) + " |")
    service.stop()


if __name__ == "__main__":
    main()

"""What a request asks besides the position: limits and given routes."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rheingold.v1 import solve_pb2 as pb

from optimizer.model.data import Fault
from optimizer.model.position import Route
from optimizer.service.config import ServiceConfig
from optimizer.solution import Limits

MAX_CONNECTIONS = 500
MAX_CHAIN = 500
MAX_NODES = 1 << 62


def limits_from(
    message: pb.Limits, config: ServiceConfig, faults: list[Fault], path: str = "limits"
) -> Limits:
    """Read limits; what makes no sense is added to ``faults``.

    Time and threads above the server's own limits are cut to them.
    """
    before = len(faults)
    seconds = message.time if message.HasField("time") else config.max_seconds
    if not (math.isfinite(seconds) and seconds >= 0):
        faults.append(Fault(f"{path}.time", f"must be a number of seconds of 0 or more, not {seconds!r}"))
    nodes = message.nodes if message.HasField("nodes") else None
    if nodes is not None and not 1 <= nodes <= MAX_NODES:
        faults.append(Fault(f"{path}.nodes", f"must be from 1 to {MAX_NODES}, not {nodes}"))
    cutoff = message.cutoff if message.HasField("cutoff") else None
    if cutoff is not None and cutoff < 0:
        faults.append(Fault(f"{path}.cutoff", f"must be 0 or more, not {cutoff}"))
    if message.threads < 0:
        faults.append(Fault(f"{path}.threads", f"must be 1 or more, or absent, not {message.threads}"))
    if not 0 <= message.best <= config.max_best:
        faults.append(
            Fault(f"{path}.best", f"must be from 1 to {config.max_best}, or absent, not {message.best}")
        )
    if len(faults) > before:
        return Limits()
    return Limits(
        time=min(seconds, config.max_seconds),
        nodes=nodes,
        cutoff=cutoff,
        threads=min(message.threads or 1, config.max_threads),
        best=message.best or 1,
    )


def routes_from(messages: Sequence[pb.Route], max_routes: int, faults: list[Fault], path: str) -> list[Route]:
    """Read given routes; what makes no sense is added to ``faults``."""
    if len(messages) > max_routes:
        faults.append(Fault(path, f"has {len(messages)} routes; at most {max_routes} are allowed"))
        return []
    return [_route(message, f"{path}[{index}]", faults) for index, message in enumerate(messages)]


def _route(message: pb.Route, path: str, faults: list[Fault]) -> Route:
    if not message.train:
        faults.append(Fault(f"{path}.train", "must be the id of one of the position's trains"))
    if len(message.connections) > MAX_CONNECTIONS:
        faults.append(Fault(f"{path}.connections", f"has more than {MAX_CONNECTIONS} lists of hexes"))
        return Route(message.train, (), ())
    connections: list[tuple[str, ...]] = []
    for index, chain in enumerate(message.connections):
        values = chain.values
        if len(values) > MAX_CHAIN or any(value.WhichOneof("kind") != "string_value" for value in values):
            what = f"must be a list of at most {MAX_CHAIN} hexes, such as ['H8', 'H10']"
            faults.append(Fault(f"{path}.connections[{index}]", what))
            continue
        connections.append(tuple(value.string_value for value in values))
    stops: list[tuple[str, int]] = []
    for index, node in enumerate(message.nodes[: MAX_CONNECTIONS + 1]):
        hex_id, _, part = node.rpartition("-")
        if not (hex_id and part.isascii() and part.isdigit() and len(part) <= 3):
            faults.append(
                Fault(f"{path}.nodes[{index}]", f"must be '<hex>-<part of the tile>', not {node[:40]!r}")
            )
            continue
        stops.append((hex_id, int(part)))
    return Route(message.train, tuple(connections), tuple(stops))

"""Positions for the service's benchmarks, soak and tests: no shared data needed.

``field`` is a hexagon of hexes that all hold a one-slot city with track to every side, with revenues from
a seed. With a short train it is solved in a moment, with long ones no search ends soon.
"""

from __future__ import annotations

import random

from rheingold.v1 import position_pb2 as pb

from optimizer.model.grid import format_coordinate, neighbor_coordinate, parse_coordinate


def field(radius: int, distances: tuple[int, ...], seed: int = 0, company: str = "RED") -> pb.Position:
    """Return a field of 3 radius (radius + 1) + 1 cities with the company's token in the middle."""
    rng = random.Random(seed)
    center = format_coordinate(radius + 1, 2 * radius + 1)
    position = pb.Position(id=f"field-{radius}-{seed}", company=company)
    position.inline.layout = "flat"
    position.inline.phase_colors.append("green")
    hexes = _around(center, radius)
    for hex_id in sorted(hexes):
        tile = position.inline.hexes[hex_id].definition
        tile.color = "green"
        tile.stops.add(kind="city", revenue=rng.randrange(10, 100, 10), slots=1)
        for side in range(6):
            if neighbor_coordinate(hex_id, side, "flat") in hexes:
                tile.paths.add(a=pb.PathEnd(edge=side), b=pb.PathEnd(stop=0))
    position.inline.hexes[center].tokens.add(stop=0, slot=0, company=company)
    for number, distance in enumerate(distances):
        position.trains.add(id=f"{distance}-{number}", name=str(distance), distance=distance)
    return position


def _around(center: str, radius: int) -> set[str]:
    parse_coordinate(center)
    found = {center}
    for _ in range(radius):
        near = {neighbor_coordinate(hex_id, side, "flat") for hex_id in found for side in range(6)}
        found |= {hex_id for hex_id in near if hex_id is not None}
    return found


def quick(seed: int) -> pb.Position:
    """Return a position that is solved in about a millisecond."""
    return field(1, (2, 3), seed)


def hard(seed: int = 0) -> pb.Position:
    """Return a position whose search does not end within any call's patience."""
    return field(6, (24, 24, 24, 24), seed)

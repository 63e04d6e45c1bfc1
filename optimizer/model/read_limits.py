"""How large a position may be: limits that a reader of foreign input can set."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from optimizer.model.data import PositionData


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """Most items of each kind in one position, and how long names and input may be.

    ``items`` holds for every list for which nothing else is said, ``text`` for every name in
    characters, ``input_bytes`` for one JSON document or line.
    """

    hexes: int = 1000
    trains: int = 30
    tokens_per_hex: int = 24
    stops_per_tile: int = 30
    paths_per_tile: int = 60
    items: int = 1000
    text: int = 200
    faults: int = 1000
    input_bytes: int = 16_000_000


DEFAULT_LIMITS = ReadLimits()


def check_counts(data: PositionData, limits: ReadLimits, report: Callable[[str, str], None]) -> bool:
    """Report what there is too much of; return whether all is within the limits."""
    counts = [("hexes", len(data.hexes), limits.hexes), ("trains", len(data.trains), limits.trains)]
    hexes = [(f"hexes[{h}]", len(row.tokens)) for h, row in data.hexes.items()]
    if data.inline is not None:
        counts.append(("inline.hexes", len(data.inline.hexes), limits.hexes))
        hexes += [(f"inline.hexes[{h}]", len(row.tokens)) for h, row in data.inline.hexes.items()]
        for hex_id, row in data.inline.hexes.items():
            if row.definition is not None:
                path = f"inline.hexes[{hex_id}].definition"
                counts.append((f"{path}.stops", len(row.definition.stops), limits.stops_per_tile))
                counts.append((f"{path}.paths", len(row.definition.paths), limits.paths_per_tile))
    counts += [(f"{path}.tokens", count, limits.tokens_per_hex) for path, count in hexes]
    too_many = [(path, count, most) for path, count, most in counts if count > most]
    for path, count, most in too_many:
        report(path, f"{count} are too many, at most {most}")
    return not too_many

"""The named instances: what `benchmarks/instances/grown.jsonl` was grown from, in order of the maps.

Full maps hold what the title's stock of tiles gives. On dense ones tiles never run out: denser than any game
can be, with many times as many routes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from benchmarks.grow import Recipe


@dataclass(frozen=True)
class Fleet:
    """Trains for the maps of a title, and the seeds of the maps: full ones, and dense ones."""

    name: str
    title: str
    trains: Sequence[str]
    full: Sequence[int] = ()
    dense: Sequence[int] = ()
    company: str = ""
    stations: int = 5
    optional_rules: Sequence[str] = ()


FLEETS = (
    Fleet("four-trains", "1856", ("6", "5", "5", "4"), (1, 2), (1,)),
    Fleet("diesel-and-three", "1856", ("D", "6", "6", "5"), (1, 2), (1,), "CGR", 10),
    Fleet("three-diesels", "1856", ("D", "D", "D"), (1, 2, 3, 4), (1,)),
    Fleet("eights", "1856", ("8", "8", "6"), (5,), (), "CGR", 8, ("eight_train_variant",)),
    Fleet("three-eights", "1861", ("8", "8", "8"), (1, 2), (2,)),
    Fleet("all-paying", "1861", ("5+5E", "8", "8"), (1, 2), (1,)),
    Fleet("national-eights", "1861", ("8",) * 8, (1, 2), (1,), "RSR", 8),
    Fleet("national-mixed", "1861", ("8", "7", "7", "6", "6", "5", "5", "2+2"), (1, 2), (1,), "RSR", 8),
    Fleet("three-eights", "1867", ("8", "8", "8"), (1, 2), (3,)),
    Fleet("two-all-paying", "1867", ("8", "5+5E", "5+5E"), (1, 2), (1,)),
    Fleet("national-mixed", "1867", ("8", "8", "7", "7", "6", "6", "5", "2+2"), (1, 2), (1,), "CN", 8),
    Fleet("four-trains", "18Rhl", ("6", "6", "5", "5"), (1, 2), (1,)),
    Fleet("rheingold-and-two", "18Rhl", ("8", "8", "6", "5"), (1, 2), (1,), "RhE", 6),
    Fleet("three-rheingold", "18Rhl", ("8", "8", "8"), (1, 2, 3), (1,)),
    Fleet("promoted", "18Rhl", ("8", "8", "6"), (4,), (), "KEG", 5, ("promotion_tiles", "ratingen_variant")),
)


def recipes() -> Iterator[Recipe]:
    """Yield the recipes of all instances, full maps before dense ones."""
    for dense in (False, True):
        for fleet in FLEETS:
            recipe = Recipe(
                fleet.title,
                0,
                fleet.trains,
                company=fleet.company,
                stations=fleet.stations,
                plenty=dense,
                optional_rules=fleet.optional_rules,
            )
            for seed in fleet.dense if dense else fleet.full:
                kind = "dense" if dense else "full"
                yield replace(recipe, seed=seed, name=f"{fleet.title.lower()}-{fleet.name}-{kind}-{seed}")

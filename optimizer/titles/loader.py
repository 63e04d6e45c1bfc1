"""Titles' printed material: maps, tiles, trains and phases, read from the project's data files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

from optimizer.model.grid import Layout, neighbors_of
from optimizer.model.position import Board
from optimizer.model.rules import DistanceRow, TrainType
from optimizer.model.tile import STOP_KINDS, Tile
from optimizer.model.tile_io import tile_from_json

UNLIMITED = 1_000_000

_FILES = {"1861": "1861.json", "1867": "1867.json", "1856": "1856.json", "18Rhl": "18rhl.json"}
TITLE_NAMES: tuple[str, ...] = tuple(_FILES)


class UnknownTitle(ValueError):
    """A title or optional rule that the project does not know; the text lists what it knows."""


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase: its name, the tile colours allowed in it, and the rest of its printed row."""

    name: str
    colors: tuple[str, ...]
    row: Mapping[str, Any] = field(compare=False, repr=False)


@dataclass(frozen=True)
class TitleData:
    """One title with a set of optional rules: the printed material as the rules use it.

    ``tiles`` maps a tile number to its definition; ``tile_counts`` to how many exist
    (:data:`UNLIMITED` where the title says so). ``raw`` is the whole data file with the variants of
    the chosen optional rules worked in (companies, corporations, market, cash ...).
    """

    name: str
    optional_rules: tuple[str, ...]
    board: Board
    tiles: Mapping[str, Tile]
    tile_counts: Mapping[str, int]
    trains: Mapping[str, TrainType]
    phases: tuple[Phase, ...]
    raw: Mapping[str, Any] = field(repr=False)

    @property
    def layout(self) -> Layout:
        """Orientation of the hexes."""
        return self.board.layout

    def phase(self, name: str) -> Phase:
        """Return a phase by name; KeyError if the title has none of that name."""
        for phase in self.phases:
            if phase.name == name:
                return phase
        raise KeyError(name)


def _read(file: str) -> dict[str, Any]:
    text = (resources.files("optimizer.titles") / "data" / file).read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    return data


@cache
def standard_tiles() -> Mapping[str, Tile]:
    """Return the tiles with standard numbers that most titles share."""
    rows = _read("tiles-standard.json")["tiles"]
    return {name: tile_from_json(name, row, f"tiles[{name}]") for name, row in rows.items()}


def canonical_title(name: str) -> str:
    """Return a title's proper spelling; raise UnknownTitle if there is none such."""
    for known in TITLE_NAMES:
        if known.lower() == name.lower():
            return known
    raise UnknownTitle(f"unknown title {name!r}; known are {', '.join(TITLE_NAMES)}")


def known_optional_rules(name: str) -> tuple[str, ...]:
    """Return the optional rules that a title has."""
    rows = _title_file(canonical_title(name))["optional_rules"]
    return tuple(row["sym"] if isinstance(row, Mapping) else str(row) for row in rows)


@cache
def _title_file(name: str) -> Mapping[str, Any]:
    return _read(_FILES[name])


def _with_variants(data: Mapping[str, Any], optional_rules: Sequence[str]) -> dict[str, Any]:
    """Work what the optional rules change into a copy of the data file."""
    merged = dict(data)
    merged["hexes"] = dict(data["hexes"])
    merged["tiles"] = dict(data["tiles"])
    merged["trains"] = [dict(row) for row in data["trains"]]
    for rule in optional_rules:
        variant = data.get("variants", {}).get(rule) or {}
        for hex_id, printed in variant.get("hexes", {}).items():
            old = merged["hexes"][hex_id]
            tile_id = printed.get("tile_id", old["tile_id"])
            merged["hexes"][hex_id] = {**old, "tile_id": tile_id, "preprinted": printed}
        for number, tile in variant.get("tiles", {}).items():
            merged["tiles"][number] = {**tile, "count": variant.get("tile_counts", {}).get(number, 1)}
        for number, count in variant.get("tile_counts", {}).items():
            merged["tiles"][number] = {**merged["tiles"][number], "count": count}
        if "market" in variant:
            merged["market"] = variant["market"]
        if rule == "eight_train_variant" and "eight_train_variant" in data:
            merged.update(data["eight_train_variant"])
        for row in merged["trains"]:
            if row["num"] != "unlimited" and row["name"] in variant.get("train_counts", {}):
                row["num"] = variant["train_counts"][row["name"]]
        if "companies" in variant:
            merged["company_names"] = variant["companies"]
    return merged


def train_type(row: Mapping[str, Any]) -> TrainType:
    """Read a train's distance: a number of stops, or rows of kinds with visit and pay."""
    distance = row["distance"]
    if isinstance(distance, int):
        rows: tuple[DistanceRow, ...] = (DistanceRow(STOP_KINDS, distance, distance),)
    else:
        rows = tuple(
            DistanceRow(
                tuple(part["nodes"]),
                int(part.get("visit", part["pay"])),
                int(part["pay"]),
                int(part.get("multiplier") or 0),
            )
            for part in distance
        )
    return TrainType(row["name"], rows, int(row.get("multiplier") or 1))


def _board(name: str, data: Mapping[str, Any], key: str) -> Board:
    hexes = data["hexes"]
    printed = {
        hex_id: tile_from_json(hex_id, row["preprinted"], f"hexes[{hex_id}]") for hex_id, row in hexes.items()
    }
    neighbors = neighbors_of(hexes, data["layout"])
    for hex_id, tile in printed.items():
        for border in tile.borders:
            if border.kind == "impassable":
                neighbors[hex_id].pop(border.side, None)
    return Board(
        key=key,
        layout=data["layout"],
        neighbors={hex_id: neighbors[hex_id] for hex_id in hexes},
        printed=printed,
        locations={h: row["location"] for h, row in hexes.items() if row.get("location")},
    )


@cache
def _load(name: str, optional_rules: tuple[str, ...]) -> TitleData:
    data = _with_variants(_title_file(name), optional_rules)
    tiles = {number: tile_from_json(number, row, f"tiles[{number}]") for number, row in data["tiles"].items()}
    counts = {
        number: UNLIMITED if row["count"] == "unlimited" else int(row["count"])
        for number, row in data["tiles"].items()
    }
    from optimizer.titles import registry  # the titles' own rules build on this module

    return TitleData(
        name=name,
        optional_rules=optional_rules,
        board=_board(name, data, "+".join((name, *optional_rules))),
        tiles=tiles,
        tile_counts=counts,
        trains={row["name"]: registry.adapt_train(name, train_type(row)) for row in data["trains"]},
        phases=tuple(Phase(row["name"], tuple(row["tiles"]), row) for row in data["phases"]),
        raw=data,
    )


def load_title(name: str, optional_rules: Sequence[str] = ()) -> TitleData:
    """Return a title's printed material with these optional rules worked in (cached).

    Raises UnknownTitle if there is no such title or it has no such optional rule.
    """
    title = canonical_title(name)
    known = known_optional_rules(title)
    for rule in optional_rules:
        if rule not in known:
            choices = ", ".join(known) or "none"
            raise UnknownTitle(f"{title} has no optional rule {rule!r}; it has {choices}")
    return _load(title, tuple(sorted(set(optional_rules))))


def all_trains(name: str) -> tuple[TrainType, ...]:
    """Return a title's trains, then those that its optional rules add."""
    found: dict[str, TrainType] = {}
    for data in _editions(name):
        for train in data.trains.values():
            found.setdefault(train.name, train)
    return tuple(found.values())


def all_phases(name: str) -> tuple[Phase, ...]:
    """Return a title's phases in order, then those that its optional rules add."""
    found: dict[str, Phase] = {}
    for data in _editions(name):
        for phase in data.phases:
            found.setdefault(phase.name, phase)
    return tuple(found.values())


def _editions(name: str) -> Iterator[TitleData]:
    """Yield a title as it is, then with each of its optional rules."""
    yield load_title(name)
    for rule in known_optional_rules(name):
        yield load_title(name, (rule,))

"""The position: everything that the best routes of one company depend on, and nothing else.

Positions are frozen, hashable and cheap to change with :meth:`Position.replace`. They are built by
the readers in :mod:`optimizer.model.json_io` and by the engine; building one from faulty names is
refused there, so a :class:`Position` is always sound.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from optimizer.model.grid import Layout
from optimizer.model.rules import RouteRules, TrainType
from optimizer.model.tile import Tile


@dataclass(frozen=True)
class Board:
    """A map as printed: hexes, what lies across each side, and the printed tiles.

    ``neighbors[h][e]`` is the hex that track of ``h`` leads to over side ``e`` (passable sides only,
    rules reference common 6.2). Boards are shared between positions and compared by identity of their
    ``key``.
    """

    key: str
    layout: Layout
    neighbors: Mapping[str, Mapping[int, str]] = field(compare=False, repr=False)
    printed: Mapping[str, Tile] = field(compare=False, repr=False)
    locations: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)

    def __hash__(self) -> int:
        return hash(self.key)


@dataclass(frozen=True, slots=True, order=True)
class Token:
    """A station marker: ``city`` counts the tile's cities only, ``slot`` the places in it.

    A city that holds a ``neutral`` token blocks nobody (1867: the national's printed tokens).
    """

    city: int
    slot: int
    company: str
    neutral: bool = False


@dataclass(frozen=True, slots=True)
class HexState:
    """What lies on a hex now. ``tile`` is the printed one where none was laid."""

    tile: Tile
    rotation: int = 0
    tokens: tuple[Token, ...] = ()
    markers: tuple[str, ...] = ()
    assignments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Train:
    """A train that the company may run: its id in the game and its type."""

    id: str
    type: TrainType

    @property
    def name(self) -> str:
        """The train's name, such as ``5+5E``."""
        return self.type.name


@dataclass(frozen=True)
class Position:
    """A company about to run its trains.

    ``hexes`` holds every hex that differs from the printed map, sorted by hex. ``colors`` are the
    tile colours of the phase in order of advance: they decide what stops with several figures pay.
    ``rules`` are resolved for this company, phase and set of optional rules. The remaining fields
    (``privates`` to ``counters``) are kept so that a position can be written back and drawn.
    """

    board: Board
    company: str
    trains: tuple[Train, ...]
    colors: tuple[str, ...]
    hexes: tuple[tuple[str, HexState], ...]
    rules: RouteRules
    title: str = ""
    optional_rules: tuple[str, ...] = ()
    phase: str = ""
    company_kind: str = ""
    privates: tuple[str, ...] = ()
    hex_bonuses: tuple[tuple[str, tuple[str, ...], int], ...] = ()  # (name, hexes, amount)
    assignments: tuple[str, ...] = ()  # of the company
    counters: tuple[tuple[str, int], ...] = ()  # named facts, e.g. eastern_ruhr_links
    switches: tuple[tuple[str, str], ...] = ()  # documented rule switches that differ from default
    id: str = field(default="", compare=False)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.board, self.company, self.trains, self.colors, self.hexes, self.rules))

    @cached_property
    def by_hex(self) -> Mapping[str, HexState]:
        """``hexes`` as a mapping."""
        return dict(self.hexes)

    def tile_at(self, hex_id: str) -> tuple[Tile, int]:
        """Return the tile on a hex and its rotation."""
        state = self.by_hex.get(hex_id)
        if state is not None:
            return state.tile, state.rotation
        return self.board.printed[hex_id], 0

    def tokens_at(self, hex_id: str) -> tuple[Token, ...]:
        """Return the tokens on a hex."""
        state = self.by_hex.get(hex_id)
        return state.tokens if state is not None else ()

    def on(self, hexes: tuple[tuple[str, HexState], ...], rules: RouteRules, name: str) -> Position:
        """Return a copy with other hexes (sorted), rules and id: :meth:`replace`, in a tenth of the time."""
        copy = object.__new__(Position)
        copy.__dict__.update(self.__dict__, hexes=hexes, rules=rules, id=name)
        for kept in ("_hash", "by_hex"):
            copy.__dict__.pop(kept, None)
        return copy

    def replace(self, **changes: Any) -> Position:
        """Return a copy with some fields changed (no new validation)."""
        return dataclasses.replace(self, **changes)


@dataclass(frozen=True, slots=True)
class Route:
    """One train's route.

    ``connections``: one tuple of hexes for each chain between consecutive stops, in route order and
    oriented along the route. ``stops``: the visited stops in order as ``(hex, part)``. The last
    fields are what it earns.
    """

    train: str
    connections: tuple[tuple[str, ...], ...]
    stops: tuple[tuple[str, int], ...]
    revenue: int = 0
    revenue_str: str = ""
    paths: tuple[tuple[str, int], ...] = ()  # (hex, index of the path on its tile), along the route

    @property
    def hexes(self) -> tuple[str, ...]:
        """Hexes of the visited stops in order."""
        return tuple(hex_id for hex_id, _ in self.stops)

    @property
    def nodes(self) -> tuple[str, ...]:
        """Stop signatures ``<hex>-<part>`` in order."""
        return tuple(f"{hex_id}-{part}" for hex_id, part in self.stops)

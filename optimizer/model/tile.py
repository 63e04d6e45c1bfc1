"""Tiles: stops, paths and what else is printed on them.

A :class:`Tile` is a definition at rotation 0. A path joins two ends; an end is a side of the hex, a
stop of the tile or a junction (a point where track meets without a stop).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

StopKind = Literal["city", "town", "offboard"]
Track = Literal["broad", "narrow", "dual"]
TRACKS: tuple[Track, ...] = ("broad", "narrow", "dual")
STOP_KINDS: tuple[StopKind, ...] = ("city", "town", "offboard")

# A plain figure counts in every one of these colours.
PLAIN_COLORS = ("yellow", "green", "brown", "gray")


@dataclass(frozen=True, slots=True)
class Revenue:
    """What a stop pays: one figure, or one figure a colour (``by_color``, as printed off-boards)."""

    plain: int = 0
    by_color: tuple[tuple[str, int], ...] = ()

    def value(self, colors: tuple[str, ...], train: str = "") -> int:
        """Return the figure in a phase whose tile colours are ``colors`` (in order of advance).

        The last colour of the phase that has a figure decides; none gives 0. A train named ``D``
        uses a figure for ``diesel`` where one is printed.
        """
        if not self.by_color:
            return self.plain
        table = dict(self.by_color)
        if train == "D" and "diesel" in table:
            return table["diesel"]
        for color in reversed(colors):
            if color in table:
                return table[color]
        return 0


@dataclass(frozen=True, slots=True)
class Stop:
    """A city, town or off-board of a tile. ``part`` is its number among all parts of the tile."""

    kind: StopKind
    revenue: Revenue = Revenue()
    slots: int = 0
    groups: tuple[str, ...] = ()
    loc: str | None = None
    part: int = 0
    to_city: bool = False
    route: str = "mandatory"
    visit_cost: int = 1
    hidden: bool = False


@dataclass(frozen=True, slots=True, order=True)
class End:
    """One end of a path: exactly one of ``side``, ``stop`` and ``junction`` is not -1."""

    side: int = -1
    stop: int = -1
    junction: int = -1


@dataclass(frozen=True, slots=True)
class Path:
    """A piece of track between two ends of the same hex.

    ``terminal``: only the first or last piece of a route. ``ferry``: a link between two stops of
    the hex that is not ordinary track. ``lane_a``, ``lane_b``: (number of parallel tracks over that
    side, which of them). ``track``: broad and narrow track do not join over a side, dual joins both.
    """

    a: End
    b: End
    terminal: bool = False
    ferry: bool = False
    lane_a: tuple[int, int] = (1, 0)
    lane_b: tuple[int, int] = (1, 0)
    track: Track = "broad"

    @property
    def sides(self) -> tuple[int, ...]:
        """Sides of the hex at its ends."""
        return tuple(end.side for end in (self.a, self.b) if end.side >= 0)

    @property
    def stops(self) -> tuple[int, ...]:
        """Stops of the tile at its ends."""
        return tuple(end.stop for end in (self.a, self.b) if end.stop >= 0)


@dataclass(frozen=True, slots=True)
class Terrain:
    """A cost paid by whoever builds on or replaces this tile."""

    cost: int
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Border:
    """A hex side that is impassable (``kind``) or costs money to cross."""

    side: int
    kind: str = ""
    cost: int = 0


@dataclass(frozen=True, slots=True)
class Icon:
    """A printed or placed marker; ``sticky`` ones stay when the tile is replaced."""

    name: str
    sticky: bool = False


@dataclass(frozen=True)
class Tile:
    """A tile at rotation 0. ``name`` is its number, or the hex for what is printed on the map."""

    name: str
    color: str
    stops: tuple[Stop, ...] = ()
    paths: tuple[Path, ...] = ()
    labels: tuple[str, ...] = ()
    future_label: tuple[str, str] | None = None
    terrain: tuple[Terrain, ...] = ()
    borders: tuple[Border, ...] = ()
    stubs: tuple[int, ...] = ()
    icons: tuple[Icon, ...] = ()
    partitions: tuple[Mapping[str, Any], ...] = field(default=(), compare=False)
    frame: str = ""

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.name, self.color, self.stops, self.paths))

    @cached_property
    def track_text(self) -> bytes:
        """Its colour, stops and paths as text that tells it from any other."""
        return repr((self.color, self.stops, self.paths)).encode()

    @cached_property
    def exits(self) -> frozenset[int]:
        """Sides with track, at rotation 0."""
        return frozenset(side for path in self.paths for side in path.sides)

    @cached_property
    def cities(self) -> tuple[int, ...]:
        """Indices into ``stops`` of its cities, in order."""
        return tuple(i for i, stop in enumerate(self.stops) if stop.kind == "city")

    @property
    def label(self) -> str | None:
        """The printed label that an upgrade must match; the last one counts."""
        return self.labels[-1] if self.labels else None


def rotate(side: int, rotation: int) -> int:
    """Return the side of the hex where ``side`` of the definition lies after ``rotation``."""
    return (side + rotation) % 6

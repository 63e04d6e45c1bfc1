"""A tile definition at one rotation, compiled for walking and comparing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from optimizer.model.tile import Stop, Tile


@dataclass(frozen=True, slots=True, eq=False)
class Track:
    """A path of a face: the sides and stops (indices) at its ends, after rotation; `ends`: sides and 6 +
    stops.
    """

    index: int
    sides: tuple[int, ...]
    stops: tuple[int, ...]
    ends: tuple[int, ...]
    terminal: bool
    narrow: bool


class Face:
    """What lies on a hex. All sides are those of the map.

    `groups[i]`: sides from which stop `i` is entered. `at_side[e]`: tracks with an end at side `e`.
    `at_stop[i]`: tracks with an end at stop `i`. `city_stops`: indices of the cities among the stops.
    """

    __slots__ = (
        "at_side", "at_stop", "city_stops", "exits", "groups", "name", "rotation", "stops", "tile",
        "town_stops", "tracks",
    )  # fmt: skip

    def __init__(self, tile: Tile, rotation: int) -> None:
        self.tile = tile
        self.name = tile.name
        self.rotation = rotation
        self.stops: tuple[Stop, ...] = tile.stops
        self.tracks = tuple(
            Track(
                index,
                tuple((side + rotation) % 6 for side in path.sides),
                path.stops,
                (*[(side + rotation) % 6 for side in path.sides], *[6 + stop for stop in path.stops]),
                path.terminal,
                path.ferry,
            )
            for index, path in enumerate(tile.paths)
        )
        self.at_side = tuple(tuple(t for t in self.tracks if side in t.sides) for side in range(6))
        self.at_stop = tuple(
            tuple(t for t in self.tracks if stop in t.stops) for stop in range(len(tile.stops))
        )
        self.exits = frozenset(side for track in self.tracks for side in track.sides)
        self.groups = tuple(
            frozenset(side for track in tracks for side in track.sides) for tracks in self.at_stop
        )
        self.city_stops = tuple(i for i, stop in enumerate(tile.stops) if stop.kind == "city")
        self.town_stops = tuple(i for i, stop in enumerate(tile.stops) if stop.kind == "town")

    @property
    def color(self) -> str:
        return self.tile.color

    @property
    def label(self) -> str | None:
        return self.tile.label

    def kinds_at(self, track: Track) -> tuple[object, ...]:
        """The ends of a track for comparison: side numbers, and kinds of stop."""
        return (*track.sides, *[self.stops[stop].kind for stop in track.stops])

    def covers(self, track: Track, other: Face, old: Track) -> bool:
        """Is `old` of face `other` contained in `track`: ends match, same kind of track (common 6.5)?"""
        if old.narrow != track.narrow:
            return False
        ends = self.kinds_at(track)
        return all(end in ends for end in other.kinds_at(old))

    def keeps(self, old: Face) -> bool:
        """Is every track of `old` contained in some track of this face?"""
        return all(any(self.covers(track, old, piece) for track in self.tracks) for piece in old.tracks)


@cache
def face(tile: Tile, rotation: int) -> Face:
    """The compiled face; one object per definition and rotation."""
    return Face(tile, rotation)

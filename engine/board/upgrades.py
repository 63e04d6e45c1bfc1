"""May tile B replace tile A, and in which rotations (rules: common 6.4 to 6.7).

Pure functions of faces; what depends on the title is passed in.
"""

from __future__ import annotations

from functools import cache

from engine.board.face import Face, Track, face
from optimizer.model.tile import Tile

NEXT_COLOR = {"white": "yellow", "yellow": "green", "green": "brown", "brown": "gray"}
_ROTATIONS = range(6)


@cache
def keeps_track(old: Tile, new: Tile) -> bool:
    """Is there a rotation of `new` under which every track of `old` is contained in one of its tracks?"""
    before = face(old, 0)
    return any(face(new, rotation).keeps(before) for rotation in _ROTATIONS)


@cache
def _groups_fit(old: Tile, new: Tile) -> bool:
    """Under some rotation each city/town of `old` has its sides inside those of some city/town of `new`."""
    before = face(old, 0)
    return any(
        all(any(group <= wider for wider in face(new, rotation).groups) for group in before.groups)
        for rotation in _ROTATIONS
    )


def labels_match(old: Tile, new: Tile, future_label: tuple[str, str] | None) -> bool:
    """Rule 3: a label that arrives with this colour, else the same label on both (or on neither)."""
    if future_label is not None and future_label[1] == new.color:
        return new.label == future_label[0]
    return old.label == new.label


@cache
def stops_match(old: Tile, new: Tile) -> bool:
    """Rule 4: numbers of towns and cities."""
    old_face, new_face = face(old, 0), face(new, 0)
    old_cities, new_cities = len(old_face.city_stops), len(new_face.city_stops)
    if len(old_face.town_stops) != len(new_face.town_stops):
        return False
    if old.label is None and old_cities != new_cities:
        return False
    if old_cities > 1 and new_cities > 1 and not _groups_fit(old, new):
        return False
    if old.label is not None and old_cities and not new_cities:
        return False
    return not (old.color == "white" and old.label == "OO" and old_cities != new_cities)


def may_replace(
    old: Tile, new: Tile, future_label: tuple[str, str] | None, *, by_power: bool = False
) -> bool:
    """May a tile `new` ever replace `old`, whatever the rotation? A power needs only colour and track (common
    6.5).
    """
    if NEXT_COLOR.get(old.color) != new.color or not keeps_track(old, new):
        return False
    return by_power or (labels_match(old, new, future_label) and stops_match(old, new))


@cache
def city_map(old: Face, new: Face) -> tuple[int | None, ...]:
    """For each old city the index of the new city that takes it over (common 6.9), or None."""
    old_groups = [old.groups[stop] for stop in old.city_stops]
    new_groups = [new.groups[stop] for stop in new.city_stops]
    if not any(old_groups) and len(old_groups) == len(new_groups):
        return tuple(range(len(old_groups)))
    mapping: list[int | None] = [None] * len(old_groups)
    for index, group in enumerate(old_groups):
        if group:
            mapping[index] = next((new for new, sides in enumerate(new_groups) if group <= sides), None)
    for index, target in enumerate(mapping):
        if target is None and index < len(new_groups):
            free = [other for other in range(len(new_groups)) if other not in mapping]
            mapping[index] = index if index in free else free[0] if free else None
    return tuple(mapping)


@cache
def replaces_in_place(old: Face, new: Face) -> bool:
    """Rules 4 to 7 of common 6.6: old track stays in place, new stops are not too many, cities map one to
    one.
    """
    return new.keeps(old) and stops_fit(old, new) and _cities_map(old, new)


@cache
def stops_fit(old: Face, new: Face) -> bool:
    """Rule 5 of common 6.6: no more stops without an old exit than the number of stops grows."""
    old_groups = [group for group in old.groups if group]
    new_groups = [group for group in new.groups if group]
    added = sum(1 for group in new_groups if not any(group & before for before in old_groups))
    return added <= max(0, len(new_groups) - len(old_groups))


def _cities_map(old: Face, new: Face) -> bool:
    if len(old.city_stops) > 1 and len(new.city_stops) > 1:
        wider = [group for group in new.groups if group]
        for group in old.groups:
            if group and sum(1 for other in wider if group <= other) != 1:
                return False
    old_slots = [old.stops[stop].slots for stop in old.city_stops]
    if len(set(old_slots)) > 1:
        for slots, target in zip(old_slots, city_map(old, new), strict=True):
            if target is not None and new.stops[new.city_stops[target]].slots < slots:
                return False
    return True


@cache
def useful_tracks(old: Face, new: Face) -> tuple[Track, ...]:
    """Tracks of which one must be reached under the semi-restrictive rule (common 6.7): new ones, and those
    that lead to stops of another value than the old track that contains them.
    """
    found = []
    for track in new.tracks:
        before = next((piece for piece in old.tracks if old.covers(piece, new, track)), None)
        if before is None or _values(old, before.stops) != _values(new, track.stops):
            found.append(track)
    return tuple(found)


@cache
def keeps_stops(old: Face, new: Face) -> bool:
    """Has each old city and town a new one whose sides include its sides (common 6.7a)?"""
    return all(any(group <= wider for wider in new.groups) for group in old.groups)


def _values(owner: Face, stops: tuple[int, ...]) -> list[int]:
    """The highest figures of these stops, ascending."""
    revenues = [owner.stops[stop].revenue for stop in stops]
    return sorted(max([revenue.plain, *[amount for _, amount in revenue.by_color]]) for revenue in revenues)

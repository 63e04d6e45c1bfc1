"""Which tile may follow which, where 18Rhl says so by number (rules: 18rhl 8.2)."""

from __future__ import annotations

from collections.abc import Mapping

from engine.board.hexes import Hex
from engine.titles.rhineland.state import METROPOLISES, OSTERATH_TILE
from optimizer.model.tile import Tile

Numbers = frozenset[str]
NOTHING: Numbers = frozenset()

BY_NUMBER: Mapping[str, Numbers] = {
    OSTERATH_TILE: NOTHING,
    "3": frozenset(("141", "142", "143")),
    "4": frozenset(("141", "142")),
    "58": frozenset(("141", "142", "143", "144")),
    "141": NOTHING,
    "142": NOTHING,
    "143": NOTHING,
    "144": NOTHING,
    "1": frozenset(("88",)),
    "55": frozenset(("88",)),
    "2": frozenset(("87",)),
    "56": frozenset(("87",)),
    "69": frozenset(("204",)),
}
BY_PLACE: Mapping[tuple[str, str], Numbers] = {
    ("F9", "green"): frozenset(("927",)),
    ("I10", "green"): frozenset(("928",)),
    ("D9", "green"): frozenset(("929",)),
    ("D7", "green"): frozenset(("947",)),
    ("D7", "brown"): frozenset(("950",)),
}
BROWN_METROPOLIS: Numbers = frozenset(("932",))
PROMOTION_BY_PLACE: Mapping[tuple[str, str], Numbers] = {
    ("F9", "brown"): frozenset(("932V",)),
    ("I10", "brown"): frozenset(("932V",)),
    ("D9", "brown"): frozenset(("949",)),
}
ESSEN_HEX, BEFORE_ESSEN, ESSEN = "D13", "216", frozenset(("Essen",))
RATINGEN_BY_PLACE: Mapping[tuple[str, str], Numbers] = {
    ("E10", "white"): frozenset(("1910",)),
    ("E10", "yellow"): frozenset(("1911",)),
    ("E10", "green"): NOTHING,
}
FOUR_SPOKES: Numbers = frozenset(("87", "88", "204"))


def named_upgrades(hex_: Hex, optional_rules: tuple[str, ...]) -> Numbers | None:
    """The numbers that alone may replace what lies on the hex; None where the common rules decide."""
    old = hex_.piece.tile
    place = (hex_.id, old.color)
    found = BY_PLACE.get(place) or BY_NUMBER.get(old.name)
    if found is not None:
        return found
    if "promotion_tiles" in optional_rules:
        found = PROMOTION_BY_PLACE.get(place)
        if hex_.id == ESSEN_HEX and old.name == BEFORE_ESSEN:
            found = ESSEN
    elif hex_.id in METROPOLISES and old.color == "brown":
        found = BROWN_METROPOLIS
    if found is None and "ratingen_variant" in optional_rules:
        found = RATINGEN_BY_PLACE.get(place)
    return found


def needs_no_new_track(old: Tile, new: Tile) -> bool:
    """Lays that are good even if they give the corporation neither new track nor a new value (8.1, 7)."""
    return new.name in FOUR_SPOKES or (old.name == "929" and new.name == "949")

"""Hex grids: coordinates, neighbours and which hex sides a train can pass.

A coordinate is a letter and a number (``H8``; ``AA12`` on wide maps, and ``a12`` for what lies before A).
Sides are numbered 0 to 5
clockwise; side ``e`` lies opposite side ``(e + 3) % 6`` of the hex on its other side. In a *flat*
layout side 0 is the bottom one, in a *pointy* layout the lower left one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Literal

Layout = Literal["flat", "pointy"]

SIDES = range(6)

# Side -> (change of letter, change of number).
_STEPS: dict[str, tuple[tuple[int, int], ...]] = {
    "flat": ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1)),
    "pointy": ((1, -1), (0, -2), (-1, -1), (-1, 1), (0, 2), (1, 1)),
}

_COORDINATE = re.compile(r"([A-Z]{1,2}|[a-z])(-?\d{1,3})\Z")


def opposite(side: int) -> int:
    """Return the number of the same side seen from the hex behind it."""
    return (side + 3) % 6


def parse_coordinate(hex_id: str) -> tuple[int, int]:
    """Split ``"H8"`` into letter index and number, ``(7, 8)``; ``a`` is -1, ``b`` -2.

    Raises ValueError if the text is not one or two capital letters, or a small one, and a number.
    """
    match = _COORDINATE.match(hex_id)
    if match is None:
        raise ValueError(f"{hex_id!r} is not a hex coordinate such as 'H8'")
    letters, number = match.groups()
    if letters.islower():
        return ord("a") - ord(letters) - 1, int(number)
    index = 0
    for letter in letters:
        index = index * 26 + ord(letter) - ord("A") + 1
    return index - 1, int(number)


def format_coordinate(letter: int, number: int) -> str:
    """Join letter index and number: ``(7, 8)`` is ``"H8"``."""
    if letter < 0:
        return f"{chr(ord('a') - letter - 1)}{number}"
    if letter < 26:
        return f"{chr(ord('A') + letter)}{number}"
    return f"{chr(ord('A') + letter // 26 - 1)}{chr(ord('A') + letter % 26)}{number}"


@lru_cache(maxsize=16_384)
def neighbor_coordinate(hex_id: str, side: int, layout: Layout) -> str | None:
    """Return the coordinate across ``side``, or None where letters or numbers would run out."""
    letter, number = parse_coordinate(hex_id)
    d_letter, d_number = _STEPS[layout][side]
    letter += d_letter
    number += d_number
    if not -26 <= letter < 702:
        return None
    return format_coordinate(letter, number)


def neighbors_of(hex_ids: Iterable[str], layout: Layout) -> dict[str, dict[int, str]]:
    """Return for every hex the hexes of the map behind its sides: ``{"H8": {0: "H10", ...}}``."""
    known = set(hex_ids)
    found: dict[str, dict[int, str]] = {}
    for hex_id in known:
        row: dict[int, str] = {}
        for side in SIDES:
            other = neighbor_coordinate(hex_id, side, layout)
            if other in known and other is not None:
                row[side] = other
        found[hex_id] = row
    return found


def distance(start: str, goal: str) -> int:
    """Return the distance in hexes as the crow flies.

    In both layouts a step to the next letter moves one number to either side, and a step within a
    letter moves two numbers, so the layout does not matter.
    """
    (letter_a, number_a), (letter_b, number_b) = parse_coordinate(start), parse_coordinate(goal)
    d_letter, d_number = abs(letter_a - letter_b), abs(number_a - number_b)
    return d_letter + max(0, (d_number - d_letter) // 2)


def passable_sides(
    neighbors: Mapping[str, Mapping[int, str]],
    closed_to: Mapping[str, frozenset[int]],
    impassable: Mapping[str, frozenset[int]],
) -> dict[str, dict[int, str]]:
    """Return the neighbours that count for track, per hex and side.

    ``closed_to[h]`` are the sides by which hex ``h`` may not be entered (a red, gray or blue hex has
    only those exits that are printed on it); ``impassable[h]`` are borders of ``h`` itself. The
    relation is one-way: a red hex regards its white neighbours as passable even where they do not
    return it (rules reference, common 6.2).
    """
    result: dict[str, dict[int, str]] = {}
    for hex_id, row in neighbors.items():
        walls = impassable.get(hex_id, frozenset())
        result[hex_id] = {
            side: other
            for side, other in row.items()
            if side not in walls and opposite(side) not in closed_to.get(other, frozenset())
        }
    return result

"""The slots of a city: where the circles lie, and the white box around them."""

from __future__ import annotations

import math

from optimizer.render.geometry import Point
from optimizer.render.stops import SLOT


def _along(at: Point) -> Point:
    """Return the direction of a row of two slots: across the way to the rim, or level in the middle."""
    if at.length < 10:
        return Point(1, 0)
    across = at.unit.clockwise
    return across * -1 if (across.x, across.y) < (-1e-6, 0) or across.x < -1e-6 else across


def city_slots(at: Point, slots: int) -> tuple[Point, ...]:
    """Return the centres of a city's slots; one also where the city has none to show."""
    if slots <= 1:
        return (at,)
    if slots == 2:
        half = _along(at) * SLOT
        return (at - half, at + half)
    if slots == 3:
        ring, first = SLOT * 2 / math.sqrt(3), -90.0
    elif slots == 4:
        ring, first = SLOT * math.sqrt(2), -135.0
    else:
        ring, first = SLOT / math.sin(math.pi / slots), -90.0
    angles = [math.radians(first + 360.0 * i / slots) for i in range(slots)]
    return tuple(Point(at.x + ring * math.cos(a), at.y + ring * math.sin(a)) for a in angles)

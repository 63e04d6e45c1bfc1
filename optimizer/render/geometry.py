"""Points, hexes and the curves of track.

Units: a hex has a circumradius of 100, its sides lie 86.6 from the centre. The y axis points down, as in
SVG. Angles grow clockwise. Everything here is already turned the way it is seen: a side number and the
layout give a direction, so nothing has to be rotated afterwards and text stays upright.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

from optimizer.model.grid import Layout

RADIUS = 100.0
INRADIUS = RADIUS * math.sqrt(3) / 2

# Direction of side 0 in degrees: the bottom, or the lower left.
_FIRST_SIDE = {"flat": 90.0, "pointy": 120.0}


@dataclass(frozen=True, slots=True)
class Point:
    """A place, or the way from one place to another."""

    x: float
    y: float

    def __add__(self, other: Point) -> Point:
        return Point(self.x + other.x, self.y + other.y)

    def __sub__(self, other: Point) -> Point:
        return Point(self.x - other.x, self.y - other.y)

    def __mul__(self, factor: float) -> Point:
        return Point(self.x * factor, self.y * factor)

    def dot(self, other: Point) -> float:
        """Return the scalar product."""
        return self.x * other.x + self.y * other.y

    def cross(self, other: Point) -> float:
        """Return the z part of the vector product: positive if ``other`` lies clockwise."""
        return self.x * other.y - self.y * other.x

    @property
    def length(self) -> float:
        """Distance from the origin."""
        return math.hypot(self.x, self.y)

    @property
    def unit(self) -> Point:
        """The same direction with length 1."""
        return self * (1 / self.length)

    @property
    def clockwise(self) -> Point:
        """The same way turned a quarter clockwise."""
        return Point(-self.y, self.x)


ORIGIN = Point(0.0, 0.0)


@cache
def direction(layout: Layout, side: float) -> Point:
    """Return the direction from the centre to a side; halves are corners (2.5 lies between 2 and 3)."""
    angle = math.radians(_FIRST_SIDE[layout] + 60.0 * side)
    return Point(round(math.cos(angle), 9), round(math.sin(angle), 9))


@cache
def side_point(layout: Layout, side: int) -> Point:
    """Return the middle of a side."""
    return direction(layout, side) * INRADIUS


@cache
def corner(layout: Layout, index: int) -> Point:
    """Return corner ``index``, the one between sides ``index - 1`` and ``index``."""
    return direction(layout, index - 0.5) * RADIUS


@cache
def corners(layout: Layout) -> tuple[Point, ...]:
    """Return the six corners, clockwise."""
    return tuple(corner(layout, i) for i in range(6))


def rim_distance(layout: Layout, point: Point) -> float:
    """Return how far inside the hex a point lies (negative: outside)."""
    return min(INRADIUS - direction(layout, side).dot(point) for side in range(6))


@dataclass(frozen=True, slots=True)
class Curve:
    """A piece of track: a straight line, or a circular arc of less than half a turn around ``center``."""

    start: Point
    end: Point
    center: Point | None = None
    clockwise: bool = True

    @property
    def radius(self) -> float:
        """Radius of the arc; 0 for a line."""
        return (self.start - self.center).length if self.center else 0.0

    @property
    def length(self) -> float:
        """Length along the track."""
        if self.center is None:
            return (self.end - self.start).length
        return self.radius * abs(self._turn())

    def _turn(self) -> float:
        assert self.center is not None
        a, b = self.start - self.center, self.end - self.center
        return math.atan2(a.cross(b), a.dot(b))

    def at(self, t: float) -> Point:
        """Return the point a fraction ``t`` along the way."""
        if self.center is None:
            return self.start + (self.end - self.start) * t
        a = self.start - self.center
        turn = self._turn() * t
        return self.center + a * math.cos(turn) + a.clockwise * math.sin(turn)

    def heading(self, t: float) -> Point:
        """Return the direction of travel a fraction ``t`` along the way."""
        if self.center is None:
            way = self.end - self.start
            return way.unit if way.length else Point(1.0, 0.0)
        outward = (self.at(t) - self.center).unit
        return outward.clockwise if self.clockwise else outward.clockwise * -1

    def samples(self, spacing: float) -> list[Point]:
        """Return points along the way, ``spacing`` or less apart, both ends included."""
        count = max(1, math.ceil(self.length / spacing))
        return [self.at(i / count) for i in range(count + 1)]

    @property
    def reverse(self) -> Curve:
        """The same track the other way."""
        return Curve(self.end, self.start, self.center, not self.clockwise)

    def moved(self, by: Point) -> Curve:
        """Return the curve at another place."""
        center = self.center + by if self.center else None
        return Curve(self.start + by, self.end + by, center, self.clockwise)

    def offset(self, distance: float) -> Curve:
        """Return the track beside it, ``distance`` to the right of the direction of travel."""
        if not distance:
            return self
        start = self.start + self.heading(0).clockwise * distance
        end = self.end + self.heading(1).clockwise * distance
        return Curve(start, end, self.center, self.clockwise)


def tangent_curve(start: Point, heading: Point, end: Point) -> Curve:
    """Return the track that leaves ``start`` in direction ``heading`` and reaches ``end``.

    It is a line if ``end`` lies straight ahead, otherwise the one arc that fits. From the middle of one
    side to that of another this gives the straight, gentle and sharp curves of 18xx track.
    """
    ahead = heading.unit
    way = end - start
    aside = ahead.cross(way)
    if abs(aside) < 0.01 * max(1.0, way.length) or ahead.dot(way) <= 0:
        return Curve(start, end)
    # The centre lies on the normal of the heading, as far from start as from end.
    radius = way.dot(way) / (2 * abs(aside))
    clockwise = aside > 0
    center = start + ahead.clockwise * (radius if clockwise else -radius)
    return Curve(start, end, center, clockwise)


def line(start: Point, end: Point) -> Curve:
    """Return a straight piece of track."""
    return Curve(start, end)

"""Where texts and markers of a hex go, so that none covers a city, another one or more track than need be.

Each item is a box. They are placed one after the other, the most important first, where the sum of what
disturbs is least: cities and other boxes above all, then the rim, then track, then the way from where the
item would like to be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimizer.model.grid import Layout
from optimizer.model.tile import Tile
from optimizer.render.geometry import INRADIUS, ORIGIN, Point, direction, rim_distance
from optimizer.render.lettering import split_name, text_width
from optimizer.render.slots import city_slots
from optimizer.render.stops import SLOT, Skeleton, skeleton

Array = NDArray[np.float64]

GRID_STEP = 7.0

REVENUE = 14.0  # radius of a revenue circle
CELL_WIDTH, CELL_HEIGHT = 28.0, 20.0  # of a figure by colour
LABEL_SIZE, NAME_SIZE, COORDINATE_SIZE, NUMBER_SIZE = 22.0, 14.5, 11.0, 10.0
ICON = 22.0
TERRAIN_WIDTH, TERRAIN_HEIGHT = 36.0, 26.0
NAME_MOST = 118.0

# What disturbs, per unit of overlap or once.
_ON_CITY, _NEAR_CITY, _ON_BOX, _OVER_RIM, _ON_TRACK = 60.0, 1.0, 60.0, 25.0, 5.0


# The order in which small items are placed.
_ORDER = ("revenue", "label", "name", "terrain", "icons", "future", "coordinate", "number")
_RANK = {key: rank for rank, key in enumerate(_ORDER, 1)}
_CLEARANCE = 7.0  # around cities: room for the ring of a route, better for two


@dataclass(frozen=True, slots=True)
class Item:
    """A box to be placed: its size and where it would like to be.

    ``around``: the wished distance from ``anchor`` (0: as near as possible); ``pull`` weighs the way.
    """

    key: str
    width: float
    height: float
    anchor: Point = ORIGIN
    around: float = 0.0
    pull: float = 0.3
    track: float = _ON_TRACK


@dataclass(frozen=True)
class Places:
    """Where the items of one hex ended up, and their widths and heights, by their keys."""

    at: dict[str, Point]
    sizes: dict[str, tuple[float, float]]
    name_lines: tuple[str, ...] = ()


@cache
def _grid(layout: Layout) -> tuple[Array, Array]:
    steps = np.arange(-13, 14) * GRID_STEP
    points = [(x, y) for y in steps for x in steps if rim_distance(layout, Point(float(x), float(y))) > 6]
    table = np.array(points)
    return table[:, 0], table[:, 1]


def _gaps(xs: Array, ys: Array, item: Item, points: Sequence[Point]) -> Any:
    """Return distances (places x points) from the item's box to points; 0 inside."""
    px, py = np.array([p.x for p in points]), np.array([p.y for p in points])
    dx = np.maximum(np.abs(xs[:, None] - px) - item.width / 2, 0)
    dy = np.maximum(np.abs(ys[:, None] - py) - item.height / 2, 0)
    return np.hypot(dx, dy)


class _Scene:
    """One hex while its items are being placed."""

    def __init__(self, layout: Layout, circles: list[tuple[Point, float]], track: list[Point]) -> None:
        self.layout = layout
        self.xs, self.ys = _grid(layout)
        self.circles = circles
        self.track = track
        self.boxes: list[tuple[Point, Item]] = []

    def _penalty(self, item: Item) -> Any:
        xs, ys = self.xs, self.ys
        way = np.hypot(xs - item.anchor.x, ys - item.anchor.y)
        total = np.abs(way - item.around) * item.pull + np.abs(ys) * 0.004 + xs * 0.002
        if self.circles:
            radii = np.array([radius for _, radius in self.circles])
            near = radii - _gaps(xs, ys, item, [c for c, _ in self.circles])
            total += np.maximum(near + _CLEARANCE, 0).sum(axis=1) * _ON_CITY
            total += np.maximum(near + 2 * _CLEARANCE, 0).sum(axis=1) * _NEAR_CITY
        if self.track:
            total += (np.maximum(7 - _gaps(xs, ys, item, self.track), 0)).sum(axis=1) * item.track / 7
        for at, other in self.boxes:
            over_x = (item.width + other.width) / 2 + 1.5 - np.abs(xs - at.x)
            over_y = (item.height + other.height) / 2 + 1.5 - np.abs(ys - at.y)
            total += np.maximum(np.minimum(over_x, over_y), 0) * _ON_BOX
        for side in range(6):
            way_out = direction(self.layout, side)
            reach = (abs(way_out.x) * item.width + abs(way_out.y) * item.height) / 2
            outside = xs * way_out.x + ys * way_out.y + reach - (INRADIUS - 3)
            total += np.maximum(outside, 0) * _OVER_RIM
        return total

    def place(self, item: Item) -> Point:
        """Find the best place for an item and occupy it."""
        index = int(np.argmin(np.round(self._penalty(item), 3)))
        at = Point(float(self.xs[index]), float(self.ys[index]))
        self.boxes.append((at, item))
        return at


def revenue_stops(tile: Tile) -> tuple[int, ...]:
    """Return the stops whose figures are written: one of each group of equal ones that share a tile."""
    seen: dict[object, int] = {}
    for index, stop in enumerate(tile.stops):
        if stop.hidden or not (stop.revenue.plain or stop.revenue.by_color):
            continue
        seen.setdefault((stop.revenue, stop.kind), index)
    return tuple(seen.values())


def _revenue_items(tile: Tile, bones: Skeleton) -> list[Item]:
    items = []
    for index in revenue_stops(tile):
        stop, at = tile.stops[index], bones.stops[index]
        cells = len(stop.revenue.by_color)
        shared = sum(other.revenue == stop.revenue and other.kind == stop.kind for other in tile.stops) > 1
        anchor = ORIGIN if shared else at
        if cells:
            central = stop.kind == "offboard"
            around = 0.0 if central else SLOT + CELL_HEIGHT / 2 + 8
            items.append(Item(f"revenue-{index}", cells * CELL_WIDTH, CELL_HEIGHT, at, around, 0.8))
        else:
            near = 34.0 if stop.kind == "town" else SLOT * max(1, min(stop.slots, 2)) + REVENUE + 7
            pull = 0.12 if shared else 0.6
            items.append(Item(f"revenue-{index}", 2 * REVENUE, 2 * REVENUE, anchor, near, pull))
    return items


def _printed_items(tile: Tile, layout: Layout, location: str, name: tuple[str, ...]) -> list[Item]:
    left = direction(layout, 1.5) if layout == "flat" else direction(layout, 1)
    items = []
    if name:
        width = max(text_width(line, NAME_SIZE) for line in name)
        anchor = ORIGIN if not tile.stops and not tile.paths else Point(0, -44)
        items.append(Item("name", width, (NAME_SIZE + 1) * len(name), anchor, 0, 0.2, 9.0))
    if tile.label and tile.label != location:
        width = text_width(tile.label, LABEL_SIZE if len(tile.label) < 4 else NAME_SIZE, bold=True)
        items.append(Item("label", width, 20, left * 62, 0, 0.1, 8.0))
    if tile.terrain:
        width = TERRAIN_WIDTH * len(tile.terrain)
        items.append(Item("terrain", width, TERRAIN_HEIGHT, Point(0, 52), 0, 0.12, 6.0))
    if tile.future_label:
        width = text_width(tile.future_label[0], 12, bold=True) + 8
        items.append(Item("future", width, 16, Point(50, 50), 0, 0.1))
    return items


def _text_items(tile: Tile, layout: Layout, hex_id: str, name: tuple[str, ...]) -> list[Item]:
    items = []
    corner = Point(-28, -70) if layout == "flat" else Point(0, -78)
    items.append(Item("coordinate", text_width(hex_id, COORDINATE_SIZE), 11, corner, 0, 0.2, 6.0))
    if tile.name not in (hex_id, *tile.labels, " ".join(name)):
        width = text_width(tile.name, NUMBER_SIZE)
        items.append(Item("number", width, 10, Point(corner.x * -1, 76), 0, 0.2, 6.0))
    return items


@lru_cache(maxsize=8192)
def arrange(
    tile: Tile,
    rotation: int,
    layout: Layout,
    hex_id: str,
    location: str = "",
    icons: int = 0,
    extra_slots: tuple[int, ...] = (),
) -> Places:
    """Return where the texts and markers of a hex go.

    ``icons``: how many markers it shows; ``extra_slots``: slots per city beyond the printed ones.
    """
    bones = skeleton(tile, rotation, layout)
    name = split_name(location, NAME_MOST, NAME_SIZE) if location else ()
    circles: list[tuple[Point, float]] = []
    for index, stop in enumerate(tile.stops):
        if stop.kind == "city":
            extra = extra_slots[index] if extra_slots else 0
            circles += [(at, SLOT) for at in city_slots(bones.stops[index], stop.slots + extra)]
        elif stop.kind == "town":
            circles.append((bones.stops[index], 9.0))
    track = [point for curve in bones.curves for point in curve.samples(9.0)]
    for stub in tile.stubs:
        way = direction(layout, (stub + rotation) % 6)
        track += [way * distance for distance in (86.0, 76.0, 66.0)]
    scene = _Scene(layout, circles, track)
    items = _printed_items(tile, layout, location, name) + _revenue_items(tile, bones)
    if icons:
        items.append(Item("icons", icons * (ICON + 2) - 2, ICON, Point(0, 46), 0, 0.12, 6.0))
    items += _text_items(tile, layout, hex_id, name)
    # Wide ones first: what is small finds room anywhere. Figures by colour belong in the middle.
    items.sort(key=lambda item: _RANK[item.key.partition("-")[0]] if item.width < 50 else 0)
    sizes = {item.key: (item.width, item.height) for item in items}
    return Places({item.key: scene.place(item) for item in items}, sizes, name)

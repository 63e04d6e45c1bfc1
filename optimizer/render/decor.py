"""What is written and marked on a hex: figures, labels, names, costs, markers, coordinates, numbers."""

from __future__ import annotations

from functools import lru_cache

from optimizer.model.grid import Layout
from optimizer.model.tile import Revenue, Stop, Tile
from optimizer.render import svg
from optimizer.render.geometry import Point
from optimizer.render.layout import (
    CELL_HEIGHT,
    CELL_WIDTH,
    NAME_SIZE,
    REVENUE,
    TERRAIN_WIDTH,
    Places,
    arrange,
    revenue_stops,
)
from optimizer.render.markers import TERRAIN_GLYPHS, marker_row
from optimizer.render.style import TILE_COLORS, text_color, tile_class

MAX_MARKERS = 6


def current_color(revenue: Revenue, colors: tuple[str, ...]) -> str:
    """Return the colour whose figure counts in a phase with these tile colours, or nothing."""
    table = dict(revenue.by_color)
    return next((color for color in reversed(colors) if color in table), "")


def _circle_figure(value: int, at: Point) -> str:
    size = 15.0 if value < 100 else 12.0
    return svg.circle(at, REVENUE, class_="figure") + svg.text(
        str(value), Point(at.x, at.y + size * 0.36), class_="money", style=f"font-size:{svg.number(size)}px"
    )


def _row_figure(revenue: Revenue, at: Point, colors: tuple[str, ...]) -> str:
    """Return the figures by colour as a row of cells; the current one has a thick edge."""
    now = current_color(revenue, colors)
    left = at.x - (len(revenue.by_color) - 1) * CELL_WIDTH / 2
    cells: list[str] = []
    marked: list[str] = []
    for index, (color, value) in enumerate(revenue.by_color):
        center = Point(left + index * CELL_WIDTH, at.y)
        ink = text_color(TILE_COLORS.get(color, TILE_COLORS["white"]))
        class_ = f"{tile_class(color)} " + ("now" if color == now else "cell")
        markup = svg.rect(center, CELL_WIDTH, CELL_HEIGHT, class_=class_) + svg.text(
            str(value),
            Point(center.x, center.y + 5),
            class_="small bold" if color == now else "small",
            style=f"fill:{ink}",
        )
        (marked if color == now else cells).append(markup)
    return "".join(cells + marked)


def _figure(stop: Stop, at: Point, colors: tuple[str, ...]) -> str:
    if stop.revenue.by_color:
        return _row_figure(stop.revenue, at, colors)
    return _circle_figure(stop.revenue.plain, at)


def _terrain(tile: Tile, at: Point) -> str:
    out = []
    first = at.x - (len(tile.terrain) - 1) * TERRAIN_WIDTH / 2
    for index, terrain in enumerate(tile.terrain):
        center = Point(first + index * TERRAIN_WIDTH, at.y)
        glyph = next((TERRAIN_GLYPHS[kind] for kind in terrain.kinds if kind in TERRAIN_GLYPHS), "")
        out.append(svg.group([glyph], transform=svg.translate(Point(center.x, center.y - 6))))
        out.append(svg.text(str(terrain.cost), Point(center.x, center.y + 13), class_="small bold halo"))
    return svg.group(out, class_="terrain")


def _name(lines: tuple[str, ...], at: Point) -> str:
    step = NAME_SIZE + 1
    top = at.y - (len(lines) - 1) * step / 2 + NAME_SIZE * 0.36
    return "".join(
        svg.text(line, Point(at.x, top + i * step), class_="name halo") for i, line in enumerate(lines)
    )


def _figures(tile: Tile, places: Places, colors: tuple[str, ...]) -> str:
    out = [_figure(tile.stops[i], places.at[f"revenue-{i}"], colors) for i in revenue_stops(tile)]
    return svg.group(out, class_="revenue")


@lru_cache(maxsize=8192)
def writing(
    tile: Tile,
    rotation: int,
    layout: Layout,
    hex_id: str,
    location: str,
    colors: tuple[str, ...],
    markers: tuple[str, ...],
    extra: tuple[int, ...],
    coordinates: bool = True,
    numbers: bool = True,
) -> str:
    """Return everything written on a hex, upright whatever the rotation."""
    shown = markers[:MAX_MARKERS]
    places = arrange(tile, rotation, layout, hex_id, location, len(shown), extra)
    at = places.at
    out = [_figures(tile, places, colors)]
    if "terrain" in at:
        out.append(_terrain(tile, at["terrain"]))
    if "label" in at and tile.label:
        size, drop = ("label", 8) if len(tile.label) < 4 else ("name bold", 5)
        place = Point(at["label"].x, at["label"].y + drop)
        out.append(svg.text(tile.label, place, class_=f"tile-label {size} halo"))
    if tile.future_label:
        label, color = tile.future_label
        place = at["future"]
        out.append(
            svg.element(
                "rect",
                x=place.x - 15,
                y=place.y - 8,
                width=30.0,
                height=16.0,
                rx=3.0,
                class_=f"cell {tile_class(color)}",
            )
        )
        out.append(svg.text(label, Point(place.x, place.y + 4), class_="bold", font_size="12"))
    if places.name_lines:
        out.append(svg.group([_name(places.name_lines, at["name"])], class_="location"))
    if shown:
        out.append(svg.group([marker_row(shown, at["icons"])], class_="markers"))
    if coordinates:
        place = at["coordinate"]
        out.append(svg.text(hex_id, Point(place.x, place.y + 4), class_="coordinate"))
    if numbers and "number" in at:
        place = at["number"]
        out.append(svg.text(tile.name, Point(place.x, place.y + 3.6), class_="tile-number"))
    return "".join(out)

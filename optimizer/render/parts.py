"""The parts of a hex as markup around its centre: ground, track, stops with their tokens."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from optimizer.model.grid import Layout
from optimizer.model.position import Token
from optimizer.model.tile import Path, Tile
from optimizer.render import svg
from optimizer.render.geometry import INRADIUS, Curve, Point, corners, direction
from optimizer.render.lettering import text_width
from optimizer.render.slots import city_slots
from optimizer.render.stops import SLOT, Skeleton, skeleton
from optimizer.render.style import company_color, text_color, tile_class

TOKEN = 20.5
_ARROW_WIDTH = 13.0
_STUB_END = 58.0
_MOST_LETTERS = 7  # on a token


@lru_cache(maxsize=256)
def ground(color: str, layout: Layout) -> str:
    """Return the hex in its tile colour."""
    return svg.polygon(corners(layout), class_=f"hex {tile_class(color)}")


def _components(tile: Tile) -> list[list[int]]:
    """Return the paths that hang together, as lists of indices: other track passes over or under them."""
    owner = list(range(len(tile.paths)))
    by_end: dict[object, int] = {}
    for index, path in enumerate(tile.paths):
        for end in (path.a, path.b):
            first = by_end.setdefault(end, index)
            old, new = owner[index], owner[first]
            owner = [new if name == old else name for name in owner]
    parts: dict[int, list[int]] = {}
    for index, name in enumerate(owner):
        parts.setdefault(name, []).append(index)
    return list(parts.values())


def _is_arrow(tile: Tile, path: Path) -> bool:
    return any(tile.stops[stop].kind == "offboard" for stop in path.stops)


def _arrow(curve: Curve, path: Path) -> str:
    """Return track into an off-board: a wedge from the side inwards."""
    inward = curve if path.a.side >= 0 else curve.reverse
    aside = inward.heading(0).clockwise * (_ARROW_WIDTH / 2)
    neck = inward.at(0.4)
    points = [inward.start - aside, inward.start + aside, neck + aside, inward.end, neck - aside]
    return svg.polygon(points, class_="arrow")


def _track_class(path: Path) -> str:
    if path.ferry:
        return "ferry"
    return "narrow" if path.track == "narrow" else "track"


@lru_cache(maxsize=4096)
def track(tile: Tile, rotation: int, layout: Layout) -> str:
    """Return all track of a tile. Track that crosses without joining has a light edge between."""
    bones = skeleton(tile, rotation, layout)
    out: list[str] = []
    for part in _components(tile):
        lines = [i for i in part if not _is_arrow(tile, tile.paths[i])]
        if lines:
            out += [svg.path([bones.curves[i]], class_="casing") for i in lines]
            out += [svg.path([bones.curves[i]], class_=_track_class(tile.paths[i])) for i in lines]
        out += [_arrow(bones.curves[i], tile.paths[i]) for i in part if i not in lines]
    for stub in tile.stubs:
        way = direction(layout, (stub + rotation) % 6)
        out.append(svg.path([Curve(way * INRADIUS, way * _STUB_END)], class_="stub"))
    return "".join(out)


def blob(centers: Sequence[Point], radius: float, class_: str, color: str = "") -> str:
    """Return the rounded outline that keeps ``radius`` from every slot of a city, filled."""
    paint = f"stroke:{color};fill:{color}" if color else ""
    if len(centers) == 1:
        return svg.circle(centers[0], radius, class_=class_, style=f"fill:{color}" if color else "")
    if len(centers) > 4:
        middle = Point(sum(p.x for p in centers) / len(centers), sum(p.y for p in centers) / len(centers))
        return svg.circle(middle, (centers[0] - middle).length + radius, class_=class_, style=paint)
    # The outline of the slots' centres, drawn twice as wide as the radius.
    return svg.element(
        "polygon",
        points=" ".join(svg.pair(p) for p in centers),
        class_=f"{class_} blob",
        style=paint,
        stroke_width=svg.number(2 * radius),
    )


def _box(centers: Sequence[Point]) -> str:
    """Return the white box around the slots of a city of several slots."""
    if len(centers) == 1:
        return ""
    return blob(centers, SLOT + 2, "city-edge") + blob(centers, SLOT, "city-box")


def token(company: str, title: str, at: Point, own: bool = False) -> str:
    """Return a station marker: a disc in the company's colour with its letters."""
    color = company_color(title, company)
    if len(company) > _MOST_LETTERS:
        company = company[: _MOST_LETTERS - 1] + "…"
    size = 15.0
    while size > 7 and text_width(company, size, bold=True) > 2 * TOKEN - 6:
        size -= 0.5
    out = svg.circle(at, TOKEN, class_="token", fill=color)
    if own:
        out += svg.circle(at, TOKEN + 1, class_="own-edge") + svg.circle(at, TOKEN + 1, class_="own")
    return out + svg.text(
        company,
        Point(at.x, at.y + size * 0.36),
        class_="bold",
        font_size=svg.number(size),
        style=f"fill:{text_color(color)}",
    )


def extra_slots(tile: Tile, tokens: Sequence[Token]) -> tuple[int, ...]:
    """Return, for each stop, the slots that tokens need beyond the printed ones; empty if none do."""
    extra = [0] * len(tile.stops)
    for place in tokens:
        if place.city < len(tile.cities):
            stop = tile.cities[place.city]
            extra[stop] = max(extra[stop], place.slot + 1 - max(1, tile.stops[stop].slots))
    return tuple(extra) if any(extra) else ()


def _town(at: Point, heading: Point, bar: bool) -> str:
    if not bar:
        return svg.circle(at, 8.5, class_="dot")
    across, along = heading.clockwise * 15.0, heading * 5.0
    points = [at - across - along, at + across - along, at + across + along, at - across + along]
    return svg.polygon(points, class_="bar")


@lru_cache(maxsize=4096)
def empty_stops(tile: Tile, rotation: int, layout: Layout, extra: tuple[int, ...] = ()) -> str:
    """Return the cities and towns of a tile without tokens."""
    bones = skeleton(tile, rotation, layout)
    out = []
    for index, stop in enumerate(tile.stops):
        if stop.kind == "town":
            out.append(_town(bones.stops[index], bones.headings[index], bones.bars[index]))
        elif stop.kind == "city":
            centers = city_slots(bones.stops[index], stop.slots + (extra[index] if extra else 0))
            slots = "".join(svg.circle(p, SLOT - 1, class_="slot") for p in centers)
            out.append(_box(centers) + slots)
    return "".join(out)


def stop_outline(
    tile: Tile, bones: Skeleton, index: int, extra: tuple[int, ...] = ()
) -> list[tuple[Point, float]]:
    """Return the circles that a stop is drawn as: slots of a city, or one circle around a town."""
    stop, at = tile.stops[index], bones.stops[index]
    if stop.kind == "city":
        return [(p, SLOT) for p in city_slots(at, stop.slots + (extra[index] if extra else 0))]
    return [(at, 12.0 if stop.kind == "town" else 9.0)]


def tokens(tile: Tile, rotation: int, layout: Layout, placed: Sequence[Token], title: str, own: str) -> str:
    """Return the tokens on a tile; those of company ``own`` have a bright ring."""
    if not placed:
        return ""
    bones = skeleton(tile, rotation, layout)
    extra = extra_slots(tile, placed)
    out = []
    for place in placed:
        if place.city >= len(tile.cities):
            continue
        stop = tile.cities[place.city]
        slots = tile.stops[stop].slots + (extra[stop] if extra else 0)
        centers = city_slots(bones.stops[stop], slots)
        at = centers[place.slot] if 0 <= place.slot < len(centers) else centers[-1]
        out.append(token(place.company, title, at, place.company == own))
    return "".join(out)

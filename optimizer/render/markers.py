"""Markers on the map: coal, steel, ports, bridges, tunnels, ferries and whatever else carries a name."""

from __future__ import annotations

from optimizer.render import svg
from optimizer.render.geometry import Point
from optimizer.render.lettering import text_width
from optimizer.render.style import WATER

_SIZE = 22.0


def _glyph(path: str, class_: str = "glyph", style: str = "") -> str:
    return svg.element("path", class_=class_, style=style, d=path)


# Drawn in a box from -11 to 11.
_GLYPHS = {
    "port": _glyph("M0,-4V8M-7,2A7,7 0 0 0 7,2M-4,-1H4M0,-8A2,2 0 0 0 0,-4A2,2 0 0 0 0,-8"),
    "bridge": _glyph("M-9,4H9M-8,4A8,8 0 0 1 8,4M-4,4V-3M0,4V-4M4,4V-3"),
    "tunnel": _glyph("M-8,8V0A8,8 0 0 1 8,0V8H4V1A4,4 0 0 0 -4,1V8Z", "solid"),
    "trajekt": _glyph("M-8,3H8L5,8H-5ZM-4,3V-2H4V3M1,-2V-7"),
    "mine": _glyph("M-6,7L6,-5M6,7L-6,-5M-8,-2A8,8 0 0 1 0,-7M8,-2A8,8 0 0 0 0,-7"),
    "white_wooden_cube": _glyph("M-7,-3L0,-7L7,-3V4L0,8L-7,4ZM-7,-3L0,1L7,-3M0,1V8"),
}
_DISCS = {"K": ("#1c1c1c", "Coal"), "S": ("#51677d", "Steel")}

_TITLES = {
    "port": "Port",
    "bridge": "Bridge",
    "tunnel": "Tunnel",
    "trajekt": "Ferry",
    "mine": "Mine",
    "white_wooden_cube": "Marker cube",
    "ERh": "Eastern Ruhr",
    "RGE": "Rheingold Express",
}

_WAVES = _glyph("M-9,-2C-6,-6 -3,2 0,-2S6,2 9,-2M-9,4C-6,0 -3,8 0,4S6,8 9,4", style=f"stroke:{WATER}")
_PEAKS = _glyph("M-10,6L-3,-6L1,1L4,-4L10,6Z", "solid", "fill:#7a4a1d")
TERRAIN_GLYPHS = {"water": _WAVES, "river": _WAVES, "lake": _WAVES, "mountain": _PEAKS, "hill": _PEAKS}


def marker_title(name: str) -> str:
    """Return what a marker is, in words."""
    if name in _DISCS:
        return _DISCS[name][1]
    return _TITLES.get(name, name)


def marker(name: str, at: Point) -> str:
    """Return one marker: a picture where there is one, else its name in a box."""
    title = svg.element("title", svg.escape(marker_title(name)))
    if name in _DISCS:
        body = svg.circle(Point(0, 0), _SIZE / 2 - 0.5, class_="marker", style=f"fill:{_DISCS[name][0]}")
        body += svg.text(name, Point(0, 5), class_="small bold white-text")
    else:
        body = svg.element("rect", x=-11.0, y=-11.0, width=_SIZE, height=_SIZE, rx=4.0, class_="marker")
        if name in _GLYPHS:
            body += _GLYPHS[name]
        else:
            size = min(11.0, 11.0 * 19 / max(text_width(name, 11.0, bold=True), 1.0))
            body += svg.text(name, Point(0, size * 0.36), class_="bold", font_size=svg.number(size))
    return svg.group([title, body], class_="mark", data_marker=name, transform=svg.translate(at))


def marker_row(names: tuple[str, ...], at: Point) -> str:
    """Return markers side by side around a place."""
    first = at.x - (len(names) - 1) * (_SIZE + 2) / 2
    return "".join(marker(name, Point(first + i * (_SIZE + 2), at.y)) for i, name in enumerate(names))

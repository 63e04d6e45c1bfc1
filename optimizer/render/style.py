"""Colours and the style sheet of the pictures."""

from __future__ import annotations

import colorsys
import hashlib
import json
from functools import cache
from importlib import resources

FONTS = "'DejaVu Sans', Verdana, 'Liberation Sans', Arial, sans-serif"

TILE_COLORS = {
    "white": "#f3ecd9",
    "yellow": "#ffe04a",
    "green": "#83c96b",
    "brown": "#cf9560",
    "gray": "#c2c5ca",
    "red": "#e8705f",
    "blue": "#a9d4f2",
    "orange": "#f5ad56",
    "sepia": "#c9b48a",
    "purple": "#b59ad6",
    "black": "#5a5a5a",
    "diesel": "#8d99b5",
}
INK = "#16161a"
WATER = "#2f7fc4"
WALL = "#a3142b"

# Colours of routes: told apart by people with any kind of colour sight, and from every tile colour.
ROUTE_COLORS = ("#d6007a", "#0059d6", "#00857a", "#e65100", "#6a1fb8", "#7a4a00", "#00a3e0", "#4b5d00")


def route_color(index: int) -> str:
    """Return the colour of a run's ``index``-th route."""
    return ROUTE_COLORS[index % len(ROUTE_COLORS)]


def tile_class(color: str) -> str:
    """Return the class of a tile colour; unknown colours are drawn as white."""
    return f"c-{color}" if color in TILE_COLORS else "c-white"


@cache
def _company_colors() -> dict[str, dict[str, str]]:
    text = (resources.files("optimizer.render") / "data" / "companies.json").read_text(encoding="utf-8")
    table: dict[str, dict[str, str]] = json.loads(text)
    return table


def company_color(title: str, company: str) -> str:
    """Return a company's colour as ``#rrggbb``: the title's own, or one made from the name."""
    own = _company_colors().get(title.lower(), {}).get(company)
    if own:
        return own
    digest = hashlib.sha256(company.encode()).digest()
    red, green, blue = colorsys.hls_to_rgb(digest[0] / 256, 0.32 + digest[1] / 1600, 0.55 + digest[2] / 1000)
    return "#" + "".join(f"{round(part * 255):02x}" for part in (red, green, blue))


def luminance(color: str) -> float:
    """Return the relative luminance of ``#rrggbb``, from 0 (black) to 1, as WCAG defines it."""
    parts = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, from 1 to 21, as WCAG defines it."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def text_color(background: str) -> str:
    """Return black or white, whichever reads better on a colour."""
    return "#ffffff" if contrast("#ffffff", background) >= contrast("#000000", background) else "#000000"


def style_sheet() -> str:
    """Return the style sheet: every rule is bound to the class ``rheingold`` of the drawing."""
    fills = [(f".c-{name}", f"fill:{color}") for name, color in TILE_COLORS.items()]
    rules: list[tuple[str, str]] = [
        ("text", f"font-family:{FONTS};fill:{INK};text-anchor:middle;dominant-baseline:auto"),
        (".hex", f"stroke:{INK};stroke-width:1.6;stroke-linejoin:round"),
        *fills,
        (".track", f"fill:none;stroke:{INK};stroke-width:10"),
        (".casing", "fill:none;stroke:#fff;stroke-width:14;stroke-opacity:.75"),
        (".arrow", f"fill:{INK};stroke:#fff;stroke-width:2;stroke-opacity:.75"),
        (".narrow", f"fill:none;stroke:{INK};stroke-width:8;stroke-dasharray:9 5"),
        (".ferry", f"fill:none;stroke:{WATER};stroke-width:8;stroke-dasharray:7 4"),
        (".stub", "fill:none;stroke:#6b6b70;stroke-width:8"),
        (".river", f"fill:none;stroke:{WATER};stroke-width:11;stroke-linecap:round;stroke-opacity:.85"),
        (".wall", f"fill:none;stroke:{WALL};stroke-width:9;stroke-linecap:round"),
        (".mountain", "fill:none;stroke:#7a4a1d;stroke-width:9;stroke-linecap:round"),
        (".blob", "stroke-linecap:round;stroke-linejoin:round"),
        (".city-edge", f"fill:{INK};stroke:{INK}"),
        (".city-box", "fill:#fff;stroke:#fff"),
        (".slot", f"fill:#fff;stroke:{INK};stroke-width:1.6"),
        (".token", f"stroke:{INK};stroke-width:1.6"),
        (".own", "fill:none;stroke:#ffd400;stroke-width:4"),
        (".own-edge", f"fill:none;stroke:{INK};stroke-width:6"),
        (".bar,.dot", f"fill:{INK};stroke:#fff;stroke-width:2.5"),
        (".figure", f"fill:#fff;stroke:{INK};stroke-width:1.6"),
        (".now", f"stroke:{INK};stroke-width:3.5"),
        (".cell", f"stroke:{INK};stroke-width:1"),
        (".money", "font-size:15px;font-weight:bold"),
        (".small", "font-size:13px"),
        (".label", "font-size:22px;font-weight:bold"),
        (".name", "font-size:14.5px"),
        (".coordinate", "font-size:11px;fill:#4a4a50"),
        (".tile-number", "font-size:10px;fill:#3c3c42"),
        (".halo", "paint-order:stroke;stroke:#fff;stroke-opacity:.8;stroke-width:3.5;stroke-linejoin:round"),
        (".marker", f"fill:#fffdf5;stroke:{INK};stroke-width:1.3"),
        (".glyph", f"fill:none;stroke:{INK};stroke-width:2;stroke-linecap:round;stroke-linejoin:round"),
        (".solid", f"fill:{INK};stroke:none"),
        (".white-text", "fill:#fff"),
        (".route", "fill:none;stroke-width:6.5;stroke-linejoin:round;stroke-linecap:round"),
        (".route-edge", "fill:none;stroke:#fff;stroke-width:10.5;stroke-linejoin:round;stroke-linecap:round"),
        (".unpaid", "opacity:.4"),
        (".guess", "stroke-dasharray:4 9"),
        (".left", "text-anchor:start"),
        (".right", "text-anchor:end"),
        (".bold", "font-weight:bold"),
        (".paper", "fill:#fff"),
        (".legend-line", "stroke:#c9c9cf;stroke-width:1"),
    ]
    return "".join(
        f"{','.join('.rheingold ' + name for name in names.split(','))}{{{body}}}" for names, body in rules
    )

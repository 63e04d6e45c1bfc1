"""Pictures as PNG: rasterized by resvg with the fonts that come with the package."""

from __future__ import annotations

from importlib import resources

FONT_FILES = ("DejaVuSans-Subset.ttf", "DejaVuSans-Bold-Subset.ttf")
FONT_FAMILY = "DejaVu Sans"


class NoRasterizer(RuntimeError):
    """PNG was asked for, but the optional package that makes it is not installed."""


def to_png(svg: str, zoom: float = 1.0) -> bytes:
    """Return an SVG as PNG, ``zoom`` times as large. Raises NoRasterizer where resvg-py is missing."""
    try:
        import resvg_py
    except ImportError as error:
        raise NoRasterizer("PNG needs the package resvg-py: install rheingold[pictures]") from error
    folder = resources.files("optimizer.render") / "fonts"
    with resources.as_file(folder) as path:
        data = resvg_py.svg_to_bytes(
            svg_string=svg,
            zoom=zoom,
            skip_system_fonts=True,
            font_files=[str(path / name) for name in FONT_FILES],
            font_family=FONT_FAMILY,
            sans_serif_family=FONT_FAMILY,
        )
    return bytes(data)

"""Writing SVG: numbers, text, elements. Everything returns text; the same input gives the same bytes."""

from __future__ import annotations

from collections.abc import Iterable

from optimizer.render.geometry import Curve, Point


def number(value: float) -> str:
    """Return a coordinate with at most one decimal, without a needless zero or sign."""
    text = f"{value:.1f}"
    if text.endswith(".0"):
        text = text[:-2]
    return "0" if text == "-0" else text


def pair(point: Point) -> str:
    """Return a point as ``x,y``."""
    return f"{number(point.x)},{number(point.y)}"


def escape(text: str) -> str:
    """Return text as it may stand in an element or an attribute; control characters are dropped."""
    clean = "".join(c for c in text if c >= " " or c in "\t\n")
    for raw, safe in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        clean = clean.replace(raw, safe)
    return clean


def attributes(values: dict[str, str | float | None]) -> str:
    """Return attributes with a leading space each; None and empty ones are left out.

    Underscores become hyphens, a trailing one is dropped (``class_``).
    """
    out = []
    for name, value in values.items():
        if value is None or value == "":
            continue
        text = escape(value) if isinstance(value, str) else number(value)
        out.append(f' {name.rstrip("_").replace("_", "-")}="{text}"')
    return "".join(out)


def element(name: str, content: str = "", /, **values: str | float | None) -> str:
    """Return an element; ``content`` must be markup already."""
    head = f"<{name}{attributes(values)}"
    return f"{head}>{content}</{name}>" if content else f"{head}/>"


def group(parts: Iterable[str], **values: str | float | None) -> str:
    """Return a group of parts, or nothing if there are none."""
    content = "".join(parts)
    return element("g", content, **values) if content else ""


def translate(point: Point) -> str:
    """Return the transform that moves the origin to a point."""
    return f"translate({pair(point)})"


def polygon(points: Iterable[Point], **values: str | float | None) -> str:
    """Return a filled outline."""
    return element("polygon", points=" ".join(pair(p) for p in points), **values)


def circle(center: Point, radius: float, **values: str | float | None) -> str:
    """Return a circle."""
    return element("circle", cx=number(center.x), cy=number(center.y), r=number(radius), **values)


def rect(center: Point, width: float, height: float, **values: str | float | None) -> str:
    """Return a rectangle around its centre."""
    return element(
        "rect",
        x=number(center.x - width / 2),
        y=number(center.y - height / 2),
        width=number(width),
        height=number(height),
        **values,
    )


def text(content: str, at: Point, **values: str | float | None) -> str:
    """Return a line of text; classes of the style sheet centre it."""
    return element("text", escape(content), x=number(at.x), y=number(at.y), **values)


def path_data(curves: Iterable[Curve]) -> str:
    """Return consecutive curves as path data; gaps between them are closed with lines."""
    out: list[str] = []
    last = ""
    for curve in curves:
        start, end = pair(curve.start), pair(curve.end)
        if not out:
            out.append(f"M{start}")
        elif start != last:
            out.append(f"L{start}")
        if curve.center is None:
            out.append(f"L{end}")
        else:
            r = number(curve.radius)
            out.append(f"A{r},{r} 0 0 {int(curve.clockwise)} {end}")
        last = end
    return "".join(out)


def path(curves: Iterable[Curve], **values: str | float | None) -> str:
    """Return an unfilled path along curves."""
    return element("path", d=path_data(curves), **values)

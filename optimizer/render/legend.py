"""The legend below a map: each train's colour, stops with what they paid, bonuses, total; and the verdict."""

from __future__ import annotations

from collections.abc import Mapping

from optimizer.evaluation.report import Evaluation, RouteEvaluation, StopPay
from optimizer.model.position import Position
from optimizer.render import svg
from optimizer.render.geometry import Point
from optimizer.render.lettering import text_width, wrap
from optimizer.render.trains import train_color, train_name

_SIZE = 14.0
_LINE = 20.0
_PAD = 12.0


def stop_words(locations: Mapping[str, str], stop: StopPay) -> str:
    """Return a visited stop and what it paid, such as ``F9 Düsseldorf 60``."""
    name = locations.get(stop.hex, "")
    place = f"{stop.hex} {name}" if name else stop.hex
    if stop.merged:
        return f"{place} (ferry)"
    return f"{place} {stop.amount}" if stop.paid and stop.counted else f"{place} –"


def route_words(position: Position, route: RouteEvaluation) -> list[str]:
    """Return a route as words to be set one after the other: stops, bonuses, faults."""
    words = [stop_words(position.board.locations, stop) for stop in route.stops]
    words = [word + " ·" for word in words[:-1]] + words[-1:]
    words += [f"+ {bonus.name} {bonus.amount}" for bonus in route.bonuses if bonus.amount]
    return words + [f"not legal: {fault.message}" for fault in route.faults]


def run_words(evaluation: Evaluation) -> list[str]:
    """Return what is said of all routes together: bonuses of the whole run, faults of the set."""
    words = [
        f"+ {bonus.name} {bonus.amount} for the whole run" for bonus in evaluation.bonuses if bonus.amount
    ]
    return words + [f"not legal: {fault.message}" for fault in evaluation.faults if fault.route < 0]


def verdict_words(revenue: int, bound: int | None, proven: bool | None) -> str:
    """Return how far a revenue can be trusted, in words."""
    if proven is None:
        return f"{revenue}"
    if proven:
        return f"{revenue}, proven best"
    return f"{revenue}, at most {bound}" if bound is not None else f"{revenue}, not proven"


def legend(
    position: Position, evaluation: Evaluation, heading: str, width: float, unit: float
) -> tuple[str, float]:
    """Return the legend as markup with its upper left corner at the origin, and its height.

    ``width``: what is available, in drawing units; ``unit``: drawing units per pixel.
    """
    size, line, pad = _SIZE * unit, _LINE * unit, _PAD * unit
    font = svg.number(size)
    names = [train_name(position, route.train) for route in evaluation.routes]
    name_width = max((text_width(name, size, bold=True) for name in names), default=0.0)
    head_width = pad + 38.0 * unit + name_width + text_width("0000", size, bold=True)
    y = pad + size
    out = [svg.text(heading, Point(pad, y), class_="left bold", font_size=svg.number(size * 1.1))]
    for index, route in enumerate(evaluation.routes):
        y += line * 1.35
        paint = f"fill:{train_color(position, route.train, index)}"
        swatch = Point(pad + 9 * unit, y - size * 0.35)
        rows = [
            svg.rect(swatch, 18 * unit, 8 * unit, rx=3 * unit, style=paint),
            svg.text(names[index], Point(pad + 26 * unit, y), class_="left bold", font_size=font),
            svg.text(str(route.revenue), Point(head_width, y), class_="right bold", font_size=font),
        ]
        parts = route_words(position, route)
        left = head_width + 12 * unit
        for count, indices in enumerate(wrap(parts, width - left - pad, size)):
            if count:
                y += line
            content = " ".join(parts[i] for i in indices)
            rows.append(svg.text(content, Point(left, y), class_="left", font_size=font))
        out.append(svg.group(rows, class_="legend-route", data_train=route.train))
    for words in run_words(evaluation):
        y += line * 1.35
        out.append(svg.text(words, Point(pad, y), class_="left", font_size=font))
    if not evaluation.routes:
        y += line * 1.35
        out.append(svg.text("no routes", Point(pad, y), class_="left", font_size=font))
    return "".join(out), y + pad


def least_width(evaluation: Evaluation, heading: str, unit: float) -> float:
    """Return a width in drawing units that lets the legend breathe."""
    size = _SIZE * unit
    head = text_width(heading, size * 1.1, bold=True) + 2 * _PAD * unit
    return max(head, 560.0 * unit if evaluation.routes else 240.0 * unit)

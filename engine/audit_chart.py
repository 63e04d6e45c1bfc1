"""The chart of the audit page: money missed in each round, stacked by player."""

from __future__ import annotations

from collections.abc import Sequence

from engine.audit_page_style import player_color
from optimizer.render.svg import element, escape, number

_STEP, _BAR, _HEIGHT, _LEFT, _TOP = 34, 24, 150, 44, 12

# A round's name and what each player missed in it, in the order of the seats.
ChartRow = tuple[str, Sequence[int]]


def missed_chart(players: Sequence[str], rounds: Sequence[ChartRow]) -> str:
    """Return the chart as a figure; its label says in words what it shows."""
    most = max((sum(missed) for _, missed in rounds), default=0) or 1
    parts = [_scale(share, most, len(rounds)) for share in (0, 0.5, 1)]
    for index, (name, missed) in enumerate(rounds):
        x = _LEFT + index * _STEP + (_STEP - _BAR) // 2
        parts.append(_bar(players, name, missed, most, x))
        middle, y = number(x + _BAR / 2), str(_TOP + _HEIGHT + 18)
        parts.append(element("text", escape(name.removeprefix("OR ")), x=middle, y=y, class_="axis mid"))
    words = ", ".join(f"{name} {sum(missed)}" for name, missed in rounds)
    width, height = _LEFT + _STEP * len(rounds) + 8, _TOP + _HEIGHT + 28
    drawing = element(
        "svg",
        "".join(parts),
        viewBox=f"0 0 {width} {height}",
        width=str(width),
        height=str(height),
        role="img",
        aria_label=f"Bar chart of money missed in each round: {words}",
        class_="chart",
    )
    label = "Chart of money missed"
    scroll = element("div", drawing, class_="scroll", tabindex="0", role="region", aria_label=label)
    caption = "Money missed in each operating round; colours as in the table of players"
    return element("figure", scroll + element("figcaption", caption), class_="missed-chart")


def _scale(share: float, most: int, rounds: int) -> str:
    y = number(_TOP + _HEIGHT * (1 - share))
    line = element("line", x1=str(_LEFT), x2=str(_LEFT + _STEP * rounds), y1=y, y2=y, class_="grid")
    return line + element("text", str(round(most * share)), x=str(_LEFT - 6), y=y, dy="4", class_="axis end")


def _bar(players: Sequence[str], name: str, missed: Sequence[int], most: int, x: int) -> str:
    base = float(_TOP + _HEIGHT)
    parts = []
    for seat, (player, amount) in enumerate(zip(players, missed, strict=True)):
        if not amount:
            continue
        tall = _HEIGHT * amount / most
        base -= tall
        hint = element("title", escape(f"{name}, {player}: {amount} missed"))
        box = {"x": str(x), "y": number(base), "width": str(_BAR), "height": number(tall)}
        parts.append(element("rect", hint, **box, style=f"fill:{player_color(seat)}"))
    return "".join(parts)

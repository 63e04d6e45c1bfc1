"""PNG pictures, with their text: without a font resvg leaves text out and says nothing."""

from __future__ import annotations

import struct

import pytest

from optimizer.render import render, svg
from optimizer.titles.loader import TITLE_NAMES, load_title
from tests.render.boards import position

pytest.importorskip("resvg_py", reason="PNG needs resvg-py (the extra 'pictures')")

from optimizer.render.png import FONT_FAMILY, to_png


def lone_text(text: str, weight: str = "normal") -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30">'
        f'<text x="4" y="20" font-family="\'{FONT_FAMILY}\'" font-weight="{weight}">{text}</text></svg>'
    )


def test_a_png_has_the_size_of_its_drawing() -> None:
    data = to_png(lone_text("x"), zoom=2)
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", data[16:24]) == (180, 60)


@pytest.mark.parametrize("weight", ["normal", "bold"])
def test_text_is_really_there(weight: str) -> None:
    empty = to_png(lone_text(""))
    pictures = [to_png(lone_text(text, weight)) for text in ("Köln", "Köin", "Łódź", "80 – 100")]
    # Neither nothing nor boxes in place of letters: every text has a picture of its own.
    assert len({empty, *pictures}) == 5
    assert to_png(lone_text("Köln", "bold")) != to_png(lone_text("Köln"))


def test_the_text_of_a_map_is_really_there() -> None:
    svg = render(position())
    assert ">Middletown<" in svg
    assert to_png(svg) != to_png(svg.replace(">Middletown<", "><"))
    assert to_png(svg) == to_png(svg)


def test_the_fonts_have_every_letter_of_the_maps() -> None:
    names = [name for title in TITLE_NAMES for name in load_title(title).board.locations.values()]
    letters = {letter for name in names for letter in name if letter != " "}
    assert "₽" in letters
    unknown = {to_png(lone_text("\ue000")), to_png(lone_text(""))}
    for letter in letters:
        assert to_png(lone_text(svg.escape(letter))) not in unknown, letter

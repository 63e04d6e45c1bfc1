"""Whole pictures: bytes, structure, names, options."""

from __future__ import annotations

import dataclasses
import os
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from optimizer.evaluation.report import Evaluation, Fault
from optimizer.model.grid import Layout
from optimizer.render import Options, Symbols, render
from optimizer.render.style import TILE_COLORS, company_color, contrast, text_color
from optimizer.solution import Solution
from tests.render.boards import position, run

GOLDEN = Path(__file__).parent / "golden"
SVG = "{http://www.w3.org/2000/svg}"


def solution(layout: Layout = "flat", proven: bool = True) -> Solution:
    evaluation = run(position(layout))
    return Solution((), 85, 85 if proven else 120, proven, breakdown=evaluation)


@pytest.mark.parametrize("layout", ["flat", "pointy"])
@pytest.mark.parametrize("routes", [True, False])
def test_pictures_are_the_same_to_the_byte(layout: Layout, routes: bool) -> None:
    """To accept a changed drawing: look at it, then run with UPDATE_GOLDEN=1."""
    svg = render(position(layout), solution(layout) if routes else None)
    file = GOLDEN / f"{layout}-{'routes' if routes else 'map'}.svg"
    if os.environ.get("UPDATE_GOLDEN") == "1":
        file.write_text(svg + "\n", encoding="utf-8")
    assert svg + "\n" == file.read_text(encoding="utf-8")
    assert render(position(layout), solution(layout) if routes else None) == svg


def test_every_layer_and_hex_is_a_named_group() -> None:
    root = ET.fromstring(render(position(), solution()))
    groups = {node.get("id"): node for node in root.iter(f"{SVG}g") if node.get("id")}
    assert {"ground", "track", "routes", "stops", "writing", "legend", "route-0"} <= set(groups)
    for layer in ("ground", "track", "stops", "writing"):
        for hex_id in position().board.printed:
            if f"{layer}-{hex_id}" in groups:
                assert groups[f"{layer}-{hex_id}"].get("data-hex") == hex_id
    assert [node.get("id") for node in root if node.tag == f"{SVG}g"] == [
        "ground", "track", "routes", "stops", "writing", "legend",
    ]  # fmt: skip


def test_ids_are_unique_and_take_the_prefix() -> None:
    svg = render(position(), solution(), Options(prefix="p7-"))
    ids = re.findall(r' id="([^"]+)"', svg)
    assert len(ids) == len(set(ids))
    assert all(name.startswith("p7-") for name in ids)


def test_names_from_outside_are_escaped() -> None:
    svg = render(position())
    assert "The &lt;North&gt;" in svg
    ET.fromstring(svg)
    of = position()
    odd = of.replace(company='A"<&B', hexes=((of.hexes[0][0], of.hexes[0][1]),))
    ET.fromstring(render(odd, solution()))


def test_the_picture_has_a_title_and_a_description() -> None:
    root = ET.fromstring(render(position(), solution()))
    assert root.get("role") == "img"
    names = root.get("aria-labelledby", "").split()
    texts = [next(node.text for node in root if node.get("id") == name) for name in names]
    assert "85, proven best" in (texts[0] or "")
    assert "Train 3 for 85" in (texts[1] or "")


def test_tokens_have_the_company_s_colour_and_the_own_ones_a_ring() -> None:
    svg = render(position())
    assert svg.count('class="own"') == 1
    assert company_color("", "AB") in svg
    assert ">CDE<" in svg


def test_a_token_beyond_the_printed_slots_gets_a_slot() -> None:
    of = position()
    hex_id, state = of.hexes[0]
    more = dataclasses.replace(state, tokens=(*state.tokens, dataclasses.replace(state.tokens[0], slot=2)))
    svg = render(of.replace(hexes=((hex_id, more),)))
    assert svg.count('class="slot"') == 3
    assert svg.count('class="token"') == 3


def test_cropping_leaves_out_what_is_far_from_the_routes() -> None:
    of = position()
    first, middle, last = of.board.printed
    whole = render(of, None, Options(crop_to=(first,)))
    cropped = render(of, None, Options(crop=True, crop_to=(first,)))
    assert f'"ground-{last}"' in whole
    assert f'"ground-{last}"' not in cropped
    assert f'"ground-{middle}"' in cropped
    # Without routes, the company's tokens are what matters: here the middle hex and its neighbours.
    assert f'"ground-{last}"' in render(of, None, Options(crop=True))


def test_legend_coordinates_and_numbers_can_be_left_out() -> None:
    options = Options(legend=False, coordinates=False, tile_numbers=False)
    svg = render(position(), solution(), options)
    assert "legend-route" not in svg
    assert '"coordinate"' not in svg
    assert ">14<" not in svg
    assert ">14<" in render(position())


def test_an_open_search_shows_its_bound() -> None:
    assert "85, at most 120" in render(position(), solution(proven=False))


def test_a_solution_without_breakdown_is_refused() -> None:
    with pytest.raises(ValueError, match="no breakdown"):
        render(position(), dataclasses.replace(solution(), breakdown=None))


def test_illegal_routes_say_so() -> None:
    good = run(position())
    fault = Fault("too_long", "counts 4 stops, too many for a 3-train", 0, "3-0")
    bad = Evaluation(85, (dataclasses.replace(good.routes[0], faults=(fault,)),), (fault,))
    svg = render(position(), bad)
    assert "not legal: counts 4 stops" in svg


def test_pictures_of_one_page_share_their_symbols() -> None:
    symbols = Symbols()
    one = render(position(), solution(), Options(symbols=symbols, legend=False))
    count = len(symbols.definitions())
    two = render(position(), None, Options(symbols=symbols, legend=False))
    assert len(symbols.definitions()) == count, "the second picture needs nothing new"
    assert "<style" not in one + two
    assert " id=" not in one + two
    shared = symbols.definitions()
    used = set(re.findall(r'href="#([^"]+)"', one + two + shared))
    assert used == set(re.findall(r'<g id="([^"]+)"', shared))
    # A reference does not see its surroundings, so every symbol bears the class of the style sheet.
    assert len(re.findall(r'<g id="[^"]+" class="rheingold">', shared)) == len(used)
    assert "aria-label=" in one
    ET.fromstring(f'<page xmlns="http://www.w3.org/1999/xhtml">{symbols.definitions()}{one}{two}</page>')


def test_company_colours_come_from_the_title_or_the_name() -> None:
    assert company_color("1861", "NW") == "#000080"
    assert company_color("18Rhl", "ADR") == "#008000"
    made = company_color("1830", "PRR")
    assert re.fullmatch("#[0-9a-f]{6}", made)
    assert made == company_color("", "PRR") != company_color("", "NYC")


def test_letters_can_be_read_on_every_colour() -> None:
    backgrounds = [*TILE_COLORS.values(), *(company_color("", f"C{i}") for i in range(50))]
    assert all(contrast(text_color(color), color) >= 4.5 for color in backgrounds)

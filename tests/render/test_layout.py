"""Texts and markers keep clear of cities and of each other, and stay upright."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from optimizer.model.grid import Layout
from optimizer.model.tile import Tile
from optimizer.render.decor import writing
from optimizer.render.layout import Places, arrange, revenue_stops
from optimizer.render.lettering import split_name, text_width, wrap
from optimizer.render.parts import stop_outline
from optimizer.render.stops import skeleton
from optimizer.titles.loader import TITLE_NAMES, load_title, standard_tiles

NAMES = ("", "Bonn", "Nizhnii Novgorod")


def placed(title: str) -> Iterator[tuple[Tile, int, Layout, Places]]:
    """Every tile of a title at two rotations, with names and markers; and the printed map."""
    data = load_title(title)
    for index, tile in enumerate(data.tiles.values()):
        for rotation in (index % 6, (index + 1) % 6):
            name = NAMES[index % 3] if tile.stops else ""
            yield tile, rotation, data.layout, arrange(tile, rotation, data.layout, "M12", name, index % 3)
    for hex_id, tile in data.board.printed.items():
        name = data.board.locations.get(hex_id, "")
        yield tile, 0, data.layout, arrange(tile, 0, data.layout, hex_id, name, len(tile.icons))


@pytest.mark.parametrize("title", TITLE_NAMES)
def test_nothing_written_overlaps_a_city(title: str) -> None:
    for tile, rotation, layout, places in placed(title):
        bones = skeleton(tile, rotation, layout)
        for index, stop in enumerate(tile.stops):
            for at, radius in stop_outline(tile, bones, index) if stop.kind == "city" else ():
                for key, place in places.at.items():
                    width, height = places.sizes[key]
                    gap_x = max(abs(place.x - at.x) - width / 2, 0)
                    gap_y = max(abs(place.y - at.y) - height / 2, 0)
                    assert (gap_x**2 + gap_y**2) ** 0.5 > radius - 0.5, (tile.name, rotation, key)


@pytest.mark.parametrize("title", TITLE_NAMES)
def test_nothing_written_overlaps_another_text(title: str) -> None:
    for tile, rotation, _, places in placed(title):
        keys = list(places.at)
        for i, one in enumerate(keys):
            for other in keys[i + 1 :]:
                a, b = places.at[one], places.at[other]
                over_x = (places.sizes[one][0] + places.sizes[other][0]) / 2 - abs(a.x - b.x)
                over_y = (places.sizes[one][1] + places.sizes[other][1]) / 2 - abs(a.y - b.y)
                assert min(over_x, over_y) <= 1, (tile.name, rotation, one, other)


def test_text_stays_upright_on_rotated_tiles() -> None:
    # Rotation only changes where things lie: nothing is written with a rotating transform.
    tile = load_title("1861").tiles["635"]
    for rotation in range(6):
        markup = writing(tile, rotation, "flat", "D14", "Kiev", (), ("port",), ())
        assert "rotate" not in markup
        assert ">Kiev<" in markup
        assert ">K<" in markup


def test_one_figure_is_written_for_stops_that_pay_the_same() -> None:
    tiles = standard_tiles()
    assert revenue_stops(tiles["59"]) == (0,)  # two cities of 40
    assert len(revenue_stops(load_title("18Rhl").tiles["935"])) == 2  # a city and a town


def test_the_current_figure_of_an_offboard_is_marked() -> None:
    printed = load_title("18Rhl").board.printed["L11"]  # yellow 30, brown 70
    early = writing(printed, 0, "pointy", "L11", "Basel", ("yellow", "green"), (), ())
    late = writing(printed, 0, "pointy", "L11", "Basel", ("yellow", "green", "brown"), (), ())
    assert 'class="c-yellow now"' in early
    assert 'class="c-brown cell"' in early
    assert 'class="c-brown now"' in late
    assert 'class="c-yellow cell"' in late
    for markup in (early, late):
        assert ">30<" in markup
        assert ">70<" in markup


def test_a_hidden_offboard_writes_no_figures() -> None:
    assert revenue_stops(load_title("1861").board.printed["A11"]) == ()


def test_terrain_labels_markers_and_numbers_are_written() -> None:
    data = load_title("1856")
    hamilton = writing(data.board.printed["L15"], 0, "flat", "L15", "Hamilton", (), ("WR",), ())
    for part in (">40<", ">OO<", ">Hamilton<", 'data-marker="WR"', ">L15<"):
        assert part in hamilton
    assert ">14<" in writing(data.tiles["14"], 3, "flat", "F17", "", (), (), ())
    assert ">14<" not in writing(data.tiles["14"], 3, "flat", "F17", "", (), (), (), True, False)
    assert ">F17<" not in writing(data.tiles["14"], 3, "flat", "F17", "", (), (), (), False)
    assert ">Bar<" in writing(data.board.printed["M4"], 0, "flat", "M4", "Barrie", (), (), ())


def test_long_names_are_split_at_the_best_place() -> None:
    assert split_name("Bonn", 100, 14) == ("Bonn",)
    assert split_name("St. Petersburg am Meer", 100, 14) == ("St. Petersburg", "am Meer")
    assert split_name("Ekaterinoslavlgrad", 50, 14) == ("Ekaterinoslavlgrad",)


def test_text_widths_follow_the_font() -> None:
    # DejaVu Sans: i is 278 and m 974 thousandths wide; an accent does not change a letter's width.
    assert text_width("im", 10) == pytest.approx(12.52)
    assert text_width("ü", 10) == text_width("u", 10)
    assert text_width("A", 10, bold=True) > text_width("A", 10)


def test_words_wrap_without_getting_lost() -> None:
    words = ["one", "two", "three", "a-very-long-word-indeed", "x"]
    lines = wrap(words, 60, 10)
    assert [index for line in lines for index in line] == [0, 1, 2, 3, 4]
    assert [3] in lines

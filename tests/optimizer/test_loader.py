"""The titles' printed material."""

from __future__ import annotations

import pytest

from optimizer.titles import TITLE_NAMES, UnknownTitle, load_title
from optimizer.titles.loader import UNLIMITED, known_optional_rules


def test_titles() -> None:
    assert TITLE_NAMES == ("1861", "1867", "1856", "18Rhl")


@pytest.mark.parametrize(
    # Numbers of hexes on the maps; layouts by common 6.1.
    ("title", "hexes", "layout"),
    [("1861", 144, "flat"), ("1867", 94, "flat"), ("1856", 100, "flat"), ("18Rhl", 89, "pointy")],
)
def test_maps(title: str, hexes: int, layout: str) -> None:
    data = load_title(title)
    assert (len(data.board.printed), data.layout) == (hexes, layout)
    assert set(data.board.neighbors) == set(data.board.printed)


def test_names_are_found_in_any_case_and_cached() -> None:
    assert load_title("18RHL") is load_title("18rhl")
    assert load_title("18Rhl", ["ratingen_variant"]) is load_title("18Rhl", ("ratingen_variant",))


def test_unknown_names_tell_what_is_known() -> None:
    with pytest.raises(UnknownTitle, match=r"1830.*known are 1861, 1867, 1856, 18Rhl"):
        load_title("1830")
    with pytest.raises(UnknownTitle, match="1861 has no optional rule 'fast'; it has column_market"):
        load_title("1861", ["fast"])


@pytest.mark.parametrize("title", TITLE_NAMES)
def test_neighbours_are_mutual(title: str) -> None:
    near = load_title(title).board.neighbors
    assert all(
        near[other][(side + 3) % 6] == hex_id for hex_id in near for side, other in near[hex_id].items()
    )


def test_the_river_of_18rhl_stops_track() -> None:
    # 18rhl 5: B5 has river edges 3 and 4; G8 is defined twice, the one with a river edge on 4 counts.
    near = load_title("18Rhl").board.neighbors
    assert {3, 4}.isdisjoint(near["B5"])
    assert 4 not in near["G8"]


def test_eight_train_variant_of_1856() -> None:
    usual, variant = load_title("1856"), load_title("1856", ["eight_train_variant"])
    assert [phase.name for phase in usual.phases] == ["2", "3", "4", "5", "6", "D"]
    assert [phase.name for phase in variant.phases] == ["2", "3", "4", "5", "6", "8"]
    assert ("D" in usual.trains, "8" in usual.trains) == (True, False)
    assert ("D" in variant.trains, "8" in variant.trains) == (False, True)
    # 1856 section 21: phase 8 has the same late figures as phase D.
    assert variant.phase("8").colors == usual.phase("D").colors


def test_promotion_tiles_of_18rhl() -> None:
    # 18rhl 17: adds 949, 950, Essen and two 932V, removes both 932.
    usual, variant = load_title("18Rhl"), load_title("18Rhl", ["promotion_tiles"])
    added = set(variant.tiles) - set(usual.tiles)
    assert added == {"949", "950", "Essen", "932V"}
    assert (usual.tile_counts["932"], variant.tile_counts["932"], variant.tile_counts["932V"]) == (2, 0, 2)


def test_ratingen_variant_of_18rhl() -> None:
    # 18rhl 17: E10 becomes a city hex; tiles 1910 and 1911 exist only here.
    usual, variant = load_title("18Rhl"), load_title("18Rhl", ["ratingen_variant"])
    assert [stop.kind for stop in usual.board.printed["E10"].stops] == []
    assert [stop.kind for stop in variant.board.printed["E10"].stops] == ["city"]
    assert set(variant.tiles) - set(usual.tiles) == {"1910", "1911"}
    assert usual.board != variant.board


def test_tile_counts() -> None:
    # 1861 section 22.11: 1867 has four of tile 15.
    counts = load_title("1867").tile_counts
    assert counts["15"] == 4
    assert all(count == UNLIMITED or 0 < count < 100 for count in counts.values())


def test_a_phase_by_name() -> None:
    data = load_title("1867")
    # 22.4: gray tiles only from phase 7.
    assert "gray" not in data.phase("6").colors
    assert "gray" in data.phase("7").colors
    with pytest.raises(KeyError):
        data.phase("9")


def test_optional_rules() -> None:
    assert known_optional_rules("1856") == (
        "alternate_destinations",
        "unlimited_bonus_tokens",
        "eight_train_variant",
    )

"""Stops by number, and what is kept from one position to the next: by identity, never mixed up."""

from __future__ import annotations

import dataclasses
from array import array

import pytest

from optimizer.brute import brute_force
from optimizer.model.rules import Bonus, BonusLevel, Counter, RouteRules, TrainRule
from optimizer.model.tile import End, Path, Revenue, Stop, Tile
from tests.small_maps import plain_train, small, tile

pytest.importorskip("optimizer.native.fleet")

from optimizer.graph.layout import lay_out
from optimizer.graph.shapes import SHAPES
from optimizer.graph.trains import UnsupportedRules
from optimizer.native.layout import Shape, most_flagged, unit_of
from optimizer.solve import optimize

# F2 own city - F4 town and city of two slots - F6 full city
TILES = {"F2": "c20 0A", "F4": "t10 c30x2 3A AB 0B", "F6": "c40 3A"}
TOKENS = "F2:A F4:B F6:C"


def test_stops_are_numbered_hex_by_hex() -> None:
    layout = lay_out(small(TILES, tokens=TOKENS))
    assert layout.base == {"F2": 0, "F4": 1, "F6": 3}
    assert list(layout.kinds) == [0, 1, 0, 0]  # city, town and city, city
    assert list(layout.flags) == [1, 0, 0, 2]  # own; open; half empty; full of others
    assert (layout.own, layout.odd, layout.stops) == ([0], ["F4"], 4)
    assert list(layout.figures(("yellow",), False)) == [20, 10, 30, 40]
    assert layout.stops_in({"F6", "F4", "Z9"}) == [1, 2, 3]
    assert layout.stops_of("Z9") == range(0)


def test_stops_of_hexes_in_numbers() -> None:
    layout = lay_out(small(TILES, tokens=TOKENS))
    values = layout.figures(("yellow",), False)
    assert layout.most_in(values, ("F4", "F6", "Z9")) == (40, 3)
    assert layout.most_in(values, ()) == (0, 0)
    assert most_flagged(values, bytes((4, 4, 0, 1)), 4) == 20
    assert most_flagged(values, bytes(4), 4) == 0
    assert unit_of(values, 0) == 10
    assert unit_of(values, 15) == 5
    marks = array("Q", bytes(16 * 4))
    layout.mark(marks, (("F4", 0), ("F6", 127), ("Z9", 3)), 0b010)  # towns are ignored
    assert list(marks) == [0, 0, 0, 0, 1, 0, 0, 1 << 63]
    assert layout.spread(values, ("F2", "F4"), 5) == 3
    layout.multiply(values, 2, 3, 1)
    assert list(values) == [50, 45, 70, 80]  # 25 * 2, 15 * 3, 35 * 2, 40 * 2


def test_numbers_beyond_their_room_are_refused() -> None:
    layout = lay_out(small(TILES))
    values, short = array("i", (2**30,) * 4), array("i", (1,))
    with pytest.raises(OverflowError, match="more than a stop can pay"):
        layout.multiply(values, 2, 2, 2)
    with pytest.raises(OverflowError, match="more than a stop can pay"):
        layout.spread(values, ("F2",), 2**30)
    for call in (
        lambda: layout.multiply(short, 1, 1, 1),
        lambda: layout.spread(short, ("F6",), 1),
        lambda: layout.most_in(short, ("F6",)),
        lambda: layout.mark(array("Q", (0,)), (("F6", 1),), 0),
        lambda: layout.mark(array("Q", bytes(64)), (("F6", 128),), 0),
        lambda: most_flagged(short, b"", 1),
        lambda: Shape(tile("X", "c10 0A"), (1, 0, 9, 1), (9,), (), (), (), (), (), False, ()),
    ):
        with pytest.raises(ValueError, match=r"needed|no bit|no kind"):
            call()


def test_figures_of_a_tile_follow_the_phase() -> None:
    revenue = Revenue(by_color=(("yellow", 20), ("brown", 50), ("diesel", 90)))
    printed = Tile("F2", "red", (Stop("offboard", revenue),), (Path(End(side=0), End(stop=0)),))
    position = small({"F2": "o0 0A"})
    board = dataclasses.replace(position.board, key="phases", printed={"F2": printed})
    layout = lay_out(position.replace(board=board))
    early, late = ("yellow",), ("yellow", "green", "brown")
    for _ in range(2):  # what was asked for last is kept
        assert list(layout.figures(early, False)) == [20]
        assert list(layout.figures(early, True)) == [90]
        assert list(layout.figures(late, False)) == [50]
        assert list(layout.figures((*early, "green", "brown"), False)) == [50]
        assert list(layout.figures((), False)) == [0]


def test_shapes_are_those_of_the_tile_and_its_rotation() -> None:
    tiles = [tile("X", f"c{10 * number} 0A") for number in range(1, 50)]
    assert [SHAPES.shape_of(one, 0).tile for one in tiles] == tiles
    assert SHAPES.shape_of(tiles[0], 0) is SHAPES.shape_of(tiles[0], 0)
    assert SHAPES.shape_of(tiles[0], 1) is not SHAPES.shape_of(tiles[0], 0)


def shape_figures(text: str) -> list[int]:
    """Figures of a tile that nothing else holds."""
    one: Tile = tile("X", text)
    return [one.stops[0].revenue.value(("yellow",), ""), *SHAPES.shape_of(one, 0).slots]


def test_a_tile_that_is_gone_leaves_nothing_to_the_next_one() -> None:
    assert [shape_figures(f"c{n} 0A") for n in range(500)] == [[n, 1] for n in range(500)]


def bonus_rules(amount: int, *hexes: str, closed: str = "") -> RouteRules:
    """A bonus for one of these hexes; no train may visit the closed ones."""
    level = BonusLevel((("east", 1),), amount)
    rule = TrainRule(closed_hexes=frozenset(closed.split()))
    return RouteRules((rule,), (Counter("east", frozenset(hexes)),), (Bonus("east", (level,)),))


def test_rules_that_are_gone_leave_nothing_to_the_next_ones() -> None:
    # 20 + 10 + 30 + 40 = 100 without a bonus; F6 closed: 60
    train = plain_train(4)
    for number in range(300):
        amount, closed = 10 * (number % 7), "F6" if number % 3 == 0 else ""
        rules = bonus_rules(amount, "F4" if number % 2 else "F6", closed=closed)
        solution = optimize(small(TILES, train, tokens="F2:A", rules=rules))
        earned = amount if number % 2 or not closed else 0
        assert (solution.revenue, solution.proven) == ((60 if closed else 100) + earned, True)


def test_counters_of_more_hexes_than_there_are_marks() -> None:
    elsewhere = [f"Z{number}" for number in range(200)]
    position = small(TILES, plain_train(4), tokens="F2:A", rules=bonus_rules(50, "F6", *elsewhere))
    assert brute_force(position).revenue == 150
    assert optimize(position).revenue == 150


def test_more_marks_than_there_is_room_for_are_refused() -> None:
    tiles = {f"A{2 * number}": "c10 0A" for number in range(1, 130)}
    with pytest.raises(UnsupportedRules, match="name more than 128 hexes"):
        optimize(small(tiles, plain_train(2), tokens="A2:A", rules=bonus_rules(50, *tiles)))


def test_texts_and_tuples_of_other_classes_will_do() -> None:
    class Name(str):
        __slots__ = ()

    class Colors(tuple[str, ...]):
        __slots__ = ()

    position = small(TILES, plain_train(4), tokens="F2:A")
    other = position.replace(company=Name("A"), colors=Colors(("yellow",)))
    assert optimize(other).revenue == optimize(position).revenue == 100


def test_a_tile_turned_beyond_a_full_circle_is_the_same_track() -> None:
    position = small({"F2": "c20 0A", "F4": "c30 3A"}, tokens="F2:A F4:B")
    hexes = tuple(
        (h, dataclasses.replace(state, rotation=turn))
        for (h, state), turn in zip(position.hexes, (-6, 6), strict=True)
    )
    assert optimize(position.replace(hexes=hexes)).revenue == optimize(position).revenue == 50

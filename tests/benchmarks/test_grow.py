"""The generator of hard positions and the named instances."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from benchmarks.groups import Item
from benchmarks.grow import Recipe, grow
from benchmarks.named import Known, fault, known, load
from benchmarks.recipes import recipes
from engine.errors import UnknownNameError
from engine.title import TITLES
from optimizer.model.data import PositionData
from optimizer.model.json_io import write_position
from optimizer.model.tile import rotate
from optimizer.solve import optimize
from optimizer.titles import load_title
from optimizer.titles.resolve import resolve

SOON = 0.2  # seconds


def grown(title: str, seed: int = 9, plenty: bool = False, steps: int = 1000) -> PositionData:
    last = load_title(title).phases[-1].name
    return grow(Recipe(title, seed, (last,), plenty=plenty, steps=steps))


@pytest.mark.parametrize("title", TITLES)
def test_a_recipe_gives_the_same_position_again(title: str) -> None:
    first, second = grown(title, steps=40), grown(title, steps=40)
    assert json.dumps(write_position(first)) == json.dumps(write_position(second))
    assert write_position(grown(title, seed=10, steps=40)) != write_position(first)


@pytest.mark.parametrize("title", TITLES)
def test_a_full_map_is_legal(title: str) -> None:
    data = grown(title)
    position = resolve(data)  # raises for rotations, tokens, tiles that cannot be
    printed = load_title(title)
    laid = {hex_id: one for hex_id, one in data.hexes.items() if one.tile}
    assert len(laid) > len(printed.board.printed) // 3
    used = Counter(one.tile for one in laid.values())
    assert all(used[number] <= printed.tile_counts[number] for number in used)
    for hex_id, one in laid.items():
        for side in printed.tiles[one.tile].exits:
            assert rotate(side, one.rotation) in position.board.neighbors[hex_id], f"{hex_id} leads nowhere"


@pytest.mark.parametrize("title", TITLES)
def test_a_dense_map_has_more_track(title: str) -> None:
    def exits(data: PositionData) -> int:
        tiles = load_title(title).tiles
        return sum(len(tiles[one.tile].exits) for one in data.hexes.values() if one.tile)

    assert exits(grown(title, plenty=True)) > exits(grown(title))


def test_unknown_names_are_refused() -> None:
    with pytest.raises(ValueError, match="1856 has no phase '9'; it has 2, 3, 4, 5, 6, D"):
        grow(Recipe("1856", 1, ("D",), phase="9"))
    with pytest.raises(UnknownNameError, match="no corporation 'XYZ'"):
        grow(Recipe("1856", 1, ("D",), company="XYZ"))


def test_the_instances_are_those_of_the_recipes() -> None:
    wanted = {one.name: tuple(one.trains) for one in recipes()}
    found = {name: tuple(train.name for train in one.trains) for name, one in load().items()}
    assert found == wanted


def test_what_is_known_is_possible() -> None:
    facts = known()
    assert set(facts) == set(load())
    assert all(0 < fact.revenue <= fact.bound for fact in facts.values())


def test_impossible_answers_are_told() -> None:
    facts = {"one": Known(100, 120, 1.0)}
    assert fault("one", 110, 110, facts) == ""
    assert fault("one", 130, 130, facts) == "one: found 130, but 120 was shown to be the most there is"
    assert fault("one", 90, 90, facts) == "one: bound 90, but 100 was found before"
    assert fault("two", 90, 80, facts) == "two: found 90, which is more than its own bound 80"
    item = Item("one", next(iter(load().values())), 100, 120)
    assert item.fault(110, 115) == ""
    assert item.fault(130, 130) == "one: 130 was found, but 120 is the most there is"
    assert item.fault(90, 95) == "one: the bound is 95, but 100 can be earned"


EASY = {name: fact for name, fact in known().items() if fact.proven and fact.seconds < SOON}


@pytest.mark.parametrize("name", EASY)
def test_easy_instances_have_the_known_optimum(name: str) -> None:
    solution = optimize(load()[name])
    assert (solution.revenue, solution.proven) == (EASY[name].revenue, True)

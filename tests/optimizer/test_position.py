"""Positions as values: frozen, hashable, replaceable."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from optimizer.model import Position, Route, Token, position_to_data
from optimizer.model.data import HexData, PositionData, TokenData, TrainData
from optimizer.titles import resolve


def position(**fields: Any) -> Position:
    """A position of 1861: MK in Moscow (green, 637) with a 2-train."""
    given: dict[str, Any] = {
        "title": "1861",
        "company": "MK",
        "phase": "3",
        "trains": [TrainData("2-0", "2")],
        "hexes": {
            "H8": HexData("637", 0, [TokenData(city=1, company="MK"), TokenData(city=0, company="NW")]),
            "H10": HexData("57", 1),
        },
    }
    return resolve(PositionData(**{**given, **fields}))


def test_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        position().company = "NW"  # type: ignore[misc]


def test_equal_positions_have_equal_hashes() -> None:
    assert position() == position(id="another name")
    assert hash(position()) == hash(position(id="another name"))
    assert len({position(), position(), position(company="NW")}) == 2


@pytest.mark.parametrize(
    "fields",
    [
        {"company": "NW"},
        {"phase": "4"},
        {"trains": [TrainData("3-0", "3")]},
        {"hexes": {"H10": HexData("57", 2)}},
        {"privates": ["MYR"]},
        {"optional_rules": ["column_market"]},
    ],
)
def test_whatever_matters_makes_a_difference(fields: dict[str, Any]) -> None:
    assert position(**fields) != position()


def test_order_of_hexes_and_tokens_makes_none() -> None:
    hexes = {
        "H10": HexData("57", 1),
        "H8": HexData("637", 0, [TokenData(city=0, company="NW"), TokenData(stop=1, company="MK")]),
    }
    assert position(hexes=hexes) == position()
    assert hash(position(hexes=hexes)) == hash(position())


def test_replace_leaves_the_original() -> None:
    before = position()
    after = before.replace(company="NW")
    assert (before.company, after.company) == ("MK", "NW")
    assert after.board is before.board
    assert hash(after) != hash(before)


def test_looking_at_hexes() -> None:
    found = position()
    tile, rotation = found.tile_at("H10")
    assert (tile.name, rotation) == ("57", 1)
    assert found.tile_at("H12") == (found.board.printed["H12"], 0)
    assert found.tokens_at("H8") == (Token(0, 0, "NW"), Token(1, 0, "MK"))
    assert found.tokens_at("H12") == ()


def test_back_to_data() -> None:
    found = position(id="x", privates=["MYR"], optional_rules=["column_market"])
    data = position_to_data(found)
    assert (data.title, data.privates, data.optional_rules, data.id) == (
        "1861",
        ["MYR"],
        ["column_market"],
        "x",
    )
    assert resolve(data) == found


def test_routes_name_their_stops() -> None:
    route = Route("2-0", (("H8", "H10"),), (("H8", 1), ("H10", 0)))
    assert (route.hexes, route.nodes) == (("H8", "H10"), ("H8-1", "H10-0"))

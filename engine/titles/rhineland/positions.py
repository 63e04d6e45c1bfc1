"""What routes of 18Rhl depend on beyond trains, stations and tiles (rules: 18rhl sections 14 and 15.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.corporation import Corporation
from optimizer.model.data import HexData, PositionData, TokenData
from optimizer.titles.t18rhl import COAL, LINKS, STEEL

if TYPE_CHECKING:
    from engine.game import Game

ENTRY_MARKERS = {"C14": (STEEL, COAL), "D15": (COAL, STEEL)}
"""Which marker fills which city of the Eastern Ruhr hexes."""


def complete_position(game: Game, corporation: Corporation, data: PositionData) -> None:
    """Adds the markers that fill the cities of the Eastern Ruhr, and how many links lead there."""
    for hex_id, markers in ENTRY_MARKERS.items():
        entry = data.hexes.setdefault(hex_id, HexData())
        entry.tokens = [TokenData(city=city, company=marker) for city, marker in enumerate(markers)]
    data.counters = {"eastern_ruhr_links": count_links(game)}


def count_links(game: Game) -> int:
    """How many of the four possible links to the Eastern Ruhr are built."""
    return sum(side in game.board.hex(hex_id).face.exits for hex_id, side in LINKS)

"""The table at the start: privates, the variable mine and mill, reservations (rules: 18rhl section 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.core.corporation import CorporationSpec
from optimizer.model.tile import Icon
from optimizer.titles.loader import TitleData
from optimizer.titles.t18rhl import COAL, PRINTED_MARKER, STEEL

if TYPE_CHECKING:
    from engine.game import Game

PLACEMENTS = (
    ("J3", "E6"), ("K4", "D9"), ("D9", "E6"), ("D9", "D13"), ("C12", "E6"),
    ("C12", "D9"), ("J3", "D13"), ("D11", "E6"), ("D11", "D9"),
)  # fmt: skip
"""(coal, steel) by the first random number modulo 9 (2.1)."""

TWO_HOMES = "CCE"
CLOSED_SIGN = "green_hex"  # on E12 of the Ratingen variant; the phase says when it ends


def specs(data: TitleData) -> tuple[CorporationSpec, ...]:
    """Charters in table order. The CCE's home on the charter is Krefeld; its second one is in Köln."""
    return tuple(
        CorporationSpec(_one_home(facts), capitalization="full") for facts in data.raw["corporations"]
    )


def _one_home(facts: dict[str, Any]) -> dict[str, Any]:
    homes = facts["coordinates"]
    return facts if isinstance(homes, str) else {**facts, "coordinates": homes[0], "city": 0}


def second_home(game: Game) -> tuple[str, int]:
    """(hex, city of the printed tile) of the CCE's second home."""
    facts = next(facts for facts in game.title.data.raw["corporations"] if facts["sym"] == TWO_HOMES)
    return facts["coordinates"][1], facts["city"]


def setup(game: Game) -> None:
    """Chooses the first private, places the variable mine and mill and the CCE's second reservation."""
    absent = "PWB" if "ratingen_variant" in game.title.optional_rules else "ATB"
    game.companies = tuple([company for company in game.companies if company.id != absent])
    game.entities = {key: entity for key, entity in game.entities.items() if key != ("company", absent)}
    place_markers(game)
    hex_id, city = second_home(game)
    game.board.hex(hex_id).cities[city].reserve(game.corporation(TWO_HOMES))


def place_markers(game: Game) -> None:
    """One coal mine and one steel mill on the map besides the printed ones; the game's only random number."""
    coal, steel = PLACEMENTS[game.random.draw() % len(PLACEMENTS)]
    fixed = {(hex_id, marker) for marker, hex_id in PRINTED_MARKER.items()}
    for hex_ in game.board.hexes.values():
        kept = [icon for icon in hex_.icons if icon.name not in (COAL, STEEL, CLOSED_SIGN)]
        marks = [
            Icon(marker, sticky=True)
            for marker, place in ((COAL, coal), (STEEL, steel))
            if hex_.id == place or (hex_.id, marker) in fixed
        ]
        if marks or len(kept) < len(hex_.icons):
            hex_.icons = (*kept, *marks)

"""Checks of stations that titles' maps and inline maps share."""

from __future__ import annotations

from collections.abc import Sequence

from optimizer.model.data import TokenData
from optimizer.model.faults import Faults, show
from optimizer.model.position import Token
from optimizer.model.tile import Tile


def city_of(path: str, row: TokenData, tile: Tile, faults: Faults) -> int | None:
    """Return the city that a token names (by ``city`` or ``stop``), None with a fault reported."""
    cities = tile.cities
    if (row.city is None) == (row.stop is None):
        faults.add(path, "must name its place by city (counting cities only) or by stop: one of the two")
        return None
    if row.city is not None:
        if 0 <= row.city < len(cities):
            return row.city
        count = f"{len(cities)} cit{'y' if len(cities) == 1 else 'ies'}"
        faults.add(
            f"{path}.city",
            f"tile {tile.name} has {count}, numbered from 0; there is no city {show(row.city)}",
        )
        return None
    if row.stop in cities:
        return cities.index(row.stop)
    what = ", ".join(f"{i} is a {stop.kind}" for i, stop in enumerate(tile.stops)) or "it has none"
    faults.add(f"{path}.stop", f"stop {show(row.stop)} of tile {tile.name} is no city: {what}")
    return None


def add_token(
    path: str, token: Token, tile: Tile, tokens: list[Token], faults: Faults, *, again: bool = False
) -> None:
    """Add a token to those of its hex, reporting a slot that isn't there or taken.

    A second token of its company in the city is reported, too, unless it may stand there ``again``.
    """
    slots = tile.stops[tile.cities[token.city]].slots
    if not 0 <= token.slot < slots:
        right = f"city {token.city} of tile {tile.name} has {slots} slot{'' if slots == 1 else 's'}"
        faults.add(f"{path}.slot", f"{right}, numbered from 0; there is no slot {show(token.slot)}")
    _check_free(path, token, tokens, faults, again)
    tokens.append(token)


def _check_free(path: str, token: Token, others: Sequence[Token], faults: Faults, again: bool) -> None:
    for other in others:
        if other.city != token.city:
            continue
        if other.slot == token.slot:
            faults.add(f"{path}.slot", f"slot {token.slot} of city {token.city} is taken by {other.company}")
        if other.company == token.company and not again:
            faults.add(f"{path}.company", f"{token.company} has another token in city {token.city}")

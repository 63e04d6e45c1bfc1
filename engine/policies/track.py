"""Tile laying: how many, what replaces what, what it costs (rules: common 6.4 to 6.10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.board.face import Face, Track
from engine.board.hexes import Hex
from engine.board.upgrades import keeps_stops, may_replace, replaces_in_place, useful_tracks
from engine.core.company import Company
from engine.core.corporation import Corporation
from optimizer.model.tile import Tile

if TYPE_CHECKING:
    from engine.game import Game


@dataclass(frozen=True, slots=True)
class Lay:
    """One tile lay of a turn. `upgrade`: `always`, `never`, or `first` (only if none was made before)."""

    cost: int = 0
    upgrade: str = "always"
    other_hex: bool = False


@dataclass(frozen=True, slots=True)
class TrackRules:
    """Defaults of the common machine; titles subclass and override single methods.

    `lays`: the lays of a turn in order. `towns_removable`: an upgrade may turn a town into plain track.
    `stubs_bind`: the first tile must use printed stubs. `most_exits_in_cities`: on hexes with cities only the
    tiles with the most exits of those otherwise legal.
    """

    lays: tuple[Lay, ...] = (Lay(),)
    towns_removable: bool = False
    stubs_bind: bool = False
    most_exits_in_cities: bool = False

    def next_lay(self, game: Game, corporation: Corporation, laid: int) -> Lay | None:
        """The lay that the corporation may make after `laid` others this turn."""
        return self.lays[laid] if laid < len(self.lays) else None

    def money(self, game: Game, corporation: Corporation) -> int:
        """What the corporation can pay for track."""
        return corporation.cash

    def may_replace(self, game: Game, hex_: Hex, tile: Tile, by: Corporation | Company) -> bool:
        """May this tile ever replace what lies on the hex (common 6.5)?"""
        return may_replace(hex_.piece.tile, tile, hex_.future_label, by_power=isinstance(by, Company))

    def fits(self, game: Game, hex_: Hex, new: Face) -> bool:
        """Is this rotation legal, reach aside (common 6.6, rules 1, 2 and 4 to 7)?"""
        passable = hex_.passable
        if any(passable[side] is None for side in new.exits):
            return False
        return self.stubs_used(hex_, new) and replaces_in_place(hex_.face, new)

    def stubs_used(self, hex_: Hex, new: Face) -> bool:
        stubs = hex_.piece.tile.stubs
        return not self.stubs_bind or all(stub in new.exits for stub in stubs)

    def useful_tracks(self, game: Game, old: Face, new: Face) -> tuple[Track, ...] | None:
        """The tracks of which the corporation must reach one (common 6.7); None if every lay is good."""
        if not self.towns_removable and not keeps_stops(old, new):
            return ()
        return None if not old.tracks else useful_tracks(old, new)

    def blocked(self, game: Game, hex_: Hex, by: Corporation | Company) -> Company | None:
        """The company whose power keeps `by` from building on the hex (common 3.6)."""
        for company in game.companies:
            if company is by or company.closed:
                continue
            ability = company.ability("blocks_hexes")
            if ability is not None and hex_.id in ability.hexes:
                return company
        return None

    def terrain_cost(self, game: Game, hex_: Hex, new: Face) -> int:
        """What is printed on the tile that is replaced."""
        return sum(terrain.cost for terrain in hex_.piece.tile.terrain)

    def cost(self, game: Game, hex_: Hex, new: Face) -> int:
        """Terrain and borders completed by this lay; the lay's own price comes on top."""
        borders = sum(
            border.cost
            for border in hex_.borders
            if border.cost and game.board.border_completed(hex_, border.side, new)
        )
        return self.terrain_cost(game, hex_, new) + borders

    def candidates(self, game: Game, hex_: Hex) -> Sequence[Tile]:
        """Tiles in stock and of colours in play that may be tried on the hex, in the order of the stock."""
        return game.tiles_in_play()

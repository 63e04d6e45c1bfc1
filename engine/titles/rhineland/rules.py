"""Policies of 18Rhl: shares, track, stations, trains (rules: 18rhl sections 4, 8, 9, 11)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine import shares
from engine.board.face import Face, Track
from engine.board.hexes import City, Hex
from engine.core.company import Company
from engine.core.corporation import Corporation, Player
from engine.policies.shares import ShareRules
from engine.policies.tokens import TokenRules
from engine.policies.track import TrackRules
from engine.policies.trains import TrainRules
from engine.titles.rhineland.state import (
    MARKED_CITIES,
    METROPOLISES,
    OSTERATH_TILE,
    RATINGEN_HEX,
    brown_phase,
    in_receivership,
    rhineland,
)
from engine.titles.rhineland.upgrades import named_upgrades, needs_no_new_track
from optimizer.model.tile import Tile

if TYPE_CHECKING:
    from engine.game import Game

SHARES_PAID_AT_FLOAT = 5
KEG, RHE = "KEG", "RhE"
RATINGEN_COMPANY = "ATB"
DELAYED_SHARES = 3
CIRCLES = 3


@dataclass(frozen=True, slots=True)
class RhinelandShares(ShareRules):
    """Incremental money before the brown phase, full from it on (4.3)."""

    def on_float(self, game: Game, corporation: Corporation) -> None:
        assert corporation.par is not None
        if brown_phase(game):
            ShareRules.on_float(self, game, corporation)
            for share in corporation.treasury:
                shares.hand_over(share, game.market)
            return
        price = corporation.par.price
        state = rhineland(game)
        if corporation.id == RHE:
            state.link_owed = DELAYED_SHARES * price
        else:
            paid = corporation.float_percent // corporation.share_percent
            game.pay(game.bank, corporation, paid * price)
        corporation.capitalization = "incremental"
        state.newly_floated = (*state.newly_floated, corporation)

    def sold_out_rises(self, game: Game, corporation: Corporation) -> bool:
        """Counted by what was bought and sold, which the exchange of the KEG's director may leave behind."""
        return (
            sum(percent for holder, percent in corporation.holdings.items() if isinstance(holder, Player))
            == 100
        )

    def swap_shares(self, game: Game, player: Player, corporation: Corporation) -> list[int]:
        """The KEG's double certificates complicate the exchange (4.4)."""
        own = player.shares_of(corporation)
        wanted = ShareRules.swap_shares(self, game, player, corporation)
        doubles = [
            i
            for i, share in enumerate(own)
            if share.percent > corporation.share_percent and not share.president
        ]
        if not doubles:
            return wanted
        if len(own) <= len(wanted):
            return doubles[:1]
        rest = [i for i in range(len(own)) if i != doubles[0]]
        if game.title.reading("keg_exchange") == "engine":
            return rest[: len(wanted)]
        singles = [i for i in rest if own[i].percent == corporation.share_percent]
        return singles[: len(wanted)] if len(singles) >= len(wanted) else doubles[:1]


@dataclass(frozen=True, slots=True)
class RhinelandTokens(TokenRules):
    """Blocking in the green metropolises looks at the three circles of both banks (9.2)."""

    def blocks(self, game: Game, city: City, corporation: Corporation) -> bool:
        hex_ = city.hex
        if hex_.id in METROPOLISES and hex_.face.color == "green":
            stations = [token for other in hex_.cities for token in other.tokens]
            if len(stations) < CIRCLES or any(token.corporation is corporation for token in stations):
                return False
        return TokenRules.blocks(self, game, city, corporation)

    def fits(self, game: Game, city: City, corporation: Corporation) -> bool:
        """The markers of the Eastern Ruhr fill their cities."""
        return city.hex.id not in MARKED_CITIES and TokenRules.fits(self, game, city, corporation)


@dataclass(frozen=True, slots=True)
class RhinelandTrack(TrackRules):
    """Upgrades by number, metropolises as printed, blocks of the first privates (8)."""

    def may_replace(self, game: Game, hex_: Hex, tile: Tile, by: Corporation | Company) -> bool:
        if tile.name == OSTERATH_TILE:
            return False
        named = named_upgrades(hex_, game.title.optional_rules)
        if named is not None:
            return tile.name in named
        if hex_.id == RATINGEN_HEX and "ratingen_variant" in game.title.optional_rules:
            return self.may_open(game, hex_, tile, by)
        return TrackRules.may_replace(self, game, hex_, tile, by)

    def may_open(self, game: Game, hex_: Hex, tile: Tile, by: Corporation | Company) -> bool:
        """In the Ratingen variant E12 is closed in the yellow phase, and its label leaves it to the ATB.

        By the printed rules (19.8) anybody may lay one of the ATB's tiles once the ATB has closed.
        """
        company = game.company(RATINGEN_COMPANY)
        if game.phase.name == "2":
            return False
        if company.closed and hex_.face.color == "white" and game.title.reading("ratingen") == "printed":
            tiles = {number for ability in company.abilities for number in ability.tiles}
            return tile.name in tiles and TrackRules.may_replace(self, game, hex_, tile, company)
        return TrackRules.may_replace(self, game, hex_, tile, by)

    def fits(self, game: Game, hex_: Hex, new: Face) -> bool:
        if hex_.id in METROPOLISES:
            return new.rotation == 0
        return TrackRules.fits(self, game, hex_, new)

    def useful_tracks(self, game: Game, old: Face, new: Face) -> tuple[Track, ...] | None:
        if needs_no_new_track(old.tile, new.tile):
            return None
        return TrackRules.useful_tracks(self, game, old, new)

    def blocked(self, game: Game, hex_: Hex, by: Corporation | Company) -> Company | None:
        """PWB and ATB block their hexes for all but their owner's corporations and privates (6)."""
        company = TrackRules.blocked(self, game, hex_, by)
        return None if company is None or company.owner is by.owner else company


@dataclass(frozen=True, slots=True)
class RhinelandTrains(TrainRules):
    """Corporations in receivership need no train and deal with the bank only (11.3)."""

    def must_own(self, game: Game, corporation: Corporation) -> bool:
        return not in_receivership(corporation) and TrainRules.must_own(self, game, corporation)

    def for_sale_by(self, game: Game, owner: Corporation, buyer: Corporation) -> bool:
        return owner is not buyer and not in_receivership(owner) and not in_receivership(buyer)

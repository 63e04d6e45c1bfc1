"""Policies of 1856 (rules: 1856 sections 2, 6, 9, 11, 15)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.board.face import Face
from engine.board.hexes import City, Hex
from engine.board.upgrades import replaces_in_place, stops_fit
from engine.core.company import Ability, Company
from engine.core.corporation import Corporation, Player, Token
from engine.core.market import Cell, Movement, StockMarket
from engine.core.money import CashHolder
from engine.core.shares import Bundle, ShareHolder
from engine.policies.shares import ShareRules
from engine.policies.tokens import TokenRules
from engine.policies.track import TrackRules
from engine.policies.trains import TrainRules
from engine.titles.canada import loans
from engine.titles.canada.state import NATIONAL, STATION, canada
from optimizer.model.tile import Tile

if TYPE_CHECKING:
    from engine.game import Game

HAMILTON = "L15"
HAMILTON_GRAY = "123"
# Changes of town tiles that are possible from phase 6 on (4.5).
TOWN_CHANGES = frozenset(
    {
        ("3", "5"), ("3", "7"), ("4", "57"), ("4", "9"), ("58", "6"), ("58", "8"),
        ("1", "14"), ("55", "14"), ("2", "15"), ("56", "15"),
    }
)  # fmt: skip
OWN_SALE_LIMIT = 50
ESCROW_FROM = 50


@dataclass(frozen=True, slots=True)
class CanadaShares(ShareRules):
    """Sales in blocks, one step down per 10 percent, escrow, and a national that comes late (section 6)."""

    def sale_timing(self, game: Game, holder: ShareHolder, bundle: Bundle) -> bool:
        return (game.turn > 1 or game.round.is_operating) and self.tradable(game, bundle.corporation)

    @staticmethod
    def tradable(game: Game, corporation: Corporation) -> bool:
        """Shares of the national exist only once it has formed."""
        return corporation.floated or not canada(game).is_national(corporation)

    def sale_steps(self, game: Game, bundle: Bundle, seller_was_president: bool) -> int:
        return bundle.percent // 10

    def purchasable(self, game: Game, bundle: Bundle) -> bool:
        """Own shares are not sold while the market holds more than half of the corporation (6.4)."""
        corporation = bundle.corporation
        if not self.tradable(game, corporation) or not ShareRules.purchasable(self, game, bundle):
            return False
        return bundle.holder is not corporation or own_shares_open(game, corporation)

    def may_start(self, game: Game, corporation: Corporation, player: Player) -> bool:
        return corporation.id != NATIONAL and ShareRules.may_start(self, game, corporation, player)

    def receiver(self, game: Game, bundle: Bundle) -> CashHolder:
        """Own shares of an escrow corporation pay it while it has more than half of them (6.6)."""
        return game.bank if goes_to_escrow(bundle) else ShareRules.receiver(self, game, bundle)

    def take_payment(self, game: Game, bundle: Bundle, buyer: CashHolder, price: int) -> None:
        if goes_to_escrow(bundle):
            bundle.corporation.escrow = bundle.corporation.escrow + price
        ShareRules.take_payment(self, game, bundle, buyer, price)

    def reaches_float(self, game: Game, corporation: Corporation) -> bool:
        """Only full capitalization floats by a purchase; the others when their first turn comes (6.11)."""
        return corporation.capitalization == "full" and sold_enough(game, corporation)


def own_shares_open(game: Game, corporation: Corporation) -> bool:
    """Does the market leave room for sales by the corporation itself (6.4)?"""
    if game.title.shares.holding_limit(game, corporation) is None:
        return True
    return game.market.percent_of(corporation) <= OWN_SALE_LIMIT


def goes_to_escrow(bundle: Bundle) -> bool:
    """Does the bank hold the price back: an own share of an escrow corporation that has sold half already?"""
    corporation = bundle.corporation
    return (
        bundle.holder is corporation
        and corporation.capitalization == "escrow"
        and corporation.percent_of(corporation) <= ESCROW_FROM
    )


def sold_enough(game: Game, corporation: Corporation) -> bool:
    """Has the percentage been sold that a first operation needs now (17.2)?"""
    return corporation.percent_of(corporation) <= 100 - canada(game).required


class CanadaMovement(Movement):
    """The national never closes: a move onto a closing cell is ignored (19.7)."""

    def left(self, market: StockMarket, cell: Cell, corporation: Corporation) -> Cell:
        return self._open(cell, super().left(market, cell, corporation), corporation)

    def down(self, market: StockMarket, cell: Cell, corporation: Corporation) -> Cell:
        return self._open(cell, super().down(market, cell, corporation), corporation)

    @staticmethod
    def _open(cell: Cell, target: Cell, corporation: Corporation) -> Cell:
        return cell if corporation.id == NATIONAL and target.main_type == "close" else target


@dataclass(frozen=True, slots=True)
class CanadaTrack(TrackRules):
    """Towns may become plain track or cities from phase 6 on; Hamilton's gray tile joins its cities (section
    9).
    """

    def may_replace(self, game: Game, hex_: Hex, tile: Tile, by: Corporation | Company) -> bool:
        old = hex_.piece
        if (old.name, tile.name) in TOWN_CHANGES:
            return late(game)
        if hex_.id == HAMILTON and old.face.color == "brown":
            return tile.name == HAMILTON_GRAY
        return TrackRules.may_replace(self, game, hex_, tile, by)

    def fits(self, game: Game, hex_: Hex, new: Face) -> bool:
        passable = hex_.passable
        if any(passable[side] is None for side in new.exits):
            return False
        old = hex_.face
        if old.town_stops and late(game):
            # only the exits of a town tile must stay (9.3.5)
            return old.exits <= new.exits and stops_fit(old, new)
        return replaces_in_place(old, new)


def late(game: Game) -> bool:
    """Are towns changed now: are gray tiles in play?"""
    return "gray" in game.phase.colors


@dataclass(frozen=True, slots=True)
class CanadaTokens(TokenRules):
    """A loan may help to pay; the station power makes Kitchener free (8.2, 11)."""

    def base_price(self, game: Game, corporation: Corporation, token: Token) -> int:
        return 0 if station_power(game, corporation) is not None else token.price

    def price(self, game: Game, corporation: Corporation, token: Token, city: City) -> int:
        power = station_power(game, corporation)
        return 0 if power is not None and city.hex.id in power.hexes else token.price

    def money(self, game: Game, corporation: Corporation) -> int:
        return corporation.cash + loans.headroom(game, corporation)


def station_power(game: Game, corporation: Corporation) -> Ability | None:
    """The unused power to place a token free of charge, if the corporation owns it."""
    company = next((company for company in corporation.companies if company.id == STATION), None)
    return None if company is None else company.ability("token")


@dataclass(frozen=True, slots=True)
class CanadaTrains(TrainRules):
    """The national may hold one train more (15.5)."""

    def limit(self, game: Game, corporation: Corporation) -> int:
        limit = game.phase.train_limit(corporation.kind)
        return limit + 1 if corporation.id == NATIONAL else limit

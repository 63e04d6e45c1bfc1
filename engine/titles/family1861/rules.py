"""Numbers and choices in which 1861 and 1867 differ, and the policies that they share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.board.hexes import City, Hex
from engine.board.network import leads_to_stop
from engine.core.company import Company
from engine.core.corporation import Corporation, Player, Token
from engine.core.market import Cell, Movement, StockMarket
from engine.core.shares import Bundle
from engine.policies.shares import ShareRules
from engine.policies.tokens import TokenRules
from engine.policies.track import TrackRules
from engine.policies.trains import TrainRules
from engine.titles.family1861.loans import loan_power

if TYPE_CHECKING:
    from engine.game import Game

MAJOR_PAR = ("par_2", "par")
MINOR_PAR = ("par_1", "par")
MERGER_PAR = ("par", "par_2")


@dataclass(frozen=True, slots=True)
class FamilyTitleRules:
    """Where the two titles differ.

    `loan_steps`: steps left per unpaid loan in a nationalization. `take_assets`: where a nationalized
    corporation's property goes. `homes`: hexes where a corporation may put its home token. `first_minor`: the
    minor that must be auctioned first. `gray_tile_token`: tile whose lay gives the national a token.
    """

    loan_steps: int
    take_assets: Callable[[Game, Corporation], None]
    homes: Callable[[Game, Corporation], list[Hex]]
    first_minor: str | None
    national_operates: bool
    gray_tile_token: str = "639"

    @staticmethod
    def of(game: Game) -> FamilyTitleRules:
        rules = game.title.extra
        assert isinstance(rules, FamilyTitleRules)
        return rules


class FamilyMovement(Movement):
    """Majors leave the top row diagonally; minors stop rising at their ceiling (1861 section 6)."""

    def right(self, market: StockMarket, cell: Cell, corporation: Corporation) -> Cell:
        if corporation.kind == "minor" and "max_price" in cell.types:
            return cell if market.one_row else self.up(market, cell, corporation)
        return super().right(market, cell, corporation)

    def up(self, market: StockMarket, cell: Cell, corporation: Corporation) -> Cell:
        if market.one_row or cell.row > 0:
            return super().up(market, cell, corporation)
        if corporation.kind == "minor":
            return cell
        return market.at(1, cell.column + 1) or cell


@dataclass(frozen=True, slots=True)
class FamilyShares(ShareRules):
    """Shares of majors; minors are bought whole by auction."""

    def sale_steps(self, game: Game, bundle: Bundle, seller_was_president: bool) -> int:
        return 1 if seller_was_president else 0

    def par_types(self, corporation: Corporation) -> tuple[str, ...]:
        return MAJOR_PAR if corporation.kind == "major" else MINOR_PAR

    def sold_out_rises(self, game: Game, corporation: Corporation) -> bool:
        return corporation.kind == "major" and ShareRules.sold_out_rises(self, game, corporation)

    def may_start(self, game: Game, corporation: Corporation, player: Player) -> bool:
        return (
            corporation.kind == "major"
            and not corporation.started
            and int(game.phase.name) >= 4
            and bool(FamilyTitleRules.of(game).homes(game, corporation))
        )


@dataclass(frozen=True, slots=True)
class FamilyTokens(TokenRules):
    """Tokens cost their base price times the distance from the nearest own token."""

    def price(self, game: Game, corporation: Corporation, token: Token, city: City) -> int:
        flat = game.board.flat
        placed = [other.city.hex for other in corporation.tokens if other.city is not None]
        distance = min((hex_.distance(city.hex, flat) for hex_ in placed), default=0)
        return token.price * distance


@dataclass(frozen=True, slots=True)
class FamilyTrack(TrackRules):
    """Two lays; terrain is paid with loans if cash is short."""

    def money(self, game: Game, corporation: Corporation) -> int:
        return loan_power(corporation)

    def blocked(self, game: Game, hex_: Hex, by: Corporation | Company) -> Company | None:
        hidden = game.state.hidden
        if not hidden.closed and hex_.id in hidden.abilities[0].hexes:
            assert isinstance(hidden, Company)
            return hidden
        return None


@dataclass(frozen=True, slots=True)
class FamilyTrains(TrainRules):
    """Everybody must own a train if loans suffice for the cheapest one of the bank."""

    def must_own(self, game: Game, corporation: Corporation) -> bool:
        cheapest = min(train.price for train in game.depot_trains())
        return loan_power(corporation) >= cheapest


def unconnected(hexes: Iterable[Hex]) -> list[Hex]:
    """Those from none of whose cities complete track leads to a stop."""
    return [hex_ for hex_ in hexes if not any(leads_to_stop(hex_, city.stop) for city in hex_.cities)]


def hexes_with_room(game: Game, corporation: Corporation) -> list[Hex]:
    """Hexes with a city without any token that has room for the corporation."""
    rules = game.title.tokens
    return [
        hex_
        for hex_ in game.board.hexes.values()
        if any(not city.tokens and rules.fits(game, city, corporation) for city in hex_.cities)
    ]

"""Station tokens: blocking, prices, where they may go (rules: common 6.8, 7.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.board.hexes import City
from engine.core.corporation import Corporation, Token

if TYPE_CHECKING:
    from engine.game import Game


@dataclass(frozen=True, slots=True)
class TokenRules:
    """Defaults of the common machine; titles subclass and override single methods."""

    def blocks(self, game: Game, city: City, corporation: Corporation) -> bool:
        """May the corporation not pass this city: all slots taken, none by its own or a neutral token."""
        own = False
        for token in city.slots:
            if token is None:
                return False
            if token.corporation is corporation or token.kind == "neutral":
                own = True
        return not own and not city.has_token_of(corporation)

    def blocking_key(self, game: Game) -> Any:
        """What blocking depends on beyond the map and its tokens; part of the key of remembered networks."""
        return None

    def base_price(self, game: Game, corporation: Corporation, token: Token) -> int:
        """The least that the token can cost anywhere: decides whether the token step is offered."""
        return token.price

    def price(self, game: Game, corporation: Corporation, token: Token, city: City) -> int:
        """What the token costs in this city."""
        return token.price

    def money(self, game: Game, corporation: Corporation) -> int:
        """What the corporation can pay for a token."""
        return corporation.cash

    def fits(self, game: Game, city: City, corporation: Corporation) -> bool:
        """Room for a token of the corporation, price and reach aside (common 6.8)."""
        if city.slot_for(corporation) is None:
            return False
        hex_ = city.hex
        if any(other.has_token_of(corporation) for other in hex_.cities):
            return False
        if corporation in city.reservations:
            return True
        claims = [other for other in hex_.reservations if other is not corporation]
        if not claims:
            return True
        free = sum(
            1
            for other in hex_.cities
            for slot, token in enumerate(other.slots)
            if token is None and other.reservation_at(slot) is None
        )
        return len(claims) < free

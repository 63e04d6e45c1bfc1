"""Placing station tokens and home tokens (rules: common 6.8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.actions import PlaceToken
from engine.board.hexes import City, Hex
from engine.core.corporation import Corporation, Token
from engine.core.money import CashHolder
from engine.errors import RuleError

if TYPE_CHECKING:
    from engine.game import Game


def named_city(game: Game, action: PlaceToken, corporation: Corporation) -> City:
    """The city that an action names for a token of this corporation.

    Which of its slots the token takes is not for the action to say (common 6.8), but it must be one of them;
    whose token it is, and that it is a normal one, follows from the step.
    """
    city = game.board.city(action.city)
    if action.slot is not None and not 0 <= action.slot < len(city.slots):
        raise RuleError(f"city {city.id} has no slot {action.slot}; it has {len(city.slots)}")
    if action.tokener not in (None, corporation.id):
        raise RuleError(f"the token to be placed is one of {corporation.name}, not of {action.tokener}")
    if action.token_type not in (None, "normal"):
        raise RuleError(f"{corporation.name} has normal tokens only, none of type {action.token_type}")
    return city


def place(game: Game, token: Token, city: City, price: int, payer: CashHolder | None = None) -> None:
    """Puts the token into the city for `price`, paid to the bank by its corporation (or `payer`).

    Raises RuleError if there is no room for it or the money is short.
    """
    corporation = token.corporation
    if token.used:
        raise RuleError(f"this token of {corporation.name} is already on the map")
    if city.slot_for(corporation) is None:
        raise RuleError(f"{city.hex.id} has no free slot for {corporation.name} in city {city.id}")
    if any(other.has_token_of(corporation) for other in city.hex.cities):
        raise RuleError(f"{corporation.name} already has a token on {city.hex.id}")
    if not game.title.tokens.fits(game, city, corporation):
        raise RuleError(f"the free slots on {city.hex.id} are reserved")
    spender: CashHolder = corporation if payer is None else payer
    if price and price > spender.cash:  # a free token needs no money, not even that no debts are left
        raise RuleError(f"{spender.name} has {spender.cash}, the token on {city.hex.id} costs {price}")
    game.board.put_token(token, city)
    game.pay(spender, game.bank, price)


def place_home(game: Game, corporation: Corporation, choices: Sequence[Hex] | None = None) -> None:
    """Places the home token, or asks for it where there is a choice.

    A choice is asked for when the corporation has no home (`choices`: where it may go), or when its
    reservation lies on a hex that already has track. Nothing happens if its first token is on the map or
    there is no room.
    """
    token = corporation.next_token
    if token is None or corporation.tokens[0].used:
        return
    if not corporation.home_hexes:
        ask_for_token(game, corporation, token, choices or ())
        return
    hex_ = game.board.hex(corporation.home_hexes[0])
    if corporation in hex_.reservations and hex_.face.tracks:
        ask_for_token(game, corporation, token, [hex_])
        return
    city = next((city for city in hex_.cities if corporation in city.reservations), hex_.cities[0])
    if game.title.tokens.fits(game, city, corporation):
        game.board.put_token(token, city)


def ask_for_token(game: Game, decider: Corporation, token: Token, hexes: Sequence[Hex]) -> None:
    """Makes `decider` choose a city for the token before anything else goes on."""
    pending = game.round.pending_tokens
    if any(other is decider and waiting is token for other, waiting, _ in pending):
        return
    game.round.pending_tokens = (*pending, (decider, token, tuple(hexes)))

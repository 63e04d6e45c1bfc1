"""A token waits for a city: homes with a choice, and tokens lifted by a tile (rules: common 6.8, 6.9)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.actions import PlaceToken
from engine.core.corporation import Corporation
from engine.errors import RuleError
from engine.legal import Choice
from engine.steps.base import Entity, Step
from engine.tokens import named_city, place


class HomeToken(Step):
    """Blocks everything while the round has pending tokens."""

    __slots__ = ()
    name = "home_token"

    def active(self) -> bool:
        return bool(self.round.pending_tokens)

    def current(self) -> Corporation | None:
        pending = self.round.pending_tokens
        return pending[0][0] if pending else None

    def actions(self, entity: Entity) -> Sequence[str]:
        return ("place_token",) if entity is self.current() else ()

    def do_place_token(self, action: PlaceToken) -> None:
        _, token, hexes = self.round.pending_tokens[0]
        city = named_city(self.game, action, token.corporation)
        if city.hex not in hexes:
            names = ", ".join(hex_.id for hex_ in hexes)
            raise RuleError(f"the token cannot go to {city.hex.id}; allowed are {names}")
        place(self.game, token, city, token.price)
        self.round.pending_tokens = self.round.pending_tokens[1:]

    def choices(self, entity: Entity) -> Iterator[Choice]:
        decider, token, hexes = self.round.pending_tokens[0]
        rules = self.game.title.tokens
        for hex_ in hexes:
            for city in hex_.cities:
                if rules.fits(self.game, city, token.corporation) and token.price <= token.corporation.cash:
                    action = PlaceToken(entity=decider.id, entity_type="corporation", city=city.id, slot=0)
                    yield Choice("place_token", [hex_.id, city.index], action)

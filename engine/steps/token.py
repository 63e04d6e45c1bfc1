"""Placing a station token (rules: common 6.8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from engine.actions import PlaceToken
from engine.board.hexes import City
from engine.core.corporation import Corporation
from engine.errors import RuleError
from engine.legal import Choice
from engine.rounds.operating import OperatingRound
from engine.steps.base import Entity, Step
from engine.tokens import named_city, place


class Token(Step):
    """At most one token a turn, in a reached city."""

    __slots__ = ()
    name = "token"

    @property
    def turn(self) -> OperatingRound:
        return cast(OperatingRound, self.round)

    def begin_turn(self) -> None:
        self.turn.tokened = False

    def reached_cities(self, corporation: Corporation) -> list[City]:
        """Reached cities with room, price aside."""
        rules = self.game.title.tokens
        return [
            city
            for city in self.game.network(corporation).cities()
            if rules.fits(self.game, city, corporation)
        ]

    def may_token(self, corporation: Corporation) -> bool:
        token = corporation.next_token
        if token is None or self.turn.tokened:
            return False
        rules = self.game.title.tokens
        if rules.base_price(self.game, corporation, token) > rules.money(self.game, corporation):
            return False
        return bool(
            self.game.cached("tokenable", corporation, lambda: bool(self.reached_cities(corporation)))
        )

    def actions(self, entity: Entity) -> Sequence[str]:
        if entity is not self.round.current or not isinstance(entity, Corporation):
            return ()
        return ("place_token", "pass") if self.may_token(entity) else ()

    def do_place_token(self, action: PlaceToken) -> None:
        corporation = self.corporation_of(action)
        city = named_city(self.game, action, corporation)
        token = corporation.next_token
        if token is None:
            raise RuleError(f"{corporation.name} has no token left")
        if self.game.strict and (city.hex, city.stop) not in self.game.network(corporation).nodes:
            raise RuleError(f"{corporation.name} does not reach city {city.id} on {city.hex.id}")
        place(self.game, token, city, self.game.title.tokens.price(self.game, corporation, token, city))
        self.turn.tokened = True
        self.finish()

    def choices(self, entity: Entity) -> Iterator[Choice]:
        if not isinstance(entity, Corporation) or not self.may_token(entity):
            return
        token = entity.next_token
        assert token is not None
        rules = self.game.title.tokens
        for city in self.reached_cities(entity):
            if rules.price(self.game, entity, token, city) <= entity.cash:
                slot = city.slot_for(entity) or 0
                action = PlaceToken(entity=entity.id, entity_type="corporation", city=city.id, slot=slot)
                yield Choice("place_token", [city.hex.id, city.index], action)

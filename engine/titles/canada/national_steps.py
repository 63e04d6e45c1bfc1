"""Decisions while the national railway forms (rules: 1856 sections 18.2, 18.7, 18.9)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from engine.actions import DiscardTrain, Merge, Pass, RemoveToken
from engine.core.corporation import Corporation, Player, Token
from engine.core.trains import Train
from engine.errors import RuleError
from engine.legal import Choice
from engine.steps.base import Entity, Step
from engine.titles.canada import national
from engine.titles.canada.national import permanent
from engine.titles.canada.round import CanadaOperatingRound
from engine.titles.canada.state import canada


class SettleLoans(Step):
    """Each corporation with unpaid loans is saved by its president (`pass`) or merged."""

    __slots__ = ()
    name = "nationalization_payoff"

    def active(self) -> bool:
        return bool(canada(self.game).candidates)

    def current(self) -> Corporation | None:
        candidates = canada(self.game).candidates
        return candidates[0] if candidates else None

    def actions(self, entity: Entity) -> Sequence[str]:
        corporation = self.current()
        if corporation is None or not isinstance(entity, Corporation):
            return ()
        president = corporation.owner
        if self.game.strict and (
            not isinstance(president, Player) or president.cash < national.unpaid(corporation)
        ):
            return ("merge",)
        return ("merge", "pass")

    def do_merge(self, action: Merge) -> None:
        corporation = self.game.corporation(action.corporation)
        if corporation not in canada(self.game).candidates:
            raise RuleError(f"{corporation.name} has no unpaid loans to settle")
        national.merge(self.game, corporation)

    def do_pass(self, action: Pass) -> None:
        national.save(self.game)

    def choices(self, entity: Entity) -> Iterator[Choice]:
        corporation = self.current()
        if corporation is not None and entity is corporation:
            action = Merge(entity=corporation.id, entity_type="corporation", corporation=str(corporation.id))
            yield Choice("merge", canada(self.game).national.id, action)


class RemoveTokens(Step):
    """The national's president chooses which of its surplus tokens go."""

    __slots__ = ()
    name = "remove_tokens"

    @property
    def turn(self) -> CanadaOperatingRound:
        return cast(CanadaOperatingRound, self.round)

    def active(self) -> bool:
        return bool(self.turn.duplicates) or self.turn.excess > 0

    def current(self) -> Corporation | None:
        return canada(self.game).national if self.active() else None

    def actions(self, entity: Entity) -> Sequence[str]:
        return ("remove_token",) if entity is self.current() else ()

    def removable(self) -> list[Token]:
        """Duplicates first, hex by hex; then any token outside the merged corporations' homes."""
        if self.turn.duplicates:
            return list(self.turn.duplicates[0])
        tokens = canada(self.game).national.tokens
        return [
            token for token in tokens if token.city is not None and token.city.hex in self.turn.excess_hexes
        ]

    def do_remove_token(self, action: RemoveToken) -> None:
        city = self.game.board.city(action.city)
        token = next(
            (t for t in self.removable() if t.city is city and slot_of(t) == action.slot),
            None,
        )
        if token is None:
            raise RuleError(f"no token may be removed from slot {action.slot} of {action.city}")
        national.destroy_token(self.game, token)
        turn = self.turn
        turn.duplicates = turn.duplicates[1:]
        turn.excess = max(turn.excess - 1, 0)

    def choices(self, entity: Entity) -> Iterator[Choice]:
        for token in self.removable():
            city = token.city
            if city is not None:
                slot = slot_of(token)
                action = RemoveToken(
                    entity=token.corporation.id, entity_type="corporation", city=city.id, slot=slot
                )
                yield Choice("remove_token", [city.hex.id, city.index, slot, token.corporation.id], action)


def slot_of(token: Token) -> int:
    """The token's slot in its city; tokens beyond the slots follow."""
    city = token.city
    assert city is not None
    return (*city.slots, *city.extra).index(token)


class DiscardFreely(Step):
    """After its formation the national discards down to its limit, and more if it likes (18.9)."""

    __slots__ = ()
    name = "nationalization_discard_trains"

    def discardable(self) -> list[Train]:
        state = canada(self.game)
        if not state.discarding:
            return []
        trains = state.national.trains
        lasting = [train for train in trains if permanent(train)]
        return [t for t in trains if not permanent(t)] + (lasting if len(lasting) > self.limit() else [])

    def limit(self) -> int:
        return self.game.title.trains.limit(self.game, canada(self.game).national)

    def active(self) -> bool:
        return bool(self.discardable())

    def current(self) -> Corporation | None:
        return canada(self.game).national if self.active() else None

    def actions(self, entity: Entity) -> Sequence[str]:
        if entity is not self.current() or not isinstance(entity, Corporation):
            return ()
        return ("discard_train",) if len(entity.trains) > self.limit() else ("discard_train", "pass")

    def do_discard_train(self, action: DiscardTrain) -> None:
        train = self.game.depot.train(action.train)
        if train not in self.discardable():
            raise RuleError(f"train {train.id} cannot be discarded now")
        self.game.depot.discard(train)
        if not self.discardable():
            canada(self.game).discarding = False

    def finish(self) -> None:
        canada(self.game).discarding = False

    def choices(self, entity: Entity) -> Iterator[Choice]:
        names: set[str] = set()
        for train in self.discardable():
            if train.name not in names:
                names.add(train.name)
                action = DiscardTrain(
                    entity=canada(self.game).national.id, entity_type="corporation", train=train.id
                )
                yield Choice("discard_train", train.name, action)

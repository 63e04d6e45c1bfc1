"""Corporations above their train limit discard (rules: common 5.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.actions import DiscardTrain as DiscardTrainAction
from engine.core.corporation import Corporation
from engine.errors import RuleError
from engine.legal import Choice
from engine.steps.base import Entity, Step


class DiscardTrain(Step):
    """Blocks while a corporation has too many trains; asked in list order."""

    __slots__ = ()
    name = "discard_train"

    def crowded(self) -> list[Corporation]:
        rules = self.game.title.trains
        return [
            corporation
            for corporation in self.game.corporations
            if corporation.trains
            and sum(1 for train in corporation.trains if not train.obsolete)
            > rules.limit(self.game, corporation)
        ]

    def active(self) -> bool:
        return bool(self.crowded())

    def current(self) -> Corporation | None:
        crowded = self.crowded()
        return crowded[0] if crowded else None

    def actions(self, entity: Entity) -> Sequence[str]:
        return ("discard_train",) if entity in self.crowded() else ()

    def do_discard_train(self, action: DiscardTrainAction) -> None:
        corporation = self.corporation_of(action)
        train = self.game.depot.train(action.train)
        if train.owner is not corporation:
            raise RuleError(f"{corporation.name} does not own train {train.id}")
        self.game.depot.discard(train)

    def choices(self, entity: Entity) -> Iterator[Choice]:
        corporation = self.current()
        if corporation is None:
            return
        names: set[str] = set()
        for train in corporation.trains:
            if train.name not in names:
                names.add(train.name)
                action = DiscardTrainAction(entity=corporation.id, entity_type="corporation", train=train.id)
                yield Choice("discard_train", train.name, action)

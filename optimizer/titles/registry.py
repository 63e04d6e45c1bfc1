"""The titles whose route rules are built in: one record each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from optimizer.model.rules import TrainType


@dataclass(frozen=True, slots=True)
class TitleRules:
    """What a title adds to routing: how it reads its trains."""

    name: str
    adapt_train: Callable[[TrainType], TrainType]


def adapt_train(title: str, train: TrainType) -> TrainType:
    """Return a train with the title's own rules of payment."""
    return train

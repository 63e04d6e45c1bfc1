"""The titles whose route rules are built in: one record each."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from optimizer.model.rules import TrainType
from optimizer.titles import t18rhl, t1856, t1861
from optimizer.titles.record import TitleRules

TITLES: Mapping[str, TitleRules] = {
    record.name: record for record in (t1861.TITLE_1861, t1861.TITLE_1867, t1856.TITLE, t18rhl.TITLE)
}


def title_rules(title: str) -> TitleRules:
    """Return a title's record; KeyError if there is none of that name."""
    return TITLES[title]


def adapt_train(title: str, train: TrainType) -> TrainType:
    """Return a train with the title's own rules of payment (all switches at their default)."""
    return _adapt(title, train, ())


def train_with_switches(title: str, train: TrainType, switches: Mapping[str, str]) -> TrainType:
    """Return a train as it runs under these switches (only those that differ from the default)."""
    return _adapt(title, train, tuple(sorted(switches.items()))) if switches else train


@cache
def _adapt(title: str, train: TrainType, switches: tuple[tuple[str, str], ...]) -> TrainType:
    record = TITLES[title]
    full = record.defaults | dict(switches)
    return record.adapt_train(train, full)

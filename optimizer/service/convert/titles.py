"""What is built in, as the answer to ``ListTitles``."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from rheingold.v1 import optimizer_service_pb2 as pb
from rheingold.v1 import position_pb2

from optimizer.custom_registry import registered_rules
from optimizer.model.rules import Bonus, CustomRule, Doubling, FerryRule, RouteRules, TrainRule, TrainType
from optimizer.titles.loader import (
    TITLE_NAMES,
    TitleData,
    all_phases,
    all_trains,
    known_optional_rules,
    load_title,
)
from optimizer.titles.record import RulesInput
from optimizer.titles.registry import title_rules


def titles_message() -> pb.ListTitlesResponse:
    """Return the titles, the vocabulary of route rules, and the rules written in code."""
    return pb.ListTitlesResponse(
        titles=[_title(name) for name in TITLE_NAMES],
        rules=vocabulary(),
        custom_rules=[
            pb.CustomRuleInfo(name=rule.name, description=rule.description, parameters=rule.parameters)
            for rule in registered_rules()
        ],
    )


@cache
def vocabulary() -> tuple[str, ...]:
    """Return the names of all route rules, such as ``same_hex_once`` and ``bonuses.scope``."""
    names = [field.name for field in dataclasses.fields(RouteRules)]
    parts: tuple[tuple[str, type[Any]], ...] = (
        ("train_rules", TrainRule),
        ("train_rules.doublings", Doubling),
        ("bonuses", Bonus),
        ("ferry", FerryRule),
        ("custom", CustomRule),
        ("trains", TrainType),
    )
    for prefix, part in parts:
        names += [f"{prefix}.{field.name}" for field in dataclasses.fields(part)]
    return tuple(names)


@cache
def _title(name: str) -> pb.Title:
    data = load_title(name)
    return pb.Title(
        name=name,
        optional_rules=known_optional_rules(name),
        phases=[phase.name for phase in all_phases(name)],
        trains=[_train(train) for train in all_trains(name)],
        rules=sorted(set(_rules_in_use(data))),
        switches=[
            pb.SwitchInfo(name=switch, values=record.values, description=record.about)
            for switch, record in title_rules(name).switches.items()
        ],
    )


def _train(train: TrainType) -> pb.TrainInfo:
    rows = [
        position_pb2.DistanceRow(nodes=row.nodes, visit=row.visit, pay=row.pay, multiplier=row.multiplier)
        for row in train.rows
    ]
    return pb.TrainInfo(name=train.name, rows=rows, multiplier=train.multiplier)


def _rules_in_use(data: TitleData) -> Iterator[str]:
    """Yield the names of the rules that hold for some company in some phase."""
    record = title_rules(data.name)
    switches = record.defaults
    privates = tuple(row["sym"] for row in data.raw["companies"])
    for phase in data.phases:
        for company in data.raw["corporations"]:
            given = RulesInput(data, phase, company["sym"], privates, switches=switches)
            yield from _changed(record.route_rules(given), RouteRules(), "")
    for train in data.trains.values():
        plain = TrainType(train.name, train.rows, train.multiplier)
        yield from _changed(train, plain, "trains.")


def _changed(rules: Any, plain: Any, prefix: str) -> Iterable[str]:
    """Yield the names of the fields that differ from the common rules."""
    for field in dataclasses.fields(rules):
        value = getattr(rules, field.name)
        if value != getattr(plain, field.name):
            yield prefix + field.name
            if field.name == "train_rules":
                for rule in value:
                    yield from _changed(rule, TrainRule(rule.trains), "train_rules.")

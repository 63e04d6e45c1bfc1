"""Route rules of an inline map: messages into :mod:`optimizer.model.data`."""

from __future__ import annotations

from rheingold.v1 import position_pb2 as pb

from optimizer.model.data import (
    BonusData,
    BonusLevelData,
    CounterData,
    CustomRuleData,
    DoublingData,
    FerryRuleData,
    HexSetData,
    HexSideData,
    HexStopData,
    RouteRulesData,
    StopSetData,
    TrainRuleData,
)


def rules_data(message: pb.RouteRules) -> RouteRulesData:
    """Read route rules as they are written; nothing is checked."""
    return RouteRulesData(
        train_rules=[_train_rule(rule) for rule in message.train_rules],
        counters=[_counter(counter) for counter in message.counters],
        bonuses=[_bonus(bonus) for bonus in message.bonuses],
        bonuses_need_pay=message.bonuses_need_pay if message.HasField("bonuses_need_pay") else None,
        same_hex_once=message.same_hex_once,
        stop_sets_once=[
            StopSetData([HexStopData(stop.hex, stop.stop) for stop in row.stops])
            for row in message.stop_sets_once
        ],
        ferry=_ferry(message.ferry) if message.HasField("ferry") else None,
        neutral_hexes=list(message.neutral_hexes),
        exclusive=list(message.exclusive),
        custom=[CustomRuleData(rule.name, dict(rule.parameters)) for rule in message.custom],
    )


def _train_rule(message: pb.TrainRule) -> TrainRuleData:
    return TrainRuleData(
        trains=list(message.trains),
        ends_not=list(message.ends_not),
        some_end_in=list(message.some_end_in),
        closed_hexes=list(message.closed_hexes),
        no_end_hexes=list(message.no_end_hexes),
        worthless_hexes=list(message.worthless_hexes),
        at_most_one=[HexSetData(list(row.hexes)) for row in message.at_most_one],
        ignored=list(message.ignored),
        doublings=[_doubling(row) for row in message.doublings],
    )


def _doubling(message: pb.Doubling) -> DoublingData:
    return DoublingData(
        hexes=list(message.hexes),
        both_ends_in=list(message.both_ends_in),
        factor=message.factor if message.HasField("factor") else None,
        one_end_in=list(message.one_end_in),
        other_end_in=list(message.other_end_in),
        note=message.note,
    )


def _counter(message: pb.Counter) -> CounterData:
    return CounterData(
        message.name, list(message.hexes), [HexSideData(side.hex, side.edge) for side in message.entries]
    )


def _bonus(message: pb.Bonus) -> BonusData:
    return BonusData(
        name=message.name,
        levels=[BonusLevelData(dict(level.needs), level.amount, level.note) for level in message.levels],
        per=message.per,
        per_max=message.per_max if message.HasField("per_max") else None,
        trains=list(message.trains),
        but_trains=list(message.but_trains),
        multiplied=message.multiplied,
        scope=message.scope,
    )


def _ferry(message: pb.FerryRule) -> FerryRuleData:
    return FerryRuleData(message.penalty, list(message.hexes), message.crossing)

"""Route rules of an inline map: from their data to :class:`RouteRules`, with every fault's path."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, cast

from optimizer.model.data import (
    BonusData,
    CounterData,
    DoublingData,
    FerryRuleData,
    RouteRulesData,
    StopSetData,
    TrainRuleData,
)
from optimizer.model.faults import choices, show
from optimizer.model.rules import (
    Bonus,
    BonusLevel,
    Counter,
    CustomRule,
    Doubling,
    FerryRule,
    HexSet,
    RouteRules,
    TrainRule,
)
from optimizer.model.tile import STOP_KINDS, StopKind

MAX_AMOUNT = 100_000
MAX_COUNT = 1_000_000
MAX_COMPANY_BONUSES = 8  # which route claims which of them takes time exponential in their number

_SCOPES = ("route", "company")
_CROSSINGS = ("free", "open_bank")
_EXCLUSIVE = ("stop", "hex", "group")

Exclusive = Literal["stop", "hex", "group"]


def rules_from_data(
    data: RouteRulesData, stops: Mapping[str, int], path: str, report: Callable[[str, str], None]
) -> RouteRules:
    """Check and build the rules. ``stops`` says for every hex of the map how many stops it has."""
    return _Reader(stops, report).rules(data, path)


class _Reader:
    def __init__(self, stops: Mapping[str, int], report: Callable[[str, str], None]) -> None:
        self.stops = stops
        self.report = report

    def rules(self, data: RouteRulesData, path: str) -> RouteRules:
        counters = tuple(self._counter(row, f"{path}.counters[{i}]") for i, row in enumerate(data.counters))
        names = [counter.name for counter in counters]
        self._once(names, f"{path}.counters", "name")
        self._once([bonus.name for bonus in data.bonuses], f"{path}.bonuses", "name")
        if sum(bonus.scope == "company" for bonus in data.bonuses) > MAX_COMPANY_BONUSES:
            self.report(f"{path}.bonuses", f"at most {MAX_COMPANY_BONUSES} bonuses can have scope company")
        self._one_rule_each([row.trains for row in data.train_rules], f"{path}.train_rules")
        for i, custom in enumerate(data.custom):
            if not custom.name:
                self.report(f"{path}.custom[{i}].name", "missing")
        return RouteRules(
            train_rules=tuple(
                self._train_rule(row, f"{path}.train_rules[{i}]") for i, row in enumerate(data.train_rules)
            ),
            counters=counters,
            bonuses=tuple(
                self._bonus(row, names, f"{path}.bonuses[{i}]") for i, row in enumerate(data.bonuses)
            ),
            bonuses_need_pay=data.bonuses_need_pay is not False,
            same_hex_once=data.same_hex_once,
            stop_sets_once=tuple(
                self._stop_set(row, f"{path}.stop_sets_once[{i}]")
                for i, row in enumerate(data.stop_sets_once)
            ),
            ferry=self._ferry(data.ferry, f"{path}.ferry"),
            neutral_hexes=self._hexes(data.neutral_hexes, f"{path}.neutral_hexes"),
            exclusive=cast(
                frozenset[Exclusive], self._words(data.exclusive, _EXCLUSIVE, f"{path}.exclusive")
            ),
            custom=tuple(CustomRule(row.name, tuple(sorted(row.parameters.items()))) for row in data.custom),
        )

    def _once(self, names: Sequence[str], path: str, what: str) -> None:
        for i, name in enumerate(names):
            if not name:
                self.report(f"{path}[{i}].{what}", "missing")
            elif name in names[:i]:
                self.report(f"{path}[{i}].{what}", f"{show(name)} is also the name of [{names.index(name)}]")

    def _one_rule_each(self, trains: Sequence[Sequence[str]], path: str) -> None:
        """Refuse a second rule for a train, or for all others: nothing would say which one holds."""
        first: dict[str, int] = {}
        for i, names in enumerate(trains):
            for j, name in enumerate(names):
                if first.setdefault(name, i) != i:
                    self.report(
                        f"{path}[{i}].trains[{j}]", f"[{first[name]}] is a rule for {show(name)}, too"
                    )
            if not names and first.setdefault("", i) != i:
                self.report(f"{path}[{i}].trains", f"[{first['']}] is for all other trains, too")

    def _hexes(self, names: Sequence[str], path: str) -> HexSet:
        for i, name in enumerate(names):
            if name not in self.stops:
                self.report(f"{path}[{i}]", f"{show(name)} is not on the map")
        return frozenset(names)

    def _words(self, names: Sequence[str], known: Sequence[str], path: str) -> frozenset[str]:
        for i, name in enumerate(names):
            if name not in known:
                self.report(f"{path}[{i}]", f"must be one of {choices(known)}, not {show(name)}")
        return frozenset(names)

    def _kinds(self, names: Sequence[str], path: str) -> frozenset[StopKind]:
        return cast(frozenset[StopKind], self._words(names, STOP_KINDS, path))

    def _word(self, name: str, known: Sequence[str], path: str) -> str:
        if name and name not in known:
            self.report(path, f"must be one of {choices(known)}, not {show(name)}")
        return name or known[0]

    def _number(self, value: int, low: int, high: int, path: str) -> int:
        if not low <= value <= high:
            self.report(path, f"must be {low} to {high}, not {show(value)}")
        return value

    def _train_rule(self, data: TrainRuleData, path: str) -> TrainRule:
        return TrainRule(
            trains=frozenset(data.trains),
            ends_not=self._kinds(data.ends_not, f"{path}.ends_not"),
            some_end_in=self._hexes(data.some_end_in, f"{path}.some_end_in"),
            closed_hexes=self._hexes(data.closed_hexes, f"{path}.closed_hexes"),
            no_end_hexes=self._hexes(data.no_end_hexes, f"{path}.no_end_hexes"),
            worthless_hexes=self._hexes(data.worthless_hexes, f"{path}.worthless_hexes"),
            at_most_one=tuple(
                self._hexes(row.hexes, f"{path}.at_most_one[{i}].hexes")
                for i, row in enumerate(data.at_most_one)
            ),
            ignored=self._kinds(data.ignored, f"{path}.ignored"),
            doublings=tuple(
                self._doubling(row, f"{path}.doublings[{i}]") for i, row in enumerate(data.doublings)
            ),
        )

    def _doubling(self, data: DoublingData, path: str) -> Doubling:
        opposite = None
        if data.one_end_in or data.other_end_in:
            opposite = (
                self._hexes(data.one_end_in, f"{path}.one_end_in"),
                self._hexes(data.other_end_in, f"{path}.other_end_in"),
            )
            if not all(opposite):
                self.report(path, "one_end_in and other_end_in must be given together")
        return Doubling(
            hexes=self._hexes(data.hexes, f"{path}.hexes"),
            both_ends_in=self._hexes(data.both_ends_in, f"{path}.both_ends_in"),
            factor=2 if data.factor is None else self._number(data.factor, 1, 10, f"{path}.factor"),
            opposite_ends=opposite,
            note=data.note,
        )

    def _counter(self, data: CounterData, path: str) -> Counter:
        for i, entry in enumerate(data.entries):
            where = f"{path}.entries[{i}]"
            if entry.hex not in self.stops:
                self.report(f"{where}.hex", f"{show(entry.hex)} is not on the map")
            self._number(entry.edge, 0, 5, f"{where}.edge")
        return Counter(
            name=data.name,
            hexes=self._hexes(data.hexes, f"{path}.hexes"),
            entries=frozenset((entry.hex, entry.edge) for entry in data.entries),
        )

    def _bonus(self, data: BonusData, counters: Sequence[str], path: str) -> Bonus:
        levels = []
        for i, level in enumerate(data.levels):
            where = f"{path}.levels[{i}]"
            for name, count in level.needs.items():
                self._counter_name(name, counters, f"{where}.needs[{name}]")
                self._number(count, 1, MAX_COUNT, f"{where}.needs[{name}]")
            amount = self._number(level.amount, 0, MAX_AMOUNT, f"{where}.amount")
            levels.append(BonusLevel(tuple(sorted(level.needs.items())), amount, level.note))
        if not levels:
            self.report(f"{path}.levels", "missing: a bonus has one level or more")
        if data.per:
            self._counter_name(data.per, counters, f"{path}.per")
        most = (
            MAX_COUNT if data.per_max is None else self._number(data.per_max, 1, MAX_COUNT, f"{path}.per_max")
        )
        return Bonus(
            name=data.name,
            levels=tuple(levels),
            per=data.per or None,
            per_max=most,
            trains=frozenset(data.trains),
            but_trains=frozenset(data.but_trains),
            multiplied=data.multiplied,
            scope="company" if self._word(data.scope, _SCOPES, f"{path}.scope") == "company" else "route",
        )

    def _counter_name(self, name: str, counters: Sequence[str], path: str) -> None:
        if name not in counters:
            self.report(path, f"there is no counter {show(name)}; there are {choices(counters)}")

    def _stop_set(self, data: StopSetData, path: str) -> frozenset[tuple[str, int]]:
        for i, row in enumerate(data.stops):
            where = f"{path}.stops[{i}]"
            if row.hex not in self.stops:
                self.report(f"{where}.hex", f"{show(row.hex)} is not on the map")
            elif not 0 <= row.stop < self.stops[row.hex]:
                count = self.stops[row.hex]
                self.report(
                    f"{where}.stop", f"{row.hex} has {count} stops, numbered from 0, not {show(row.stop)}"
                )
        return frozenset((row.hex, row.stop) for row in data.stops)

    def _ferry(self, data: FerryRuleData | None, path: str) -> FerryRule | None:
        if data is None:
            return None
        crossing = self._word(data.crossing, _CROSSINGS, f"{path}.crossing")
        return FerryRule(
            penalty=self._number(data.penalty, 0, MAX_AMOUNT, f"{path}.penalty"),
            hexes=self._hexes(data.hexes, f"{path}.hexes"),
            crossing="open_bank" if crossing == "open_bank" else "free",
        )

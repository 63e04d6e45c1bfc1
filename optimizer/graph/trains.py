"""One kind of train as numbers: limits, payment, figures of stops, bonuses and their bounds.

The bound of a bonus is shared out over the stops that a route must visit to earn it: a level that
needs a counter of n gives each of the counter's hexes ``amount / n`` (rounded up). A route that earns
the level has at least n of them, so the shares cover the amount.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd
from typing import TYPE_CHECKING

from optimizer.graph.common import STOP_FREE, Common, needs_token
from optimizer.graph.plan import NO_LIMIT, UnsupportedRules, plan_of
from optimizer.model.rules import Counter, TrainType
from optimizer.native.layout import most_flagged, unit_of

if TYPE_CHECKING:
    from optimizer.graph.custom import Named

__all__ = [
    "MODE_ALL", "MODE_BEST", "MODE_LIMITED", "NO_LIMIT", "TrainCompiler", "TrainNumbers", "UnsupportedRules",
]  # fmt: skip

MODE_LIMITED, MODE_BEST, MODE_ALL = 0, 1, 2
CITY, TOWN = 1, 2  # bits of kinds
NO_BONUSES = array("i", (0,))


@dataclass(slots=True)
class TrainNumbers:
    """What :class:`optimizer.native.train_graph.TrainGraph` is made from."""

    spec: array[int]
    values: array[int]
    extras: array[int]
    flags: bytearray
    doubled: array[int]
    marks: array[int]
    sets: array[int]
    entries: array[int]
    entry_marks: array[int]
    bonuses: array[int]
    granularity: int
    counters: dict[str, int]  # numbers of the counters that something reads

    @property
    def shape(self) -> bytes:
        """All that the train's graph depends on: equal for kinds with other limits or payment only."""
        spec = self.spec
        fixed = array("i", (spec[7], spec[8], spec[10], spec[15], spec[16], *spec[19 + 3 * spec[17] :]))
        lists = (self.values, self.extras, self.doubled, self.marks, self.sets, self.entries)
        parts = (fixed, *lists, self.entry_marks)
        return b"|".join(part.tobytes() for part in parts) + bytes(self.flags)


class TrainCompiler:
    """Works out the numbers for one kind of train."""

    def __init__(
        self, common: Common, train: TrainType, custom: Sequence[Named] = (), *, census: bool = False
    ) -> None:
        """Raises UnsupportedRules for rows or doublings beyond the search's room."""
        self.common = common
        self.needs_token = needs_token(train, census=census)
        self.position = common.position
        self.layout = common.layout
        self.train = train
        self.plan = plan_of(self.position.rules, train)
        self.rule = self.plan.rule
        self.kinds = common.kinds
        self.slack = 0
        self.custom = custom
        self.order: dict[str, int] = {}
        self.unit = self.plan.unit
        self.extras = array("i", bytes(4 * self.layout.stops))
        self.entry_rows: dict[int, tuple[int, int]] = {}  # side -> (marks, share of bonuses)

    def compile(self) -> TrainNumbers:
        """Return all numbers; raises UnsupportedRules for marks or levels beyond the search's room."""
        plan, train = self.plan, self.train
        if not self.common.even:
            self._refuse_places()
        limit, counted, simple = self._limits()
        pay_all, paid = self._payment()
        mode = self._mode(limit, pay_all, paid, counted)
        values = self._values()
        flags, free_best = self._flags(values, counted, mode, pay_all)
        doubled = array("i", bytes(4 * self.layout.stops))
        marks = array("Q", bytes(16 * self.layout.stops))
        bonuses = self._bonuses(marks, mode)
        if plan.doublings.factors:
            self._double(values, doubled)
        if mode == MODE_BEST:
            # The bounds of the best stops look at stops, not at what lies between them.
            for stop, extra in enumerate(self.extras):
                if extra:
                    flags[stop] &= ~STOP_FREE
        unit = max(1, unit_of(values, self.unit))
        if mode == MODE_LIMITED and free_best and not pay_all:
            self.slack += free_best * max(0, min(paid, 400) - limit)
        factors, modes = plan.doublings.factors, plan.doublings.modes
        spec = array("i", (
            mode, limit, paid, 0 if pay_all else free_best, self.slack, unit, simple, counted,
            self.needs_token, train.pay_needs_token, pay_all, train.pay_total is not None, plan.pay_first,
            self.position.rules.bonuses_need_pay, bool(self.rule.some_end_in),
            self._by_order(values), self.position.rules.ferry is not None, len(plan.rows), len(factors),
        ))  # fmt: skip
        spec.extend(plan.spec_rows)
        for factor, double_mode in zip(factors, modes, strict=True):
            spec.extend((factor, double_mode))
        spec.extend(plan.penalties)
        entries, entry_marks = array("i"), array("Q")
        for side, (bits, share) in self.entry_rows.items():
            entries.extend((side, share))
            entry_marks.extend((bits & (1 << 64) - 1, bits >> 64))
        return TrainNumbers(
            spec, values, self.extras, flags, doubled, marks, self._sets(), entries, entry_marks, bonuses,
            unit, self.order,
        )  # fmt: skip

    def _refuse_places(self) -> None:
        """Refuse what bounds by places do not hold for where stops take no place or several."""
        if self.train.pay_total is not None and self.common.placeless:
            why = "is paid for a total of stops, while some stops take no place (visit_cost 0)"
            raise UnsupportedRules(f"train {self.train.name}: {why}")
        ferry = self.position.rules.ferry
        for hex_id in sorted(ferry.hexes & self.layout.shapes.keys()) if ferry is not None else ():
            if self.layout.shapes[hex_id].costs:
                why = "a stop takes no place or several (visit_cost), though a ferry merges it"
                raise UnsupportedRules(f"hex {hex_id}: {why}")

    def _by_order(self, values: array[int]) -> bool:
        """Tell whether it matters in which order joined stops are visited, or where a route ends."""
        ignored = self.plan.ignored
        if self.common.foreign or ignored & CITY:
            return True
        for hex_id, stops in self.common.joined.items():
            if len(stops) < 2:
                continue
            unlike = {(self.kinds[stop], values[stop]) for stop in stops}
            dropped = any((ignored >> self.kinds[stop]) & 1 for stop in stops)
            if len(unlike) > 1 or dropped or hex_id in self.rule.worthless_hexes:
                return True
        return False

    def _limits(self) -> tuple[int, int, bool]:
        """Return (counted stops allowed, kinds that count, whether one row says it all)."""
        cities, towns, offboards = self.common.totals
        limited: list[tuple[int, int]] = []
        unlimited = 0
        for kinds, visit, _ in self.plan.rows:
            places = cities * (kinds & 1) + towns * (kinds >> 1 & 1) + offboards * (kinds >> 2)
            if visit < places:
                limited.append((kinds, visit))
            else:
                unlimited |= kinds
        counted = 7 & ~unlimited & ~self.plan.ignored
        if not counted:
            return NO_LIMIT, 0, True
        binding = [row for row in limited if row[0] & counted]
        limit = sum(visit for _, visit in binding)
        simple = len(binding) == 1 and binding[0][0] & counted == counted
        return limit, counted, simple

    def _payment(self) -> tuple[bool, int]:
        """Return (whether every visited stop pays, how many stops may pay)."""
        if self.train.pay_total is not None:
            return False, self.train.pay_total
        stops = self.layout.stops
        placeless = self.common.placeless  # more of these may be visited than the row says
        paid, pay_all = 0, True
        for kinds, visit, pay in self.plan.rows:
            if kinds & ~self.plan.ignored:
                paid += pay
                pay_all = pay_all and pay >= (stops if placeless & kinds else min(visit, stops))
        return pay_all, NO_LIMIT if pay_all else min(paid, NO_LIMIT)

    def _mode(self, limit: int, pay_all: bool, paid: int, counted: int) -> int:
        # Bounds by places hold for what is paid where each stop takes one.
        if not pay_all and (paid < limit or not self.common.even):
            return MODE_BEST
        return MODE_LIMITED if counted else MODE_ALL

    def _values(self) -> array[int]:
        values = array("i", self.common.figures(self.train.name == "D"))
        if self.plan.multipliers != [1, 1, 1]:
            self.layout.multiply(values, *self.plan.multipliers)
        if self.rule.worthless_hexes:
            for stop in self.layout.stops_in(self.rule.worthless_hexes):
                values[stop] = 0
        return values

    def _double(self, values: array[int], doubled: array[int]) -> None:
        """Mark the stops of doublings, and add to the bounds what these may bring."""
        reached: set[int] = set()
        for hexes, bit in self.plan.doublings.hexes:
            for stop in self.layout.stops_in(hexes):
                doubled[stop] |= bit
                reached.add(stop)
        for stop in reached:
            most = value = values[stop]
            for d, factor in enumerate(self.plan.doublings.factors):
                if (doubled[stop] >> d) & 1:
                    most *= factor
            self.extras[stop] += most - value

    def _flags(self, values: array[int], counted: int, mode: int, pay_all: bool) -> tuple[bytearray, int]:
        """Return a flag byte a stop, and the most that a town free of charge pays."""
        ignored = self.plan.ignored & TOWN
        town_free = not counted & TOWN and (counted or mode == MODE_BEST or ignored)
        flags = self.common.flags(self.rule, bool(town_free and self.needs_token))
        if pay_all or ignored or not self.common.totals[1]:
            return flags, 0
        return flags, most_flagged(values, flags, STOP_FREE)

    def _sets(self) -> array[int]:
        numbers = array("i")
        sets = list(self.common.once)
        for members in self.common.ferries:
            counting = [stop for stop in members if not (self.plan.ignored >> self.kinds[stop]) & 1]
            if len(counting) > 1:
                sets.append(counting)
        for hexes in self.rule.at_most_one:
            members = self.layout.stops_in(hexes)
            if len(members) > 1:
                sets.append(members)
        for members in sets:
            numbers.extend((len(members), 0, *members))
        return numbers

    # Bonuses.

    def _bonuses(self, marks: array[int], mode: int) -> array[int]:
        """Mark the stops that counters read; return counters and bonuses as numbers."""
        if not self.custom and not self.plan.has_bonuses:
            return NO_BONUSES
        more = {name for named in self.custom for name in named.rule.counters}
        plan = self.plan.bonuses(more, self.layout)
        self.order = plan.order
        self.unit = gcd(self.unit, plan.unit)
        self.layout.mark(marks, plan.marks, self.plan.ignored)
        index = self.layout.board.index
        for hex_id, side, bit in plan.entries:
            if hex_id in index:
                at = index[hex_id] * 8 + side
                bits, share = self.entry_rows.get(at, (0, 0))
                self.entry_rows[at] = (bits | 1 << bit, share)
        self.slack += plan.slack
        for choice in plan.shares:
            # The stops that a route is least likely to visit anyway give the tightest bound.
            least = choice[0] if len(choice) == 1 else min(choice, key=lambda one: self._rank(one[0]))
            counter, share = least
            self._spread(counter, share, mode)
        if self.custom:
            self._bound_custom(plan.counters, mode)
        return plan.numbers

    def _bound_custom(self, counters: dict[str, Counter], mode: int) -> None:
        """Add what rules in Python can bring: for each point of a counter, or as a whole."""
        for named in self.custom:
            self.unit = gcd(self.unit, named.rule.unit_of(named.given))
            if named.rule.per:
                self._spread(counters[named.rule.per], named.most, mode)
            elif named.rule.bound is None:
                self.slack += named.most

    def _rank(self, counter: Counter) -> tuple[int, int]:
        """Return the most that a stop of a counter pays (entries reckoned as everything), and its size."""
        figures = self.common.figures(self.train.name == "D")
        most, size = self.layout.most_in(figures, counter.hexes)
        if counter.entries:
            return NO_LIMIT, size + len(counter.entries)
        return most, size

    def _spread(self, counter: Counter, share: int, mode: int) -> None:
        """Add a share of a bonus to every stop and side of a counter, or all of them to the slack."""
        if mode == MODE_BEST and not self.position.rules.bonuses_need_pay:
            size = len(self.layout.stops_in(counter.hexes)) + len(counter.entries)
            self.slack += share * min(size, NO_LIMIT)
            return
        self.layout.spread(self.extras, counter.hexes, share)
        if mode == MODE_BEST and counter.entries:
            self.slack += share
            return
        for hex_id, side in counter.entries:
            if hex_id in self.layout.board.index:
                at = self.layout.board.index[hex_id] * 8 + side
                bits, old = self.entry_rows.get(at, (0, 0))
                self.entry_rows[at] = (bits, old + share)

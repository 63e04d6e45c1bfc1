"""One kind of train as numbers: limits, payment, figures of stops, bonuses and their bounds.

The bound of a bonus is shared out over the stops that a route must visit to earn it: a level that
needs a counter of n gives each of the counter's hexes ``amount / n`` (rounded up). A route that earns
the level has at least n of them, so the shares cover the amount.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import gcd
from typing import TYPE_CHECKING

from optimizer.graph.common import STOP_FREE, Common, needs_token
from optimizer.graph.rows import why_refused
from optimizer.graph.shapes import KIND_NUMBER
from optimizer.model.rules import Bonus, Counter, TrainRule, TrainType
from optimizer.model.tile import StopKind

if TYPE_CHECKING:
    from optimizer.graph.custom import Named

MODE_LIMITED, MODE_BEST, MODE_ALL = 0, 1, 2
NO_LIMIT = 1_000_000
MAX_MARKS = 128
MAX_DOUBLINGS = 4
MAX_LEVELS = 6
MAX_NEEDS = 4


class UnsupportedRules(ValueError):
    """Rules that are more than the search has room for; the text says which."""


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


def _kinds(kinds: Iterable[StopKind]) -> int:
    mask = 0
    for kind in kinds:
        mask |= 1 << KIND_NUMBER[kind]
    return mask


class TrainCompiler:
    """Works out the numbers for one kind of train."""

    def __init__(
        self, common: Common, train: TrainType, custom: Sequence[Named] = (), *, census: bool = False
    ) -> None:
        self.common = common
        self.needs_token = needs_token(train, census=census)
        self.position = common.position
        self.layout = common.layout
        self.train = train
        self.rule: TrainRule = self.position.rules.for_train(train.name)
        self.ignored = _kinds(self.rule.ignored)
        self.kinds = common.kinds
        self.slack = 0
        self.custom = custom
        self.order: dict[str, int] = {}
        self.unit = 0
        self.extras = array("i", bytes(4 * self.layout.stops))
        self.entry_rows: dict[int, tuple[int, int]] = {}  # side -> (marks, share of bonuses)
        self.bit_of: dict[str, int] = {}

    def compile(self) -> TrainNumbers:
        """Return all numbers; raises UnsupportedRules for rows, marks or levels beyond the search's room."""
        if why := why_refused(self.train.rows):
            raise UnsupportedRules(f"train {self.train.name}: {why}")
        self._refuse_places()
        limit, counted, simple = self._limits()
        pay_all, paid = self._payment(limit)
        mode = self._mode(limit, pay_all, paid, counted)
        values = self._values()
        flags, free_best = self._flags(values, counted, mode, pay_all)
        doubled, factors, modes = self._doublings()
        marks = array("Q", bytes(16 * self.layout.stops))
        bonuses = self._bonuses(marks, mode)
        if factors:
            self._double(values, doubled, factors)
        if mode == MODE_BEST:
            # The bounds of the best stops look at stops, not at what lies between them.
            for stop, extra in enumerate(self.extras):
                if extra:
                    flags[stop] &= ~STOP_FREE
        self.unit = gcd(self.unit, *set(values))
        ferry = self.position.rules.ferry
        penalties = [ferry.penalty * self._multiplier(kind) if ferry else 0 for kind in range(3)]
        self.unit = gcd(self.unit, *penalties)
        fill = 0 if pay_all else free_best
        if mode == MODE_LIMITED and fill:
            self.slack += fill * max(0, min(paid, 400) - limit)
        rows = sorted(self.train.rows, key=lambda row: len(row.nodes))
        spec = array("i", (
            mode, limit, paid, fill, self.slack, max(1, self.unit), simple, counted,
            self.needs_token, self.train.pay_needs_token,
            pay_all, self.train.pay_total is not None, _kinds(self.train.pay_first),
            self.position.rules.bonuses_need_pay, bool(self.rule.some_end_in),
            self._by_order(values), ferry is not None, len(rows), len(factors),
        ))  # fmt: skip
        for row in rows:
            spec.extend((_kinds(row.nodes), min(row.visit, NO_LIMIT), min(row.pay, NO_LIMIT)))
        for factor, double_mode in zip(factors, modes, strict=True):
            spec.extend((factor, double_mode))
        spec.extend(penalties)
        entries, entry_marks = array("i"), array("Q")
        for side, (bits, share) in self.entry_rows.items():
            entries.extend((side, share))
            entry_marks.extend((bits & (1 << 64) - 1, bits >> 64))
        return TrainNumbers(
            spec, values, self.extras, flags, doubled, marks, self._sets(), entries, entry_marks, bonuses,
            max(1, self.unit), self.order,
        )  # fmt: skip

    def _refuse_places(self) -> None:
        """Refuse what bounds by places do not hold for where stops take no place or several."""
        if self.common.even:
            return
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
        if self.common.foreign or (self.ignored >> KIND_NUMBER["city"]) & 1:
            return True
        ferry = self.position.rules.ferry
        for hex_id in sorted(ferry.hexes) if ferry is not None else ():
            stops = self.layout.stops_of(hex_id)
            if len(stops) < 2:
                continue
            unlike = {(self.kinds[stop], values[stop]) for stop in stops}
            ignored = any((self.ignored >> self.kinds[stop]) & 1 for stop in stops)
            if len(unlike) > 1 or ignored or hex_id in self.rule.worthless_hexes:
                return True
        return False

    def _limits(self) -> tuple[int, int, bool]:
        """Return (counted stops allowed, kinds that count, whether one row says it all)."""
        totals = self.common.totals
        counted = 0
        limited_rows = [
            row for row in self.train.rows if row.visit < sum(totals[KIND_NUMBER[kind]] for kind in row.nodes)
        ]
        for kind, number in KIND_NUMBER.items():
            if (self.ignored >> number) & 1:
                continue
            accepting = [row for row in self.train.rows if kind in row.nodes]
            if all(row in limited_rows for row in accepting):
                counted |= 1 << number
        if not counted:
            return NO_LIMIT, 0, True
        binding = [row for row in limited_rows if _kinds(row.nodes) & counted]
        limit = sum(row.visit for row in binding)
        simple = len(binding) == 1 and _kinds(binding[0].nodes) & counted == counted
        return limit, counted, simple

    def _payment(self, limit: int) -> tuple[bool, int]:
        """Return (whether every visited stop pays, how many stops may pay)."""
        train = self.train
        if train.pay_total is not None:
            return False, train.pay_total
        stops = self.layout.stops
        placeless = self.common.placeless  # more of these may be visited than the row says
        paid = sum(row.pay for row in train.rows if _kinds(row.nodes) & ~self.ignored)
        pay_all = all(
            row.pay >= (stops if placeless & _kinds(row.nodes) else min(row.visit, stops))
            for row in train.rows
            if _kinds(row.nodes) & ~self.ignored
        )
        return pay_all, NO_LIMIT if pay_all else min(paid, NO_LIMIT)

    def _mode(self, limit: int, pay_all: bool, paid: int, counted: int) -> int:
        # Bounds by places hold for what is paid where each stop takes one.
        if not pay_all and (paid < limit or not self.common.even):
            return MODE_BEST
        return MODE_LIMITED if counted else MODE_ALL

    def _values(self) -> array[int]:
        values = self.common.figures(self.train.name == "D")
        factor = [self._multiplier(number) for number in range(3)]
        if factor != [1, 1, 1]:
            for i, kind in enumerate(self.kinds):
                values[i] *= factor[kind]
        for stop in self.layout.stops_in(self.rule.worthless_hexes):
            values[stop] = 0
        return values

    def _double(self, values: array[int], doubled: array[int], factors: list[int]) -> None:
        """Add to the bounds what doublings may bring."""
        for i, value in enumerate(values):
            most = value
            for d, factor in enumerate(factors):
                if (doubled[i] >> d) & 1:
                    most *= factor
            self.extras[i] += most - value

    def _multiplier(self, number: int) -> int:
        for row in self.train.rows:
            if any(KIND_NUMBER[kind] == number for kind in row.nodes):
                return row.multiplier or self.train.multiplier
        return self.train.multiplier

    def _flags(self, values: array[int], counted: int, mode: int, pay_all: bool) -> tuple[bytearray, int]:
        """Return a flag byte a stop, and the most that a town free of charge pays."""
        ignored = (self.ignored >> 1) & 1
        town_free = not (counted >> 1) & 1 and (counted or mode == MODE_BEST or ignored)
        flags = self.common.flags(self.rule, bool(town_free and self.needs_token))
        if pay_all or ignored or not self.common.totals[1]:
            return flags, 0
        paying = [value for value, flag in zip(values, flags, strict=True) if flag & STOP_FREE]
        return flags, max(paying, default=0)

    def _doublings(self) -> tuple[array[int], list[int], list[int]]:
        """Return bits of the doublings a stop, and each doubling's factor and mode."""
        doubled = array("i", bytes(4 * self.layout.stops))
        factors, modes = [], []
        if len(self.rule.doublings) > MAX_DOUBLINGS:
            raise UnsupportedRules(f"more than {MAX_DOUBLINGS} doublings for train {self.train.name}")
        for i, doubling in enumerate(self.rule.doublings):
            factors.append(doubling.factor)
            one, two = doubling.both_ends_in, frozenset[str]()
            modes.append(1 if one else 0)
            if doubling.opposite_ends is not None:
                one, two = doubling.opposite_ends
                if doubling.both_ends_in:
                    one, two = one & doubling.both_ends_in, two & doubling.both_ends_in
                modes[-1] = 2
            for hexes, shift in ((doubling.hexes, 0), (one, 8), (two, 16)):
                for stop in self.layout.stops_in(hexes):
                    doubled[stop] |= 1 << (i + shift)
        return doubled, factors, modes

    def _sets(self) -> array[int]:
        numbers = array("i")
        sets = list(self.common.once)
        for members in self.common.ferries:
            counting = [stop for stop in members if not (self.ignored >> self.kinds[stop]) & 1]
            if len(counting) > 1:
                sets.append(counting)
        for hexes in self.rule.at_most_one:
            members = list(self.layout.stops_in(hexes))
            if len(members) > 1:
                sets.append(members)
        for members in sets:
            numbers.extend((len(members), 0, *members))
        return numbers

    # Bonuses.

    def _bonuses(self, marks: array[int], mode: int) -> array[int]:
        """Give counters their marks, and write counters and bonuses down."""
        rules = self.position.rules
        bonuses = [bonus for bonus in rules.bonuses if bonus.applies_to(self.train.name)]
        if not bonuses and not self.custom:
            return array("i", (0,))
        needed = {name for bonus in bonuses for level in bonus.levels for name, _ in level.needs}
        needed |= {bonus.per for bonus in bonuses if bonus.per is not None}
        needed |= {name for named in self.custom for name in named.rule.counters}
        counters = [counter for counter in rules.counters if counter.name in needed]
        masks = [self._counter_mask(counter, marks) for counter in counters]
        self.order = number = {counter.name: i for i, counter in enumerate(counters)}
        out = array("i", (len(counters),))
        for mask in masks:
            for shift in (0, 32, 64, 96):
                half = (mask >> shift) & 0xFFFFFFFF
                out.append(half - (1 << 32) if half >= 1 << 31 else half)
        for bonus in rules.bonuses:
            if not bonus.applies_to(self.train.name):
                if bonus.scope == "company":
                    out.extend((-1, NO_LIMIT, True, 0))  # claims are numbered alike for all trains
                continue
            if len(bonus.levels) > MAX_LEVELS or any(len(one.needs) > MAX_NEEDS for one in bonus.levels):
                most = f"at most {MAX_LEVELS} levels of {MAX_NEEDS} needs"
                raise UnsupportedRules(f"bonus {bonus.name}: {most}")
            times = self.train.multiplier if bonus.multiplied else 1
            out.extend((number[bonus.per] if bonus.per is not None else -1, min(bonus.per_max, NO_LIMIT)))
            out.extend((bonus.scope == "company", len(bonus.levels)))
            for level in bonus.levels:
                out.extend((level.amount * times, len(level.needs)))
                self.unit = gcd(self.unit, level.amount * times)
                for name, least in level.needs:
                    out.extend((number[name], least))
            self._share(bonus, times, counters, mode)
        self._bound_custom(counters, mode)
        return out

    def _bound_custom(self, counters: list[Counter], mode: int) -> None:
        """Add what rules in Python can bring: for each point of a counter, or as a whole."""
        for named in self.custom:
            self.unit = gcd(self.unit, named.rule.unit_of(named.given))
            if named.rule.per:
                self._spread(next(c for c in counters if c.name == named.rule.per), named.most, mode)
            elif named.rule.bound is None:
                self.slack += named.most

    def _counter_mask(self, counter: Counter, marks: array[int]) -> int:
        """Give each hex of a counter a mark, and its entries one of their own."""
        mask = 0
        for hex_id in sorted(counter.hexes):
            stops = self.layout.stops_of(hex_id)
            if not stops:
                continue
            bit = self._bit(hex_id)
            mask |= 1 << bit
            for stop in stops:
                if not (self.ignored >> self.kinds[stop]) & 1:
                    marks[2 * stop + (bit >> 6)] |= 1 << (bit & 63)
        if counter.entries:
            bit = self._bit(f"entry {counter.name}")
            mask |= 1 << bit
            for hex_id, side in sorted(counter.entries):
                if hex_id in self.layout.board.index:
                    at = self.layout.board.index[hex_id] * 8 + side
                    bits, share = self.entry_rows.get(at, (0, 0))
                    self.entry_rows[at] = (bits | 1 << bit, share)
        return mask

    def _bit(self, name: str) -> int:
        bit = self.bit_of.setdefault(name, len(self.bit_of))
        if bit >= MAX_MARKS:
            raise UnsupportedRules(f"the bonuses name more than {MAX_MARKS} hexes")
        return bit

    def _most_valuable(self, counter: Counter) -> int:
        """The most that a stop of a counter pays; entries are reckoned as everything."""
        if counter.entries:
            return NO_LIMIT
        values = self.common.figures(self.train.name == "D")
        return max((values[stop] for stop in self.layout.stops_in(counter.hexes)), default=0)

    def _share(self, bonus: Bonus, times: int, counters: list[Counter], mode: int) -> None:
        """Add a bonus's bound to the stops and sides that it needs, or to the slack."""
        by_name = {counter.name: counter for counter in counters}
        sizes = {
            name: len(list(self.layout.stops_in(counter.hexes))) + len(counter.entries)
            for name, counter in by_name.items()
        }
        if bonus.per is not None:
            share_by, shares = bonus.per, [level.amount * times for level in bonus.levels]
        else:
            common = set.intersection(*({name for name, _ in level.needs} for level in bonus.levels))
            if not common:
                self.slack += max((level.amount * times for level in bonus.levels), default=0)
                return
            # The stops that a route is least likely to visit anyway give the tightest bound.
            share_by = min(sorted(common), key=lambda name: (self._most_valuable(by_name[name]), sizes[name]))
            shares = [
                -(-level.amount * times // max(1, dict(level.needs)[share_by])) for level in bonus.levels
            ]
        self._spread(by_name[share_by], max(shares, default=0), mode)

    def _spread(self, counter: Counter, share: int, mode: int) -> None:
        """Add a share of a bonus to every stop and side of a counter, or all of them to the slack."""
        if mode == MODE_BEST and not self.position.rules.bonuses_need_pay:
            size = len(list(self.layout.stops_in(counter.hexes))) + len(counter.entries)
            self.slack += share * min(size, NO_LIMIT)
            return
        for stop in self.layout.stops_in(counter.hexes):
            self.extras[stop] += share
        if mode == MODE_BEST and counter.entries:
            self.slack += share
            return
        for hex_id, side in counter.entries:
            if hex_id in self.layout.board.index:
                at = self.layout.board.index[hex_id] * 8 + side
                bits, old = self.entry_rows.get(at, (0, 0))
                self.entry_rows[at] = (bits, old + share)

"""What is the same for one kind of train in all positions with the same rules.

Rules and train types outlive a position: a title has few of them, a game uses them all along. So what
depends on nothing else is worked out once.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from math import gcd

from optimizer.graph.rows import why_refused
from optimizer.graph.shapes import KIND_NUMBER
from optimizer.model.memo import RulesMemo
from optimizer.model.rules import Bonus, Counter, HexSet, RouteRules, TrainRule, TrainType
from optimizer.model.tile import StopKind
from optimizer.native.layout import Layout

NO_LIMIT = 1_000_000
MAX_MARKS = 128
MAX_DOUBLINGS = 4
MAX_LEVELS = 6
MAX_NEEDS = 4


class UnsupportedRules(ValueError):
    """Rules that are more than the search has room for; the text says which."""


def kinds_mask(kinds: Iterable[StopKind]) -> int:
    """Return a bit for each kind of stop."""
    mask = 0
    for kind in kinds:
        mask |= 1 << KIND_NUMBER[kind]
    return mask


@dataclass(frozen=True, slots=True)
class Doublings:
    """The doublings of a train: factor and mode of each, and which hexes have a part in it."""

    factors: tuple[int, ...] = ()
    modes: tuple[int, ...] = ()
    hexes: tuple[tuple[HexSet, int], ...] = ()  # with the bit that their stops get


class BonusPlan:
    """The bonuses of a train: their counters, marks and levels.

    A mark is a bit that a hex gives to routes that visit it. ``marks``: the bit of each hex that some
    counter reads; ``entries``: likewise ``hex, side, bit``; ``numbers``: counters, bonuses and levels as
    the native graph reads them; ``order``: the number of each counter; ``slack``: the most that bonuses
    bring which need no counter in all their levels. ``shares``: for each other bonus, what each point of a
    counter brings at most, for every counter that it always needs.
    """

    __slots__ = ("counters", "entries", "marks", "numbers", "order", "shares", "slack", "unit")

    def __init__(
        self,
        bonuses: Sequence[Bonus],
        counters: Sequence[Counter],
        train: TrainType,
        more: Collection[str],
        present: Collection[str] | None,
    ) -> None:
        """Take the rules; ``more`` counters that something else reads; only ``present`` hexes (None: all)."""
        earned = [bonus for bonus in bonuses if bonus.applies_to(train.name)]
        needed = {name for bonus in earned for level in bonus.levels for name, _ in level.needs}
        needed |= {bonus.per for bonus in earned if bonus.per is not None}
        needed.update(more)
        self.counters = {counter.name: counter for counter in counters if counter.name in needed}
        self.order = {name: i for i, name in enumerate(self.counters)}
        self.unit = 0
        self.slack = 0
        self.shares: list[tuple[tuple[Counter, int], ...]] = []
        self.numbers = array("i", (len(self.counters),))
        bit_of: dict[str, int] = {}
        self.entries: list[tuple[str, int, int]] = []
        bits = 0
        for counter in self.counters.values():
            bits = self._add_counter(counter, bits, bit_of, present)
        self.marks = tuple(bit_of.items())
        for bonus in bonuses:
            if bonus.applies_to(train.name):
                self._add_bonus(bonus, train.multiplier if bonus.multiplied else 1)
            elif bonus.scope == "company":
                self.numbers.extend((-1, NO_LIMIT, True, 0))  # claims are numbered alike for all trains

    def _add_counter(
        self, counter: Counter, bits: int, bit_of: dict[str, int], present: Collection[str] | None
    ) -> int:
        """Give each hex of a counter a mark, and its entries one of their own; return how many there are."""
        mask = 0
        for hex_id in sorted(counter.hexes):
            if present is None or hex_id in present:
                if hex_id not in bit_of:
                    bit_of[hex_id] = bits
                    bits += 1
                mask |= 1 << bit_of[hex_id]
        if counter.entries:
            mask |= 1 << bits
            self.entries += [(hex_id, side, bits) for hex_id, side in sorted(counter.entries)]
            bits += 1
        if bits > MAX_MARKS:
            raise UnsupportedRules(f"the bonuses name more than {MAX_MARKS} hexes")
        for shift in (0, 32, 64, 96):
            half = (mask >> shift) & 0xFFFFFFFF
            self.numbers.append(half - (1 << 32) if half >= 1 << 31 else half)
        return bits

    def _add_bonus(self, bonus: Bonus, times: int) -> None:
        if len(bonus.levels) > MAX_LEVELS or any(len(one.needs) > MAX_NEEDS for one in bonus.levels):
            most = f"at most {MAX_LEVELS} levels of {MAX_NEEDS} needs"
            raise UnsupportedRules(f"bonus {bonus.name}: {most}")
        per = self.order[bonus.per] if bonus.per is not None else -1
        self.numbers.extend((per, min(bonus.per_max, NO_LIMIT), bonus.scope == "company", len(bonus.levels)))
        for level in bonus.levels:
            self.numbers.extend((level.amount * times, len(level.needs)))
            self.unit = gcd(self.unit, level.amount * times)
            for name, least in level.needs:
                self.numbers.extend((self.order[name], least))
        self._add_share(bonus, times)

    def _add_share(self, bonus: Bonus, times: int) -> None:
        amounts = [level.amount * times for level in bonus.levels]
        if bonus.per is not None:
            self.shares.append(((self.counters[bonus.per], max(amounts, default=0)),))
            return
        needs = [dict(level.needs) for level in bonus.levels]
        common = sorted(set.intersection(*(set(need) for need in needs)))
        if not common:
            self.slack += max(amounts, default=0)
            return
        points = list(zip(amounts, needs, strict=True))
        self.shares.append(
            tuple(
                (self.counters[name], max(-(-amount // max(1, need[name])) for amount, need in points))
                for name in common
            )
        )


class TrainPlan:
    """One kind of train under some rules. ``rows``: (kinds, visit, pay) as listed.

    It holds parts of the rules, not the rules (see :class:`optimizer.model.memo.RulesMemo`).
    """

    def __init__(self, rules: RouteRules, train: TrainType) -> None:
        """Raises UnsupportedRules for rows or doublings beyond the search's room."""
        if why := why_refused(train.rows):
            raise UnsupportedRules(f"train {train.name}: {why}")
        self.train = train
        self.all_bonuses, self.counters = rules.bonuses, rules.counters
        self.rule: TrainRule = rules.for_train(train.name)
        self.ignored = kinds_mask(self.rule.ignored)
        self.rows = [(kinds_mask(row.nodes), row.visit, row.pay) for row in train.rows]
        self.spec_rows = array("i")
        for row in sorted(train.rows, key=lambda row: len(row.nodes)):
            self.spec_rows.extend((kinds_mask(row.nodes), min(row.visit, NO_LIMIT), min(row.pay, NO_LIMIT)))
        self.multipliers = [self._multiplier(number) for number in range(3)]
        ferry = rules.ferry
        self.penalties = [ferry.penalty * times if ferry else 0 for times in self.multipliers]
        self.unit = gcd(*self.penalties)
        self.pay_first = kinds_mask(train.pay_first)
        self.doublings = self._doublings() if self.rule.doublings else Doublings()
        self.has_bonuses = any(bonus.applies_to(train.name) for bonus in rules.bonuses)
        self._bonuses: BonusPlan | None = None

    def _multiplier(self, number: int) -> int:
        for row in self.train.rows:
            if any(KIND_NUMBER[kind] == number for kind in row.nodes):
                return row.multiplier or self.train.multiplier
        return self.train.multiplier

    def _doublings(self) -> Doublings:
        if len(self.rule.doublings) > MAX_DOUBLINGS:
            raise UnsupportedRules(f"more than {MAX_DOUBLINGS} doublings for train {self.train.name}")
        modes: list[int] = []
        hexes: list[tuple[HexSet, int]] = []
        for i, doubling in enumerate(self.rule.doublings):
            one, two = doubling.both_ends_in, frozenset[str]()
            modes.append(1 if one else 0)
            if doubling.opposite_ends is not None:
                one, two = doubling.opposite_ends
                if doubling.both_ends_in:
                    one, two = one & doubling.both_ends_in, two & doubling.both_ends_in
                modes[-1] = 2
            hexes += [(doubling.hexes, 1 << i), (one, 1 << i + 8), (two, 1 << i + 16)]
        factors = tuple(doubling.factor for doubling in self.rule.doublings)
        return Doublings(factors, tuple(modes), tuple(hexes))

    def bonuses(self, more: Collection[str], layout: Layout) -> BonusPlan:
        """Return the plan of the bonuses where ``more`` counters are read too.

        Raises UnsupportedRules for marks or levels beyond the search's room.
        """
        if not more and self._bonuses is not None:
            return self._bonuses
        hexes = {hex_id for counter in self.counters for hex_id in counter.hexes}
        if len(hexes) + len(self.counters) > MAX_MARKS:
            # Perhaps there is room for those that have stops now.
            present = {hex_id for hex_id in hexes if layout.stops_of(hex_id)}
            return BonusPlan(self.all_bonuses, self.counters, self.train, more, present)
        found = BonusPlan(self.all_bonuses, self.counters, self.train, more, None)
        if not more:
            self._bonuses = found
        return found


# The plan of a kind of train (kept); UnsupportedRules for what the search has no room for.
plan_of = RulesMemo(TrainPlan)

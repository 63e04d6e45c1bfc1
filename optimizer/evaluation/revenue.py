"""What a route earns: its counted stops, which of them pay, and its bonuses."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from optimizer.custom_registry import CustomRoute, find_rule
from optimizer.evaluation.custom import RouteCustom, RouteView, active_rules
from optimizer.evaluation.pay import Pay, Payable, Selection, choose, pay_all
from optimizer.evaluation.report import BonusPay, StopPay
from optimizer.evaluation.terms import Terms, offer_of
from optimizer.evaluation.track import JUNCTION, STOP, Map, Trace
from optimizer.model.rules import Bonus, BonusLevel, Doubling, TrainRule
from optimizer.model.tile import Stop, StopKind

Counts = tuple[tuple[str, int], ...]  # counters by name


class Visit(NamedTuple):
    """A visited stop. ``merged``: joined with the stop of the same hex before it (by a ferry)."""

    hex: str
    number: int
    stop: Stop
    token: bool
    merged: bool

    @property
    def signature(self) -> str:
        """The stop as ``<hex>-<part>``."""
        return f"{self.hex}-{self.stop.part}"


@dataclass(slots=True)
class Counted:
    """A counted stop: a visited one with those merged into it. ``visit`` is its number in the route.

    ``amount``: what it earns if it is paid.
    """

    visit: int
    hex: str
    stop: Stop
    kind: StopKind
    token: bool
    merged: bool = False
    value: int = 0
    penalty: int = 0
    multiplier: int = 1
    factor: int = 1
    amount: int = 0


class Earned(NamedTuple):
    """A bonus that is earned, by which level, and the counters that this was read from."""

    bonus: Bonus
    level: BonusLevel
    amount: int
    counts: Counts


class Earnings(NamedTuple):
    """What a route earns.

    ``forbidden_by`` names a custom rule that does not allow it; ``view`` is what rules about the whole
    run see of it (None where the position has none).
    """

    revenue: int
    stops: tuple[StopPay, ...]
    bonuses: tuple[BonusPay, ...]
    text: str
    forbidden_by: str = ""
    view: CustomRoute | None = None


def visits_of(track: Map, trace: Trace) -> tuple[Visit, ...]:
    """Return the visited stops of a route in order."""
    ferry = track.position.rules.ferry
    joined = ferry.hexes if ferry is not None else frozenset()
    laid, has_token, by_hex = track.laid, track.has_token, track.position.by_hex
    rows = []
    before = ""
    for hex_id, number in trace.visits:
        token = hex_id in by_hex and has_token(hex_id, number)
        merged = hex_id == before and hex_id in joined
        rows.append(Visit(hex_id, number, laid[hex_id].stops[number], token, merged))
        before = hex_id
    return tuple(rows)


def counted_stops(track: Map, terms: Terms, visits: Sequence[Visit]) -> tuple[Counted, ...]:
    """Return the counted stops of a route with what each would pay."""
    ignored = terms.rule.ignored
    counted: list[Counted] = []
    for number, (hex_id, _, stop, token, merged) in enumerate(visits):
        if stop.kind in ignored:
            continue
        if not merged:
            counted.append(Counted(number, hex_id, stop, stop.kind, token))
        elif counted and counted[-1].hex == hex_id:  # else the stop before it is ignored, and this too
            counted[-1].merged = True
            counted[-1].token |= token
    _set_amounts(track, terms, visits, counted)
    return tuple(counted)


def _set_amounts(track: Map, terms: Terms, visits: Sequence[Visit], counted: Sequence[Counted]) -> None:
    rule, train, ferry = terms.rule, terms.train.name, terms.rules.ferry
    colors = track.position.colors
    doublings = _doublings(rule, visits)
    last = len(visits) - 1
    for stop in counted:
        if stop.hex not in rule.worthless_hexes:
            stop.value = stop.stop.revenue.value(colors, train)
            if ferry is not None and (stop.merged or _must_cross(track, visits, stop, last)):
                stop.penalty = ferry.penalty
        stop.multiplier = terms.multipliers[stop.kind]
        for doubling in doublings:
            if stop.hex in doubling.hexes:
                stop.factor *= doubling.factor
        stop.amount = (stop.value - stop.penalty) * stop.multiplier * stop.factor


def _must_cross(track: Map, visits: Sequence[Visit], stop: Counted, last: int) -> bool:
    """Tell whether a train must use the ferry although its route stays on one bank (open_bank)."""
    ferry = track.position.rules.ferry
    if ferry is None or ferry.crossing != "open_bank" or stop.hex not in ferry.hexes:
        return False
    inside = 0 < stop.visit < last
    return inside and stop.stop.kind == "city" and not track.is_open(stop.hex, visits[stop.visit].number)


def _doublings(rule: TrainRule, visits: Sequence[Visit]) -> Sequence[Doubling]:
    """Return the doublings that hold for a route with these stops."""
    if not rule.doublings:
        return ()
    ends = (visits[0].hex, visits[-1].hex) if visits else ("", "")
    return [doubling for doubling in rule.doublings if _doubles(doubling, ends)]


def _doubles(doubling: Doubling, ends: tuple[str, str]) -> bool:
    """Tell whether a route with these ends is one that the rule doubles."""
    if doubling.both_ends_in and not set(ends) <= doubling.both_ends_in:
        return False
    if doubling.opposite_ends is None:
        return True
    one, other = doubling.opposite_ends
    return (ends[0] in one and ends[1] in other) or (ends[0] in other and ends[1] in one)


class RouteBonuses:
    """The bonuses that one route could earn, ready to be asked for any selection of stops."""

    def __init__(
        self,
        terms: Terms,
        trace: Trace,
        claims: frozenset[int],
        more: frozenset[str] = frozenset(),
    ) -> None:
        """Take the bonuses of the train and the counters that they read (``more``: others that are read)."""
        offer = offer_of(terms.rules, terms.train, claims, more) if claims or more else terms.offer
        self.bonuses = offer.bonuses
        self.counters = offer.counters
        self.multiplier = terms.train.multiplier
        sides = _sides_at_stops(trace, offer.gates) if offer.gates else ()
        self.entered = [c.name for c in self.counters if not c.entries.isdisjoint(sides)]
        self._earned: dict[frozenset[str], list[Earned]] = {}

    def signature(self, hex_id: str) -> tuple[int, ...]:
        """Return the numbers of the counters that count this hex."""
        return tuple(i for i, counter in enumerate(self.counters) if hex_id in counter.hexes)

    def counts(self, hexes: frozenset[str]) -> dict[str, int]:
        """Return the counters with these hexes."""
        counts = {counter.name: len(counter.hexes & hexes) for counter in self.counters}
        for name in self.entered:
            counts[name] += 1
        return counts

    def earned(self, hexes: frozenset[str]) -> list[Earned]:
        """Return the bonuses earned with these hexes."""
        found = self._earned.get(hexes)
        if found is None:
            counts = self.counts(hexes)
            every = [self._level(bonus, counts) for bonus in self.bonuses]
            found = self._earned[hexes] = [one for one in every if one is not None]
        return found

    def _level(self, bonus: Bonus, counts: dict[str, int]) -> Earned | None:
        """Return what a bonus brings; None where no level of it is met."""
        best: BonusLevel | None = None
        for level in bonus.levels:
            for name, least in level.needs:
                if counts.get(name, 0) < least:
                    break
            else:
                if best is None or level.amount > best.amount:
                    best = level
        if best is None:
            return None
        amount = best.amount
        if bonus.per is not None:
            amount *= min(counts.get(bonus.per, 0), bonus.per_max)
        if bonus.multiplied:
            amount *= self.multiplier
        return Earned(bonus, best, amount, tuple((name, counts.get(name, 0)) for name, _ in best.needs))

    def total(self, hexes: frozenset[str]) -> int:
        """Return what the bonuses earned with these hexes add."""
        return sum([one.amount for one in self.earned(hexes)]) if self.bonuses else 0


def _sides_at_stops(trace: Trace, hexes: frozenset[str]) -> set[tuple[str, int]]:
    """Return the sides of these hexes through which the route enters or leaves a stop."""
    sides = set()
    for step in trace.steps:
        if step.hex in hexes:
            if STOP <= step.entry < JUNCTION:
                sides.add((step.hex, step.exit))
            if STOP <= step.exit < JUNCTION:
                sides.add((step.hex, step.entry))
    return sides


class _Pricing:
    """A route that is being priced; of what one route of a run gets it can earn what is in ``claims``."""

    def __init__(
        self,
        track: Map,
        terms: Terms,
        trace: Trace,
        visits: Sequence[Visit],
        counted: Sequence[Counted],
        claims: frozenset[int],
    ) -> None:
        self.terms, self.counted = terms, counted
        active = active_rules(terms.rules, terms.train, claims) if terms.rules.custom else []
        read = frozenset(name for rule, _ in active for name in rule.counters)
        self.bonuses = RouteBonuses(terms, trace, claims, read)
        self.custom: RouteCustom | None = None
        if active:
            view = RouteView(track, terms.train, trace, visits, counted, self.bonuses)
            self.custom = RouteCustom(active, view, self.value)

    def pay(self) -> Pay | None:
        """Return what the train is paid for; None where it is nothing."""
        train = self.terms.train
        pay = pay_all(train, self.counted, self.extra)
        if pay is None:
            alike = self.custom is None or not self.custom.reads_routes
            pay = choose(train, _payable(self.counted, self.bonuses, self.terms), self.extra, alike=alike)
        return None if pay is None or pay.revenue < 0 else pay

    def looked_at(self, selection: Selection) -> frozenset[str]:
        """Return the hexes that counters look at."""
        counted = self.counted
        if self.terms.rules.bonuses_need_pay:
            return frozenset([counted[i].hex for i in selection])
        return frozenset([stop.hex for stop in counted])

    def value(self, selection: Selection, bonuses: RouteBonuses | None = None) -> int:
        """Return what the stops and bonuses of a selection bring, without rules in Python."""
        known = self.bonuses if bonuses is None else bonuses
        return sum(self.counted[i].amount for i in selection) + known.total(self.looked_at(selection))

    def extra(self, selection: Selection) -> int | None:
        """Return what a selection brings beyond its stops; None where it is not allowed."""
        added = 0
        if self.custom is not None:
            items = self.custom.items(selection)
            if items is None:
                return None
            added = sum(item.amount for item in items)
        return added + (self.bonuses.total(self.looked_at(selection)) if self.bonuses.bonuses else 0)

    def items(self, selection: Selection) -> list[BonusPay]:
        """Return what a selection brings beyond its stops, item by item."""
        items = []
        if self.bonuses.bonuses:
            for bonus, level, amount, read in self.bonuses.earned(self.looked_at(selection)):
                if amount:
                    items.append(BonusPay(bonus.name, amount, level.note, read))
        if self.custom is not None:
            items += self.custom.items(selection) or []
        return items


def earnings(
    track: Map,
    terms: Terms,
    trace: Trace,
    visits: Sequence[Visit],
    counted: Sequence[Counted],
    claims: frozenset[int] = frozenset(),
) -> Earnings:
    """Price a route; of what one route of a run gets it can earn what is in ``claims``."""
    pricing = _Pricing(track, terms, trace, visits, counted, claims)
    pay = pricing.pay()
    paid: Selection = pay.stops if pay is not None else ()
    items = pricing.items(paid) if pay is not None else []
    forbidden = pricing.custom.forbidden_by if pay is None and pricing.custom is not None else ""
    whole: CustomRoute | None = None
    rules = terms.rules
    if any(find_rule(row.name).scope == "run" for row in rules.custom):
        alone = RouteBonuses(terms, trace, frozenset(), frozenset(c.name for c in rules.counters))
        view = RouteView(track, terms.train, trace, visits, counted, alone)
        whole = view.of(paid, pricing.value(paid, alone) if pay is not None else 0)
    return Earnings(
        pay.revenue if pay is not None else 0,
        _stop_pays(track, terms, visits, counted, paid),
        tuple(items),
        revenue_text(terms, visits, counted, paid, items),
        forbidden,
        whole,
    )


def _payable(counted: Sequence[Counted], bonuses: RouteBonuses, terms: Terms) -> list[Payable]:
    """Return the counted stops for the choice; stops that share a hex of a bonus are all different."""
    shared = Tally(stop.hex for stop in counted)
    rows = []
    for number, stop in enumerate(counted):
        signature: tuple[int, ...] = bonuses.signature(stop.hex) if terms.rules.bonuses_need_pay else ()
        if signature and shared[stop.hex] > 1:
            signature = (*signature, -1 - number)
        rows.append(Payable(stop.kind, stop.amount, stop.token, signature))
    return rows


def _stop_pays(
    track: Map, terms: Terms, visits: Sequence[Visit], counted: Sequence[Counted], paid: Selection
) -> tuple[StopPay, ...]:
    """Return every visited stop with what it earns."""
    rows: list[StopPay | None] = [None] * len(visits)
    for number, stop in enumerate(counted):
        is_paid = number in paid
        amount = stop.amount if is_paid else 0
        rows[stop.visit] = _stop_pay(
            stop.hex, stop.stop.part, stop.kind, stop.value, amount,
            stop.multiplier, stop.penalty, stop.factor, True, is_paid, False,
        )  # fmt: skip
    return tuple(
        [
            row if row is not None else _not_counted(track, terms, visit)
            for row, visit in zip(rows, visits, strict=True)
        ]
    )


def _not_counted(track: Map, terms: Terms, visit: Visit) -> StopPay:
    value = visit.stop.revenue.value(track.position.colors, terms.train.name)
    return StopPay(
        visit.hex, visit.stop.part, visit.stop.kind, value, counted=False, paid=False, merged=visit.merged
    )


# The same few stops of a map are met again and again, and frozen objects are slow to make.
_stop_pay = lru_cache(maxsize=4096)(StopPay)


def revenue_text(
    terms: Terms,
    visits: Sequence[Visit],
    counted: Sequence[Counted],
    paid: Selection,
    bonuses: Sequence[BonusPay],
) -> str:
    """Return the revenue text in 18xx.games' notation.

    ``[Tr]`` marks a ferry, and what doublings and bonuses add is appended. If a train may leave stops
    unpaid and its route is one that a rule doubles, 18xx.games puts into parentheses what is not among the
    stops it chose, as in ``A6-(B9)-D9[Tr]-...-L11 + RGEx2 (=+110M)``; where all are paid it chose none, so
    all are in parentheses and the doubling is not mentioned.
    """
    names = [f"{stop.hex}[Tr]" if stop.merged else stop.hex for stop in counted]
    notes = []
    if doublings := _doublings(terms.rule, visits):
        chooses = any(0 < row.pay < row.visit for row in terms.train.rows)
        chosen: Selection = () if chooses and len(paid) == len(counted) else paid
        if chooses:
            bare = {counted[number].hex for number in chosen}
            names = [
                name if stop.hex in bare else f"({name})" for name, stop in zip(names, counted, strict=True)
            ]
        label = next((doubling.note for doubling in doublings if doubling.note), "")
        doubled = [counted[number] for number in chosen if counted[number].factor != 1]
        if label and doubled:
            gain = sum(stop.amount - stop.amount // stop.factor for stop in doubled)
            notes.append(f"{label}{f'x{len(doubled)}' if len(doubled) > 1 else ''} (=+{gain}M)")
    notes += [f"{bonus.note} (=+{bonus.amount}M)" for bonus in bonuses if bonus.note]
    return " + ".join(["-".join(names), *notes])

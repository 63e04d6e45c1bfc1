"""What a route earns: its counted stops, which of them pay, and its bonuses."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from optimizer.custom_registry import CustomRoute, find_rule
from optimizer.evaluation.custom import RouteCustom, RouteView, active_rules
from optimizer.evaluation.pay import Payable, Selection, choose
from optimizer.evaluation.report import BonusPay, StopPay
from optimizer.evaluation.track import JUNCTION, STOP, Map, Trace
from optimizer.model.rules import Bonus, BonusLevel, Counter, Doubling, RouteRules, TrainRule, TrainType
from optimizer.model.tile import Stop

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
    """A counted stop: a visited one with those merged into it. ``visit`` is its number in the route."""

    visit: int
    hex: str
    stop: Stop
    token: bool
    merged: bool = False
    value: int = 0
    penalty: int = 0
    multiplier: int = 1
    factor: int = 1

    @property
    def amount(self) -> int:
        """What it earns if it is paid."""
        return (self.value - self.penalty) * self.multiplier * self.factor


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
    rows = []
    before = ""
    for hex_id, number in trace.visits:
        stop = track.tile(hex_id).stops[number]
        merged = hex_id == before and hex_id in joined
        rows.append(Visit(hex_id, number, stop, track.has_token(hex_id, number), merged))
        before = hex_id
    return tuple(rows)


def counted_stops(track: Map, train: TrainType, visits: Sequence[Visit]) -> list[Counted]:
    """Return the counted stops of a route with what each would pay."""
    rules = track.position.rules
    rule = rules.for_train(train.name)
    counted: list[Counted] = []
    for number, visit in enumerate(visits):
        if visit.stop.kind in rule.ignored:
            continue
        if not visit.merged:
            counted.append(Counted(number, visit.hex, visit.stop, visit.token))
        elif counted and counted[-1].hex == visit.hex:  # else the stop before it is ignored, and this too
            counted[-1].merged = True
            counted[-1].token |= visit.token
    ends = (visits[0].hex, visits[-1].hex) if visits else ("", "")
    last = len(visits) - 1
    for stop in counted:
        if rules.ferry is not None and (stop.merged or _must_cross(track, visits, stop, last)):
            stop.penalty = rules.ferry.penalty
        if stop.hex not in rule.worthless_hexes:
            stop.value = stop.stop.revenue.value(track.position.colors, train.name)
        else:
            stop.penalty = 0
        stop.multiplier = _multiplier(train, stop.stop)
        stop.factor = _factor(rule, stop.hex, ends)
    return counted


def _must_cross(track: Map, visits: Sequence[Visit], stop: Counted, last: int) -> bool:
    """Tell whether a train must use the ferry although its route stays on one bank (open_bank)."""
    ferry = track.position.rules.ferry
    if ferry is None or ferry.crossing != "open_bank" or stop.hex not in ferry.hexes:
        return False
    inside = 0 < stop.visit < last
    return inside and stop.stop.kind == "city" and not track.is_open(stop.hex, visits[stop.visit].number)


def _multiplier(train: TrainType, stop: Stop) -> int:
    for row in train.rows:
        if stop.kind in row.nodes:
            return row.multiplier or train.multiplier
    return train.multiplier


def _factor(rule: TrainRule, hex_id: str, ends: tuple[str, str]) -> int:
    factor = 1
    for doubling in rule.doublings:
        if hex_id in doubling.hexes and _doubles(doubling, ends):
            factor *= doubling.factor
    return factor


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
        rules: RouteRules,
        train: TrainType,
        trace: Trace,
        claims: frozenset[int],
        more: frozenset[str] = frozenset(),
    ) -> None:
        """Pick the bonuses of the train and the counters that they read (``more``: others that are read)."""
        self.bonuses: list[Bonus] = [
            bonus
            for number, bonus in enumerate(rules.bonuses)
            if bonus.applies_to(train.name) and (bonus.scope == "route" or number in claims)
        ]
        self.multiplier = train.multiplier
        needed = {name for b in self.bonuses for level in b.levels for name, _ in level.needs}
        needed |= {b.per for b in self.bonuses if b.per is not None} | more
        self.counters: list[Counter] = [c for c in rules.counters if c.name in needed]
        self.entered = {c.name: int(_enters(c, trace)) for c in self.counters}

    def signature(self, hex_id: str) -> tuple[int, ...]:
        """Return the numbers of the counters that count this hex."""
        return tuple(i for i, counter in enumerate(self.counters) if hex_id in counter.hexes)

    def counts(self, hexes: frozenset[str]) -> dict[str, int]:
        """Return the counters with these hexes."""
        return {c.name: len(c.hexes & hexes) + self.entered[c.name] for c in self.counters}

    def earned(self, hexes: frozenset[str]) -> list[tuple[Bonus, BonusLevel, int, Counts]]:
        """Return the bonuses earned with these hexes: rule, level, amount, and the counters read."""
        counts = self.counts(hexes)
        found = []
        for bonus in self.bonuses:
            met = [
                level
                for level in bonus.levels
                if all(counts.get(name, 0) >= least for name, least in level.needs)
            ]
            if not met:
                continue
            level = max(met, key=lambda one: one.amount)
            amount = level.amount
            if bonus.per is not None:
                amount *= min(counts.get(bonus.per, 0), bonus.per_max)
            if bonus.multiplied:
                amount *= self.multiplier
            read = tuple((name, counts.get(name, 0)) for name, _ in level.needs)
            found.append((bonus, level, amount, read))
        return found

    def total(self, hexes: frozenset[str]) -> int:
        """Return what the bonuses earned with these hexes add."""
        return sum(amount for _, _, amount, _ in self.earned(hexes)) if self.bonuses else 0


def _enters(counter: Counter, trace: Trace) -> bool:
    """Tell whether the route enters or leaves a stop through one of the counter's sides."""
    if not counter.entries:
        return False
    for step in trace.steps:
        for end, side in ((step.entry, step.exit), (step.exit, step.entry)):
            if STOP <= end < JUNCTION and (step.hex, side) in counter.entries:
                return True
    return False


def earnings(
    track: Map,
    train: TrainType,
    trace: Trace,
    visits: Sequence[Visit],
    counted: Sequence[Counted],
    claims: frozenset[int] = frozenset(),
) -> Earnings:
    """Price a route; of what one route of a run gets it can earn what is in ``claims``."""
    rules = track.position.rules
    active = active_rules(rules, train, claims)
    read = frozenset(name for rule, _ in active for name in rule.counters)
    bonuses = RouteBonuses(rules, train, trace, claims, read)

    def view(known: RouteBonuses = bonuses) -> RouteView:
        return RouteView(track, train, trace, visits, counted, known)

    def value(selection: Selection, known: RouteBonuses = bonuses) -> int:
        return sum(counted[i].amount for i in selection) + known.total(_looked_at(rules, counted, selection))

    custom = RouteCustom(active, view, value)

    def extra(selection: Selection) -> int | None:
        added = custom.items(selection)
        if added is None:
            return None
        return bonuses.total(_looked_at(rules, counted, selection)) + sum(item.amount for item in added)

    alike = not any(rule.reads == "route" for rule, _ in active)
    pay = choose(train, _payable(counted, bonuses, rules), extra, alike=alike)
    if pay is not None and pay.revenue < 0:
        pay = None
    paid: Selection = pay.stops if pay is not None else ()
    items = [
        BonusPay(bonus.name, amount, level.note, seen)
        for bonus, level, amount, seen in (
            bonuses.earned(_looked_at(rules, counted, paid)) if pay is not None else ()
        )
        if amount
    ]
    forbidden = custom.forbidden_by if pay is None else ""
    items += custom.items(paid) or [] if pay is not None else []
    whole: CustomRoute | None = None
    if any(find_rule(row.name).scope == "run" for row in rules.custom):
        alone = RouteBonuses(rules, train, trace, frozenset(), frozenset(c.name for c in rules.counters))
        whole = view(alone).of(paid, value(paid, alone) if pay is not None else 0)
    return Earnings(
        pay.revenue if pay is not None else 0,
        _stop_pays(track, train, visits, counted, paid),
        tuple(items),
        _text(rules.for_train(train.name), train, visits, counted, paid, items),
        forbidden,
        whole,
    )


def _looked_at(rules: RouteRules, counted: Sequence[Counted], selection: Selection) -> frozenset[str]:
    """Return the hexes that counters look at."""
    if rules.bonuses_need_pay:
        return frozenset(counted[i].hex for i in selection)
    return frozenset(stop.hex for stop in counted)


def _payable(counted: Sequence[Counted], bonuses: RouteBonuses, rules: RouteRules) -> list[Payable]:
    """Return the counted stops for the choice; stops that share a hex of a bonus are all different."""
    shared = Tally(stop.hex for stop in counted)
    rows = []
    for number, stop in enumerate(counted):
        signature: tuple[int, ...] = bonuses.signature(stop.hex) if rules.bonuses_need_pay else ()
        if signature and shared[stop.hex] > 1:
            signature = (*signature, -1 - number)
        rows.append(Payable(stop.stop.kind, stop.amount, stop.token, signature))
    return rows


def _stop_pays(
    track: Map, train: TrainType, visits: Sequence[Visit], counted: Sequence[Counted], paid: Selection
) -> tuple[StopPay, ...]:
    """Return every visited stop with what it earns."""
    by_visit = {stop.visit: (number in paid, stop) for number, stop in enumerate(counted)}
    colors = track.position.colors
    rows = []
    for number, visit in enumerate(visits):
        is_paid, stop = by_visit.get(number, (False, None))
        part, kind = visit.stop.part, visit.stop.kind
        if stop is None:
            value = visit.stop.revenue.value(colors, train.name)
            rows.append(StopPay(visit.hex, part, kind, value, counted=False, paid=False, merged=visit.merged))
        else:
            amount = stop.amount if is_paid else 0
            rows.append(
                StopPay(
                    visit.hex, part, kind, stop.value, amount, stop.multiplier, stop.penalty, stop.factor,
                    paid=is_paid,
                )
            )  # fmt: skip
    return tuple(rows)


def _text(
    rule: TrainRule,
    train: TrainType,
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
    ends = (visits[0].hex, visits[-1].hex) if visits else ("", "")
    doublings = [doubling for doubling in rule.doublings if _doubles(doubling, ends)]
    chooses = bool(doublings) and any(0 < row.pay < row.visit for row in train.rows)
    chosen: Selection = () if chooses and len(paid) == len(counted) else paid
    bare = {counted[number].hex for number in chosen}
    names = []
    for stop in counted:
        name = f"{stop.hex}[Tr]" if stop.merged else stop.hex
        names.append(f"({name})" if chooses and stop.hex not in bare else name)
    notes = []
    label = next((doubling.note for doubling in doublings if doubling.note), "")
    doubled = [counted[number] for number in chosen if counted[number].factor != 1]
    if label and doubled:
        gain = sum(stop.amount - stop.amount // stop.factor for stop in doubled)
        notes.append(f"{label}{f'x{len(doubled)}' if len(doubled) > 1 else ''} (=+{gain}M)")
    notes += [f"{bonus.note} (=+{bonus.amount}M)" for bonus in bonuses if bonus.note]
    return " + ".join(["-".join(names), *notes])

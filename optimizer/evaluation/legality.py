"""Whether routes are legal: every rule that they break, and where (common 8.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from optimizer.evaluation.pay import fits_length
from optimizer.evaluation.report import Fault
from optimizer.evaluation.revenue import Counted, Visit
from optimizer.evaluation.terms import Terms
from optimizer.evaluation.track import JUNCTION, STOP, Map, Trace
from optimizer.model.position import Train
from optimizer.model.tile import StopKind

T = TypeVar("T")


class Ridden(NamedTuple):
    """A route as the checks see it: its number in the set, its train, its track and its stops."""

    number: int
    train: Train
    terms: Terms
    trace: Trace
    visits: tuple[Visit, ...]
    counted: tuple[Counted, ...]
    connections: tuple[tuple[str, ...], ...]

    def fault(
        self, rule: str, message: str, hex_id: str = "", *, side: int | None = None, stop: str = ""
    ) -> Fault:
        """Return a fault of this route."""
        return Fault(rule, message, self.number, self.train.id, hex_id, side, stop)


def route_faults(track: Map, route: Ridden) -> Iterator[Fault]:
    """Yield the faults that a route has by itself."""
    rules, rule = route.terms.rules, route.terms.rule
    yield from _stop_faults(track, route)
    if rules.same_hex_once or rules.stop_sets_once:
        yield from _other_stop_faults(route)
    if rule.closed_hexes or rule.at_most_one:
        yield from _hex_faults(route)
    if rule.ends_not or rule.no_end_hexes or rule.some_end_in:
        yield from _end_faults(route)
    if rules.ferry is not None:
        yield from _ferry_faults(track, route)
    yield from _length_faults(route)
    yield from _track_faults(track, route)


def _stop_faults(track: Map, route: Ridden) -> Iterator[Fault]:
    visits = route.visits
    if len(visits) < 2:
        yield route.fault("too_short", f"visits {len(visits)} stops; a route needs two")
    keys: list[tuple[str, int]] = []
    token, groups = False, False
    for visit in visits:
        keys.append((visit.hex, visit.number))
        token = token or visit.token
        groups = groups or visit.stop.groups != ()
    if route.train.type.requires_token and not token:
        company = track.position.company
        yield route.fault("no_token", f"visits no city with a token of {company}")
    if len(set(keys)) < len(keys):
        for visit in _repeated(visits, keys):
            message = f"visits {visit.signature} twice"
            yield route.fault("stop_twice", message, visit.hex, stop=visit.signature)
    if groups:
        for visit, group in _met_again(visits, [visit.stop.groups for visit in visits]):
            message = f"visits group {group} twice"
            yield route.fault("group_twice", message, visit.hex, stop=visit.signature)


def _other_stop_faults(route: Ridden) -> Iterator[Fault]:
    rules = route.terms.rules
    distinct = _distinct(route.visits)
    if rules.same_hex_once:
        for visit, hex_id in _met_again(distinct, [(visit.hex,) for visit in distinct]):
            yield route.fault("same_hex", f"visits two stops of {hex_id}", visit.hex, stop=visit.signature)
    for stops in rules.stop_sets_once:
        inside = [(0,) * ((visit.hex, visit.number) in stops) for visit in distinct]
        for visit, _ in _met_again(distinct, inside):
            names = _names(f"{hex_id}-{number}" for hex_id, number in stops)
            yield route.fault("stop_set", f"visits another of {names}", visit.hex, stop=visit.signature)


def _hex_faults(route: Ridden) -> Iterator[Fault]:
    rule, visits = route.terms.rule, route.visits
    visited = [visit.hex for visit in visits]
    if not rule.closed_hexes.isdisjoint(visited):
        for visit in visits:
            if visit.hex in rule.closed_hexes:
                message = f"visits {visit.hex}, which is closed to {route.train.name}-trains"
                yield route.fault("closed_hex", message, visit.hex, stop=visit.signature)
    for hexes in rule.at_most_one:
        if sum(map(hexes.__contains__, visited)) > 1:
            for visit, _ in _met_again(visits, [(0,) * (hex_id in hexes) for hex_id in visited]):
                message = f"visits more than one stop in {', '.join(sorted(hexes))}"
                yield route.fault("at_most_one", message, visit.hex, stop=visit.signature)


def _distinct(visits: Sequence[Visit]) -> list[Visit]:
    """Return the visits without repetitions of a stop, which are a fault of their own."""
    return list({(visit.hex, visit.number): visit for visit in reversed(visits)}.values())[::-1]


def _met_again(visits: Sequence[Visit], keys: Sequence[Iterable[object]]) -> Iterator[tuple[Visit, object]]:
    """Yield visits with a key that a visit before them has; ``keys`` are those of each visit.

    A stop that is merged with the stop before it does not meet the keys that they have in common again:
    the two count as one stop.
    """
    seen: set[object] = set()
    before: frozenset[object] = frozenset()
    for visit, row in zip(visits, keys, strict=True):
        own = frozenset(row)
        for key in (own - before if visit.merged else own) & seen:
            yield visit, key
        seen |= own
        before = own


def _end_faults(route: Ridden) -> Iterator[Fault]:
    rule = route.terms.rule
    if not route.visits:
        return
    ends = (route.visits[0], route.visits[-1])
    for visit in ends[: 1 + (ends[0] != ends[1])]:
        if visit.stop.kind in rule.ends_not:
            yield route.fault("end_kind", f"ends in a {visit.stop.kind}", visit.hex, stop=visit.signature)
        if visit.hex in rule.no_end_hexes:
            yield route.fault("end_here", f"may not end in {visit.hex}", visit.hex, stop=visit.signature)
    if rule.some_end_in and not any(visit.hex in rule.some_end_in for visit in ends):
        wanted = ", ".join(sorted(rule.some_end_in))
        yield route.fault("end_required", f"has no end in any of {wanted}", ends[0].hex)


def _ferry_faults(track: Map, route: Ridden) -> Iterator[Fault]:
    ferry = route.terms.rules.ferry
    if ferry is None or not route.visits:
        return
    hexes = {visit.hex for visit in route.visits}
    if len(hexes) == 1 and hexes <= ferry.hexes:
        (only,) = hexes
        yield route.fault("ferry_only", f"never leaves {only}", only)
    counted = [stop for stop in route.counted if stop.hex in ferry.hexes and _has_link(track, stop.hex)]
    for stop in _repeated(counted, (stop.hex for stop in counted)):
        yield route.fault("ferry_hex_twice", f"comes back to {stop.hex} without the ferry", stop.hex)


def _has_link(track: Map, hex_id: str) -> bool:
    return any(piece.ferry for piece in track.pieces(hex_id))


def _length_faults(route: Ridden) -> Iterator[Fault]:
    counts: dict[StopKind, int] = {}
    for stop in route.counted:
        counts[stop.kind] = counts.get(stop.kind, 0) + stop.stop.visit_cost
    if not fits_length(route.train.type.rows, counts):
        text = " and ".join(f"{number} {kind}" for kind, number in counts.items())
        yield route.fault("too_long", f"counts {text} stops, too many for a {route.train.name}-train")


def _track_faults(track: Map, route: Ridden) -> Iterator[Fault]:
    steps = route.trace.steps
    for number in route.trace.gaps:
        before, step = steps[number - 1], steps[number]
        yield route.fault("not_joined", f"track on {step.hex} does not join that on {before.hex}", step.hex)
    if steps and not route.trace.whole:
        loose = steps[0] if not STOP <= steps[0].entry < JUNCTION else steps[-1]
        yield route.fault("not_joined", f"ends on {loose.hex} outside a stop", loose.hex)
    for step in steps[1:-1] if route.trace.unusual else ():
        if step.piece.terminal:
            yield route.fault("terminal_inside", f"runs on from terminal track on {step.hex}", step.hex)
    for visit in route.visits[1:-1]:
        if not visit.token and track.blocks(visit.hex, visit.number):
            what = "an off-board" if visit.stop.kind == "offboard" else "a full city without own token"
            yield route.fault("blocked", f"passes {visit.signature}, {what}", visit.hex, stop=visit.signature)
    crossed: set[tuple[str, int]] = set()
    for step in steps if route.trace.unusual else ():
        if STOP <= step.exit < JUNCTION:
            crossed.clear()
        elif step.exit >= JUNCTION:
            if (step.hex, step.exit) in crossed:
                message = f"crosses a junction of {step.hex} twice without a stop between"
                yield route.fault("junction_twice", message, step.hex)
            crossed.add((step.hex, step.exit))


def _repeated(items: Sequence[T], keys: Iterable[object]) -> list[T]:
    """Return the items whose key an item before them has, one for each key."""
    seen: set[object] = set()
    found: dict[object, T] = {}
    for item, key in zip(items, keys, strict=True):
        if key in seen:
            found.setdefault(key, item)
        seen.add(key)
    return list(found.values())


def _names(signatures: Iterable[str]) -> str:
    return " and ".join(sorted(set(signatures)))

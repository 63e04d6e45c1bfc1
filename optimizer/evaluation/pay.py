"""Which of the counted stops a train is paid for (common 8.8; titles may say how many and which first).

A selection of counted stops is *seated* in the train's rows: rows with fewer kinds first, each stop in
route order in the first row that takes its kind and has room. The largest selection that can be seated,
holds a token and earns anything is paid; of several the one that earns most.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

from optimizer.model.rules import DistanceRow, TrainType, nested
from optimizer.model.tile import STOP_KINDS, StopKind

Selection = tuple[int, ...]  # numbers of counted stops, in route order


class Payable(NamedTuple):
    """A counted stop: what it would pay, and which bonuses could look at it (``signature``)."""

    kind: StopKind
    amount: int
    token: bool
    signature: tuple[int, ...]


class Paying(Protocol):
    """What is asked of a counted stop when all are paid."""

    @property
    def kind(self) -> StopKind: ...
    @property
    def amount(self) -> int: ...
    @property
    def token(self) -> bool: ...


class Pay(NamedTuple):
    """The stops that are paid and what they earn with the bonuses that need them."""

    stops: Selection
    revenue: int


@lru_cache(maxsize=4096)
def seating_order(rows: tuple[DistanceRow, ...]) -> tuple[DistanceRow, ...]:
    """Return the rows in the order in which stops are seated."""
    return tuple(sorted(rows, key=lambda row: len(row.nodes)))


def seated(rows: tuple[DistanceRow, ...], kinds: Sequence[StopKind]) -> bool:
    """Tell whether stops of these kinds, in route order, find seats to be paid."""
    if len(rows) == 1:
        (row,) = rows
        return len(kinds) <= row.pay and set(kinds).issubset(row.nodes)
    order = seating_order(rows)
    room = [row.pay for row in order]
    for kind in kinds:
        for number, row in enumerate(order):
            if room[number] > 0 and kind in row.nodes:
                room[number] -= 1
                break
        else:
            return False
    return True


@lru_cache(maxsize=4096)
def _filling_order(rows: tuple[DistanceRow, ...]) -> tuple[StopKind, ...]:
    def accepting(kind: StopKind) -> int:
        return sum(kind in row.nodes for row in rows)

    return tuple(sorted(STOP_KINDS, key=accepting))


def fits_length(rows: tuple[DistanceRow, ...], counts: dict[StopKind, int]) -> bool:
    """Tell whether a train may visit so many stops of each kind (common 8.7).

    Kinds that fewer rows take are filled in first; of equals cities come before towns before off-boards.
    """
    if len(rows) == 1:
        (row,) = rows
        here = sum([number for kind, number in counts.items() if kind in row.nodes])
        return here == sum(counts.values()) and here <= row.visit
    room = [row.visit for row in rows]
    for kind in _filling_order(rows):
        left = counts.get(kind, 0)
        for number, row in enumerate(rows):
            if left > 0 and kind in row.nodes:
                used = min(left, room[number])
                room[number] -= used
                left -= used
        if left > 0:
            return False
    return True


Bonus = Callable[[Selection], "int | None"]  # None: this selection is not allowed


def pay_all(train: TrainType, stops: Sequence[Paying], bonus: Bonus) -> Pay | None:
    """Return what a train is paid if that is for all counted stops; None where there may be a choice.

    It says what :func:`choose` would, which looks at the largest selection first.
    """
    if train.pay_needs_token and not any(stop.token for stop in stops):
        return None
    total = train.pay_total
    if total is None:
        if not stops or not seated(train.rows, [stop.kind for stop in stops]):
            return None
    elif len(stops) > total:
        return None
    everything = tuple(range(len(stops)))
    extra = bonus(everything)
    if extra is None:
        return None
    revenue = sum([stop.amount for stop in stops]) + extra
    return Pay(everything, revenue) if revenue > 0 or total is not None else None


def choose(train: TrainType, stops: Sequence[Payable], bonus: Bonus, *, alike: bool = True) -> Pay | None:
    """Return what a train is paid for, or None where no selection is allowed.

    ``bonus`` gives the extra revenue of a selection. It may depend only on how many selected stops have
    which signature; ``alike=False`` says that it can look at anything.
    """
    if train.pay_total is None:
        return _by_rows(train, stops, bonus, alike and nested(train.rows))
    first = [i for i, stop in enumerate(stops) if stop.kind in train.pay_first]
    others = [i for i, stop in enumerate(stops) if stop.kind not in train.pay_first]
    if len(first) > train.pay_total:
        first, others = [], first
    places = min(train.pay_total - len(first), len(others))
    return _best(_Choice(train, stops, bonus, alike, seats=False), first, others, places)


def _by_rows(train: TrainType, stops: Sequence[Payable], bonus: Bonus, alike: bool) -> Pay | None:
    choice = _Choice(train, stops, bonus, alike, seats=True)
    everything = list(range(len(stops)))
    for size in range(min(sum(row.pay for row in train.rows), len(stops)), 0, -1):
        found = _best(choice, [], everything, size)
        if found is not None and found.revenue > 0:
            return found
    return None


class _Choice(NamedTuple):
    train: TrainType
    stops: Sequence[Payable]
    bonus: Bonus
    alike: bool
    seats: bool

    def price(self, selection: Selection) -> int | None:
        """Return what a selection earns, or None where it is not allowed."""
        stops = self.stops
        if self.train.pay_needs_token and not any(stops[i].token for i in selection):
            return None
        if self.seats and not seated(self.train.rows, [stops[i].kind for i in selection]):
            return None
        bonus = self.bonus(selection)
        return None if bonus is None else sum(stops[i].amount for i in selection) + bonus


def _best(choice: _Choice, fixed: list[int], candidates: list[int], places: int) -> Pay | None:
    """Return the best selection of ``fixed`` and exactly ``places`` candidates."""
    if places == len(candidates):
        everything = tuple(sorted(fixed + candidates))
        revenue = choice.price(everything)
        return None if revenue is None else Pay(everything, revenue)
    best: Pay | None = None
    for chosen in _selections(_classes(choice, candidates), places):
        selection = tuple(sorted(fixed + chosen))
        revenue = choice.price(selection)
        if revenue is not None and (best is None or revenue > best.revenue):
            best = Pay(selection, revenue)
    return best


def _classes(choice: _Choice, candidates: list[int]) -> list[list[int]]:
    """Sort the candidates into classes of stops that differ in their amount only, highest first.

    Of a class nothing but the first few can be in a best selection; of equals the later are kept, as the
    reference does.
    """
    classes: dict[tuple[object, ...], list[int]] = {}
    for number in candidates:
        kind, _, token, signature = choice.stops[number]
        key = (kind, token, signature) if choice.alike else (number,)
        classes.setdefault(key, []).append(number)
    return [sorted(row, key=lambda i: (-choice.stops[i].amount, -i)) for row in classes.values()]


def _selections(classes: list[list[int]], places: int) -> Iterator[list[int]]:
    """Yield the selections of ``places`` stops that take the first few of every class."""
    if not classes:
        if places == 0:
            yield []
        return
    head, rest = classes[0], classes[1:]
    room = sum(len(row) for row in rest)
    for count in range(max(0, places - room), min(len(head), places) + 1):
        for more in _selections(rest, places - count):
            yield head[:count] + more

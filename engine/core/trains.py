"""Trains, the depot, and phases (rules: common 5.1 to 5.4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine.core.state import Journal, Stateful
from engine.errors import UnknownNameError

if TYPE_CHECKING:
    from engine.core.corporation import Corporation

UNLIMITED = "unlimited"


@dataclass(frozen=True, slots=True)
class TrainKind:
    """One kind of train as printed. `discounts`: kind traded in -> price reduction; `events`: (type, nth
    train).
    """

    name: str
    price: int
    count: int | None
    rusts_on: str | None = None
    obsolete_on: str | None = None
    available_on: str | None = None
    discounts: dict[str, int] = field(default_factory=dict)
    events: tuple[tuple[str, int], ...] = ()

    @classmethod
    def from_facts(cls, facts: dict[str, Any]) -> TrainKind:
        count = facts.get("num")
        return cls(
            name=facts["name"],
            price=facts["price"],
            count=None if count == UNLIMITED else count,
            rusts_on=facts.get("rusts_on"),
            obsolete_on=facts.get("obsolete_on"),
            available_on=facts.get("available_on"),
            discounts=dict(facts.get("discount") or {}),
            events=tuple((event["type"], event.get("when", 1)) for event in facts.get("events", ())),
        )


class Train(Stateful):
    """One train. `owner` is a corporation or None (depot, pool or gone). `operated`: has run this round.

    `announced`: its events have happened.
    """

    __slots__ = ("announced", "id", "index", "kind", "obsolete", "operated", "owner", "rusted", "sellable")
    id: str
    kind: TrainKind
    index: int
    owner: Corporation | None
    rusted: bool
    obsolete: bool
    operated: bool
    sellable: bool
    announced: bool

    def __init__(self, journal: Journal, kind: TrainKind, index: int) -> None:
        super().__init__(journal)
        self.kind = kind
        self.index = index
        self.id = f"{kind.name}-{index}"
        self.owner = None
        self.rusted = self.obsolete = self.operated = self.announced = False
        self.sellable = True

    @property
    def name(self) -> str:
        return self.kind.name

    @property
    def price(self) -> int:
        return self.kind.price

    def __repr__(self) -> str:
        return f"<Train {self.id}>"


class Depot(Stateful):
    """The bank's trains: `upcoming` in order, `discarded` in order of arrival, and all trains by id."""

    __slots__ = ("discarded", "kinds", "trains", "upcoming")
    kinds: tuple[TrainKind, ...]
    upcoming: tuple[Train, ...]
    discarded: tuple[Train, ...]
    trains: dict[str, Train]

    def __init__(self, journal: Journal, kinds: Sequence[TrainKind]) -> None:
        super().__init__(journal)
        self.kinds = tuple(kinds)
        stack = [Train(journal, kind, index) for kind in kinds for index in range(kind.count or 1)]
        self.upcoming = tuple(stack)
        self.discarded = ()
        self.trains = {train.id: train for train in stack}

    def train(self, train_id: str) -> Train:
        """The train that an action names; raises UnknownNameError."""
        train = self.trains.get(train_id)
        if train is None:
            raise UnknownNameError(f"there is no train {train_id!r}")
        return train

    def for_sale(self, kind_available: Callable[[TrainKind], bool]) -> list[Train]:
        """The next train, the first of each further kind that is already available, one per kind from the
        pool.
        """
        found: list[Train] = []
        seen: set[str] = set()
        for position, train in enumerate(self.upcoming):
            if train.name in seen:
                continue
            if position == 0 or (train.kind.available_on is not None and kind_available(train.kind)):
                seen.add(train.name)
                found.append(train)
        pool: set[str] = set()
        for train in self.discarded:
            if train.name not in pool:
                pool.add(train.name)
                found.append(train)
        return found

    def holds(self, train: Train) -> bool:
        return train in self.upcoming or train in self.discarded

    def take(self, train: Train) -> None:
        """Removes a train from the depot; an unlimited kind gets its next copy in the same place."""
        if train in self.discarded:
            self.discarded = tuple([other for other in self.discarded if other is not train])
            return
        rest = [other for other in self.upcoming if other is not train]
        if train.kind.count is None and all(other.kind is not train.kind for other in rest):
            copy = Train(self.journal, train.kind, train.index + 1)
            rest.insert(self.upcoming.index(train), copy)
            self.trains = {**self.trains, copy.id: copy}
        self.upcoming = tuple(rest)

    def discard(self, train: Train) -> None:
        """Puts a train into the pool; an obsolete one leaves the game."""
        detach(train)
        if train.obsolete:
            train.rusted = True
        else:
            self.discarded = (*self.discarded, train)

    def remove(self, train: Train) -> None:
        """Takes a train out of the game, wherever it is."""
        detach(train)
        self.upcoming = tuple([other for other in self.upcoming if other is not train])
        self.discarded = tuple([other for other in self.discarded if other is not train])
        train.rusted = True


def detach(train: Train) -> None:
    """Takes a train away from its corporation."""
    owner = train.owner
    if owner is not None:
        owner.trains = tuple([other for other in owner.trains if other is not train])
        train.owner = None


def attach(train: Train, owner: Corporation) -> None:
    """Gives a train to a corporation."""
    detach(train)
    train.owner = owner
    owner.trains = (*owner.trains, train)


@dataclass(frozen=True, slots=True)
class Phase:
    """One phase as printed. `limit`: trains per corporation, one number or by kind of corporation."""

    name: str
    colors: tuple[str, ...]
    limit: int | dict[str, int]
    operating_rounds: int
    status: frozenset[str]
    on: tuple[str, ...]

    @classmethod
    def from_facts(cls, facts: dict[str, Any]) -> Phase:
        on = facts.get("on")
        tiles = facts["tiles"]
        return cls(
            name=facts["name"],
            colors=(tiles,) if isinstance(tiles, str) else tuple(tiles),
            limit=facts["train_limit"],
            operating_rounds=facts.get("operating_rounds", 1),
            status=frozenset(facts.get("status", ())),
            on=() if on is None else (on,) if isinstance(on, str) else tuple(on),
        )

    def train_limit(self, corporation_kind: str) -> int:
        if isinstance(self.limit, dict):
            return self.limit.get(corporation_kind, 0)
        return self.limit

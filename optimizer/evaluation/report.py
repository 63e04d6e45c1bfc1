"""What the evaluator says about a set of routes: faults and revenue, item by item."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Fault:
    """One broken rule.

    ``rule`` is a stable name such as ``too_short`` (see :data:`RULES`), ``message`` the full sentence.
    ``route`` is the index of the route in the set (-1: the set as a whole), ``train`` its train's id,
    ``hex`` where it happens; ``side`` and ``stop`` (``<hex>-<part>``) say more where they apply.
    """

    rule: str
    message: str
    route: int = -1
    train: str = ""
    hex: str = ""
    side: int | None = None
    stop: str = ""

    def __str__(self) -> str:
        who = f"train {self.train}: " if self.train else ""
        return f"{who}{self.message} [{self.rule}]"

    def to_json(self) -> dict[str, Any]:
        """Return the fault as a JSON object without empty fields."""
        row: dict[str, Any] = {"rule": self.rule, "message": self.message}
        if self.route >= 0:
            row["route"] = self.route
        for name in ("train", "hex", "side", "stop"):
            if getattr(self, name) not in ("", None):
                row[name] = getattr(self, name)
        return row


# Every rule that the evaluator can find broken.
RULES: dict[str, str] = {
    "unknown_train": "the train belongs to the company",
    "train_twice": "a train runs at most once",
    "no_such_track": "the given track or stops exist",
    "too_short": "a route visits two stops or more",
    "no_token": "a route visits a city with a token of the company",
    "group_twice": "a route visits at most one stop of a group",
    "terminal_inside": "terminal track is only the first or last of a route",
    "stop_twice": "a route visits a stop once",
    "junction_twice": "between two stops a junction is passed once",
    "same_hex": "a route visits at most one stop of a hex",
    "stop_set": "a route visits at most one stop of a set",
    "too_long": "a train has a limit of stops",
    "end_kind": "a kind of stop that may not end a route",
    "end_here": "a hex where no route may end",
    "end_required": "one end lies in one of certain hexes",
    "closed_hex": "a hex closed to this train",
    "at_most_one": "a route visits at most one of certain hexes",
    "ferry_only": "a route leaves the hex of its ferry",
    "ferry_hex_twice": "a hex with a ferry counts once",
    "not_joined": "consecutive track of a route joins",
    "blocked": "a route passes no city that is full of foreign tokens, and no off-board",
    "side_twice": "a hex side is used once",
    "track_twice": "track within a hex is used once",
    "town_twice": "the track between a rim town and the far sides is used once",
    "shared_stop": "two routes share no stop",
    "shared_hex": "a hex is visited once in the whole run",
    "shared_group": "two routes share no group",
    "custom": "a custom rule",
}


_USUAL: tuple[tuple[str, int | bool], ...] = (
    ("multiplier", 1),
    ("penalty", 0),
    ("factor", 1),
    ("counted", True),
    ("paid", True),
)


@dataclass(frozen=True, slots=True)
class StopPay:
    """One visited stop and what it earns.

    ``value``: its figure in this phase. ``multiplier`` and ``penalty`` (of a ferry) and ``factor`` (of a
    doubling) turn it into ``amount`` if it is ``paid``. ``counted`` is False for stops that were merged
    into the stop before them or that the train ignores.
    """

    hex: str
    part: int
    kind: str
    value: int
    amount: int = 0
    multiplier: int = 1
    penalty: int = 0
    factor: int = 1
    counted: bool = True
    paid: bool = True
    merged: bool = False

    @property
    def signature(self) -> str:
        """The stop as ``<hex>-<part>``."""
        return f"{self.hex}-{self.part}"

    def to_json(self) -> dict[str, Any]:
        """Return the stop as a JSON object; fields at their usual value are left out."""
        row: dict[str, Any] = {"stop": self.signature, "value": self.value, "amount": self.amount}
        for name, usual in _USUAL:
            if getattr(self, name) != usual:
                row[name] = getattr(self, name)
        return row


@dataclass(frozen=True, slots=True)
class BonusPay:
    """Extra revenue of a route. ``counters`` are the numbers that the bonus was read from."""

    name: str
    amount: int
    note: str = ""
    counters: tuple[tuple[str, int], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the bonus as a JSON object."""
        return {"name": self.name, "amount": self.amount}


@dataclass(frozen=True, slots=True)
class RouteEvaluation:
    """One route, judged and priced: ``revenue`` = amounts of ``stops`` + amounts of ``bonuses``.

    ``revenue`` is what the route would earn by its stops even where it is illegal. ``paths`` is its
    track along the route, as found from the given hexes where it was not given.
    """

    train: str
    revenue: int
    revenue_str: str
    stops: tuple[StopPay, ...] = ()
    bonuses: tuple[BonusPay, ...] = ()
    faults: tuple[Fault, ...] = ()
    paths: tuple[tuple[str, int], ...] = ()
    connections: tuple[tuple[str, ...], ...] = ()

    @property
    def legal(self) -> bool:
        """Whether no fault lies in this route (alone or with the routes before it)."""
        return not self.faults

    def to_json(self) -> dict[str, Any]:
        """Return the evaluation as a JSON object."""
        return {
            "train": self.train,
            "revenue": self.revenue,
            "revenue_str": self.revenue_str,
            "stops": [stop.to_json() for stop in self.stops],
            "bonuses": [bonus.to_json() for bonus in self.bonuses],
            "faults": [fault.to_json() for fault in self.faults],
        }


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The verdict on a whole set of routes.

    ``bonuses``: what rules about all routes of a run add, beyond the sum of the routes.
    """

    revenue: int
    routes: tuple[RouteEvaluation, ...] = ()
    faults: tuple[Fault, ...] = field(default=())
    bonuses: tuple[BonusPay, ...] = ()

    @property
    def legal(self) -> bool:
        """Whether the whole set may be run."""
        return not self.faults

    def to_json(self) -> dict[str, Any]:
        """Return the verdict as a JSON object."""
        row: dict[str, Any] = {
            "legal": self.legal,
            "revenue": self.revenue,
            "routes": [route.to_json() for route in self.routes],
            "faults": [fault.to_json() for fault in self.faults],
        }
        if self.bonuses:
            row["bonuses"] = [bonus.to_json() for bonus in self.bonuses]
        return row

"""The closed vocabulary of route rules.

A :class:`RouteRules` says, as data, which routes are legal and what they earn beyond the figures of
their stops. Both the search and the independent evaluator read nothing else. Titles build one from
their own data and the position; a position with its own map carries one inline.

Terms. A route *visits* stops, in order. From the visited stops its *counted* stops are built: a stop
that follows another one of the same hex is merged into it where a :class:`FerryRule` says so, and stops
of a kind that the train ignores are dropped. Of the counted stops the
*paid* ones earn their figure. Bonuses look at the counted stops, or at the paid ones where
``bonuses_need_pay`` is set.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from optimizer.model.tile import StopKind

HexSet = frozenset[str]


@dataclass(frozen=True, slots=True)
class DistanceRow:
    """How many stops of these kinds a train may visit and be paid for, and its own multiplier."""

    nodes: tuple[StopKind, ...]
    visit: int
    pay: int
    multiplier: int = 0  # 0: the train's own


@lru_cache(maxsize=4096)
def nested(rows: tuple[DistanceRow, ...]) -> bool:
    """Tell whether any two rows have all or no kinds of the smaller in common.

    Then it does not matter in which order stops are seated.
    """
    sets = [set(row.nodes) for row in rows]
    return all(a <= b or b <= a or not a & b for i, a in enumerate(sets) for b in sets[:i])


@dataclass(frozen=True, slots=True)
class TrainType:
    """A train as the rules see it.

    ``rows``: one or more distance rows; a plain distance n is one row of all kinds with visit = pay =
    n. ``pay_total``: None pays by the rows (rules reference, common 8.8); a number pays that many
    counted stops, first every stop of the kinds ``pay_first``, then the best others.
    ``requires_token``: some visited city must hold a token of the company. ``pay_needs_token``: a
    paid stop must hold one.
    """

    name: str
    rows: tuple[DistanceRow, ...]
    multiplier: int = 1
    requires_token: bool = True
    pay_total: int | None = None
    pay_first: frozenset[StopKind] = frozenset()
    pay_needs_token: bool = True


@dataclass(frozen=True, slots=True)
class Doubling:
    """Multiply what stops in ``hexes`` pay if both ends of the route lie in ``both_ends_in``.

    Empty ``both_ends_in``: always. With ``opposite_ends`` set, one end must lie in the first set and
    the other in the second. ``note`` names it in a route's revenue text; empty: not mentioned.
    """

    hexes: HexSet
    both_ends_in: HexSet = frozenset()
    factor: int = 2
    opposite_ends: tuple[HexSet, HexSet] | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class TrainRule:
    """Rules for the trains named in ``trains`` (empty: every train that no other rule names)."""

    trains: frozenset[str] = frozenset()
    ends_not: frozenset[StopKind] = frozenset()  # kinds of stop that may not end a route
    some_end_in: HexSet = frozenset()  # if not empty, the first or last stop lies in one of these
    closed_hexes: HexSet = frozenset()  # no stop of these may be visited
    no_end_hexes: HexSet = frozenset()  # no route may end here
    worthless_hexes: HexSet = frozenset()  # stops here count but pay nothing
    at_most_one: tuple[HexSet, ...] = ()  # of each set at most one visited stop
    ignored: frozenset[StopKind] = frozenset()  # kinds dropped from the counted stops
    doublings: tuple[Doubling, ...] = ()


@dataclass(frozen=True, slots=True)
class Counter:
    """A number read off a route: how many distinct ``hexes`` it counts (or pays), plus credits.

    ``entries``: sides ``(hex, side)``; one more if the route enters or leaves a stop of that hex
    through any of them.
    """

    name: str
    hexes: HexSet = frozenset()
    entries: frozenset[tuple[str, int]] = frozenset()


@dataclass(frozen=True, slots=True)
class BonusLevel:
    """``amount`` if every named counter has at least the number given.

    ``note`` names it in a route's revenue text (``Montanx2``); empty: not mentioned.
    """

    needs: tuple[tuple[str, int], ...]
    amount: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Bonus:
    """Extra revenue. The best level that is met counts; ``per`` multiplies it by a counter.

    ``trains``: names it holds for (empty: all); ``but_trains``: names it does not hold for.
    ``multiplied``: the train's multiplier applies. ``scope``: ``route`` pays each route that
    qualifies, ``company`` pays the best qualifying route of the run only.
    """

    name: str
    levels: tuple[BonusLevel, ...]
    per: str | None = None
    per_max: int = 1_000_000
    trains: frozenset[str] = frozenset()
    but_trains: frozenset[str] = frozenset()
    multiplied: bool = False
    scope: Literal["route", "company"] = "route"

    def applies_to(self, train: str) -> bool:
        """Tell whether the bonus holds for trains of this name."""
        return train not in self.but_trains and (not self.trains or train in self.trains)


@dataclass(frozen=True, slots=True)
class CustomRule:
    """A rule written in Python and registered by name; see docs/custom-rules.md."""

    name: str
    parameters: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class FerryRule:
    """Stops of one hex that are joined, as the banks of the Rhine metropolises by their ferries.

    ``hexes``: in these a stop visited right after another stop of the same hex, by ferry or any other
    track, is merged into that one, whose figure is ``penalty`` lower then. A route that visits stops
    of one such hex only is illegal. Where the tile on it has a ferry link, the hex may not be counted
    twice. ``crossing``: ``free`` (the ferry is used only where the route says so) or ``open_bank``
    (18Rhl's designer rule: a train through a bank whose circles are all foreign must use the ferry).
    """

    penalty: int = 0
    hexes: HexSet = frozenset()
    crossing: Literal["free", "open_bank"] = "free"


@dataclass(frozen=True, slots=True, weakref_slot=True)
class RouteRules:
    """Everything about routes that the map itself does not say."""

    train_rules: tuple[TrainRule, ...] = ()
    counters: tuple[Counter, ...] = ()
    bonuses: tuple[Bonus, ...] = ()
    bonuses_need_pay: bool = True
    same_hex_once: bool = False  # no two visited stops on one hex
    stop_sets_once: tuple[frozenset[tuple[str, int]], ...] = ()  # (hex, stop): at most one visited
    ferry: FerryRule | None = None
    neutral_hexes: HexSet = frozenset()  # cities here never block
    # What is used once in a run, besides hex sides and stop-to-stop track (of one route, only a hex could be
    # visited twice; merged stops count as one visit):
    exclusive: frozenset[Literal["stop", "hex", "group"]] = frozenset()
    custom: tuple[CustomRule, ...] = ()

    def for_train(self, name: str) -> TrainRule:
        """Return the rule for trains of this name."""
        default = TrainRule()
        for rule in self.train_rules:
            if name in rule.trains:
                return rule
            if not rule.trains:
                default = rule
        return default

"""Route rules of 18Rhl (rules reference 18rhl sections 9.2, 15 and 19).

Towns pay but count for nothing and may not end a route; the 8-train is the Rheingold-Express (RGE),
which ignores them, starts or ends at an RGE hex, pays for its best eight stops and doubles the Rhine
metropolises between two RGE hexes. Green metropolises are two banks joined by a ferry.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from optimizer.model.position import Board, HexState
from optimizer.model.rules import (
    Bonus,
    BonusLevel,
    Counter,
    Doubling,
    FerryRule,
    HexSet,
    RouteRules,
    TrainRule,
    TrainType,
)
from optimizer.model.tile import Tile, rotate
from optimizer.titles.record import RulesInput, Switch, TitleRules

RGE_TRAIN = "8"
METROPOLISES = ("D9", "F9", "I10")
NORTH: HexSet = frozenset(("A4", "A6"))
SOUTH: HexSet = frozenset(("L11", "L13"))
RGE_HEXES = NORTH | SOUTH
OUT_TOKENED = ("A14", "B15", "C2")
EASTERN_RUHR: HexSet = frozenset(("C14", "D15"))
HAMBURG_BERLIN: HexSet = frozenset(("A14", "B15"))
RATINGEN = "E12"

# Markers K and S: a printed one each, and a variable one that lies on the map as an icon.
COAL, STEEL = "K", "S"
PRINTED_MARKER = {COAL: "D7", STEEL: "J15"}
# Sides of the Eastern Ruhr hexes by which coal and steel are entered (15.4).
COAL_ENTRIES = frozenset((("C14", 1), ("D15", 0)))
STEEL_ENTRIES = frozenset((("C14", 0), ("D15", 1)))
# Exits whose tiles make links to the Eastern Ruhr (14).
LINKS = (("C12", 4), ("D13", 3), ("D13", 4), ("E14", 3))

# Circles of one bank on the printed (yellow) metropolises, as indices of stops.
YELLOW_BANKS = {"D9": (1, 2), "F9": (1, 2), "I10": (0, 1)}

FERRY_PENALTY = 10
IRON_RHINE_BONUS = 80
LINK_BONUS = 10

# Rules are the same for many positions of a game; so many are kept.
MOST_RULES = 1000

SWITCHES: Mapping[str, Switch] = {
    "trajekt": Switch(
        ("engine", "designer"),
        "designer: a train through a green metropolis must use a circle that is open to its company, "
        "if need be over the ferry (19.1)",
    ),
    "yellow_bank_once": Switch(
        ("no", "yes"), "yes: a route uses only one of the two circles on a bank of a yellow metropolis (19.2)"
    ),
    "hamburg_berlin_once": Switch(("no", "yes"), "yes: not both A14 and B15 in one route (19.4)"),
    "rge_double_north_south_only": Switch(
        ("no", "yes"), "yes: the RGE doubles only between A4 or A6 and L11 or L13 (19.4)"
    ),
    "out_token": Switch(
        ("illegal", "zero"),
        "zero: a route may end at A14, B15 or C2 with a foreign station, but is not paid there (19.5)",
    ),
    "rge_skip": Switch(
        ("best8", "none"), "none: the RGE may visit eight stops at most instead of skipping the worst (19.6)"
    ),
    "ratingen": Switch(("engine", "printed"), "printed: the Ratingen bonus is 40 instead of 30 (19.8)"),
}


def adapt_train(train: TrainType, switches: Mapping[str, str]) -> TrainType:
    """All counted stops are paid, with or without a station; the RGE pays for its best eight."""
    rows = train.rows
    if train.name == RGE_TRAIN and switches["rge_skip"] == "none":
        rows = tuple(dataclasses.replace(row, visit=row.pay) if row.pay else row for row in rows)
    return dataclasses.replace(train, rows=rows, pay_needs_token=False)


def _is_ferry_tile(tile: Tile) -> bool:
    return any(path.ferry for path in tile.paths)


def _ferry_hexes(given: RulesInput) -> list[str]:
    return [hex_id for hex_id in METROPOLISES if _is_ferry_tile(given.tile(hex_id)[0])]


def _is_open(state: HexState | None, company: str) -> bool:
    """Nobody blocks with fewer than three stations on both banks, nor where the company has one (9.2)."""
    tokens = state.tokens if state is not None else ()
    return len(tokens) < 3 or any(token.company == company for token in tokens)


def _out_tokened(given: RulesInput) -> HexSet:
    return frozenset(
        hex_id
        for hex_id in OUT_TOKENED
        if hex_id in given.hexes and any(t.company != given.company for t in given.hexes[hex_id].tokens)
    )


class _Facts(NamedTuple):
    """What the rules depend on."""

    board: Board
    brown: bool
    ratingen_variant: bool
    switches: tuple[tuple[str, str], ...]
    ferries: tuple[str, ...]
    open_banks: tuple[str, ...]
    yellow: tuple[str, ...]
    out_tokened: HexSet
    coal: HexSet
    steel: HexSet
    links: int

    def is_on(self, switch: str) -> bool:
        """Tell whether a switch has another value than its default."""
        return dict(self.switches)[switch] != SWITCHES[switch].default


def _marked(given: RulesInput) -> tuple[HexSet, HexSet]:
    """Return the hexes that count as coal and as steel."""
    marked = [(hex_id, state.markers) for hex_id, state in given.hexes.items() if state.markers]

    def with_marker(marker: str) -> HexSet:
        placed = (hex_id for hex_id, markers in marked if marker in markers)
        return frozenset((PRINTED_MARKER[marker], *placed)) - EASTERN_RUHR

    return with_marker(COAL), with_marker(STEEL)


def count_links(given: RulesInput) -> int:
    """Count the links to the Eastern Ruhr on the map."""
    found = 0
    for hex_id, side in LINKS:
        tile, rotation = given.tile(hex_id)
        found += any(rotate(exit_side, rotation) == side for exit_side in tile.exits)
    return found


def _facts(given: RulesInput) -> _Facts:
    ferries = tuple(_ferry_hexes(given))
    coal, steel = _marked(given)
    links = given.counters.get("eastern_ruhr_links")
    printed = given.data.board.printed
    return _Facts(
        board=given.data.board,
        brown="brown" in given.phase.colors,
        ratingen_variant="ratingen_variant" in given.data.optional_rules,
        switches=tuple(given.switches.items()),
        ferries=ferries,
        open_banks=tuple(h for h in ferries if _is_open(given.hexes.get(h), given.company)),
        yellow=tuple(hex_id for hex_id in YELLOW_BANKS if given.tile(hex_id)[0] is printed[hex_id]),
        out_tokened=_out_tokened(given),
        coal=coal,
        steel=steel,
        links=count_links(given) if links is None else links,
    )


def _regular_rule(facts: _Facts) -> TrainRule:
    zero = facts.is_on("out_token")
    once = [EASTERN_RUHR, SOUTH]
    if facts.is_on("hamburg_berlin_once"):
        once.append(HAMBURG_BERLIN)
    return TrainRule(
        ends_not=frozenset(("town",)),
        no_end_hexes=frozenset() if zero else facts.out_tokened,
        worthless_hexes=facts.out_tokened if zero else frozenset(),
        at_most_one=tuple(once),
    )


def _rge_rule(facts: _Facts) -> TrainRule:
    red = {hex_id for hex_id, tile in facts.board.printed.items() if tile.color == "red"}
    metropolises = frozenset(METROPOLISES)
    if facts.is_on("rge_double_north_south_only"):
        doubling = Doubling(metropolises, opposite_ends=(NORTH, SOUTH), note="RGE")
    else:
        doubling = Doubling(metropolises, both_ends_in=RGE_HEXES, note="RGE")
    return TrainRule(
        trains=frozenset((RGE_TRAIN,)),
        some_end_in=RGE_HEXES,
        closed_hexes=frozenset(red - RGE_HEXES),
        ignored=frozenset(("town",)),
        doublings=(doubling,),
    )


def _counters(facts: _Facts) -> tuple[Counter, ...]:
    return (
        Counter("coal", facts.coal, COAL_ENTRIES),
        Counter("steel", facts.steel, STEEL_ENTRIES),
        Counter("eastern_ruhr", EASTERN_RUHR),
        Counter("roermond", frozenset(("G2",))),
        Counter("ratingen", frozenset((RATINGEN,))),
    )


def _bonuses(facts: _Facts) -> Iterator[Bonus]:
    express = frozenset((RGE_TRAIN,))
    montan = 40 if facts.brown else 20
    once = BonusLevel((("coal", 1), ("steel", 1)), montan, "Montan")
    twice = BonusLevel((("coal", 2), ("steel", 2)), 2 * montan, "Montanx2")
    yield Bonus("Montan", (once, twice), but_trains=express)
    note = f"{facts.links} links" if facts.links > 1 else f"{facts.links} link"
    level = BonusLevel((("eastern_ruhr", 1),), LINK_BONUS * facts.links, note)
    yield Bonus("Eastern Ruhr", (level,), but_trains=express)
    needs = (("roermond", 1), ("eastern_ruhr", 1))
    yield Bonus("Iron Rhine", (BonusLevel(needs, IRON_RHINE_BONUS, "Iron Rhine"),), but_trains=express)
    if facts.ratingen_variant:
        amount = 40 if facts.is_on("ratingen") else 30
        level = BonusLevel((("ratingen", 1), ("steel", 1)), amount, "Ratingen")
        yield Bonus("Ratingen", (level,), but_trains=express)


def _yellow_banks(facts: _Facts) -> Iterable[frozenset[tuple[str, int]]]:
    if facts.is_on("yellow_bank_once"):
        for hex_id in facts.yellow:
            yield frozenset((hex_id, stop) for stop in YELLOW_BANKS[hex_id])


@lru_cache(MOST_RULES)
def _rules(facts: _Facts) -> RouteRules:
    return RouteRules(
        train_rules=(_rge_rule(facts), _regular_rule(facts)),
        counters=_counters(facts),
        bonuses=tuple(_bonuses(facts)),
        stop_sets_once=tuple(_yellow_banks(facts)),
        ferry=FerryRule(
            FERRY_PENALTY, frozenset(METROPOLISES), "open_bank" if facts.is_on("trajekt") else "free"
        ),
        neutral_hexes=frozenset(facts.open_banks),
    )


def route_rules(given: RulesInput) -> RouteRules:
    """Return the rules for a company: they depend on the metropolises, stations, markers and links."""
    return _rules(_facts(given))


TITLE = TitleRules(
    "18Rhl",
    route_rules,
    adapt_train,
    switches=SWITCHES,
    counters={"eastern_ruhr_links": (0, 4)},
    marker_tokens=frozenset((COAL, STEEL)),
    neutral_computed=True,
)

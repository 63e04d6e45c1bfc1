"""Route rules of 1856 (rules reference 1856 section 12).

Every visited stop counts and pays, towns too. Bonuses: port marker, tunnel and bridge rights.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from optimizer.model.rules import Bonus, BonusLevel, Counter, RouteRules, TrainType
from optimizer.titles.record import RulesInput, TitleRules

PORT = "GLSC"
PORT_BONUS = 20

# Rules are the same for many positions of a game; so many are kept.
MOST_RULES = 1000

# A company that owns one of these privates has the right in any case (8.5).
RIGHTS: Mapping[str, tuple[str, tuple[str, ...], int]] = {
    "NFSBC": ("bridge", ("P17", "P19"), 10),
    "SCFTC": ("tunnel", ("B13",), 10),
}
Right = tuple[str, tuple[str, ...], int]  # name, hexes, amount
_NAMES = {frozenset(hexes): name for name, hexes, _ in RIGHTS.values()}


def adapt_train(train: TrainType, switches: Mapping[str, str]) -> TrainType:
    """Trains pay by their distance, as printed."""
    return train


def _port_hexes(given: RulesInput) -> frozenset[str]:
    if PORT not in given.assignments:
        return frozenset()
    return frozenset(hex_id for hex_id, state in given.hexes.items() if PORT in state.assignments)


def _rights(
    hex_bonuses: tuple[Right, ...], privates: tuple[str, ...]
) -> list[tuple[str, frozenset[str], int]]:
    """Bought rights and those that come with a private; each kind once."""
    bought = [(frozenset(hexes), amount) for _, hexes, amount in hex_bonuses]
    known = {hexes for hexes, _ in bought}
    bought += [
        (frozenset(hexes), amount)
        for private, (_, hexes, amount) in RIGHTS.items()
        if private in privates and frozenset(hexes) not in known
    ]
    return [(_NAMES.get(hexes, f"right {i + 1}"), hexes, amount) for i, (hexes, amount) in enumerate(bought)]


@lru_cache(MOST_RULES)
def _rules(port: frozenset[str], hex_bonuses: tuple[Right, ...], privates: tuple[str, ...]) -> RouteRules:
    counters: list[Counter] = []
    bonuses: list[Bonus] = []
    if port:
        counters.append(Counter("port", port))
        bonuses.append(Bonus("port", (BonusLevel((("port", 1),), PORT_BONUS),)))
    for name, hexes, amount in _rights(hex_bonuses, privates):
        counters.append(Counter(name, hexes))
        bonuses.append(Bonus(name, (BonusLevel(((name, 1),), amount),), per=name))
    return RouteRules(counters=tuple(counters), bonuses=tuple(bonuses))


def route_rules(given: RulesInput) -> RouteRules:
    """Return the rules for a company: its port marker and its rights add bonuses."""
    return _rules(_port_hexes(given), given.hex_bonuses, given.privates)


TITLE = TitleRules("1856", route_rules, adapt_train, assignments=frozenset((PORT,)))

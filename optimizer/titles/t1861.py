"""Route rules of 1861 and its sibling 1867 (rules reference 1861 sections 11 and 22.9).

Towns are free to visit and pay only where places are left. A route may not visit two stops of one
hex. Forty more, times the train's multiplier, for a capital together with the far city; the privates'
bonuses go to the company that owns them and are never multiplied.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import cache

from optimizer.model.rules import Bonus, BonusLevel, Counter, RouteRules, TrainType
from optimizer.titles.loader import TitleData, load_title
from optimizer.titles.record import RulesInput, TitleRules

CAPITAL_BONUS = 40


def adapt_train(train: TrainType, switches: Mapping[str, str]) -> TrainType:
    """Trains 2 to 8 and 2+2 pay n stops, cities and off-boards first; 5+5E pays five, off-boards first."""
    first = train.rows[0]
    return dataclasses.replace(train, pay_total=first.pay, pay_first=frozenset(first.nodes))


def _capital(data: TitleData) -> tuple[tuple[Counter, ...], Bonus]:
    constants = data.raw["constants"]
    counters = (
        Counter("capital", frozenset(constants["BONUS_CAPITALS"])),
        Counter("far_city", frozenset((constants["BONUS_REVENUE"],))),
    )
    level = BonusLevel((("capital", 1), ("far_city", 1)), CAPITAL_BONUS)
    return counters, Bonus("capital", (level,), multiplied=True)


def _private_bonuses(data: TitleData, privates: tuple[str, ...]) -> list[tuple[Counter, Bonus]]:
    found = []
    for company in data.raw["companies"]:
        if company["sym"] not in privates:
            continue
        for ability in company.get("abilities", ()):
            if ability["type"] == "hex_bonus" and ability["owner_type"] == "corporation":
                name = company["sym"]
                counter = Counter(name, frozenset(ability["hexes"]))
                level = BonusLevel(((name, 1),), ability["amount"])
                found.append((counter, Bonus(name, (level,), per=name)))
    return found


@cache
def _rules(title: str, privates: tuple[str, ...]) -> RouteRules:
    data = load_title(title)
    counters, capital = _capital(data)
    owned = _private_bonuses(data, privates)
    return RouteRules(
        counters=(*counters, *(counter for counter, _ in owned)),
        bonuses=(capital, *(bonus for _, bonus in owned)),
        same_hex_once=True,
    )


def route_rules(given: RulesInput) -> RouteRules:
    """Return the rules for a company: they depend on its privates only."""
    return _rules(given.data.name, tuple(sorted(given.privates)))


TITLE_1861 = TitleRules("1861", route_rules, adapt_train)
TITLE_1867 = TitleRules("1867", route_rules, adapt_train, neutral_companies=frozenset(("CN",)))

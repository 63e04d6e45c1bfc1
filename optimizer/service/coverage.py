"""Which rules of an inline map are not covered: they are refused by name, never answered wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from optimizer.custom_registry import find_rule
from optimizer.model.data import InlineMapData, PositionData, RouteRulesData
from optimizer.model.tile import STOP_KINDS
from optimizer.service.errors import UnsupportedRuleError

SCOPES = frozenset(("", "route", "company"))
CROSSINGS = frozenset(("", "free", "open_bank"))
EXCLUSIVE = frozenset(("stop", "hex", "group"))
KINDS = frozenset(("", *STOP_KINDS))


def refuse_uncovered(data: PositionData) -> None:
    """Raise UnsupportedRuleError for the first rule that is a word outside the vocabulary."""
    if data.inline is None:
        return
    for path, rule in _uncovered(data, data.inline):
        raise UnsupportedRuleError(rule, f"position.{path}")


def _uncovered(data: PositionData, inline: InlineMapData) -> Iterator[tuple[str, str]]:
    """Yield the path and the name of every rule that is not covered."""
    for hex_id, row in inline.hexes.items():
        if row.definition is not None:
            for i, stop in enumerate(row.definition.stops):
                yield from _words(f"inline.hexes[{hex_id}].definition.stops[{i}].kind", (stop.kind,), KINDS)
    for i, train in enumerate(data.trains):
        for j, part in enumerate(train.rows):
            yield from _words(f"trains[{i}].rows[{j}].nodes", part.nodes, KINDS)
        yield from _words(f"trains[{i}].pay_first", train.pay_first, KINDS)
    if inline.rules is not None:
        yield from _uncovered_rules(inline.rules)


def _uncovered_rules(rules: RouteRulesData) -> Iterator[tuple[str, str]]:
    path = "inline.rules"
    yield from _words(f"{path}.exclusive", rules.exclusive, EXCLUSIVE)
    for i, bonus in enumerate(rules.bonuses):
        yield from _words(f"{path}.bonuses[{i}].scope", (bonus.scope,), SCOPES)
    if rules.ferry is not None:
        yield from _words(f"{path}.ferry.crossing", (rules.ferry.crossing,), CROSSINGS)
    for i, rule in enumerate(rules.train_rules):
        yield from _words(f"{path}.train_rules[{i}].ends_not", rule.ends_not, KINDS)
        yield from _words(f"{path}.train_rules[{i}].ignored", rule.ignored, KINDS)
    for i, custom in enumerate(rules.custom):
        if custom.name and not _registered(custom.name):
            yield f"{path}.custom[{i}].name", custom.name


def _words(path: str, words: Iterable[str], known: frozenset[str]) -> Iterator[tuple[str, str]]:
    for word in words:
        if word not in known:
            yield path, word


def _registered(name: str) -> bool:
    try:
        find_rule(name)
    except KeyError:
        return False
    return True

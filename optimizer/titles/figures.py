"""How much a run could earn at most: the search and the messages count with 32 bits."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from optimizer.model.position import Train
from optimizer.model.rules import RouteRules
from optimizer.model.tile import Tile

MOST_REVENUE = 1_000_000_000


def most_revenue(tiles: Iterable[Tile], trains: Sequence[Train], rules: RouteRules) -> int:
    """Return more than any run can earn: every train is paid for every stop, with every bonus."""
    figures = sum(
        max((stop.revenue.plain, *(amount for _, amount in stop.revenue.by_color)))
        for tile in tiles
        for stop in tile.stops
    )
    doubled = max(
        (math.prod(doubling.factor for doubling in rule.doublings) for rule in rules.train_rules), default=1
    )
    counts = {counter.name: len(counter.hexes) + 1 for counter in rules.counters}
    bonuses = sum(
        max((level.amount for level in bonus.levels), default=0)
        * (min(bonus.per_max, counts.get(bonus.per, 1)) if bonus.per is not None else 1)
        for bonus in rules.bonuses
    )
    total = 0
    for train in trains:
        multiplier = max(train.type.multiplier, *(row.multiplier for row in train.type.rows))
        total += multiplier * (figures * doubled + bonuses)
    return total

"""1846: the Mail Contract adds 10 for each city visited by one train of its owner.

Source: 1846 (Thomas Lehmann, GMT 2016), private company Mail Contract: "adds a $10 bonus for each city
visited by a single train of the owning corporation". The president chooses the train.
"""

from __future__ import annotations

from typing import Any

from optimizer.custom import Route, rule

LONGEST = 8  # stops: the 7/8-train, no train of 1846 visits more


@rule(
    "1846 mail contract",
    scope="once",
    parameters={"amount": 10},
    most=lambda p: LONGEST * p.amount,
    unit=lambda p: p.amount,
    label="Mail",
)
def mail_contract(route: Route, parameters: Any) -> int:
    """Add an amount for each stop that one train of the company visits (1846)."""
    return int(parameters.amount) * min(len(route.stops), LONGEST)

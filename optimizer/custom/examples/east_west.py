"""1846: a route from an eastern red area to a western one earns the figures printed on both ends.

Source: 1846 (Thomas Lehmann, GMT 2016), rules section on revenue, "East-West bonus"; the map's red areas
marked E and W have a second figure. 18xx.games does the same (``east_west_bonus`` of its 1846).
The position names its eastern areas in a counter ``east`` and its western ones in ``west``.
"""

from __future__ import annotations

from typing import Any

from optimizer.custom import Route, helper, number, numbers, rule

# Figures printed on the areas: 50 at the Chicago Connections (C5), 20 at these, 30 at the others.
CHICAGO_CONNECTIONS = number("C5")
TWENTY = numbers("B18", "I17", "F22", "G21", "I1")


@helper
def figure(hex_number: int) -> int:
    """Return the figure that is printed on a red area."""
    if hex_number == CHICAGO_CONNECTIONS:
        return 50
    return 20 if hex_number in TWENTY else 30


@rule("1846 east-west", counters=("east", "west"), most=80, unit=10, label="E/W")
def east_west(route: Route, _: Any) -> int:
    """Pay the second figures of both ends if one lies in the east and the other in the west (1846)."""
    first, last = route.stops[0], route.stops[-1]
    # bit 0: the hex is counted by "east"; bit 1: by "west"
    across = (first.marks & 1 and last.marks & 2) or (first.marks & 2 and last.marks & 1)
    if not across or not (first.paid and last.paid):
        return 0
    return figure(first.hex) + figure(last.hex)

"""Compiled: the best choice of paid stops, over every claim, and the whole of one route."""

from __future__ import annotations

from typing import Any

import numpy as np

from optimizer.bulk import paying
from optimizer.bulk.paying import FORBIDS, NOTHING
from optimizer.bulk.tracing import compiled

_bonus_value, _count_marks, _custom_value, _seated = (
    paying.bonus_value, paying.count_marks, paying.custom_value, paying.seated,
)  # fmt: skip


@compiled
def price(
    net: Any, trains: Any, bonuses: Any, customs: Any, t: int, facts: Any, chosen: Any, n: int,
    counted: Any, rows: Any, size: int, bits: int, claims: int, by_rows: bool, counts: Any,
) -> int:  # fmt: skip
    """Return what a selection earns; NOTHING or FORBIDS where it is not allowed.

    ``facts``: amount, kind, token and hex of each counted stop.
    """
    token = not trains.numbers[t, 1]
    total = 0
    for i in range(n):
        if chosen[i]:
            total += facts[i, 0]
            token = token or facts[i, 2] != 0
    if not token:
        return NOTHING
    if by_rows and not _seated(trains, t, facts[:, 1], chosen, n):
        return NOTHING
    if bonuses.counters[0]:
        looked = chosen if bonuses.need_pay[0] else np.ones(n, dtype=np.int64)
        _count_marks(net, bonuses, facts[:, 3], n, looked, bits, counts)
        total += _bonus_value(bonuses, trains, t, counts, claims)
    if len(customs.claim):
        for i in range(n):
            rows[counted[i], 6] = chosen[i]
        more = _custom_value(customs, trains, t, total, counts, rows, size, claims)
        if more == FORBIDS:
            return FORBIDS
        total += more
    return total


@compiled
def best_of(
    net: Any, trains: Any, bonuses: Any, customs: Any, t: int, facts: Any, chosen: Any, n: int,
    counted: Any, rows: Any, size: int, bits: int, claims: int, by_rows: bool, counts: Any,
    candidates: Any, free: int, places: int,
) -> tuple[int, bool]:  # fmt: skip
    """Return the best that exactly ``places`` of the candidates earn beside what is chosen already.

    Candidates are sorted, the highest amounts first. The second value tells whether a rule forbade some
    selection.
    """
    slack = trains.numbers[t, 6]
    best = NOTHING
    forbidden = False
    have = 0
    for i in range(n):
        if chosen[i]:
            have += facts[i, 0]
    at = np.zeros(places + 1, dtype=np.int64)
    level = 0
    while level >= 0:
        if level == places:
            value = price(net, trains, bonuses, customs, t, facts, chosen, n, counted, rows, size, bits,
                          claims, by_rows, counts)  # fmt: skip
            forbidden = forbidden or value == FORBIDS
            if value > best and value > NOTHING:
                best = value
            level -= 1
        else:
            here = at[level]
            fits = here + places - level <= free
            if fits and best > NOTHING:
                top = have + slack
                for i in range(here, here + places - level):
                    top += facts[candidates[i], 0]
                fits = top > best
            if fits:
                chosen[candidates[here]] = 1
                have += facts[candidates[here], 0]
                level += 1
                at[level] = here + 1
                continue
            level -= 1
        if level >= 0:
            chosen[candidates[at[level]]] = 0
            have -= facts[candidates[at[level]], 0]
            at[level] += 1
    return best, forbidden


@compiled
def earn(
    net: Any, trains: Any, bonuses: Any, customs: Any, t: int, facts: Any, n: int, counted: Any, rows: Any,
    size: int, bits: int, claims: int,
) -> tuple[int, bool]:  # fmt: skip
    """Return the revenue of a route with these claims, and whether a rule forbids it."""
    total = trains.numbers[t, 2]
    chosen = np.zeros(n, dtype=np.int64)
    counts = np.zeros(max(1, bonuses.counters[0]), dtype=np.int64)
    candidates = np.zeros(n, dtype=np.int64)
    free = 0
    fixed = 0
    if total >= 0:
        for i in range(n):
            if (trains.numbers[t, 3] >> facts[i, 1]) & 1:
                fixed += 1
    all_first = fixed > total >= 0
    for i in range(n):
        first = total >= 0 and (trains.numbers[t, 3] >> facts[i, 1]) & 1
        if all_first:
            take = bool(first)
        else:
            take = not first
            if first:
                chosen[i] = 1
        if take:
            k = free
            while k > 0 and facts[candidates[k - 1], 0] < facts[i, 0]:
                candidates[k] = candidates[k - 1]
                k -= 1
            candidates[k] = i
            free += 1
    if total >= 0:
        places = min(total if all_first else total - fixed, free)
        best, forbidden = best_of(net, trains, bonuses, customs, t, facts, chosen, n, counted, rows, size,
                                  bits, claims, False, counts, candidates, free, places)  # fmt: skip
        return (best, False) if best >= 0 else (0, forbidden)
    forbidden = False
    for places in range(min(trains.numbers[t, 4], n), 0, -1):
        best, forbids = best_of(net, trains, bonuses, customs, t, facts, chosen, n, counted, rows, size,
                                bits, claims, True, counts, candidates, free, places)  # fmt: skip
        forbidden = forbidden or forbids
        if best > 0:
            return best, False
    return 0, forbidden

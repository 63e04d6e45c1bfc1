"""Compiled: what a route earns, by the choice of its paid stops (:mod:`optimizer.evaluation.pay`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from optimizer.bulk.calls import call_rule
from optimizer.bulk.tracing import compiled
from optimizer.bulk.trains import WORTHLESS
from optimizer.custom.view import COUNTS, FORBIDDEN, HEAD

NOTHING = -(1 << 60)  # no selection is allowed
FORBIDS = -(1 << 61)  # a rule forbids this selection


@compiled
def amounts_of(
    net: Any, trains: Any, bonuses: Any, t: int, visits: Any, count: int, counted: Any, merged: Any, n: int,
    out: Any,
) -> None:  # fmt: skip
    """Write what each counted stop pays."""
    first, last = visits[0], visits[count - 1]
    for i in range(n):
        at = counted[i]
        stop = visits[at]
        hex_ = net.s_hex[stop]
        value = trains.value[t, stop]
        if trains.flags[t, stop] & WORTHLESS:
            out[i] = 0
            continue
        if bonuses.ferry[0]:
            crosses = (
                bonuses.ferry[2] and 0 < at < count - 1 and net.h_ferry[hex_]
                and net.s_kind[stop] == 0 and not net.s_open[stop]
            )  # fmt: skip
            if merged[i] or crosses:
                value -= bonuses.ferry[1]
        factor = 1
        for d in range(trains.doubling.shape[1]):
            marks = trains.doubled[t, d]
            if not marks[stop] & 1:
                continue
            one, other = marks[first], marks[last]
            if trains.doubling[t, d, 1] and not (one & other & 2):
                continue
            if trains.doubling[t, d, 2] and not ((one & 4 and other & 8) or (one & 8 and other & 4)):
                continue
            factor *= trains.doubling[t, d, 0]
        out[i] = value * trains.multiplier[t, net.s_kind[stop]] * factor


@compiled
def entered(net: Any, paths: Any, enters: Any) -> int:
    """Return the bits of the counters by whose sides the route enters or leaves a stop."""
    found = 0
    for i in range(len(paths)):
        a, b = net.p_ends[paths[i], 0], net.p_ends[paths[i], 1]
        if 100 <= a < 200 and b < 100:
            found |= net.h_sides[net.p_hex[paths[i]], b]
        if 100 <= b < 200 and a < 100:
            found |= net.h_sides[net.p_hex[paths[i]], a]
    return found


@compiled
def count_marks(net: Any, bonuses: Any, hexes: Any, n: int, chosen: Any, bits: int, counts: Any) -> None:
    """Write the counters: distinct hexes of the chosen stops, one more for those in ``bits``."""
    for c in range(bonuses.counters[0]):
        counts[c] = (bits >> c) & 1
    for i in range(n):
        if not chosen[i]:
            continue
        again = False
        for k in range(i):
            again = again or (chosen[k] and hexes[k] == hexes[i])
        if again:
            continue
        marks = net.h_counters[hexes[i]]
        for c in range(bonuses.counters[0]):
            counts[c] += (marks >> c) & 1


@compiled
def bonus_value(bonuses: Any, trains: Any, t: int, counts: Any, claims: int) -> int:
    """Return what the bonuses of the closed vocabulary add."""
    total = 0
    for b in range(len(bonuses.claim)):
        if not bonuses.applies[t, b]:
            continue
        if bonuses.claim[b] >= 0 and not (claims >> bonuses.claim[b]) & 1:
            continue
        best = -1
        for level in range(bonuses.level_first[b], bonuses.level_first[b + 1]):
            met = True
            for k in range(bonuses.need_first[level], bonuses.need_first[level + 1]):
                met = met and counts[bonuses.need[k, 0]] >= bonuses.need[k, 1]
            if met and bonuses.amount[level] > best:
                best = bonuses.amount[level]
        if best < 0:
            continue
        if bonuses.per[b, 0] >= 0:
            best *= min(counts[bonuses.per[b, 0]], bonuses.per[b, 1])
        if bonuses.per[b, 2]:
            best *= trains.multiplier[t, 3]
        total += best
    return total


@compiled
def custom_value(
    customs: Any, trains: Any, t: int, revenue: int, counts: Any, rows: Any, size: int, claims: int
) -> int:
    """Return what rules in Python add, or FORBIDS."""
    total = 0
    head = np.zeros(HEAD, dtype=np.int64)
    for r in range(len(customs.claim)):
        if not customs.applies[t, r] or (customs.claim[r] >= 0 and not (claims >> customs.claim[r]) & 1):
            continue
        head[:] = 0
        head[0] = trains.numbers[t, 7]
        head[1] = trains.multiplier[t, 3]
        for k in range(8):
            if customs.counters[r, k] >= 0:
                head[COUNTS + k] = counts[customs.counters[r, k]]
        stops = 0
        if customs.reading[r]:
            head[2] = revenue
            stops = size
            fill_marks(customs, r, rows, size)
        value = call_rule(
            customs.function[r], head.ctypes.data, rows.ctypes.data, stops, customs.parameters[r].ctypes.data
        )
        if value <= FORBIDDEN:
            return FORBIDS
        total += value
    return total


@compiled
def fill_marks(customs: Any, r: int, rows: Any, size: int) -> None:
    """Turn all counters' bits (kept behind the rows) into those of one rule."""
    for i in range(size):
        marks = entries = 0
        for k in range(8):
            c = customs.counters[r, k]
            if c >= 0:
                marks |= ((rows[i + size, 9] >> c) & 1) << k
                entries |= ((rows[i + size, 10] >> c) & 1) << k
        rows[i, 9] = marks
        rows[i, 10] = entries


@compiled
def describe(
    net: Any, customs: Any, visits: Any, sides: Any, count: int, counted: Any, amounts: Any, n: int, rows: Any
) -> None:
    """Write the rows of the view; behind them the bits of all counters."""
    for i in range(count):
        stop = visits[i]
        hex_ = net.s_hex[stop]
        rows[i, :] = 0
        rows[i, 0] = customs.h_number[hex_]
        rows[i, 1] = net.s_part[stop]
        rows[i, 2] = net.s_kind[stop]
        rows[i, 4] = net.s_token[stop]
        rows[i, 7] = sides[i, 0]
        rows[i, 8] = sides[i, 1]
        rows[count + i, 9] = net.h_counters[hex_]
        bits = 0
        for k in range(2):
            if sides[i, k] >= 0:
                bits |= net.h_sides[hex_, sides[i, k]]
        rows[count + i, 10] = bits
    for i in range(n):
        rows[counted[i], 3] = amounts[i]
        rows[counted[i], 5] = 1


@compiled
def seated(trains: Any, t: int, kinds: Any, chosen: Any, n: int) -> bool:
    """Tell whether the chosen stops, in route order, find seats to be paid."""
    rows = trains.rows[t]
    room = rows[:, 4].copy()
    for i in range(n):
        if not chosen[i]:
            continue
        found = False
        for row in range(trains.row_count[t]):
            if room[row] > 0 and (rows[row, 3] >> kinds[i]) & 1:
                room[row] -= 1
                found = True
                break
        if not found:
            return False
    return True

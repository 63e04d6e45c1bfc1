"""Compiled: following a route along its paths, and what of it is faulty by itself.

The same rules as :mod:`optimizer.evaluation.legality`, over arrays.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from optimizer.bulk.trains import BAD_END, CLOSED, IGNORED, NO_END, SOME_END
from optimizer.evaluation.report import RULES

STOP = 100
JUNCTION = 200

# A bit for each rule that can be broken, in the order of the evaluator's list.
FAULTS = {name: 1 << i for i, name in enumerate(RULES)}
TOO_SHORT, NO_TOKEN, GROUP_TWICE = FAULTS["too_short"], FAULTS["no_token"], FAULTS["group_twice"]
TERMINAL_INSIDE, STOP_TWICE = FAULTS["terminal_inside"], FAULTS["stop_twice"]
JUNCTION_TWICE, SAME_HEX, STOP_SET = FAULTS["junction_twice"], FAULTS["same_hex"], FAULTS["stop_set"]
TOO_LONG, END_KIND, END_HERE = FAULTS["too_long"], FAULTS["end_kind"], FAULTS["end_here"]
END_REQUIRED, CLOSED_HEX, AT_MOST_ONE = FAULTS["end_required"], FAULTS["closed_hex"], FAULTS["at_most_one"]
FERRY_ONLY, FERRY_HEX_TWICE = FAULTS["ferry_only"], FAULTS["ferry_hex_twice"]
NOT_JOINED, BLOCKED, SHARED_HEX = FAULTS["not_joined"], FAULTS["blocked"], FAULTS["shared_hex"]
USED_TWICE = np.array([FAULTS["side_twice"], FAULTS["track_twice"], FAULTS["town_twice"]], dtype=np.int64)

compiled = njit(nogil=True)


@compiled
def joins(net: Any, path_end: int, other: int) -> int:
    """Return the end (0, 1) by which path ``other`` joins what leaves by ``path_end``; -1 if it doesn't."""
    for at in range(net.join_first[path_end], net.join_first[path_end + 1]):
        if net.join_to[at] >> 1 == other:
            return int(net.join_to[at] & 1)
    return -1


@compiled
def first_entry(net: Any, paths: Any, at: int, hint: int) -> int:
    """Return the end by which a path is entered that follows nothing; ``hint``: the stop to start from."""
    path = paths[at]
    if at + 1 < len(paths):
        # entered by b it leaves by a
        back = joins(net, 2 * path, paths[at + 1]) >= 0
        return 1 if back and joins(net, 2 * path + 1, paths[at + 1]) < 0 else 0
    return 1 if hint >= 0 and net.p_stops[path, 1] == hint else 0


@compiled
def follow(net: Any, paths: Any, hint: int, enters: Any, visits: Any, sides: Any) -> tuple[int, bool]:
    """Follow a route; return the number of visited stops, and whether all of it joins.

    ``enters[i]``: the end by which path i is entered; ``visits``: the visited stops; ``sides``: by which
    sides the route comes to and goes from each.
    """
    count = 0
    whole = True
    for i in range(len(paths)):
        path = paths[i]
        entry = -1
        if i > 0:
            entry = joins(net, 2 * paths[i - 1] + 1 - enters[i - 1], path)
        fresh = entry < 0
        if fresh:
            if i > 0:
                whole = False
            entry = first_entry(net, paths, i, hint)
        enters[i] = entry
        come, go = net.p_stops[path, entry], net.p_stops[path, 1 - entry]
        near, far = net.p_ends[path, entry], net.p_ends[path, 1 - entry]
        if come >= 0:
            if fresh:
                visits[count] = come
                sides[count, 0] = -1
                sides[count, 1] = -1
                count += 1
            sides[count - 1, 1] = far if far < STOP else -1
        if go >= 0:
            visits[count] = go
            sides[count, 0] = near if near < STOP else -1
            sides[count, 1] = -1
            count += 1
    if len(paths) > 0:
        last = len(paths) - 1
        whole = whole and net.p_stops[paths[0], enters[0]] >= 0
        whole = whole and net.p_stops[paths[last], 1 - enters[last]] >= 0
    return count, whole


@compiled
def count_stops(net: Any, ferry: Any, flags: Any, visits: Any, count: int, counted: Any, merged: Any) -> int:
    """List the counted stops: their numbers in the route; ``merged`` tells which took others in."""
    n = 0
    for i in range(count):
        stop = visits[i]
        if flags[stop] & IGNORED:
            continue
        hex_ = net.s_hex[stop]
        joined = ferry[0] and i > 0 and net.s_hex[visits[i - 1]] == hex_ and net.h_ferry[hex_]
        if not joined:
            counted[n] = i
            merged[n] = 0
            n += 1
        elif n > 0 and net.s_hex[visits[counted[n - 1]]] == hex_:
            merged[n - 1] = 1
    return n


@compiled
def is_merged(net: Any, ferry: Any, visits: Any, i: int) -> bool:
    """Tell whether visit i counts as one with the visit before it."""
    if not ferry[0] or i == 0:
        return False
    hex_ = net.s_hex[visits[i]]
    return bool(net.s_hex[visits[i - 1]] == hex_ and net.h_ferry[hex_])


@compiled
def met_again(bits: int, before: int, seen: int, merged: bool) -> int:
    """Return what a visit meets again; merged stops do not meet what they have in common."""
    return (bits & ~before if merged else bits) & seen


@compiled
def stop_faults(net: Any, trains: Any, bonuses: Any, t: int, visits: Any, count: int) -> int:
    """Return the faults of the visited stops."""
    flags = trains.flags[t]
    ferry = bonuses.ferry
    faults = 0
    token = False
    groups = once = old_groups = old_once = 0
    if count < 2:
        faults |= TOO_SHORT
    for i in range(count):
        stop = visits[i]
        merged = is_merged(net, ferry, visits, i)
        token |= net.s_token[stop] != 0
        if flags[stop] & CLOSED:
            faults |= CLOSED_HEX
        if met_again(net.s_groups[stop], old_groups, groups, merged):
            faults |= GROUP_TWICE
        if met_again(trains.once[t, stop], old_once, once, merged):
            faults |= AT_MOST_ONE
        old_groups, old_once = net.s_groups[stop], trains.once[t, stop]
        groups |= old_groups
        once |= old_once
        for k in range(i):
            if visits[k] == stop:
                faults |= STOP_TWICE
            if bonuses.exclusive_hex[0] and not merged and net.s_hex[visits[k]] == net.s_hex[stop]:
                faults |= SHARED_HEX
        if 0 < i < count - 1 and net.s_blocked[stop]:
            faults |= BLOCKED
    if trains.numbers[t, 0] and not token:
        faults |= NO_TOKEN
    if count > 0:
        first, last = visits[0], visits[count - 1]
        ends = flags[first] | flags[last]
        if ends & BAD_END:
            faults |= END_KIND
        if ends & NO_END:
            faults |= END_HERE
        if trains.numbers[t, 5] and not ends & SOME_END:
            faults |= END_REQUIRED
    return faults | set_faults(net, ferry, visits, count, bonuses.same_hex_once[0])


@compiled
def set_faults(net: Any, ferry: Any, visits: Any, count: int, same_hex_once: int) -> int:
    """Return the faults about two stops of a hex or of a set; a repeated stop is looked at once."""
    faults = 0
    sets = old_sets = met = 0
    before = -1
    seen = np.empty(count, dtype=np.int64)
    for i in range(count):
        stop = visits[i]
        first = i
        again = False
        for k in range(count):
            if visits[k] == stop:
                again = again or k > i
                first = min(first, k)
        if again:
            continue
        merged = is_merged(net, ferry, visits, first)
        if met_again(net.s_sets[stop], old_sets, sets, merged):
            faults |= STOP_SET
        old_sets = net.s_sets[stop]
        sets |= old_sets
        if same_hex_once and not (merged and before >= 0 and net.s_hex[before] == net.s_hex[stop]):
            for k in range(met):
                if net.s_hex[seen[k]] == net.s_hex[stop]:
                    faults |= SAME_HEX
        before = stop
        seen[met] = stop
        met += 1
    return faults


@compiled
def ferry_faults(net: Any, ferry: Any, visits: Any, count: int, counted: Any, n: int) -> int:
    """Return the faults about joined stops of a hex."""
    if not ferry[0] or count == 0:
        return 0
    faults = 0
    only = net.h_ferry[net.s_hex[visits[0]]] != 0
    for i in range(1, count):
        only = only and net.s_hex[visits[i]] == net.s_hex[visits[0]]
    if only:
        faults |= FERRY_ONLY
    for i in range(n):
        hex_ = net.s_hex[visits[counted[i]]]
        if net.h_ferry[hex_] and net.h_link[hex_]:
            for k in range(i):
                if net.s_hex[visits[counted[k]]] == hex_:
                    faults |= FERRY_HEX_TWICE
    return faults


@compiled
def track_faults(net: Any, paths: Any, enters: Any, whole: bool, used: Any) -> int:
    """Return the faults of the track; ``used`` is scratch, all zero before and after."""
    faults = 0
    if len(paths) > 0 and not whole:
        faults |= NOT_JOINED
    for i in range(1, len(paths) - 1):
        if net.p_terminal[paths[i]]:
            faults |= TERMINAL_INSIDE
    for i in range(len(paths)):
        out = net.p_ends[paths[i], 1 - enters[i]]
        if out >= JUNCTION:
            for k in range(i - 1, -1, -1):
                if STOP <= net.p_ends[paths[k], 1 - enters[k]] < JUNCTION:
                    break  # the junction may be passed again after a stop
                if net.p_hex[paths[k]] == net.p_hex[paths[i]] and net.p_ends[paths[k], 1 - enters[k]] == out:
                    faults |= JUNCTION_TWICE
        for k in range(3):
            key = net.p_keys[paths[i], k]
            if key >= 0:
                if used[key]:
                    faults |= USED_TWICE[net.key_kind[key]]
                used[key] = 1
    for i in range(len(paths)):
        for k in range(3):
            if net.p_keys[paths[i], k] >= 0:
                used[net.p_keys[paths[i], k]] = 0
    return faults


@compiled
def length_faults(net: Any, trains: Any, t: int, visits: Any, counted: Any, n: int) -> int:
    """Tell whether the counted stops are too many for the train."""
    counts = np.zeros(3, dtype=np.int64)
    for i in range(n):
        stop = visits[counted[i]]
        counts[net.s_kind[stop]] += net.s_cost[stop]
    rows = trains.rows[t]
    room = rows[:, 1].copy()
    for k in range(3):
        kind = trains.fill[t, k]
        left = counts[kind]
        for row in range(trains.row_count[t]):
            if left > 0 and (rows[row, 0] >> kind) & 1:
                used = min(left, room[row])
                room[row] -= used
                left -= used
        if left > 0:
            return TOO_LONG
    return 0

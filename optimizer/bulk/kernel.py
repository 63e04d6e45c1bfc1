"""Compiled: all routes in one parallel pass."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit, prange

from optimizer.bulk import choosing, paying, tracing
from optimizer.custom.view import FIELDS
from optimizer.evaluation.report import RULES

CUSTOM = 1 << list(RULES).index("custom")
CHUNK = 64

_follow, _count_stops, _earn = tracing.follow, tracing.count_stops, choosing.earn
_stop_faults, _ferry_faults = tracing.stop_faults, tracing.ferry_faults
_track_faults, _length_faults = tracing.track_faults, tracing.length_faults
_amounts_of, _entered, _describe = paying.amounts_of, paying.entered, paying.describe


@tracing.compiled
def one(
    net: Any, trains: Any, bonuses: Any, customs: Any, t: int, paths: Any, hint: int, scratch: Any, used: Any
) -> tuple[int, int]:  # fmt: skip
    """Return the revenue and the faults of one route."""
    enters, visits, counted, merged = scratch[0], scratch[1], scratch[2], scratch[3]
    sides = np.empty((len(paths) + 2, 2), dtype=np.int64)
    count, whole = _follow(net, paths, hint, enters, visits, sides)
    n = _count_stops(net, bonuses.ferry, trains.flags[t], visits, count, counted, merged)
    faults = _stop_faults(net, trains, bonuses, t, visits, count)
    faults |= _ferry_faults(net, bonuses.ferry, visits, count, counted, n)
    faults |= _length_faults(net, trains, t, visits, counted, n)
    faults |= _track_faults(net, paths, enters, whole, used)
    if count == 0:
        return 0, faults
    facts = np.zeros((n, 4), dtype=np.int64)
    _amounts_of(net, trains, bonuses, t, visits, count, counted, merged, n, facts[:, 0])
    for i in range(n):
        stop = visits[counted[i]]
        facts[i, 1] = net.s_kind[stop]
        facts[i, 2] = net.s_token[stop]
        facts[i, 3] = net.s_hex[stop]
        if merged[i]:
            # Those that were merged into it bring their tokens.
            for k in range(counted[i] + 1, count):
                if net.s_hex[visits[k]] != net.s_hex[stop] or not net.h_ferry[net.s_hex[stop]]:
                    break
                if not trains.flags[t, visits[k]] & 16:
                    facts[i, 2] |= net.s_token[visits[k]]
    bits = _entered(net, paths, enters)
    rows = np.zeros((2 * count if len(customs.claim) else 0, FIELDS), dtype=np.int64)
    if len(customs.claim):
        _describe(net, customs, visits, sides, count, counted, facts[:, 0], n, rows)
    best = -1
    forbidden = False
    for claims in bonuses.claims:
        revenue, forbids = _earn(
            net, trains, bonuses, customs, t, facts, n, counted, rows, count, bits, claims
        )
        if revenue > best:
            best = revenue
            forbidden = forbids
    if forbidden:
        faults |= CUSTOM
    return best, faults


def _version() -> int:
    """Return a digest of the compiled code: Numba's cache looks at this file alone."""
    state = hashlib.blake2b(digest_size=6)
    for name in ("calls", "choosing", "kernel", "paying", "tables", "tracing", "trains"):
        state.update(Path(__file__).with_name(f"{name}.py").read_bytes())
    return int.from_bytes(state.digest(), "big")


def _make(version: int) -> Any:
    @njit(cache=True, parallel=True, nogil=True)
    def score(
        net: Any, trains: Any, bonuses: Any, customs: Any, kinds: Any, hints: Any, first: Any, paths: Any,
        longest: int, revenue: Any, faults: Any,
    ) -> None:  # fmt: skip
        """Score every route: type ``kinds[i]`` along ``paths[first[i]:first[i + 1]]``."""
        if version < 0:  # never; a number of the closure is part of the cache's key
            return
        chunks = (len(kinds) + CHUNK - 1) // CHUNK
        for chunk in prange(chunks):
            scratch = np.zeros((4, longest + 2), dtype=np.int64)
            used = np.zeros(net.keys[0] + 1, dtype=np.uint8)
            for i in range(chunk * CHUNK, min(len(kinds), (chunk + 1) * CHUNK)):
                along = paths[first[i] : first[i + 1]]
                value, wrong = one(net, trains, bonuses, customs, kinds[i], along, hints[i], scratch, used)
                revenue[i] = value
                faults[i] |= wrong

    return score


score = _make(_version())

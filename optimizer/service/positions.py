"""From a message to a sound position, remembering hexes that were checked before.

Positions of one game differ in a few hexes only, and those of different games share most tiles. Reading
and checking a hex costs more than looking up the bytes of its message, so the outcome is kept for each
(title, optional rules, phase, hex, bytes).
"""

from __future__ import annotations

import threading
from collections.abc import Mapping

from rheingold.v1 import position_pb2 as pb

from optimizer.model.position import HexState, Position
from optimizer.model.read_limits import ReadLimits
from optimizer.service.convert.position import hex_data, position_data
from optimizer.service.coverage import refuse_uncovered
from optimizer.titles.resolve import resolve

# About 20 MB. Then all are forgotten: what is in use comes back at once.
MAX_KNOWN = 40_000

Hexes = dict[tuple[str, bytes], HexState]


class PositionReader:
    """Reads positions. May be used by any thread."""

    def __init__(self, limits: ReadLimits) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._known: dict[tuple[str, tuple[str, ...], str], Hexes] = {}
        self._count = 0

    def read(self, message: pb.Position) -> Position:
        """Return the position.

        Raises PositionError with every fault, and UnsupportedRuleError for a rule that is not covered.
        """
        data = position_data(message)
        if data.inline is not None or len(message.hexes) > self._limits.hexes:
            refuse_uncovered(data)
            data.hexes = {hex_id: hex_data(state) for hex_id, state in message.hexes.items()}
            return resolve(data, self._limits)
        key = (data.title, tuple(data.optional_rules), data.phase)
        remembered = self._known.get(key, {})
        known: dict[str, HexState] = {}
        fresh: dict[str, bytes] = {}
        for hex_id, state in message.hexes.items():
            raw = state.SerializeToString()
            found = remembered.get((hex_id, raw))
            if found is not None:
                known[hex_id] = found
            else:
                fresh[hex_id] = raw
                data.hexes[hex_id] = hex_data(state)
        position = resolve(data, self._limits, known)
        if fresh:
            self._remember(key, fresh, position.by_hex)
        return position

    def _remember(
        self,
        key: tuple[str, tuple[str, ...], str],
        fresh: Mapping[str, bytes],
        states: Mapping[str, HexState],
    ) -> None:
        with self._lock:
            if self._count + len(fresh) > MAX_KNOWN:
                self._known.clear()
                self._count = 0
            bucket = self._known.setdefault(key, {})
            before = len(bucket)
            for hex_id, raw in fresh.items():
                bucket[hex_id, raw] = states[hex_id]
            self._count += len(bucket) - before

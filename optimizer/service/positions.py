"""From a message to a sound position, remembering hexes that were checked before.

Positions of one game differ in a few hexes only, and those of different games share most tiles. Reading
and checking a hex costs more than looking up the bytes of its message, so the outcome is kept for each
(title, optional rules, phase, hex, bytes).
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping

from rheingold.v1 import position_pb2 as pb

from optimizer.model.position import HexState, Position
from optimizer.model.read_limits import ReadLimits
from optimizer.service.convert.position import hex_data, position_data
from optimizer.service.coverage import refuse_uncovered
from optimizer.titles.resolve import resolve

# About 20 MB. Then all are forgotten: what is in use comes back at once.
MAX_KNOWN = 40_000

# Hexes that say more than this are read anew each time: requests must not fill the memory.
MAX_ENTRY_BYTES = 200

# Entries of ``Position.hexes`` as they lie on the wire, and what they say.
Hexes = dict[bytes, tuple[str, HexState]]

# Tag of the field ``Position.hexes`` (14) on the wire; all fields of a position are length-delimited.
HEXES_TAG = 14 << 3 | 2


class PositionReader:
    """Reads positions. May be used by any thread."""

    def __init__(self, limits: ReadLimits) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._known: dict[tuple[str, tuple[str, ...], str], Hexes] = {}
        self._count = 0

    def read(self, message: pb.Position, raw: bytes | None = None) -> Position:
        """Return the position; ``raw`` are the message's bytes, in deterministic order.

        Raises PositionError with every fault, and UnsupportedRuleError for a rule that is not covered.
        """
        data = position_data(message)
        if data.inline is not None or len(message.hexes) > self._limits.hexes:
            refuse_uncovered(data)
            data.hexes = {hex_id: hex_data(state) for hex_id, state in message.hexes.items()}
            return resolve(data, self._limits)
        key = (data.title, tuple(sorted(set(data.optional_rules))), data.phase)
        remembered = self._known.get(key, {})
        known: dict[str, HexState] = {}
        fresh: dict[str, bytes] = {}
        for entry in hex_entries(message.SerializeToString(deterministic=True) if raw is None else raw):
            found = remembered.get(entry)
            if found is not None:
                known[found[0]] = found[1]
            else:
                hex_id = pb.Position.HexesEntry.FromString(entry).key
                if len(entry) <= MAX_ENTRY_BYTES:
                    fresh[hex_id] = entry
                data.hexes[hex_id] = hex_data(message.hexes[hex_id])
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
            for hex_id, entry in fresh.items():
                bucket[entry] = (hex_id, states[hex_id])
            self._count += len(bucket) - before


def hex_entries(raw: bytes) -> Iterator[bytes]:
    """Yield the entries of ``Position.hexes`` from a position's bytes."""
    place, end = 0, len(raw)
    while place < end:
        tag = raw[place]
        size = raw[place + 1]
        place += 2
        if size >= 0x80:
            size, shift = size & 0x7F, 7
            while True:
                byte = raw[place]
                place += 1
                size |= (byte & 0x7F) << shift
                shift += 7
                if byte < 0x80:
                    break
        if tag == HEXES_TAG:
            yield raw[place : place + size]
        place += size

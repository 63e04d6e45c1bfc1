"""From a message to a sound position, remembering hexes that were checked before.

Positions of one game differ in a few hexes only, and those of different games share most tiles. Reading
and checking them costs more than looking up the bytes of their messages, so the outcome is kept: of each
hex for a title, its optional rules and a phase, and of everything else in a position (its *head*).
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

from rheingold.v1 import position_pb2 as pb

from optimizer.model.position import HexState, Position
from optimizer.model.read_limits import ReadLimits
from optimizer.service.convert.position import hex_data, position_data
from optimizer.service.coverage import refuse_uncovered
from optimizer.titles.resolve import Frame, resolve, resolve_frame

# About 20 MB. Then all are forgotten: what is in use comes back at once.
MAX_KNOWN = 40_000

# What says more than this is read anew each time: requests must not fill the memory.
MAX_ENTRY_BYTES = 200
MAX_HEAD_BYTES = 600

# Entries of ``Position.hexes`` as they lie on the wire, and what they say.
Hexes = dict[bytes, tuple[str, HexState]]

# Tag of the field ``Position.hexes`` (14) on the wire. It is the last field of a position, and all are
# length-delimited.
HEXES_TAG = 14 << 3 | 2


class PositionReader:
    """Reads positions. May be used by any thread."""

    def __init__(self, limits: ReadLimits) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        # By (title, optional rules, phase): hexes are sound or not for these.
        self._hexes: dict[tuple[str, tuple[str, ...], str], Hexes] = {}
        # By the bytes of everything but the hexes.
        self._heads: dict[bytes, tuple[Frame, Hexes]] = {}
        self._count = 0

    def read(self, message: pb.Position, raw: bytes | None = None) -> Position:
        """Return the position; ``raw`` are the message's bytes in deterministic order, but for its id.

        Raises PositionError with every fault, and UnsupportedRuleError for a rule that is not covered.
        """
        if message.HasField("inline") or len(message.hexes) > self._limits.hexes:
            return self._read_anew(message)
        head, entries = split(message.SerializeToString(deterministic=True) if raw is None else raw)
        remembered = self._heads.get(head)
        if remembered is not None:
            frame, hexes = remembered
            found = [hexes.get(entry) for entry in entries]
            if None not in found:
                return frame.position(dict(found), message.id)  # type: ignore[arg-type]
        return self._read_partly(message, head, entries)

    def _read_anew(self, message: pb.Position) -> Position:
        data = position_data(message)
        refuse_uncovered(data)
        data.hexes = {hex_id: hex_data(state) for hex_id, state in message.hexes.items()}
        return resolve(data, self._limits)

    def _read_partly(self, message: pb.Position, head: bytes, entries: Sequence[bytes]) -> Position:
        """Read what is not remembered, and remember it if the position is sound."""
        data = position_data(message)
        key = (data.title, tuple(sorted(set(data.optional_rules))), data.phase)
        hexes = self._hexes.get(key, {})
        known: dict[str, HexState] = {}
        fresh: dict[str, bytes] = {}
        for entry in entries:
            found = hexes.get(entry)
            if found is not None:
                known[found[0]] = found[1]
            else:
                hex_id = pb.Position.HexesEntry.FromString(entry).key
                data.hexes[hex_id] = hex_data(message.hexes[hex_id])
                fresh[hex_id] = entry
        position = resolve(data, self._limits, known)
        frame = resolve_frame(data)
        states = position.by_hex
        self._remember(key, head, frame, [(entry, hex_id, states[hex_id]) for hex_id, entry in fresh.items()])
        return position

    def _remember(
        self,
        key: tuple[str, tuple[str, ...], str],
        head: bytes,
        frame: Frame,
        fresh: Sequence[tuple[bytes, str, HexState]],
    ) -> None:
        with self._lock:
            if self._count + len(fresh) + 1 > MAX_KNOWN:
                self._hexes.clear()
                self._heads.clear()
                self._count = 0
            hexes = self._hexes.setdefault(key, {})
            before = len(hexes) + len(self._heads)
            for entry, hex_id, state in fresh:
                if len(entry) <= MAX_ENTRY_BYTES:
                    hexes[entry] = (hex_id, state)
            if len(head) <= MAX_HEAD_BYTES:
                self._heads[head] = (frame, hexes)
            self._count += len(hexes) + len(self._heads) - before


def split(raw: bytes) -> tuple[bytes, list[bytes]]:
    """Split a position's bytes into everything before the hexes and the entries of its hexes."""
    place, end = 0, len(raw)
    head = end
    entries: list[bytes] = []
    while place < end:
        tag = raw[place]
        size = raw[place + 1]
        start = place + 2
        if size >= 0x80:  # a length of two bytes or more
            size, shift = size & 0x7F, 7
            while True:
                byte = raw[start]
                start += 1
                size |= (byte & 0x7F) << shift
                shift += 7
                if byte < 0x80:
                    break
        if tag == HEXES_TAG:
            head = min(head, place)
            entries.append(raw[start : start + size])
        place = start + size
    return raw[:head], entries

"""From a message to a sound position, remembering hexes that were checked before.

Positions of one game differ in a few hexes only, and those of different games share most tiles. Reading
and checking them costs more than looking up the bytes of their messages, so the outcome is kept: of each
hex for a title, its optional rules and a phase, and of everything else in a position (its *head*).
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from rheingold.v1 import position_pb2 as pb

from optimizer.model.data import PositionData
from optimizer.model.faults import Faults
from optimizer.model.position import HexState, Position
from optimizer.model.read_limits import ReadLimits, check_counts
from optimizer.service.convert.position import hex_data, position_data
from optimizer.service.coverage import refuse_uncovered
from optimizer.titles.resolve import Frame, resolve, try_frame, try_hexes

# About 20 MB. Then all are forgotten: what is in use comes back at once.
MAX_KNOWN = 40_000

# What says more than this is read anew each time: requests must not fill the memory.
MAX_ENTRY_BYTES = 200
MAX_HEAD_BYTES = 600


@dataclass(slots=True)
class Known:
    """What is known to be sound in one phase of a title with its optional rules.

    ``laid``: hexes with a tile laid, by the bytes of what lies there: it is the same on every hex.
    ``printed``: other hexes, by the bytes of their entry in ``Position.hexes``.
    """

    laid: dict[bytes, HexState] = field(default_factory=dict)
    printed: dict[bytes, HexState] = field(default_factory=dict)


# Tag of the field ``Position.hexes`` (14) on the wire. It is the last field of a position, and all are
# length-delimited.
HEXES_TAG = 14 << 3 | 2


class PositionReader:
    """Reads positions. May be used by any thread."""

    def __init__(self, limits: ReadLimits) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        # By (title, optional rules, phase): hexes are sound or not for these.
        self._known: dict[tuple[str, tuple[str, ...], str], Known] = {}
        # By the bytes of everything but the hexes.
        self._heads: dict[bytes, tuple[Frame, Known]] = {}
        self._count = 0

    def read(self, message: pb.Position, raw: bytes | None = None) -> Position:
        """Return the position; ``raw`` are the message's bytes in deterministic order, but for its id.

        Raises PositionError with every fault, and UnsupportedRuleError for a rule that is not covered.
        """
        if message.HasField("inline") or len(message.hexes) > self._limits.hexes:
            return self._read_anew(message)
        head, entries = split(message.SerializeToString(deterministic=True) if raw is None else raw)
        remembered = self._heads.get(head)
        if remembered is None:
            remembered = self._new_head(message, head)
            if remembered is None:
                return self._read_anew(message)
        frame, known = remembered
        laid, printed, board = known.laid, known.printed, frame.title.board.printed
        states: dict[str, HexState] = {}
        fresh: dict[str, bytes] = {}
        for entry in entries:
            # An entry is a tag, the length of the hex's name, the name, a tag, a length, what lies there.
            end = 2 + entry[1]
            if end >= 0x80:  # the length takes more than a byte: no hex has such a name
                return self._read_anew(message)
            hex_id = entry[2:end].decode()
            state = laid.get(entry[end:])
            if state is None or hex_id not in board:
                state = printed.get(entry)
            if state is None:
                fresh[hex_id] = entry
            else:
                states[hex_id] = state
        if fresh and not self._read_hexes(message, frame, known, states, fresh):
            return self._read_anew(message)
        return frame.position(dict(sorted(states.items())), message.id)

    def _read_anew(self, message: pb.Position) -> Position:
        data = position_data(message)
        refuse_uncovered(data)
        data.hexes = {hex_id: hex_data(state) for hex_id, state in message.hexes.items()}
        return resolve(data, self._limits)

    def _new_head(self, message: pb.Position, head: bytes) -> tuple[Frame, Known] | None:
        """Read everything but the hexes and remember it; None if something is wrong with it."""
        data = position_data(message)
        faults = Faults()
        frame = try_frame(data, faults, self._limits)
        if frame is None:
            return None
        key = (frame.title.name, frame.title.optional_rules, frame.phase.name)
        with self._lock:
            self._make_room(1)
            known = self._known.setdefault(key, Known())
            if len(head) <= MAX_HEAD_BYTES:
                self._heads[head] = (frame, known)
        return frame, known

    def _read_hexes(
        self,
        message: pb.Position,
        frame: Frame,
        known: Known,
        states: dict[str, HexState],
        fresh: dict[str, bytes],
    ) -> bool:
        """Read hexes that are not known into ``states``, and remember them; False if one is faulty."""
        data = PositionData(hexes={hex_id: hex_data(message.hexes[hex_id]) for hex_id in fresh})
        faults = Faults()
        if not check_counts(data, self._limits, faults.add):
            return False
        found = try_hexes(frame, data.hexes, faults)
        if faults:
            return False
        with self._lock:
            self._make_room(len(fresh))
            for hex_id, entry in fresh.items():
                state = found[hex_id]
                assert state is not None  # there would be a fault
                states[hex_id] = state
                if len(entry) > MAX_ENTRY_BYTES:
                    continue
                if data.hexes[hex_id].tile:
                    known.laid[entry[2 + entry[1] :]] = state
                else:
                    known.printed[entry] = state
        return True

    def _make_room(self, count: int) -> None:
        """Forget everything if so many more would be too many; the lock is held."""
        self._count += count
        if self._count > MAX_KNOWN:
            for known in self._known.values():
                known.laid.clear()
                known.printed.clear()
            self._known.clear()
            self._heads.clear()
            self._count = count


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

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
from optimizer.model.rules import RouteRules
from optimizer.native.wire import content, entry_value, known_pairs, look_up, split_fields
from optimizer.service.convert.position import hex_data, position_data
from optimizer.service.coverage import refuse_uncovered
from optimizer.service.rules_memory import Pair, RulesMemory
from optimizer.service.tile_memory import TileMemory
from optimizer.titles.resolve import Frame, resolve, try_frame, try_hexes

# About 30 MB. Then all are forgotten: what is in use comes back at once.
MAX_KNOWN = 40_000

# What says more than this is read anew each time: requests must not fill the memory.
MAX_ENTRY_BYTES = 200
MAX_HEAD_BYTES = 600


@dataclass(slots=True)
class Known:
    """What is known to be sound in one phase of a title with its optional rules.

    ``order``: the place of each hex in the order of all hexes of the map.
    ``laid``: hexes with a tile laid, by the bytes of what lies there (with tag and length): it is the same on
    every hex.
    ``printed``: other hexes, by the bytes of their entry in ``Position.hexes``.
    ``placed``: any hexes by the bytes of their entry, the quickest way: the hex's place, its name and what
    lies there, and whether that has markers or assignments.
    """

    order: dict[str, int]
    laid: dict[bytes, HexState] = field(default_factory=dict)
    printed: dict[bytes, HexState] = field(default_factory=dict)
    placed: dict[bytes, tuple[int, tuple[str, HexState], bool]] = field(default_factory=dict)

    def place(self, entry: bytes, hex_id: str, state: HexState) -> None:
        """Remember an entry with its hex."""
        marked = bool(state.markers or state.assignments)
        self.placed[entry] = (self.order[hex_id], (hex_id, state), marked)

    def clear(self) -> None:
        """Forget everything."""
        self.laid.clear()
        self.printed.clear()
        self.placed.clear()


# Everything but the hexes of a position, what is known of its hexes, and its rules.
Head = tuple[Frame, Known, RulesMemory]

_FIELDS = pb.Position.DESCRIPTOR.fields_by_name
NAME, HEXES = _FIELDS["id"].number, _FIELDS["hexes"].number


@dataclass(slots=True)  # not frozen, which would make it slow to make: there is one for each call
class Parts:
    """A position's bytes: its name, each hex (an entry of ``Position.hexes``), and all else, its head."""

    name: str
    head: bytes
    entries: list[bytes]

    def content(self) -> bytes | None:
        """Return bytes that stand for all but the name, in whatever order the hexes are.

        None where their order counts: of two entries for one hex the last one holds.
        """
        return content(self.head, self.entries)


def parts_of(data: bytes, begin: int, end: int) -> Parts | None:
    """Return the parts of the position that lies there in ``data``; None if it is not written plainly."""
    found = split_fields(data, begin, end, NAME, HEXES)
    if found is None:
        return None
    try:
        return Parts(found[0].decode(), found[1], found[2])
    except UnicodeDecodeError:
        return None


def plain(message: pb.Position) -> Parts:
    """Return the parts of a position as this server would write it."""
    raw = message.SerializeToString(deterministic=True)
    parts = parts_of(raw, 0, len(raw))
    assert parts is not None  # it writes plainly
    return parts


class PositionReader:
    """Reads positions. May be used by any thread."""

    def __init__(self, limits: ReadLimits) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        # By (title, optional rules, phase): hexes are sound or not for these.
        self._known: dict[tuple[str, tuple[str, ...], str], Known] = {}
        # By the bytes of everything but the hexes.
        self._heads: dict[bytes, Head] = {}
        self._count = 0
        self._tiles = TileMemory()

    def frame(self, parts: Parts) -> Frame | None:
        """Return all but the hexes of a position with a title's map, or None if it was not read before."""
        remembered = self._heads.get(parts.head)
        return None if remembered is None else remembered[0]

    def find(self, parts: Parts) -> Position | None:
        """Return a position of which everything was read before, or None."""
        remembered = self._heads.get(parts.head)
        if remembered is None or len(parts.entries) > self._limits.hexes:
            return None
        frame, known, memory = remembered
        found = known_pairs(parts.entries, known.placed, len(known.order))
        if found is None:
            return self._find_slowly(parts, frame, known)
        pairs, by_hex, marked = found
        rules = memory.find(by_hex, marked) or self._rules(memory, by_hex, marked)
        return frame.position(pairs, parts.name, by_hex, rules)

    def _find_slowly(self, parts: Parts, frame: Frame, known: Known) -> Position | None:
        """Find hexes on which lies what was read before somewhere else."""
        found = look_up(parts.entries, known.laid, frame.title.board.printed, known.printed)
        if found is None or found[1]:
            return None
        return frame.position(self._place(parts, known, found[0]), parts.name)

    def _rules(
        self, memory: RulesMemory, by_hex: dict[str, HexState], marked: tuple[Pair, ...]
    ) -> RouteRules:
        """Resolve the route rules, and remember them."""
        rules, watched = memory.read(by_hex)
        with self._lock:
            if memory.keep(rules, watched, by_hex, marked):
                self._make_room(1)
        return rules

    def read(self, message: pb.Position, parts: Parts | None = None) -> Position:
        """Return the position; ``parts`` are those of its bytes as they came.

        Raises PositionError with every fault, and UnsupportedRuleError for a rule that is not covered.
        """
        if message.HasField("inline") or len(message.hexes) > self._limits.hexes:
            return self._read_anew(message)
        return (
            self._read_parts(message, parts)
            or self._read_parts(message, plain(message))
            or self._read_anew(message)
        )

    def _read_parts(self, message: pb.Position, parts: Parts | None) -> Position | None:
        """Read what is not known yet, and remember it; None if something is wrong or not written plainly."""
        if parts is None:
            return None
        remembered = self._heads.get(parts.head) or self._new_head(message, parts.head)
        if remembered is None:
            return None
        frame, known, _ = remembered
        found = look_up(parts.entries, known.laid, frame.title.board.printed, known.printed)
        if found is None:
            return None
        states, fresh = found
        if fresh and not self._read_hexes(message, frame, known, states, fresh):
            return None
        return frame.position(self._place(parts, known, states), message.id)

    def _place(
        self, parts: Parts, known: Known, states: dict[str, HexState]
    ) -> tuple[tuple[str, HexState], ...]:
        """Remember the hexes with their names, and return them in order."""
        new = [e for e in parts.entries if e not in known.placed and len(e) <= MAX_ENTRY_BYTES]
        with self._lock:
            self._make_room(len(new))
            for entry in new:
                pair = entry_value(entry)
                if pair is not None:
                    known.place(entry, pair[0], states[pair[0]])
        return tuple((hex_id, states[hex_id]) for hex_id in sorted(states))

    def _read_anew(self, message: pb.Position) -> Position:
        data = position_data(message, self._tiles.find)
        refuse_uncovered(data)
        # In order, so that faults come in the same order each time.
        data.hexes = {hex_id: hex_data(message.hexes[hex_id]) for hex_id in sorted(message.hexes)}
        position = resolve(data, self._limits)
        if message.HasField("inline"):
            self._tiles.keep(message.inline, position.board.printed)
        return position

    def _new_head(self, message: pb.Position, head: bytes) -> Head | None:
        """Read everything but the hexes and remember it; None if something is wrong with it."""
        data = position_data(message)
        frame = try_frame(data, Faults(), self._limits)
        if frame is None:
            return None
        key = (frame.title.name, frame.title.optional_rules, frame.phase.name)
        with self._lock:
            self._make_room(1)
            known = self._known.get(key)
            if known is None:
                order = {hex_id: place for place, hex_id in enumerate(sorted(frame.title.board.printed))}
                known = self._known[key] = Known(order)
            found = (frame, known, RulesMemory(frame))
            if len(head) <= MAX_HEAD_BYTES:
                self._heads[head] = found
        return found

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
                value = entry_value(entry)
                if value is not None and data.hexes[hex_id].tile:
                    known.laid[value[1]] = state
                else:
                    known.printed[entry] = state
        return True

    def _make_room(self, count: int) -> None:
        """Forget everything if so many more would be too many; the lock is held."""
        self._count += count
        if self._count > MAX_KNOWN:
            for known in self._known.values():
                known.clear()
            self._known.clear()
            self._heads.clear()
            self._count = count

"""Route rules that were resolved before, known by what on the map they were read from.

A title reads its route rules from a few hexes and from whatever has markers or assignments. To read them
anew for each position takes as long as all else of a known position. So it is noted what a title looked at;
where that is the same again, the rules are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from optimizer.model.position import HexState
from optimizer.model.rules import RouteRules
from optimizer.titles.resolve import Frame

Pair = tuple[str, HexState]

# So many rules at most for one head of a position; then they are forgotten.
MAX_RULES = 16

# Rules that were read from more hexes are read anew each time.
MAX_NAMES = 64


class Watched(Mapping[str, HexState]):
    """Hexes, and what somebody looks at.

    ``names``: hexes that were asked for. ``whole``: whether anything was that cannot be told by these and by
    the markers and assignments of all hexes.
    """

    __slots__ = ("_hexes", "names", "whole")

    def __init__(self, hexes: Mapping[str, HexState]) -> None:
        self._hexes = hexes
        self.names: set[str] = set()
        self.whole = False

    def __getitem__(self, hex_id: str) -> HexState:
        """Return what lies on a hex."""
        self.names.add(hex_id)
        return self._hexes[hex_id]

    def __iter__(self) -> Iterator[str]:
        """Iterate over all hexes."""
        self.whole = True
        return iter(self._hexes)

    def __len__(self) -> int:
        """Return how many hexes there are."""
        self.whole = True
        return len(self._hexes)

    def __eq__(self, other: object) -> bool:
        """Compare all hexes."""
        self.whole = True
        return self._hexes == other

    __hash__ = None  # type: ignore[assignment]

    def items(self) -> Any:
        """Return all hexes, for a look at their markers and assignments."""
        return [(hex_id, _Marks(self, state)) for hex_id, state in self._hexes.items()]


class _Marks:
    """What lies on a hex, for a look at its markers and assignments; any other look is noted."""

    __slots__ = ("_state", "_watched", "assignments", "markers")

    def __init__(self, watched: Watched, state: HexState) -> None:
        self._watched = watched
        self._state = state
        self.markers = state.markers
        self.assignments = state.assignments

    def __getattr__(self, name: str) -> Any:
        self._watched.whole = True
        return getattr(self._state, name)

    def __eq__(self, other: object) -> bool:
        self._watched.whole = True
        return self._state == other

    def __hash__(self) -> int:
        self._watched.whole = True
        return hash(self._state)


class RulesMemory:
    """The route rules of positions that differ in their hexes only.

    Any thread may find them; one at a time may keep some.
    """

    __slots__ = ("_frame", "_known")

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        # The hexes that were looked at, and rules by the identities of what lies there and of what is marked.
        # Both change together. That what is compared by identity stays is seen to by keeping it.
        self._known: tuple[tuple[str, ...], dict[tuple[int, ...], tuple[object, RouteRules]]] = ((), {})

    def find(self, by_hex: Mapping[str, HexState], marked: tuple[Pair, ...]) -> RouteRules | None:
        """Return the rules that hold with these hexes; None if they are not known.

        ``marked``: those of the hexes that have markers or assignments, in order; always the same object for
        the same hex with the same state.
        """
        names, kept = self._known
        found = kept.get((*map(id, map(by_hex.get, names)), *map(id, marked)))
        return None if found is None else found[1]

    def read(self, by_hex: Mapping[str, HexState]) -> tuple[RouteRules, Watched]:
        """Return the rules as the title says, and what it looked at."""
        watched = Watched(by_hex)
        return self._frame.rules(watched), watched

    def keep(
        self, rules: RouteRules, watched: Watched, by_hex: Mapping[str, HexState], marked: tuple[Pair, ...]
    ) -> bool:
        """Remember rules that were read; tell whether that can be."""
        names, kept = self._known
        if watched.whole or len(watched.names) > MAX_NAMES:
            return False
        if not watched.names.issubset(names):
            names, kept = tuple(sorted(watched.names.union(names))), {}
        if len(kept) >= MAX_RULES:
            kept = {}
        states = tuple(map(by_hex.get, names))
        kept[(*map(id, states), *map(id, marked))] = ((states, marked), rules)
        self._known = (names, kept)
        return True

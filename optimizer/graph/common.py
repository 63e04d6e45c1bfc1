"""What all trains of a position share when they are compiled: figures, kinds and flags of the stops."""

from __future__ import annotations

from array import array

from optimizer.graph.layout import ferry_sets, foreign_banks, once_sets
from optimizer.graph.shapes import KIND_NUMBER
from optimizer.model.position import Position
from optimizer.model.rules import TrainRule, TrainType
from optimizer.native.layout import Layout

# Flags of a stop, as the native graph reads them.
STOP_CLOSED, STOP_NO_END, STOP_SOME_END, STOP_IGNORED, STOP_FREE = 1, 2, 4, 8, 16
STOP_WORTHLESS, STOP_FOREIGN = 32, 64


def needs_token(train: TrainType, *, census: bool) -> bool:
    """Tell whether only routes with a token are of use.

    A route that must hold a token to be paid earns nothing without one, and may as well not be run; it
    is a legal route all the same where routes are counted (``census``).
    """
    return train.requires_token or (train.pay_needs_token and not census)


class Common:
    """What all trains of a position share: figures, kinds and what each train rule makes of the stops."""

    def __init__(self, position: Position, layout: Layout) -> None:
        self.position = position
        self.layout = layout
        self.once = once_sets(position, layout)
        self.ferries = ferry_sets(position, layout)
        self.foreign = foreign_banks(position, layout)
        ferry = position.rules.ferry
        # The stops of each hex where these may be merged.
        self.joined = {h: layout.stops_of(h) for h in sorted(ferry.hexes)} if ferry is not None else {}
        self.kinds = kinds = layout.kinds
        costs = [cost for hex_id in layout.odd for cost in layout.shapes[hex_id].costs]
        # The most places that all stops of a kind can take on a route; off-boards are ends only.
        self.totals = [kinds.count(0), kinds.count(1), min(kinds.count(2), 2)]
        for kind, cost in costs:
            self.totals[kind] += max(0, cost - 1)
        self.even = not costs  # every stop takes one place
        self.placeless = 0  # bits of the kinds of which some stop takes no place
        for kind, cost in costs:
            self.placeless |= (not cost) << kind
        self._figures: dict[bool, array[int]] = {}
        self._flags: dict[tuple[int, bool], tuple[TrainRule, bytearray]] = {}  # by the rule's identity

    def figures(self, diesel: bool) -> array[int]:
        """What each stop pays in this phase; to be read only."""
        found = self._figures.get(diesel)
        if found is None:
            found = self._figures[diesel] = self.layout.figures(self.position.colors, diesel)
        return found

    def flags(self, rule: TrainRule, free_towns: bool) -> bytearray:
        """A flag byte a stop, as a train rule has it."""
        found = self._flags.get((id(rule), free_towns))
        if found is not None:
            return bytearray(found[1])
        base = [0, 0, 0]
        for kind in rule.ignored:
            base[KIND_NUMBER[kind]] |= STOP_IGNORED
        for kind in rule.ends_not:
            base[KIND_NUMBER[kind]] |= STOP_NO_END
        if free_towns:
            base[1] |= STOP_FREE
        flags = bytearray(self.kinds.translate(bytes(base) + bytes(253)))
        for hexes, flag in (
            (rule.closed_hexes, STOP_CLOSED),
            (rule.no_end_hexes, STOP_NO_END),
            (rule.some_end_in, STOP_SOME_END),
            (rule.worthless_hexes, STOP_WORTHLESS),
        ):
            if hexes:
                for stop in self.layout.stops_in(hexes):
                    flags[stop] |= flag
        if free_towns:
            for stop in self.layout.own:
                flags[stop] &= ~STOP_FREE
            for stops in self.joined.values():
                for stop in stops:
                    flags[stop] &= ~STOP_FREE  # what is merged into what is seen stop by stop
        for stop in self.foreign:
            flags[stop] |= STOP_FOREIGN
        self._flags[id(rule), free_towns] = (rule, flags)
        return bytearray(flags)

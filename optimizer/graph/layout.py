"""Which stops a position has, numbered in the order in which the native network reads them."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field

from optimizer.graph.shapes import FlatBoard, Shape, flat_board, shape_of
from optimizer.model.position import HexState, Position, Token
from optimizer.model.rules import HexSet
from optimizer.model.tile import Tile

OWN_TOKEN = 1
BLOCKED = 2


@dataclass(slots=True)
class Layout:
    """Stops of a position by number. ``base[hex]`` is the number of the first stop on a hex."""

    board: FlatBoard
    records: bytes = b""
    base: dict[str, int] = field(default_factory=dict)
    tiles: list[tuple[str, Tile, Shape]] = field(default_factory=list)
    flags: bytearray = field(default_factory=bytearray)
    stops: int = 0

    def stops_of(self, hex_id: str) -> range:
        """Numbers of the stops on a hex (none where it has no track)."""
        first = self.base.get(hex_id)
        if first is None:
            return range(0)
        return range(first, first + self.shapes[hex_id].stops)

    shapes: dict[str, Shape] = field(default_factory=dict)

    def stops_in(self, hexes: HexSet) -> Iterator[int]:
        """Numbers of the stops on some hexes, hex by hex."""
        for hex_id in sorted(hexes):
            yield from self.stops_of(hex_id)


def lay_out(position: Position) -> Layout:
    """Number the stops of every hex with track and find out which ones are open."""
    board = flat_board(position.board)
    layout = Layout(board)
    states = position.by_hex
    parts: list[bytes] = []
    base, tiles, shapes, stops = layout.base, layout.tiles, layout.shapes, 0
    for hex_id, header, tile, shape in board.printed:
        if hex_id not in states:
            parts += (header, shape.record)
            tiles.append((hex_id, tile, shape))
            shapes[hex_id] = shape
            base[hex_id] = stops
            stops += shape.stops
    for hex_id, state in position.hexes:
        if state.tile.paths:
            shape = shape_of(state.tile, state.rotation)
            parts += (board.headers[board.index[hex_id]], shape.record)
            tiles.append((hex_id, state.tile, shape))
            shapes[hex_id] = shape
            base[hex_id] = stops
            stops += shape.stops
    layout.stops = stops
    layout.records = b"".join(parts)
    layout.flags = bytearray(layout.stops)
    neutral = position.rules.neutral_hexes
    for hex_id, _tile, shape in tiles:
        if shape.closed and hex_id not in neutral:
            for stop in shape.closed:
                layout.flags[base[hex_id] + stop] = BLOCKED
    for hex_id, state in position.hexes:
        if state.tokens and hex_id in layout.base:
            _mark_tokens(layout, hex_id, state, position.company, hex_id in neutral)
    return layout


def _mark_tokens(layout: Layout, hex_id: str, state: HexState, company: str, neutral: bool) -> None:
    """Flag cities with an own token, and cities that are full of other companies' tokens."""
    shape, base = layout.shapes[hex_id], layout.base[hex_id]
    by_city: dict[int, list[Token]] = {}
    for token in state.tokens:
        by_city.setdefault(token.city, []).append(token)
    for city, tokens in by_city.items():
        if city >= len(shape.cities):
            continue
        stop = shape.cities[city]
        if any(token.company == company for token in tokens):
            layout.flags[base + stop] = OWN_TOKEN
        elif not neutral and len(tokens) >= shape.slots[stop] and not any(t.neutral for t in tokens):
            layout.flags[base + stop] = BLOCKED
        else:
            layout.flags[base + stop] = 0


def shared_sets(position: Position, layout: Layout) -> array[int]:
    """Return the stops that only one route of the run may visit, as lists ``count, stops...``."""
    numbers = array("i")
    exclusive = position.rules.exclusive
    if not exclusive:
        return numbers
    groups: dict[str, list[int]] = {}
    for hex_id, _tile, shape in layout.tiles:
        stops = layout.stops_of(hex_id)
        if "stop" in exclusive:
            for stop in stops:
                numbers.extend((1, stop))
        if "hex" in exclusive and stops:
            numbers.extend((len(stops), *stops))
        for group, i in shape.groups:
            groups.setdefault(group, []).append(layout.base[hex_id] + i)
    if "group" in exclusive:
        for members in groups.values():
            numbers.extend((len(members), *members))
    return numbers


def once_sets(position: Position, layout: Layout) -> list[list[int]]:
    """Return the sets of stops of which one route may visit only one, for every train."""
    rules = position.rules
    groups: dict[str, list[int]] = {}
    sets: list[list[int]] = []
    for hex_id, _tile, shape in layout.tiles:
        for group, i in shape.groups:
            groups.setdefault(group, []).append(layout.base[hex_id] + i)
        if shape.stops > 1 and rules.same_hex_once:
            sets.append(list(layout.stops_of(hex_id)))
    sets.extend(members for members in groups.values())
    sets.extend(
        [layout.base[h] + i for h, i in sorted(stops) if h in layout.base and i < layout.shapes[h].stops]
        for stops in rules.stop_sets_once
    )
    return [members for members in sets if len(members) > 1]


def ferry_sets(position: Position, layout: Layout) -> list[list[int]]:
    """Return the stops of each hex that counts once because it has a ferry."""
    ferry = position.rules.ferry
    if ferry is None:
        return []
    return [
        list(layout.stops_of(hex_id))
        for hex_id, _tile, shape in layout.tiles
        if shape.has_ferry and shape.stops > 1 and hex_id in ferry.hexes
    ]


def foreign_banks(position: Position, layout: Layout) -> list[int]:
    """Return the joined cities whose circles are all foreign, where the rules care (open_bank)."""
    ferry = position.rules.ferry
    if ferry is None or ferry.crossing != "open_bank":
        return []
    found = []
    for hex_id in sorted(ferry.hexes & layout.base.keys()):
        shape = layout.shapes[hex_id]
        for city, stop in enumerate(shape.cities):
            tokens = [token for token in position.tokens_at(hex_id) if token.city == city]
            own = any(token.neutral or token.company == position.company for token in tokens)
            if len(tokens) >= shape.slots[stop] and not own:
                found.append(layout.base[hex_id] + stop)
    return found

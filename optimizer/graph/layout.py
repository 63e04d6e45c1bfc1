"""Which stops a position has, numbered in the order in which the native network reads them."""

from __future__ import annotations

from array import array

from optimizer.graph.shapes import SHAPES, flat_board
from optimizer.model.position import Position
from optimizer.native.layout import Layout


def lay_out(position: Position) -> Layout:
    """Number the stops of every hex with track and find out which ones are open."""
    board = flat_board(position.board)
    states, neutral = position.by_hex, position.rules.neutral_hexes
    return Layout(
        board, board.printed, board.index, position.hexes, states, position.company, neutral, SHAPES
    )


def shared_sets(position: Position, layout: Layout) -> array[int]:
    """Return the stops that only one route of the run may visit, as lists ``count, stops...``."""
    numbers = array("i")
    exclusive = position.rules.exclusive
    if not exclusive:
        return numbers
    groups: dict[str, list[int]] = {}
    for hex_id, shape in layout.shapes.items():
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
    for hex_id in layout.odd:
        shape = layout.shapes[hex_id]
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
        for hex_id in layout.odd
        if hex_id in ferry.hexes and layout.shapes[hex_id].has_ferry and layout.shapes[hex_id].stops > 1
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

"""Destinations: when they are reached and what follows (rules: 1856 section 10)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from engine.board.hexes import City, Hex
from engine.board.network import Walker
from engine.core.corporation import Corporation
from engine.titles.canada.state import CanadaNumbers, canada

if TYPE_CHECKING:
    from engine.game import Game


def read_destinations(table: dict[str, Any], homes: dict[str, str]) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Corporation -> (start hex, goal hexes). A row is a goal, a list of halves of a goal, or a goal and a
    start.
    """
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    for name, row in table.items():
        parts = row if isinstance(row, list) else [row]
        goals = parts[0] if isinstance(parts[0], list) else [parts[0]]
        found[name] = (parts[-1] if len(parts) > 1 else homes[name], tuple(goals))
    return found


class LinkWalker(Walker):
    """Walks from one city over track of any owner: nothing blocks but the other cities of the start hex.

    Off-boards are passed like cities; their terminal track stops the walk (so only Sarnia lets it through,
    one way).
    """

    def __init__(self, hex_: Hex, start: City) -> None:
        super().__init__([(hex_, start.stop)], lambda city: city.hex is hex_)

    def may_pass(self, node: tuple[Hex, int]) -> bool:
        hex_, stop = node
        return hex_.face.stops[stop].kind != "city" or Walker.may_pass(self, node)


def linked(game: Game, corporation: Corporation) -> bool:
    """Does continuous track lead from a city of the start hex to the destination hex (10.4)?"""
    destination = CanadaNumbers.of(game).destinations.get(corporation.id)
    if destination is None:
        return False
    start = game.board.hex(destination[0])
    goals = [game.board.hex(goal) for goal in destination[1]]

    def search() -> bool:
        joined = joined_hexes(game)
        near = [goal for goal in goals if goal in joined.get(start, ())]
        walkers = [LinkWalker(start, city) for city in start.cities] if near else []
        return any(walker.reaches(goal, goal.face.tracks) for goal in near for walker in walkers)

    return bool(game.cached("destination", corporation, search))


def joined_hexes(game: Game) -> dict[Hex, set[Hex]]:
    """Hex -> the hexes that are joined to it by exits meeting exits: what track at most could link."""

    def search() -> dict[Hex, set[Hex]]:
        groups: dict[Hex, set[Hex]] = {}
        for start in game.board.hexes.values():
            if start in groups or not start.face.exits:
                continue
            group = {start}
            todo = [start]
            while todo:
                hex_ = todo.pop()
                for side in hex_.face.exits:
                    other = hex_.neighbors[side]
                    if other is not None and other not in group and (side + 3) % 6 in other.face.exits:
                        group.add(other)
                        todo.append(other)
            groups.update(dict.fromkeys(group, group))
        return groups

    return cast("dict[Hex, set[Hex]]", game.cached("joined hexes", canada(game).national, search))


def waits_for_link(game: Game, corporation: Corporation) -> bool:
    """Does reaching its destination matter: unreleased escrow, or not started while escrow is the rule?"""
    state = canada(game)
    if corporation in state.connected:
        return False
    kind = corporation.capitalization if corporation.started else state.capitalization
    return kind == "escrow" and not state.is_national(corporation)


def newly_linked(game: Game) -> list[Corporation]:
    """All corporations that have reached their destination now, in listing order."""
    return [c for c in game.corporations if waits_for_link(game, c) and linked(game, c)]


def reach_destination(game: Game, corporation: Corporation) -> None:
    """The escrow is paid out, and further own shares pay the treasury (10.5)."""
    state = canada(game)
    state.connected = state.connected | {corporation}
    remove_markers(game, corporation)
    game.pay(game.bank, corporation, corporation.escrow)
    corporation.escrow = 0
    if corporation.started and corporation.capitalization == "escrow":
        corporation.capitalization = "incremental"


def remove_markers(game: Game, corporation: Corporation) -> None:
    """Takes the corporation's destination markers off the map."""
    destination = CanadaNumbers.of(game).destinations.get(corporation.id)
    if destination is None:
        return
    for hex_id in (destination[0], *destination[1]):
        hex_ = game.board.hex(hex_id)
        if any(icon.name == corporation.id for icon in hex_.icons):
            hex_.icons = tuple([icon for icon in hex_.icons if icon.name != corporation.id])

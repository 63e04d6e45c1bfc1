"""Reach by exact walks: constructed boards, and a plain enumeration of all walks as the twin."""

import pytest

from engine import replay_actions, start_game
from engine.board.hexes import Hex
from engine.board.network import Walker, has_route, leads_to_stop
from engine.core.corporation import Token
from engine.player import new_game
from tests.engine.conftest import recorded


def lay(game, hex_id, number, rotation):
    game.board.lay(game.board.hex(hex_id), game.board.in_stock(number), rotation)


def exits(game, network, hex_id):
    """Exits of the reached tracks of a hex, as sets of sides."""
    hex_ = game.board.hex(hex_id)
    return {frozenset(hex_.face.tracks[index].sides) for index in network.tracks.get(hex_, ())}


def all_walks(walker: Walker):
    """Every walk by W1 to W4 of common 7.2, without any pruning: the slow, obviously right answer."""
    reached = set()
    own = set(walker.starts)

    def go(hex_: Hex, track, entered, nodes, pieces, left):
        if (hex_, track) in pieces or any((hex_, side) in left for side in track.sides):
            return
        reached.add((hex_, track))
        pieces = pieces | {(hex_, track)}
        for stop in track.stops:
            node = (hex_, stop)
            if 6 + stop == entered or node in nodes or node in own:
                continue
            if track.terminal or not walker.may_pass(node):
                continue
            for other in hex_.face.at_stop[stop]:
                if other is not track:
                    go(hex_, other, 6 + stop, nodes | {node}, pieces, left)
        for side in track.sides:
            neighbor = hex_.passable[side]
            if side != entered and neighbor is not None:
                for other in neighbor.face.at_side[(side + 3) % 6]:
                    if other.narrow == track.narrow:
                        go(neighbor, other, (side + 3) % 6, nodes, pieces, left | {(hex_, side)})

    for hex_, stop in walker.starts:
        for track in hex_.face.at_stop[stop]:
            go(hex_, track, 6 + stop, frozenset({(hex_, stop)}), frozenset(), frozenset())
    return {(hex_.id, track.index) for hex_, track in reached}


def test_a_train_cannot_turn_round_in_a_loop():
    """The balloon loop of common 7.3: a flood would come back to H10 and leave it by its other leg."""
    game = new_game("1861", 3, 1)
    corporation = game.corporation("M-K")  # home H8, city 0 with exit 0
    game.board.put_token(corporation.tokens[0], game.board.hex("H8").cities[0])
    lay(game, "H10", "27", 0)  # 3-0 and 1-0
    lay(game, "H12", "25", 3)  # 3-1 and 3-5
    lay(game, "G13", "7", 4)  # 4-5
    lay(game, "H14", "8", 2)  # 2-4
    lay(game, "I13", "7", 1)  # 1-2
    network = game.network(corporation)
    assert exits(game, network, "H10") == {frozenset({0, 3})}
    assert exits(game, network, "H12") == {frozenset({1, 3}), frozenset({3, 5})}
    for hex_id, sides in (("G13", {4, 5}), ("H14", {2, 4}), ("I13", {1, 2})):
        assert exits(game, network, hex_id) == {frozenset(sides)}


def test_switch_is_not_reversed():
    """From one leg of a switch only its thin end is reached, not the other leg."""
    game = new_game("1861", 3, 1)
    corporation = game.corporation("M-K")
    board = game.board
    board.put_token(corporation.tokens[0], board.hex("H8").cities[0])
    lay(game, "H10", "23", 0)  # 0-3 and 0-4: both join at side 0; H8 lies beyond side 3
    network = game.network(corporation)
    assert exits(game, network, "H10") == {frozenset({0, 3})}
    assert network.sides[board.hex("H12")] == {3}


def test_blocked_city_is_reached_but_not_passed():
    game = new_game("1861", 3, 1)
    board = game.board
    corporation, other = game.corporation("M-K"), game.corporation("KR")
    board.put_token(corporation.tokens[0], board.hex("H8").cities[0])
    lay(game, "H10", "9", 0)
    lay(game, "H12", "9", 0)
    lay(game, "H14", "57", 0)  # a city tile on a plain hex, just for its single slot
    lay(game, "H16", "9", 0)
    city = board.hex("H14").cities[0]
    assert exits(game, game.network(corporation), "H16") == {frozenset({0, 3})}
    board.put_token(other.tokens[0], city)
    blocked = game.network(corporation)
    assert (board.hex("H14"), city.stop) in blocked.nodes
    assert "H16" not in {hex_.id for hex_ in blocked.tracks}
    neutral = Token(game.journal, other, 0, "neutral")
    board.lift_token(other.tokens[0])
    board.put_token(neutral, city)
    assert "H16" in {hex_.id for hex_ in game.network(corporation).tracks}


def test_a_route_needs_a_second_stop():
    game = new_game("1861", 3, 1)
    board = game.board
    corporation = game.corporation("M-K")
    board.put_token(corporation.tokens[0], board.hex("H8").cities[0])
    lay(game, "H10", "9", 0)
    walker = game.walker(corporation)
    assert not has_route(walker)
    lay(game, "H12", "58", 3)  # a town at the end of the line: exits 3 and 5
    walker = game.walker(corporation)
    assert has_route(walker)
    assert leads_to_stop(board.hex("H8"), 0)
    assert not leads_to_stop(board.hex("H8"), 2)


def test_version_changes_with_the_map_and_returns_with_undo():
    game = new_game("1861", 3, 1)
    before = game.board.version
    mark = game.journal.mark()
    lay(game, "H10", "9", 0)
    assert game.board.version != before
    game.journal.rollback(mark)
    assert game.board.version == before


@pytest.mark.cases
@pytest.mark.parametrize("name", ["1861-r1002", "1867-r101"])
def test_agrees_with_plain_enumeration_on_early_boards(name):
    """Up to the first 170 actions enumeration is quick; every corporation's reach is compared after every
    lay.
    """
    game = start_game(recorded(name), strict=False)
    compared = 0
    for entry in replay_actions(game, recorded(name)):
        if game.action_count > 170:
            break
        if entry["type"] not in ("lay_tile", "place_token"):
            continue
        for corporation in game.corporations:
            if corporation.placed_tokens:
                walker = game.walker(corporation)
                network = walker.network()
                got = {(hex_.id, index) for hex_, tracks in network.tracks.items() for index in tracks}
                assert got == all_walks(walker)
                compared += 1
    assert compared > 50

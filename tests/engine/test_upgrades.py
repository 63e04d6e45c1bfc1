"""Which tile may replace which, and how (common 6.5, 6.6, 6.9)."""

import pytest

from engine.board.face import face
from engine.board.upgrades import city_map, may_replace, useful_tracks
from engine.player import new_game
from optimizer.titles.loader import load_title

DATA = load_title("1861")


def upgrades(number, future=None):
    """Numbers of all tiles of 1861 that may ever replace this one."""
    old = DATA.tiles.get(number) or DATA.board.printed[number]
    return {tile.name for tile in DATA.tiles.values() if may_replace(old, tile, future)}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # every green tile of 1861 with a curve between neighbouring sides
        ("7", {"18", "21", "22", "26", "27", "28", "29", "30", "31", "624", "625", "626"}),
        ("9", {"18", "19", "20", "23", "24", "26", "27"}),
        ("57", {"14", "15", "619"}),
        ("58", {"87", "88", "204"}),
        ("14", {"63", "611"}),
        ("201", {"207", "208", "622"}),
        ("D14", {"635"}),
        ("H8", {"637"}),
        ("637", {"638"}),
        ("638", {"639"}),
        ("E1", {"641"}),
        ("63", set()),
        ("640", set()),
    ],
)
def test_upgrades_by_number(old, new):
    assert upgrades(old) == new


def test_a_future_label_replaces_the_old_one():
    future = ("Kh", "gray")
    assert upgrades("623", future) == {"640"}
    assert upgrades("207", future) == {"623", "801"}
    assert "640" not in upgrades("623")


def test_cities_go_where_their_exits_are():
    # 1861/167259 #122: D14 (exits 0, 2, 4) gets 635 in rotation 1: {1,2}, {3,4}, {0,5}
    old, new = face(DATA.board.printed["D14"], 0), face(DATA.tiles["635"], 1)
    assert city_map(old, new) == (2, 0, 1)


def test_cities_without_track_keep_their_position():
    montreal = load_title("1867")
    old, new = face(montreal.board.printed["L12"], 0), face(montreal.tiles["637"], 1)
    # 1867/21268 #193: exits 1, 3, none; 637 turned by 1 has {1,2}, {5,0}, {3,4} in some order
    groups = [new.groups[stop] for stop in new.city_stops]
    mapping = city_map(old, new)
    assert groups[mapping[0]] == {1, 2}
    assert groups[mapping[1]] == {3, 4}
    assert groups[mapping[2]] == {0, 5}


def test_tokens_and_reservations_move_with_their_city():
    game = new_game("1861", 3, 1)
    board = game.board
    hex_ = board.hex("D14")
    board.put_token(game.corporation("KB").tokens[0], hex_.cities[1])
    old = hex_.piece
    board.lay(hex_, board.in_stock("635"), 1)
    assert old not in board.stock  # printed tiles do not enter the stock
    holders = {frozenset(hex_.face.groups[city.stop]): city for city in hex_.cities}
    assert holders[frozenset({1, 2})].has_token_of(game.corporation("KB"))
    assert game.corporation("KK") in holders[frozenset({3, 4})].reservations
    assert holders[frozenset({0, 5})].tokens == []


def test_an_unlimited_tile_leaves_a_copy_and_a_limited_one_returns():
    game = new_game("1861", 3, 1)
    board = game.board
    nine = board.in_stock("9")
    board.lay(board.hex("H10"), nine, 0)
    assert board.in_stock("9").id == "9-1"
    board.lay(board.hex("H10"), board.in_stock("23"), 0)
    assert [piece.id for piece in board.stock if piece.name == "9"] == ["9-1", "9-0"]
    assert nine.rotation == 0


def test_only_new_track_or_changed_value_is_useful():
    plain = useful_tracks(face(DATA.tiles["9"], 0), face(DATA.tiles["23"], 0))
    assert [track.sides for track in plain] == [(0, 4)]
    city = useful_tracks(face(DATA.tiles["57"], 0), face(DATA.tiles["14"], 0))
    assert len(city) == 4  # 20 becomes 30: every track leads to a city of another value
    town = useful_tracks(face(DATA.tiles["4"], 0), face(DATA.tiles["87"], 0))
    assert [track.sides for track in town] == [(1,), (2,)]


def test_verified_rotations_before_the_two_hundredth_action():
    """The list of common 6.6 is checked whole by the census of legal actions; here one hex without a game."""
    game = new_game("1861", 3, 1)
    board = game.board
    hex_ = board.hex("F14")
    board.lay(hex_, board.in_stock("9"), 2)
    fits = {
        (number, rotation)
        for number in ("18", "20", "23")
        for rotation in range(6)
        if game.title.track.fits(game, hex_, face(DATA.tiles[number], rotation))
    }
    assert {r for n, r in fits if n == "18"} == {2, 5}
    assert {r for n, r in fits if n == "20"} == {1, 2, 4, 5}
    assert {r for n, r in fits if n == "23"} == {2, 5}

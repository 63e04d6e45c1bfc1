from engine.player import new_file
from engine.rng import SetupRandom, game_seed, seating, shuffle_players


def test_setup_random_follows_the_published_draws():
    source = SetupRandom(12345)
    assert [source.draw() for _ in range(5)] == [1406932606, 654583775, 1449466924, 229283573, 1109335178]
    assert SetupRandom(2147483648).draw() == 12345


def test_random_order_sorts_by_draws():
    # the draws above, ascending: 4th, 2nd, 5th, 1st, 3rd
    assert SetupRandom(12345).order(["TSR", "BSS", "MYR", "MRR", "WVR"]) == [
        "MRR",
        "BSS",
        "WVR",
        "TSR",
        "MYR",
    ]


def test_seed_falls_back_to_the_first_digits_of_the_id():
    assert game_seed(None, "hs_rciziaya_1672593499") == 1672593499
    assert game_seed("", 29683) == 29683
    assert game_seed(7, 29683) == 7


def test_players_are_shuffled_as_by_the_site():
    assert shuffle_players([8032, 11966, 16890, 18614], 1884632825) == [16890, 8032, 18614, 11966]


def test_a_chosen_order_of_players_comes_before_the_seed():
    assert seating([1, 2, 3], {"player_order": [3, 1, 2], "seed": 5}) == [3, 1, 2]
    assert seating([8032, 11966, 16890, 18614], {"seed": 1884632825})[0] == 16890
    assert sorted(seating([1, 2, 3], {})) == [1, 2, 3]


def test_new_games_are_seated_by_the_seed_when_asked():
    file = new_file("1861", 4, 7, shuffle=True)
    assert [player["id"] for player in file["players"]] == shuffle_players([1, 2, 3, 4], 7)

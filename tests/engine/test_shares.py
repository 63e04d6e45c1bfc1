"""Presidency and the order of certificates (common 4.6; the examples of 1861 9.5)."""

import pytest

from engine import shares
from engine.core.money import Bank, pay
from engine.core.shares import Bundle
from engine.core.state import Journal
from engine.errors import RuleError
from engine.player import new_game


@pytest.fixture
def game():
    """Three players, and the major NW started at 100 by nobody yet."""
    game = new_game("1861", 3, 1)
    major = game.corporation("NW")
    game.corporations = (*game.corporations, major)
    game.stock_market.set_par(major, game.stock_market.cell("100,4,5"))
    for player in game.players:
        pay(game.bank, player, 1000)
    return game


def hold(game, player, *indices):
    major = game.corporation("NW")
    for index in indices:
        shares.buy(game, player, Bundle.of(major.certificates[index]))


def held(game, holder):
    return [share.index for share in holder.shares_of(game.corporation("NW"))]


def bundle(game, *indices, percent=None):
    return Bundle.of(*[game.corporation("NW").certificates[i] for i in indices], percent=percent)


def test_the_first_buyer_of_the_presidents_certificate_presides_and_the_major_floats(game):
    a = game.players[0]
    hold(game, a, 0)
    major = game.corporation("NW")
    assert major.owner is a
    assert major.floated
    assert major.cash == 200  # incremental: paid into its treasury


def test_more_than_the_president_takes_over_and_swaps_his_two_oldest(game):
    a, b, _ = game.players
    hold(game, a, 0)
    hold(game, b, 1, 2)
    assert game.corporation("NW").owner is a  # a tie keeps the president
    hold(game, b, 3)
    assert game.corporation("NW").owner is b
    assert held(game, a) == [1, 2]
    assert held(game, b) == [3, 0]


def test_selling_half_of_the_presidents_certificate(game):
    # A holds 0, 1, 3, 5 and sells four shares naming 1, 3, 5, 0; B holds 2, 6.
    # Afterwards B has 0, A has 1, the pool 3, 5, 2, 6 (1861 9.5).
    a, b, _ = game.players
    hold(game, a, 0)
    hold(game, a, 1, 3, 5)
    hold(game, b, 2, 6)
    shares.sell(game, bundle(game, 1, 3, 5, 0, percent=40))
    assert held(game, b) == [0]
    assert held(game, a) == [1]
    assert held(game, game.market) == [3, 5, 2, 6]
    assert game.corporation("NW").owner is b
    assert game.corporation("NW").price.id == "90,5,5"  # one step for the president's sale


def test_a_sale_by_somebody_else_does_not_move_the_price(game):
    a, b, _ = game.players
    hold(game, a, 0, 1)
    hold(game, b, 2)
    before = b.cash
    shares.sell(game, bundle(game, 2))
    assert game.corporation("NW").price.id == "100,4,5"
    assert b.cash == before + 100


def test_the_nearest_to_the_left_wins_a_tie_of_challengers(game):
    a, b, c = game.players
    hold(game, b, 0, 1)
    hold(game, c, 2, 3)
    hold(game, a, 4, 5)
    shares.sell(game, bundle(game, 1, 0, percent=20))  # b keeps 10, a and c have 20 each; c sits left of b
    assert game.corporation("NW").owner is c


def test_bundles_are_prefixes_with_the_president_last_and_partial_sales(game):
    a = game.players[0]
    hold(game, a, 0, 1, 2)
    offered = [
        (tuple(s.index for s in b.shares), b.percent) for b in shares.bundles(a, game.corporation("NW"))
    ]
    assert offered == [((1,), 10), ((1, 2), 20), ((1, 2, 0), 40), ((1, 2, 0), 30)]


def test_limits(game):
    a, b, _ = game.players
    rules = game.title.shares
    hold(game, a, 0, 1, 2, 3, 4)
    assert not rules.may_gain(game, a, bundle(game, 5))  # 60 percent is the most
    assert rules.may_gain(game, b, bundle(game, 5))
    game.corporation("NW").operated = True
    assert rules.may_sell(game, a, bundle(game, 1, 2, 3))
    assert not rules.may_sell(game, a, bundle(game, 1, 2, 0))  # nobody else could preside
    hold(game, b, 5, 6)
    assert rules.may_sell(game, a, bundle(game, 1, 2, 0))
    assert not rules.may_sell(game, a, bundle(game, 1, 2, 3, 4, 0))  # 60 percent do not fit the market


def test_money_moves_or_is_refused():
    journal = Journal()
    bank = Bank(journal, 100)
    other = Bank(journal, 0)
    with pytest.raises(RuleError, match="must be positive"):
        pay(bank, other, -5)
    pay(bank, other, 100)
    assert not bank.broken  # exactly 0 is not broken
    pay(bank, other, 30)
    assert bank.broken
    pay(other, bank, 60)
    assert (bank.cash, bank.broken) == (30, True)

"""Rules that 1861 and 1867 share, in small situations (rules: 1861.md)."""

from __future__ import annotations

from typing import Any

import pytest

from engine import IllegalActionError, shares
from engine.core.corporation import Corporation
from engine.core.shares import Bundle
from engine.core.trains import attach
from engine.game import Game
from engine.player import new_game
from engine.titles.family1861 import loans
from engine.titles.family1861.nationalization import nationalize
from engine.trains import take_over, train_arrives


def act(game: Game, kind: str, entity: int | str, **fields: Any) -> None:
    entity_type = "player" if isinstance(entity, int) else "corporation"
    game.apply({"type": kind, "entity": entity, "entity_type": entity_type, **fields})


def bid(game: Game, player: int, price: int, **target: str) -> None:
    act(game, "bid", player, price=price, **target)


def passes(game: Game, *players: int) -> None:
    for player in players:
        act(game, "pass", player)


def after_auction(title: str = "1861", seats: int = 3) -> Game:
    """The first stock round: player 1 bought all privates at their least price."""
    game = new_game(title, seats, 1)
    while game.round.short_name == "ISR":
        player = game.active_entity
        assert player is not None
        item = next(choice for choice in game.legal_actions() if choice.kind == "bid")
        if player.id == 1:
            game.apply(item.action)
        else:
            act(game, "pass", int(player.id))
    return game


def start_minor(game: Game, minor: str, cell: str, player: int, cash: int = 0) -> Corporation:
    """A minor in play at this price, its token at home."""
    corporation = game.corporation(minor)
    if corporation not in game.corporations:
        game.corporations = (*game.corporations, corporation)
    game.stock_market.set_par(corporation, game.stock_market.cell(cell))
    shares.buy(game, game.player(player), Bundle.of(corporation.treasury[0]), free=True)
    game.pay(game.bank, corporation, cash)
    hex_ = game.board.hex(corporation.home_hexes[0])
    city = hex_.cities[corporation.home_city or 0]
    game.board.put_token(corporation.tokens[0], city)
    return corporation


# -- opening auction --------------------------------------------------------


def test_a_pass_before_the_first_bid_is_not_final() -> None:
    game = new_game("1861", 3, 1)
    passes(game, 1)
    bid(game, 2, 20, company="TSR")
    passes(game, 3)
    bid(game, 1, 25, company="TSR")  # had only declined
    passes(game, 2)
    assert [c.id for c in game.player(1).companies] == ["TSR"]
    assert game.player(1).cash == 395
    assert game.active_entity is game.player(2)  # left of the winner


def test_a_declined_item_falls_and_is_then_sold_to_the_first_bid() -> None:
    game = new_game("1861", 3, 1)
    passes(game, 1, 2, 3)
    passes(game, 1)
    bid(game, 2, 15, company="TSR")
    assert [c.id for c in game.player(2).companies] == ["TSR"]
    assert game.player(2).cash == 405


def test_at_price_zero_the_first_player_gets_it_for_nothing() -> None:
    game = new_game("1861", 3, 1)
    # 20 declined; then 15, 10, 5 are refused by all; at 0 it is given away
    for _ in range(4):
        passes(game, 1, 2, 3)
    assert [c.id for c in game.player(1).companies] == ["TSR"]
    assert game.player(1).cash == 420


@pytest.mark.parametrize(
    ("price", "reason"), [(15, "lowest bid"), (22, "multiples of 5"), (1000, "can bid 420")]
)
def test_bids_are_checked(price: int, reason: str) -> None:
    game = new_game("1861", 3, 1)
    with pytest.raises(IllegalActionError, match=reason):
        bid(game, 1, price, company="TSR")


def test_two_privates_leave_a_game_of_two_by_seed() -> None:
    # seed 1 removes BSS and MYR, 123456 removes MYR and MRR (1861 2.1)
    for seed, gone in ((1, {"BSS", "MYR"}), (123456, {"MYR", "MRR"})):
        game = new_game("1861", 2, seed)
        assert {c.id for c in game.companies} == {"3", "TSR", "BSS", "MYR", "MRR", "WVR"} - gone
        assert [sum(t.name == n for t in game.depot.upcoming) for n in "234567"] == [7, 5, 3, 3, 1, 1]
        assert game.corporation("NW").holding_limit == 70


# -- stock round --------------------------------------------------------


def test_nikolaev_comes_first_and_its_winner_pays_into_it() -> None:
    game = after_auction()
    first = int(game.round.entities[0].id)
    with pytest.raises(IllegalActionError, match="cannot be auctioned now"):
        bid(game, first, 100, corporation="RO")
    bid(game, first, 115, corporation="N")
    assert game.corporation("N").tokens[0].city is not None  # before anybody else bids
    while game.active_entity is not game.player(first) and game.corporation("N").owner is None:
        act(game, "pass", int(game.active_entity.id))  # type: ignore[union-attr]
    minor = game.corporation("N")
    assert minor.owner is game.player(first)
    assert minor.cash == 115
    assert minor.price is not None
    assert minor.price.price == 55  # the highest minor cell not above 115 / 2


# -- loans and nationalization --------------------------------------------------------


def test_loans_bring_45_and_cost_50() -> None:
    game = new_game("1861", 3, 1)
    minor = start_minor(game, "RO", "100,4,5", 1, cash=10)
    assert loans.loan_power(minor) == 10 + 2 * 45
    loans.borrow_for(game, minor, 60)
    assert (minor.cash, len(minor.loans)) == (100, 2)
    loans.repay(game, minor)
    assert (minor.cash, len(minor.loans)) == (0, 0)
    assert len(game.loans) == 172


def test_a_nationalized_minor_pays_its_owner_and_leaves_everything_to_the_state() -> None:
    game = new_game("1861", 3, 1)
    minor = start_minor(game, "RO", "100,4,5", 1, cash=30)
    train = game.depot.upcoming[0]
    take_over(game, minor, train)
    minor.loans = game.loans[:1]
    owner = game.player(1)
    before = owner.cash
    nationalize(game, minor)
    # 100 moves left once, and once for the loan it cannot repay: 80; two shares pay 160
    assert owner.cash == before + 160
    national = game.state.national
    assert national.trains == (train,)
    assert national.cash == 30
    assert minor.closed
    assert minor not in game.corporations
    # two claims and eight tokens: one may be placed
    city = game.board.hex("B4").cities[0]
    assert city.has_token_of(national)


def test_a_nationalized_major_can_be_started_again() -> None:
    game = new_game("1861", 3, 1)
    major = game.corporation("NW")
    game.corporations = (*game.corporations, major)
    game.stock_market.set_par(major, game.stock_market.cell("100,4,5"))
    shares.buy(game, game.player(1), Bundle.of(major.treasury[0]), free=True)
    nationalize(game, major)
    fresh = game.corporation("NW")
    assert fresh is not major
    assert (fresh.started, fresh.floated, fresh.price, len(fresh.treasury)) == (False, False, None, 9)
    assert [token.price for token in fresh.tokens] == [0, 20, 40]
    assert major not in game.player(1).shares


# -- events --------------------------------------------------------


def buy_first(game: Game, buyer: Corporation, name: str) -> None:
    """The next phase's first train arrives; earlier trains leave the depot."""
    while game.depot.upcoming[0].name != name:
        game.depot.remove(game.depot.upcoming[0])
    train = game.depot.upcoming[0]
    take_over(game, buyer, train)
    train_arrives(game, train)


def test_phase_three_brings_the_majors_and_frees_hexes() -> None:
    game = new_game("1861", 3, 1)
    minor = start_minor(game, "RO", "100,4,5", 1)
    track = game.title.track
    assert track.blocked(game, game.board.hex("I5"), minor) is not None
    buy_first(game, minor, "3")
    assert game.phase.name == "3"
    assert track.blocked(game, game.board.hex("I5"), minor) is None
    assert [c.id for c in game.corporations[10:]] == [
        "NW", "SW", "SE", "MVR", "MK", "GRR", "MKN", "MKV", "MB", "Y", "V", "TR", "SV", "E",
    ]  # fmt: skip


def test_the_first_four_rusts_twos_and_the_first_six_takes_privates() -> None:
    game = after_auction()
    minor = start_minor(game, "RO", "100,4,5", 2)
    two = game.depot.upcoming[0]
    take_over(game, minor, two)
    for name in ("3", "4"):
        buy_first(game, minor, name)
    assert two.rusted
    assert two not in minor.trains
    player = game.player(1)
    before, faces = player.cash, sum(company.value for company in player.companies)
    for name in ("5", "6"):
        buy_first(game, minor, name)
    assert player.cash == before + faces
    assert len(game.state.national.companies) == 5


def test_the_first_five_ends_the_start_of_minors() -> None:
    game = new_game("1861", 3, 1)
    minor = start_minor(game, "RO", "100,4,5", 1)
    for name in ("3", "4", "5"):
        buy_first(game, minor, name)
    assert [c.id for c in game.corporations if c.kind == "minor"] == ["RO"]
    assert all(
        reservation is None or reservation.kind != "minor"
        for city in game.board.cities()
        for reservation in city.reservations
    )


# -- tokens and scoring --------------------------------------------------------


def test_a_token_costs_its_price_times_the_distance() -> None:
    game = new_game("1861", 3, 1)
    major = game.corporation("NW")
    board = game.board
    board.put_token(major.tokens[0], board.hex("H8").cities[0])
    rules = game.title.tokens
    token = major.tokens[1]
    # H8 to G15: one column and seven rows: 1 + (7 - 1) / 2 = 4; to K17: 3 + (9 - 3) / 2 = 6
    assert rules.price(game, major, token, board.hex("G15").cities[0]) == 80
    assert rules.price(game, major, token, board.hex("K17").cities[0]) == 120


def test_loans_lower_the_score() -> None:
    game = new_game("1861", 3, 1)
    minor = start_minor(game, "RO", "100,4,5", 1)
    player = game.player(1)
    assert game.title.score(game, player) == player.cash + 200
    minor.loans = game.loans[:2]
    # 100 one step left is 90, two steps 80 (row 4)
    assert game.title.score(game, player) == player.cash + 160


def test_minors_of_a_second_market_row_follow_its_steps() -> None:
    game = new_game("1867", 3, 1)
    minor = game.corporations[0]
    game.stock_market.set_par(minor, game.stock_market.cell("50,0,3"))
    shares.buy(game, game.player(1), Bundle.of(minor.treasury[0]), free=True)
    minor.loans = game.loans[:1]
    nationalize(game, minor)
    # one step left and two for the loan: 35 is the end of the column; 2 x 35
    assert game.player(1).cash == 420 + 70


def test_trains_can_be_attached_once() -> None:
    game = new_game("1861", 3, 1)
    first, second = start_minor(game, "RO", "100,4,5", 1), start_minor(game, "OK", "100,4,5", 2)
    train = game.depot.upcoming[0]
    take_over(game, first, train)
    attach(train, second)
    assert (first.trains, second.trains, train.owner) == ((), (train,), second)

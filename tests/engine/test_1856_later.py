"""1856: the life of the national railway (rules: 1856 section 19, 18.7, 18.9)."""

import pytest

from engine.core.trains import attach
from engine.titles.canada import national as cgr
from engine.titles.canada.state import canada
from tests.engine.canada import act, formed


def alone(trains=(), cash=0):
    """The national is on turn, with these trains."""
    game, round_ = formed(buyer="CPR", merged=("GT", "WGB", "LPS"))
    corporation = canada(game).national
    for name in trains:
        train = game.depot.train(name)
        if train.owner is None:
            game.depot.take(train)
        attach(train, corporation)
    corporation.cash = cash
    canada(game).discarding = False
    round_.go_to(corporation)
    round_.clear_turn()
    round_.reset_steps()
    round_.skip_steps()
    return game, round_, corporation


def test_the_price_of_the_national_is_frozen_until_it_owns_a_permanent_train():
    game, _, corporation = alone(["4-0"])
    market, movement = game.stock_market, game.title.movement
    cell = corporation.price
    for direction in ("left", "right", "down", "up"):
        movement.move(market, corporation, direction)
    assert corporation.price is cell
    cgr.owns_permanent(game)
    movement.move(market, corporation, "right")
    assert corporation.price.price == 110


def test_the_national_never_closes():
    game, _, corporation = alone()
    cgr.owns_permanent(game)
    game.stock_market.place(corporation, game.stock_market.rows[8][0])
    for direction in ("down", "left"):
        game.title.movement.move(game.stock_market, corporation, direction)
        assert corporation.price.id == "30,8,0"


def test_a_trainless_national_borrows_the_best_train_and_gives_it_to_the_pool():
    game, round_, corporation = alone()
    track, borrow = round_.active_step(), next(s for s in round_.steps if s.name == "borrow_train")
    assert track.name == "track"
    assert borrow.borrowable(corporation).id == "D-0"
    act(game, "pass", "CGR")
    if round_.active_step().name == "token":
        act(game, "pass", "CGR")
    act(game, "borrow_train", "CGR", train="D-0")
    # it has no route and no money, so it is at the end of its train step at once
    assert corporation.trains == ()
    assert game.phase.name == "6"
    assert not canada(game).has_been_permanent
    assert [train.id for train in game.depot.discarded] == ["D-0"]
    assert game.depot.upcoming[-1].id == "D-1"


@pytest.mark.parametrize(
    ("trains", "cash", "must"),
    [((), 1100, False), ((), 1101, True), (("4-0",), 750, False), (("4-0",), 751, True)],
)
def test_what_makes_the_national_buy_a_train(trains, cash, must):
    _, round_, corporation = alone(trains, cash)
    step = next(step for step in round_.steps if step.name == "buy_train")
    assert step.must_buy(corporation) is must


def test_the_national_buys_permanent_trains_at_face_value():
    game, round_, corporation = alone(cash=700)
    other = game.corporation("CPR")
    step = next(step for step in round_.steps if step.name == "buy_train")
    five, four = game.depot.train("5-0"), game.depot.train("4-1")
    for train in (five, four):
        game.depot.take(train)
        attach(train, other)
    assert five in step.offered_others(corporation)
    assert four not in step.offered_others(corporation)
    assert step.price_range(corporation, five) == (550, 550)
    corporation.cash = 549
    lowest, highest = step.price_range(corporation, five)
    assert lowest > highest


def test_the_national_discards_freely_once():
    game, round_, corporation = alone(["4-0", "4-1", "3-0", "2-0"])
    canada(game).discarding = True
    assert round_.active_step().name == "nationalization_discard_trains"
    # four trains, three may stay: one must go
    assert not any(choice.kind == "pass" for choice in game.legal_actions())
    act(game, "discard_train", "CGR", train="2-0")
    assert any(choice.kind == "pass" for choice in game.legal_actions())
    act(game, "pass", "CGR")
    assert [train.id for train in corporation.trains] == ["4-0", "4-1", "3-0"]
    assert not canada(game).discarding


def test_one_of_two_tokens_in_a_hex_must_go():
    game, round_, corporation = alone()
    game.board.lay(game.board.hex("N11"), game.board.in_stock("120"), 1)
    game.board.forget(game.corporation("CV"))
    cities = game.board.hex("N11").cities
    tokens = corporation.tokens[-2:]
    for token, city in zip(tokens, cities, strict=True):
        game.board.put_token(token, city)
    round_.duplicates = (tokens,)
    assert [choice.item for choice in game.legal_actions()] == [["N11", 0, 0, "CGR"], ["N11", 1, 0, "CGR"]]
    act(game, "remove_token", "CGR", city="120-0-1", slot=0)
    assert [token.city.hex.id for token in corporation.placed_tokens].count("N11") == 1
    assert tokens[1] not in corporation.tokens


def test_without_room_the_national_can_only_trade_in():
    # 800 is more than 750 and it has trains that rust: it must buy, and three trains leave a trade-in only
    game, round_, corporation = alone(["4-0", "4-1", "4-2"], 800)
    for name in ("6-1", "5-0", "5-1", "5-2", "4-3"):
        game.depot.remove(game.depot.train(name))
    step = next(step for step in round_.steps if step.name == "buy_train")
    assert step.must_buy(corporation)
    assert [choice.item for choice in step.choices(corporation)] == [["depot", "D", 750, 750, "4"]]
    assert not step.may_raise(corporation)

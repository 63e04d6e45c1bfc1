"""1856: capitalization, escrow, loans, interest, debts (rules: 1856 sections 6, 10, 13, 14, 16)."""

import pytest

from engine.errors import IllegalActionError
from engine.shares import hand_over
from engine.titles.canada import loans
from engine.titles.canada.destinations import reach_destination
from engine.titles.canada.state import canada
from engine.titles.t1856 import score
from tests.engine.canada import act, give_share, money, opened, operate, start


def lend(game, name, count):
    """The corporation has so many loans; no money moves."""
    game.corporation(name).loans = game.loans[:count]
    game.loans = game.loans[count:]


def test_starting_cash_and_bank():
    game = opened(4)
    # 4 x 375 of the bank's 12,000 went to the players, who paid 380 for the privates
    assert game.bank.cash == 12_000 - 4 * 375 + 380
    assert [player.cash for player in game.players] != []
    assert sum(player.cash for player in game.players) == 4 * 375 - 380
    assert money(game) == 12_000


def test_the_first_five_shares_pay_the_treasury_and_the_rest_is_held_in_escrow():
    game = opened()
    corporation = start(game, "CPR", 1, 65)
    assert corporation.cash == 130  # the president's certificate is two shares
    for _ in range(3):
        give_share(game, "CPR", 2)
    # five shares sold: 5 x 65; the fifth was bought while the corporation still had 60 percent
    assert (corporation.cash, corporation.escrow) == (325, 0)
    bank = game.bank.cash
    give_share(game, "CPR", 3)
    give_share(game, "CPR", 3)
    assert (corporation.cash, corporation.escrow) == (325, 130)
    assert game.bank.cash == bank + 130  # escrow is inside the bank
    reach_destination(game, corporation)
    assert (corporation.cash, corporation.escrow, game.bank.cash) == (455, 0, bank)
    give_share(game, "CPR", 4)
    assert corporation.cash == 520  # incremental from now on
    assert corporation.capitalization == "incremental"


def test_market_shares_never_count_for_escrow():
    game = opened()
    corporation = start(game, "CPR", 1, 65, more=3)
    corporation_cash = corporation.cash
    hand_over(game.player(1).shares_of(corporation)[-1], game.market)
    bank = game.bank.cash
    give_share(game, "CPR", 2, source=game.market)
    assert (corporation.cash, corporation.escrow) == (corporation_cash, 0)
    assert game.bank.cash == bank + 65


def test_a_corporation_that_is_connected_before_it_starts_is_incremental():
    game = opened()
    reach_destination(game, game.corporation("GW"))
    assert start(game, "GW", 1, 70, more=4).cash == 6 * 70


def test_full_capitalization_floats_with_the_sixth_share_and_gets_ten_times_par():
    game = opened()
    state = canada(game)
    state.capitalization, state.required = "full", 60
    corporation = start(game, "WGB", 1, 75, more=3)
    assert (corporation.cash, corporation.floated) == (0, False)
    give_share(game, "WGB", 2)
    assert (corporation.cash, corporation.floated) == (750, True)
    give_share(game, "WGB", 2)
    assert corporation.cash == 750


def test_interest_takes_whole_tens_of_the_treasury_then_the_run():
    # section 13.5: LPS, 4 loans, treasury 17, revenue 140: 10 from the treasury, 30 from the run
    game = opened()
    corporation = start(game, "LPS", 1, 65, more=4)
    round_ = operate(game)
    corporation.cash = 17
    lend(game, "LPS", 4)
    round_.routes = (("2-0", 140),)
    president = game.player(1).cash
    loans.charge_interest(round_, corporation)
    assert (corporation.cash, round_.penalties, game.player(1).cash) == (7, {corporation: 30}, president)
    dividend = next(step for step in round_.steps if step.name == "dividend")
    dividend.settle(corporation, "payout")
    # 110 left: 11 a share, six shares with the president
    assert game.player(1).cash == president + 66
    assert corporation.cash == 7


def test_interest_without_a_run_is_the_presidents():
    game = opened()
    corporation = start(game, "LPS", 1, 65, more=4)
    round_ = operate(game)
    corporation.cash = 17
    game.player(1).cash = 12
    lend(game, "LPS", 4)
    loans.charge_interest(round_, corporation)
    # 40 owed, 10 from the treasury, 30 from a president who has 12
    assert (corporation.cash, game.player(1).cash) == (7, -18)
    assert round_.crisis_causes == (corporation,)


def test_dividends_round_up_for_each_holder_and_the_market_pays_the_treasury():
    game = opened()
    corporation = start(game, "LPS", 1, 65, more=4)
    round_ = operate(game)
    corporation.share_percent = 5  # a 20-share corporation: 710 are 35.5 a share
    corporation.holdings = {}
    dividend = next(step for step in round_.steps if step.name == "dividend")
    round_.routes = (("2-0", 710),)
    cash = game.player(1).cash
    dividend.settle(corporation, "payout")
    # 60 percent are twelve shares of 5: 12 x 35.5 = 426
    assert game.player(1).cash == cash + 426


def test_a_loan_brings_100_before_and_90_after_interest():
    game = opened()
    corporation = start(game, "LPS", 1, 65)
    operate(game)
    cash = corporation.cash
    act(game, "take_loan", "LPS", loan=0)
    assert (corporation.cash, corporation.loans) == (cash + 100, (0,))
    # no train, no route: the run is skipped, and the next action (a train for 100) is charged with interest
    act(game, "pass", "LPS")
    assert corporation.cash == cash + 100
    act(game, "buy_train", "LPS", train="2-0", price=100, variant="2")
    assert corporation.cash == cash + 100 - 100 - 10
    round_ = game.round
    assert loans.proceeds(round_, corporation) == 90
    assert not loans.may_borrow(game, corporation)  # one a round


def test_any_action_is_charged_with_interest_a_message_too():
    game = opened()
    corporation = start(game, "LPS", 1, 65)
    operate(game)
    act(game, "take_loan", "LPS", loan=0)
    act(game, "pass", "LPS")
    act(game, "message", 2, "player", message="hello")
    # 130 + 100 - 10
    assert corporation.cash == 220


def test_loan_limit_is_the_shares_in_players_hands():
    game = opened()
    corporation = start(game, "LPS", 1, 65, more=1)
    operate(game)
    assert loans.loan_limit(corporation) == 3
    lend(game, "LPS", 3)
    assert not loans.may_borrow(game, corporation)
    assert loans.headroom(game, corporation) == 0


def test_excess_loans_are_repaid_by_the_treasury_and_the_president():
    game = opened()
    corporation = start(game, "LPS", 1, 65)
    round_ = operate(game)
    lend(game, "LPS", 4)
    corporation.cash, game.player(1).cash = 130, 100
    loans.repay_excess(round_, corporation)
    # two shares in players' hands, so two of four loans: 200 = 130 + 70
    assert (len(corporation.loans), corporation.cash, game.player(1).cash) == (2, 0, 30)
    assert corporation in round_.loan_repaid
    assert len(game.loans) == 108


def test_each_loan_costs_each_share_ten_at_the_end():
    game = opened()
    corporation = start(game, "LPS", 1, 65)
    plain = score(game, game.player(1))
    lend(game, "LPS", 3)
    assert score(game, game.player(1)) == plain - 2 * 3 * 10
    assert corporation.price.price == 65


def in_debt():
    """Player 1 owes 35 for the interest of LPS: 30 percent are his, 20 player 2's; he has 30 of CPR too."""
    game = opened()
    corporation = start(game, "LPS", 1, 90, more=1)
    start(game, "CPR", 2, 80, more=1)
    for _ in range(3):
        give_share(game, "CPR", 1)
    give_share(game, "LPS", 2)
    give_share(game, "LPS", 2)
    round_ = operate(game)
    assert game.active_entity is corporation
    corporation.cash = 0
    lend(game, "LPS", 4)
    game.player(1).cash = 5
    round_.crisis_player = game.player(1)
    loans.charge_interest(round_, corporation)
    assert game.player(1).cash == -35
    return game, round_


def sales(game):
    return {tuple(choice.item) for choice in game.legal_actions() if choice.kind == "sell_shares"}


def test_a_president_in_debt_sells_no_more_than_needed_and_keeps_the_corporation():
    game, _ = in_debt()
    assert game.active_entity is game.player(1)
    # a CPR share brings 80: two would be more than needed; one of LPS (90) would do too and leaves 20 to 20
    assert sales(game) == {("CPR", 10), ("LPS", 10)}
    with pytest.raises(IllegalActionError):
        act(game, "pass", "LPS")


def test_the_protection_of_the_presidency_lasts_for_one_sale():
    game, round_ = in_debt()
    game.player(1).cash = -190
    give_share(game, "LPS", 2)
    # now 30 to 30: any sale of LPS would lose it; 240 of CPR are needed, less than that may be sold too
    assert sales(game) == {("CPR", 10), ("CPR", 20), ("CPR", 30)}
    act(game, "sell_shares", 1, "player", shares=["CPR_5"], percent=10)
    assert round_.crisis_causes == ()
    assert ("LPS", 10) in sales(game)


def test_bankruptcy_only_when_everything_does_not_suffice():
    game, _ = in_debt()
    with pytest.raises(IllegalActionError):
        act(game, "bankrupt", 1, "player")
    game.player(1).cash = -500
    assert any(choice.kind == "bankrupt" for choice in game.legal_actions())
    act(game, "bankrupt", 1, "player")
    player = game.player(1)
    assert (game.finished, game.end_reason, player.bankrupt, player.cash) == (True, "bankrupt", True, 0)
    assert money(game) == game.bank.cash + sum(p.cash for p in game.players) + sum(
        c.cash for c in game.corporations
    )

"""Helpers of the tests of 1856."""

from __future__ import annotations

from engine import shares, start_game
from engine.actions import read_action
from engine.core.corporation import Corporation
from engine.core.shares import Bundle
from engine.core.trains import attach
from engine.liveness import live_flags
from engine.player import new_game
from engine.titles.canada import national as cgr
from engine.titles.canada.round import CanadaOperatingRound
from engine.titles.canada.state import canada
from engine.titles.t1856 import operating_round
from tests.engine.conftest import recorded

BANK = 12_000
PRIVATES = (("FT", 20), ("WSRC", 40), ("TCC", 50), ("GLSC", 70), ("NFSBC", 100), ("SCFTC", 100))


def money(game):
    """All the money there is: escrow is inside the bank (rules: 1856 section 25)."""
    corporations = [entity for entity in game.entities.values() if isinstance(entity, Corporation)]
    return game.bank.cash + sum(owner.cash for owner in (*game.players, *corporations))


def act(game, kind, entity, entity_type="corporation", **fields):
    """Applies one action in play."""
    return game.apply({"type": kind, "entity": entity, "entity_type": entity_type, **fields})


def opened(players=4, optional_rules=()):
    """A game in its first stock round: the privates were bought at face value, in turn."""
    game = new_game("1856", players, 1, optional_rules)
    for number, (private, price) in enumerate(PRIVATES):
        act(game, "bid", number % players + 1, "player", company=private, price=price)
    return game


def start(game, name, player, price, more=0):
    """`player` starts a corporation and holds 20 percent and `more` further shares, whoever's turn it is."""
    corporation = game.corporation(name)
    owner = game.player(player)
    owner.cash += 2 * price
    step = game.round.steps[-1]
    cell = next(cell for cell in game.stock_market.par_cells("par") if cell.price == price)
    step.start_corporation(owner, corporation, cell)
    for _ in range(more):
        give_share(game, name, player)
    return corporation


def give_share(game, name, player, source=None):
    """The player buys one share; he is given the money for it."""
    corporation = game.corporation(name)
    owner = game.player(player)
    bundle = Bundle.of((source or corporation).shares_of(corporation)[-1])
    owner.cash += bundle.price
    shares.buy(game, owner, bundle)


def operate(game):
    """Starts an operating round at once."""
    game.round = operating_round(game, 1)
    game.round.start()
    round_ = game.round
    assert isinstance(round_, CanadaOperatingRound)
    return round_


def before(name, action_id):
    """The shared game before one of its actions, and the action."""
    file = recorded(name)
    game = start_game(file)
    for entry, live in zip(file["actions"], live_flags(file["actions"]), strict=True):
        if entry["id"] == action_id:
            return game, entry
        if live:
            game.apply(read_action(entry), recorded=True)
    raise AssertionError(f"{name} has no action {action_id}")


def four_corporations():
    """CPR (90), GT (80), WGB (70), LPS (65) operate in this order; presidents 1, 2, 3, 4, two loans each."""
    game = opened()
    for name, player, price in (("CPR", 1, 90), ("GT", 2, 80), ("WGB", 3, 70), ("LPS", 4, 65)):
        start(game, name, player, price, more=2)
        for _ in range(2):
            give_share(game, name, player % 4 + 1)
    round_ = operate(game)
    for corporation in round_.entities:
        corporation.floated = corporation.operated = True
        corporation.cash = 0
        corporation.loans = game.loans[:2]
        game.loans = game.loans[2:]
        if corporation.next_token is corporation.tokens[0]:
            hex_ = game.board.hex(corporation.home_hexes[0])
            game.board.put_token(corporation.tokens[0], hex_.cities[0])
    return game, round_


def first_six(game, buyer):
    """The corporation owns the first 6, and everything that follows begins."""
    game.phase_index = next(i for i, phase in enumerate(game.phases) if phase.name == "6")
    train = game.depot.train("6-0")
    game.depot.take(train)
    attach(train, game.corporation(buyer))
    cgr.begin(game, train)
    return train


def candidates(game):
    return [corporation.id for corporation in canada(game).candidates]


def formed(buyer="GT", merged=("WGB", "LPS"), **assets):
    game, round_ = four_corporations()
    for name, cash in assets.items():
        game.corporation(name).cash = cash
    first_six(game, buyer)
    for player in game.players:
        player.cash = 500
    for name in candidates(game):
        if name in merged:
            act(game, "merge", name, corporation=name)
        else:
            act(game, "pass", name)
    return game, round_

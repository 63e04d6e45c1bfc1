"""Bankrupt presidents and receivership (rules: 18rhl sections 11.2 and 11.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import shares
from engine.core.company import close_company
from engine.core.corporation import Corporation, Player
from engine.core.money import pay
from engine.core.shares import Bundle
from engine.steps.emergency import Bankruptcy, EmergencyBuyTrain
from engine.trains import take_over, train_arrives

if TYPE_CHECKING:
    from engine.game import Game

FEE = 100


class RhinelandBankruptcy(Bankruptcy):
    """The president loses everything; the corporation gets its train from the next president or the bank."""

    __slots__ = ()

    def declare(self, player: Player, corporation: Corporation) -> None:
        game, step = self.game, self.buying()
        assert step is not None
        held = game.in_market_order([c for c in player.shares if c.started and player.shares_of(c)])
        for other in held:
            sell_largest(game, step, player, other)
        contribution = player.cash
        for other in game.in_market_order([c for c in player.shares if c.started and player.shares_of(c)]):
            shares.transfer(game, Bundle.of(*player.shares_of(other)), game.market)
            if other.owner is player:
                other.owner = game.market
        step.sold_for = ()
        for company in player.companies:
            close_company(company)
        game.pay(player, game.bank, player.cash)
        player.bankrupt = True
        if corporation.owner is game.market:
            train_on_credit(game, step, corporation, contribution)


def sell_largest(game: Game, step: EmergencyBuyTrain, player: Player, corporation: Corporation) -> None:
    """Sells the dearest block of the corporation that he may sell."""
    legal = [bundle for bundle in shares.bundles(player, corporation) if step.may_sell(player, bundle)]
    if legal:
        shares.sell(game, max(legal, key=lambda bundle: bundle.price))


def train_on_credit(game: Game, step: EmergencyBuyTrain, corporation: Corporation, contribution: int) -> None:
    """Treasury and the president's cash are used up; the bank lends the rest and charges a fee."""
    train = step.cheapest()
    if train is None:
        return
    treasury = corporation.cash
    if treasury > 0:
        game.pay(corporation, game.bank, treasury)
    take_over(game, corporation, train)
    train_arrives(game, train)
    pay(corporation, game.bank, train.price - treasury - contribution + FEE, may_owe=True)

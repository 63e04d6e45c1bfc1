"""Stock rounds of 1856 (rules: 1856 section 6, 18.6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine import shares
from engine.actions import Action, BuyShares, ProgramBuyShares
from engine.core.corporation import Corporation, Player
from engine.core.market import Cell
from engine.core.shares import Bundle
from engine.errors import RuleError
from engine.legal import Choice
from engine.programs import disable
from engine.rounds.stock import StockRound
from engine.shares import exchange_presidency
from engine.steps.base import Entity
from engine.steps.stock import BuySellPar
from engine.titles.canada.national import set_president_percent
from engine.titles.canada.rules import own_shares_open, sold_enough
from engine.titles.canada.state import canada


class CanadaStockRound(StockRound):
    """Sold-out corporations rise even if they have never operated (6.10)."""

    __slots__ = ()

    def finish_round(self) -> None:
        game = self.game
        for corporation in game.in_market_order(c for c in game.corporations if c.price is not None):
            if game.title.shares.sold_out_rises(game, corporation):
                game.title.movement.move(game.stock_market, corporation, "up")


class CanadaStock(BuySellPar):
    """One share of what was bought this turn must be kept; a false president must complete his certificate.

    `ruined`: he could not, and the game has ended in his turn.
    """

    __slots__ = ("ruined",)
    ruined: bool

    def begin_turn(self) -> None:
        super().begin_turn()
        self.ruined = False

    def blocking(self) -> bool:
        return self.ruined or super().blocking()

    def actions(self, entity: Entity) -> Sequence[str]:
        if entity is not self.current() or not isinstance(entity, Player) or not self.is_false(entity):
            return super().actions(entity)
        found = []
        if self.can_sell_any(entity):
            found.append("sell_shares")
        if self.can_buy_any(entity):
            found.append("buy_shares")
        return tuple(found)

    def is_false(self, player: Player) -> bool:
        return canada(self.game).false_president is player

    def skip(self) -> None:
        player = self.round.current
        if isinstance(player, Player) and self.is_false(player) and not self.can_complete(player):
            self.ruined = True
            self.game.end_game("bankrupt")
        else:
            super().skip()

    def can_complete(self, player: Player) -> bool:
        """Do his cash and the best blocks of other corporations pay for a share of the national?"""
        national = canada(self.game).national
        price = national.unit_price(self.game.market)
        if own_shares_open(self.game, national):
            price = min(price, national.unit_price(national))
        value = player.cash
        for corporation in player.shares:
            if corporation is not national:
                value += max((b.price for b in self.sellable(player, corporation)), default=0)
        return value >= price

    def can_start_any(self, player: Player) -> bool:
        return not self.is_false(player) and super().can_start_any(player)

    def par_choices(self, player: Player) -> Iterator[Choice]:
        return iter(()) if self.is_false(player) else super().par_choices(player)

    def can_buy(self, player: Player, bundle: Bundle | None) -> bool:
        if (
            bundle is not None
            and self.is_false(player)
            and bundle.corporation is not canada(self.game).national
        ):
            return False
        return super().can_buy(player, bundle)

    def can_sell(self, player: Player, bundle: Bundle) -> bool:
        return super().can_sell(player, bundle) and self.keeps_bought(player, bundle)

    def keeps_bought(self, player: Player, bundle: Bundle) -> bool:
        """After buying a share of the corporation in this turn, one share of it must stay (6.7)."""
        if ("buy_shares", bundle.corporation) not in self.stock.turn_actions:
            return True
        return bundle.percent < player.percent_of(bundle.corporation)

    def start_corporation(self, player: Player, corporation: Corporation, cell: Cell) -> None:
        """The kind of capitalization is fixed now (10.2)."""
        state = canada(self.game)
        connected = state.capitalization == "escrow" and corporation in state.connected
        corporation.capitalization = "incremental" if connected else state.capitalization
        super().start_corporation(player, corporation, cell)

    def do_buy_shares(self, action: BuyShares) -> None:
        player = self.player_of(action)
        bundle = self.game.bundle(action.shares, action.percent)
        state = canada(self.game)
        completes = (
            state.false_president is not None
            and bundle.corporation is state.national
            and bool(player.shares_of(state.national))
        )
        if not completes:
            super().do_buy_shares(action)
            return
        if bundle.holder not in (state.national, self.game.market) or not self.can_buy(player, bundle):
            raise RuleError(f"{player.name} may not buy {', '.join(action.shares)} for {bundle.price}")
        self.complete_presidency(player, bundle)
        self.note(action, state.national)

    def complete_presidency(self, player: Player, bundle: Bundle) -> None:
        """He pays, the share stays where it is, and the president's certificate grows to full size (18.6)."""
        game, state = self.game, canada(self.game)
        national, former = state.national, state.false_president
        certificate = national.certificates[0]
        price = bundle.price
        if former is not player and former is not None:
            exchange_presidency(game, certificate, player, former)
            national.owner = player
        game.pay(player, game.bank, price)
        gained = certificate.percent
        set_president_percent(national, 2 * gained)
        national.holdings = {**national.holdings, player: national.holdings.get(player, 0) + gained}
        state.half_presidency = False

    def sellable(self, player: Player, corporation: Corporation) -> list[Bundle]:
        return [bundle for bundle in shares.bundles(player, corporation) if self.can_sell(player, bundle)]

    def auto_actions(self, entity: Entity) -> list[Action]:
        """A program that buys until a corporation floats stops as soon as it could operate."""
        program = entity.program if isinstance(entity, Player) else None
        if (
            isinstance(entity, Player)
            and isinstance(program, ProgramBuyShares)
            and program.until_condition == "float"
            and "facing_6" not in self.game.phase.status
            and "buy_shares" in self.actions(entity)
            and sold_enough(self.game, self.game.corporation(program.corporation))
        ):
            return disable(entity, f"{program.corporation} has enough shares sold to operate next OR")
        return super().auto_actions(entity)

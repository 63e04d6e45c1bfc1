"""A player's turn in a stock round: sell, buy, start corporations (rules: common 3.4, 4.5, 4.6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from engine import shares
from engine.actions import Action, BuyShares, Par, Pass, SellShares
from engine.core.corporation import Corporation, Player
from engine.core.market import Cell
from engine.core.shares import Bundle, Share
from engine.errors import RuleError
from engine.legal import Choice
from engine.rounds.stock import StockRound
from engine.steps import stock_programs
from engine.steps.base import Entity, Step

PURCHASES = frozenset({"buy_shares", "par", "buy_company"})


class BuySellPar(Step):
    """Any number of sales and one purchase, in the order that the title allows."""

    __slots__ = ()
    name = "buy_sell_par_shares"

    @property
    def stock(self) -> StockRound:
        return cast(StockRound, self.round)

    # -- what is possible ------------------------------------------------------------------------------------

    def actions(self, entity: Entity) -> Sequence[str]:
        if entity is not self.current() or not isinstance(entity, Player):
            return ()
        if self.must_sell(entity):
            return ("sell_shares",)
        found = []
        if self.can_buy_any(entity):
            found.append("buy_shares")
        if self.can_start_any(entity):
            found.append("par")
        if self.can_sell_any(entity):
            found.append("sell_shares")
        return (*found, "pass") if found else ()

    def bought(self) -> bool:
        return any(kind in PURCHASES for kind, _ in self.stock.turn_actions)

    def can_buy(self, player: Player, bundle: Bundle | None) -> bool:
        """All conditions of a purchase (common 4.5)."""
        if bundle is None or bundle.holder is player:
            return False
        rules = self.game.title.shares
        return (
            rules.purchasable(self.game, bundle)
            and player.cash >= bundle.price
            and (player, bundle.corporation) not in self.stock.sold
            and not self.bought()
            and rules.may_gain(self.game, player, bundle)
        )

    def can_buy_from(self, player: Player, offered: Sequence[Share]) -> bool:
        """Is the smallest purchasable certificate of these one that the player can buy?"""
        if self.bought() or not offered:
            return False
        open_shares = [share for share in offered if share.purchasable]
        if not open_shares:
            return False
        return self.offer_suffices(player, Bundle.of(min(open_shares, key=lambda share: share.percent)))

    def offer_suffices(self, player: Player, bundle: Bundle) -> bool:
        """Does this smallest certificate of a source mean that the player may buy something there?"""
        return self.can_buy(player, bundle)

    def can_buy_any(self, player: Player) -> bool:
        if self.bought():
            return False
        if any(self.can_buy_from(player, offered) for offered in self.game.market.shares.values()):
            return True
        return any(
            corporation.started and self.can_buy_from(player, corporation.treasury)
            for corporation in self.game.corporations
        )

    def can_start_any(self, player: Player) -> bool:
        return not self.bought() and any(
            self.game.title.shares.may_start(self.game, corporation, player)
            and self.can_buy(player, self.start_bundle(corporation))
            and bool(self.par_cells(player, corporation))
            for corporation in self.game.corporations
        )

    def start_bundle(self, corporation: Corporation) -> Bundle | None:
        """The president's certificate at the lowest start price, as the test of `can_start_any` sees it."""
        treasury = corporation.treasury
        if not treasury:
            return None
        return Bundle.of(treasury[0])

    def can_sell(self, player: Player, bundle: Bundle) -> bool:
        rules, stock = self.game.title.shares, self.stock
        if rules.one_block_per_turn and stock.sold.get((player, bundle.corporation)) == "now":
            return False
        return self.sale_order_allows() and rules.may_sell(self.game, player, bundle)

    def sale_order_allows(self) -> bool:
        if self.game.title.shares.sell_before_buy:
            return not self.bought()
        kinds = [kind for kind, _ in self.stock.turn_actions]
        return not (len(set(kinds)) == 2 and kinds[-1] in PURCHASES)

    def can_sell_any(self, player: Player) -> bool:
        return any(self.can_sell_of(player, corporation) for corporation in self.game.corporations)

    def can_sell_of(self, player: Player, corporation: Corporation) -> bool:
        if not corporation.started or not player.shares_of(corporation):
            return False
        return any(self.can_sell(player, bundle) for bundle in shares.bundles(player, corporation))

    def must_sell(self, player: Player) -> bool:
        """Over a limit and able to sell: then nothing else is possible (common 4.4)."""
        rules, game = self.game.title.shares, self.game
        over_certificates = rules.certificates(game, player) > game.certificate_limit
        over_holdings = [c for c in game.corporations if rules.over_holding_limit(game, player, c)]
        if not over_certificates and not over_holdings:
            return False
        if over_certificates and self.can_sell_any(player):
            return True
        return any(self.can_sell_of(player, corporation) for corporation in over_holdings)

    # -- doing it --------------------------------------------------------------------------------------------

    def note(self, action: Action, corporation: Corporation) -> None:
        """Remembers the action for the rest of the turn, and for programs."""
        stock = self.stock
        player = self.player_of(action)
        stock.turn_actions = (*stock.turn_actions, (action.type_name, corporation))
        entry = (self.game.action_count, action, corporation)
        stock.history = {**stock.history, player: (*stock.history.get(player, ()), entry)}

    def do_buy_shares(self, action: BuyShares) -> None:
        player = self.player_of(action)
        bundle = self.game.bundle(action.shares, action.percent)
        if isinstance(bundle.holder, Player):
            raise RuleError("shares cannot be bought from a player")
        if self.game.strict and (len(bundle.shares) != 1 or bundle.partial):
            raise RuleError("one certificate may be bought")
        if bundle.corporation.price is None:
            raise RuleError(f"{bundle.corporation.name} has no price yet")
        if not self.can_buy(player, bundle):
            raise RuleError(f"{player.name} may not buy {', '.join(action.shares)} for {bundle.price}")
        shares.buy(self.game, player, bundle)
        self.note(action, bundle.corporation)

    def do_sell_shares(self, action: SellShares) -> None:
        player = self.player_of(action)
        bundle = self.game.bundle(action.shares, action.percent)
        if not self.can_sell(player, bundle):
            raise RuleError(f"{player.name} may not sell {', '.join(action.shares)}")
        self.stock.sold = {**self.stock.sold, (player, bundle.corporation): "now"}
        shares.sell(self.game, bundle)
        self.note(action, bundle.corporation)

    def do_par(self, action: Par) -> None:
        player = self.player_of(action)
        corporation = self.game.corporation(action.corporation)
        cell = self.game.stock_market.cell(action.share_price)
        if not self.game.title.shares.may_start(self.game, corporation, player):
            raise RuleError(f"{corporation.name} cannot be started")
        if self.bought():
            raise RuleError(f"{player.name} has already bought this turn")
        if self.game.strict and cell not in self.par_cells(player, corporation):
            raise RuleError(f"{corporation.name} cannot start at {cell.id}")
        self.start_corporation(player, corporation, cell)
        self.note(action, corporation)

    def start_corporation(self, player: Player, corporation: Corporation, cell: Cell) -> None:
        """Sets the price and sells the president's certificate."""
        self.game.stock_market.set_par(corporation, cell)
        bundle = Bundle.of(corporation.treasury[0])
        if not self.can_buy(player, bundle):
            raise RuleError(f"{player.name} may not buy the president's certificate for {bundle.price}")
        shares.buy(self.game, player, bundle)
        self.after_par(corporation)

    def after_par(self, corporation: Corporation) -> None:
        """What starting a corporation sets off, such as its home token."""

    def par_cells(self, player: Player, corporation: Corporation) -> list[Cell]:
        """Where the player may start the corporation with his money."""
        count = corporation.president_percent // corporation.share_percent
        cells = self.game.stock_market.par_cells(*self.game.title.shares.par_types(corporation))
        return [cell for cell in cells if cell.price * count <= player.cash]

    def do_pass(self, action: Pass) -> None:
        self.finish()

    def finish(self) -> None:
        """The turn ends: done nothing means passed."""
        super().finish()
        player = self.round.current
        if isinstance(player, Player):
            player.passed = not self.stock.turn_actions

    # -- listing ---------------------------------------------------------------------------------------------

    def choices(self, entity: Entity) -> Iterator[Choice]:
        if not isinstance(entity, Player):
            return
        yield from self.sale_choices(entity)
        if self.must_sell(entity):
            return
        yield from self.purchase_choices(entity)
        if not self.bought():
            yield from self.par_choices(entity)

    def sale_choices(self, player: Player) -> Iterator[Choice]:
        for corporation in self.game.corporations:
            if not corporation.started or not player.shares_of(corporation):
                continue
            seen: set[int] = set()
            for bundle in shares.bundles(player, corporation):
                if bundle.percent not in seen and self.can_sell(player, bundle):
                    seen.add(bundle.percent)
                    yield sale_choice(player, bundle)

    def purchase_choices(self, player: Player) -> Iterator[Choice]:
        game = self.game
        offers = [
            (corporation, "ipo", corporation.treasury)
            for corporation in game.corporations
            if corporation.started
        ]
        offers += [(corporation, "market", offered) for corporation, offered in game.market.shares.items()]
        for corporation, source, offered in offers:
            seen: set[int] = set()
            for share in offered:
                bundle = Bundle.of(share)
                if (
                    share.percent not in seen
                    and corporation.price is not None
                    and self.can_buy(player, bundle)
                ):
                    seen.add(share.percent)
                    action = BuyShares(
                        entity=player.id, entity_type="player", shares=[share.id], percent=share.percent
                    )
                    yield Choice("buy_shares", [corporation.id, source, share.percent, bundle.price], action)

    def par_choices(self, player: Player) -> Iterator[Choice]:
        rules = self.game.title.shares
        for corporation in self.game.corporations:
            if not rules.may_start(self.game, corporation, player) or not corporation.treasury:
                continue
            if not rules.may_gain(self.game, player, Bundle.of(corporation.treasury[0])):
                continue
            for cell in self.par_cells(player, corporation):
                action = Par(
                    entity=player.id, entity_type="player", corporation=corporation.id, share_price=cell.id
                )
                yield Choice("par", [corporation.id, cell.price, cell.row, cell.column], action)

    # -- programs --------------------------------------------------------------------------------------------

    def auto_actions(self, entity: Entity) -> list[Action]:
        if isinstance(entity, Player) and entity.program is not None:
            return stock_programs.follow(self, entity)
        return []


def sale_choice(player: Player, bundle: Bundle) -> Choice:
    """The sale of this bundle as a choice."""
    action = SellShares(
        entity=player.id,
        entity_type="player",
        shares=[share.id for share in bundle.shares],
        percent=bundle.percent,
    )
    return Choice("sell_shares", [bundle.corporation.id, bundle.percent], action)

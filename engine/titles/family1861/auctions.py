"""The opening auction of privates and the auction of minors in stock rounds (rules: 1861 sections 9.1 and
9.3).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine import shares
from engine.actions import Bid, Par, Pass
from engine.core.company import Company, transfer_company
from engine.core.corporation import Corporation, Player
from engine.core.shares import Bundle
from engine.errors import RuleError
from engine.legal import Choice
from engine.rounds.stock import StockRound
from engine.steps.base import Entity, Step
from engine.steps.stock import BuySellPar
from engine.titles.family1861.rules import FamilyTitleRules
from engine.tokens import place_home

STEP = 5


def check_bid(player: Player, price: int, lowest: int, highest: int, name: str) -> None:
    """Raises RuleError unless the bid is in range and in whole steps above the minimum."""
    if price < lowest:
        raise RuleError(f"the lowest bid on {name} is {lowest}, not {price}")
    if (price - lowest) % STEP:
        raise RuleError(f"bids rise by multiples of {STEP} from {lowest}; {price} is none")
    if price > highest:
        raise RuleError(f"{player.name} can bid {highest} at most on {name}, not {price}")


class OpeningAuction(Step):
    """One private at a time. `bidders`: still in; `high`: (player, price); `falling`: the buy-now mode."""

    __slots__ = ("bidders", "declined", "falling", "high", "queue")
    name = "single_item_auction"
    queue: tuple[Company, ...]
    bidders: tuple[Player, ...]
    declined: tuple[Player, ...]
    falling: bool
    high: tuple[Player, int] | None

    def begin_turn(self) -> None:
        for_sale = [c for c in self.game.companies if c.id != "3" and not isinstance(c.owner, Player)]
        self.queue = tuple(sorted(for_sale, key=lambda company: company.value))
        self.bidders = ()
        self.declined = ()
        self.falling = False
        self.high = None
        if self.queue:
            self._open_item()

    def _open_item(self) -> None:
        self.falling = False
        self.declined = ()
        self._gather()

    def _gather(self) -> None:
        """Who can pay takes part, from the player on turn; if nobody can, the price falls at once."""
        while True:
            order = self.round.entities[self.round.index :] + self.round.entities[: self.round.index]
            lowest = self.lowest()
            self.bidders = tuple([player for player in order if player.cash >= lowest])
            self.high = None
            if self.bidders:
                break
            self._reduce()
        if self.queue[0].asking_price <= 0:
            self._win(self.bidders[0], 0)

    def _reduce(self) -> None:
        company = self.queue[0]
        company.discount = company.discount + STEP
        self.falling = True

    def lowest(self) -> int:
        company = self.queue[0]
        return company.asking_price if self.high is None else self.high[1] + STEP

    def current(self) -> Player | None:
        if not self.queue:
            return None
        if self.high is not None:
            return self.bidders[(self.bidders.index(self.high[0]) + 1) % len(self.bidders)]
        return next((player for player in self.bidders if player not in self.declined), None)

    def actions(self, entity: Entity) -> Sequence[str]:
        return ("bid", "pass") if self.queue and entity is self.current() else ()

    def do_bid(self, action: Bid) -> None:
        player = self.player_of(action)
        company = self.queue[0]
        if action.company != company.id:
            raise RuleError(f"{company.name} is up for auction, not {action.company}")
        check_bid(player, action.price, self.lowest(), player.cash, company.name)
        self.declined = ()
        self.high = (player, action.price)
        if self.falling:
            self.bidders = (player,)
        lowest = self.lowest()
        self.bidders = tuple([p for p in self.bidders if p is player or p.cash >= lowest])
        self._resolve()

    def do_pass(self, action: Pass) -> None:
        player = self.player_of(action)
        if self.high is not None or self.falling:
            self.bidders = tuple([other for other in self.bidders if other is not player])
        else:
            self.declined = (*self.declined, player)
            if len(self.declined) == len(self.bidders):
                self._reduce()
                self.declined = ()
                # the price is lower now, the same players stay in
        self._resolve()

    def _resolve(self) -> None:
        if not self.bidders:
            self._reduce()
            self._gather()
        elif len(self.bidders) == 1 and self.high is not None:
            self._win(*self.high)

    def _win(self, player: Player, price: int) -> None:
        company = self.queue[0]
        self.queue = self.queue[1:]
        self.high = None
        transfer_company(company, player)
        self.game.pay(player, self.game.bank, price)
        self.round.go_to(player)
        self.round.next_index()
        if self.queue:
            self._open_item()
        else:
            self.finish()

    def choices(self, entity: Entity) -> Iterator[Choice]:
        if isinstance(entity, Player):
            lowest = self.lowest()
            most = min(lowest, entity.cash) if self.falling else entity.cash
            yield from bid_choice(entity, self.queue[0].id, "company", lowest, most)


def bid_choice(player: Player, target: str, field: str, lowest: int, cash: int) -> Iterator[Choice]:
    """A bid in steps of 5, if the player can pay the lowest one."""
    highest = lowest + (cash - lowest) // STEP * STEP
    if cash >= lowest:
        action = Bid(entity=player.id, entity_type="player", price=lowest)
        setattr(action, field, target)
        yield Choice(
            "bid",
            [target, lowest, highest],
            action,
            highest=highest if highest > lowest else None,
            increment=STEP,
        )


class StockWithAuctions(BuySellPar):
    """The stock round's turn: sell, then buy a share, start a major, or auction a minor."""

    __slots__ = ("auctioning", "bidders", "high", "opener")
    least_bid = 100
    highest_minor_par = 135
    auctioning: Corporation | None
    bidders: tuple[Player, ...]
    high: tuple[Player, int] | None
    opener: Player | None

    def begin_turn(self) -> None:
        self.auctioning = None
        self.bidders = ()
        self.high = None
        self.opener = None

    # -- what is possible ------------------------------------------------------------------------------------

    def current(self) -> Player | None:
        if self.auctioning is not None and self.high is not None:
            return self.bidders[(self.bidders.index(self.high[0]) + 1) % len(self.bidders)]
        player = self.round.current
        return player if isinstance(player, Player) else None

    def actions(self, entity: Entity) -> Sequence[str]:
        if entity is not self.current() or not isinstance(entity, Player):
            return ()
        if self.auctioning is not None:
            return ("bid", "pass")
        offered = super().actions(entity)
        if offered == ("sell_shares",):
            return offered
        if not self.bought() and self.can_auction_any(entity):
            return (*[kind for kind in offered if kind != "pass"], "bid", "pass")
        return offered

    def startable(self) -> list[Corporation]:
        return [c for c in self.game.corporations if c.kind == "minor" and not c.started and not c.closed]

    def can_gain_minor(self, player: Player, minor: Corporation) -> bool:
        treasury = minor.treasury
        return bool(treasury) and self.game.title.shares.may_gain(self.game, player, Bundle.of(treasury[0]))

    def can_auction_any(self, player: Player) -> bool:
        return player.cash >= self.least_bid and any(self.can_gain_minor(player, m) for m in self.startable())

    def can_start_any(self, player: Player) -> bool:
        """The test of the public engine: it uses the lowest price 100 and does not ask for a home."""
        if self.bought() or int(self.game.phase.name) < 4 or player.cash < self.lowest_start_cost():
            return False
        rules = self.game.title.shares
        return any(
            corporation.kind == "major"
            and not corporation.started
            and bool(corporation.treasury)
            and (player, corporation) not in self.stock.sold
            and rules.may_gain(self.game, player, Bundle.of(corporation.treasury[0]))
            for corporation in self.game.corporations
        )

    def lowest_start_cost(self) -> int:
        return 2 * min(cell.price for cell in self.game.stock_market.par_cells("par_1", "par", "par_2"))

    # -- auctions --------------------------------------------------------------------------------------------

    def do_bid(self, action: Bid) -> None:
        player = self.player_of(action)
        if action.corporation is None:
            raise RuleError("a bid in a stock round names a minor")
        minor = self.game.corporation(action.corporation)
        if self.auctioning is None:
            self.open_auction(player, minor, action.price)
        else:
            if minor is not self.auctioning:
                raise RuleError(f"{self.auctioning.name} is being auctioned, not {minor.name}")
            assert self.high is not None
            check_bid(player, action.price, self.high[1] + STEP, self.most(player, minor), minor.name)
            self.high = (player, action.price)
            self.drop_the_poor()
        self.resolve()

    def open_auction(self, player: Player, minor: Corporation, price: int) -> None:
        if minor not in self.startable():
            raise RuleError(f"{minor.name} cannot be auctioned")
        if self.game.strict and minor not in self.auctionable():
            raise RuleError(f"{minor.name} cannot be auctioned now")
        check_bid(player, price, self.least_bid, self.most(player, minor), minor.name)
        homes = None if minor.home_hexes else FamilyTitleRules.of(self.game).homes(self.game, minor)
        place_home(self.game, minor, homes)
        self.auctioning = minor
        self.opener = player
        self.high = (player, price)
        self.bidders = tuple(self.game.players)
        self.drop_the_poor()

    def auctionable(self) -> list[Corporation]:
        """Minors that may be put up now: a title may name the first one; a home must be left."""
        rules = FamilyTitleRules.of(self.game)
        found = self.startable()
        if rules.first_minor is not None:
            first = self.game.corporation(rules.first_minor)
            if not first.started and not first.closed:
                found = [minor for minor in found if minor is first]
        return [minor for minor in found if minor.home_hexes or rules.homes(self.game, minor)]

    def most(self, player: Player, minor: Corporation) -> int:
        return player.cash if self.can_gain_minor(player, minor) else 0

    def drop_the_poor(self) -> None:
        """Everybody who cannot pay the next minimum leaves the auction."""
        assert self.high is not None
        assert self.auctioning is not None
        leader, price = self.high
        minor = self.auctioning
        self.bidders = tuple(
            [
                player
                for player in self.bidders
                if player is leader or self.most(player, minor) >= price + STEP
            ]
        )

    def resolve(self) -> None:
        if len(self.bidders) == 1 and self.high is not None:
            self.win()

    def win(self) -> None:
        """The winner pays his bid into the minor, which starts at half of it."""
        assert self.high is not None
        assert self.auctioning is not None
        (player, price), minor, game = self.high, self.auctioning, self.game
        limit = min(price // 2, self.highest_minor_par)
        cells = game.stock_market.par_cells(*game.title.shares.par_types(minor))
        cell = next(cell for cell in cells if cell.price <= limit)
        self.auctioning = None
        self.high = None
        game.pay(game.bank, player, cell.price * 2)
        game.stock_market.set_par(minor, cell)
        shares.buy(game, player, Bundle.of(minor.treasury[0]))
        game.pay(minor, game.bank, minor.cash)
        game.pay(player, minor, price)
        entry = Par(entity=player.id, entity_type="player", corporation=minor.id, share_price=cell.id)
        self.round.go_to(player)
        self.note(entry, minor)
        self.finish()

    def do_pass(self, action: Pass) -> None:
        if self.auctioning is None:
            self.finish()
            return
        player = self.player_of(action)
        self.bidders = tuple([other for other in self.bidders if other is not player])
        self.resolve()

    def skip(self) -> None:
        if self.auctioning is None:
            self.finish()

    def after_par(self, corporation: Corporation) -> None:
        rules = FamilyTitleRules.of(self.game)
        place_home(self.game, corporation, rules.homes(self.game, corporation))

    # -- listing ---------------------------------------------------------------------------------------------

    def choices(self, entity: Entity) -> Iterator[Choice]:
        if not isinstance(entity, Player):
            return
        if self.auctioning is not None and self.high is not None:
            lowest = self.high[1] + STEP
            yield from bid_choice(
                entity, self.auctioning.id, "corporation", lowest, self.most(entity, self.auctioning)
            )
            return
        yield from super().choices(entity)
        if self.must_sell(entity) or self.bought():
            return
        for minor in self.auctionable():
            yield from bid_choice(entity, minor.id, "corporation", self.least_bid, self.most(entity, minor))


class FamilyStockRound(StockRound):
    """A stock round; an auction may move the turn."""

    __slots__ = ()

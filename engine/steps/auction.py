"""Waterfall auction: a queue of companies with bids on later ones (rules: common 3.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.actions import Action, Bid, Pass
from engine.core.company import Company, transfer_company
from engine.core.corporation import Player
from engine.errors import RuleError
from engine.legal import Choice
from engine.rounds.operating import paying_companies
from engine.steps import auction_programs
from engine.steps.base import Entity, Step


class WaterfallAuction(Step):
    """`queue`: companies for sale, cheapest first. `bids`: (company, player, price), in order of arrival.

    `contested`: the company that is being auctioned among its bidders.
    """

    __slots__ = ("bids", "cheapest", "contested", "queue")
    name = "waterfall_auction"
    queue: tuple[Company, ...]
    bids: tuple[tuple[Company, Player, int], ...]
    contested: Company | None
    cheapest: Company | None

    def begin_turn(self) -> None:
        self.queue = tuple(sorted(self.for_sale(), key=lambda company: company.value))
        self.cheapest = self.queue[0] if self.queue else None
        self.bids = ()
        self.contested = None

    def for_sale(self) -> Sequence[Company]:
        """Which companies are auctioned; list order decides ties of value."""
        return self.game.companies

    # -- who and what ----------------------------------------------------------------------------------------

    def bids_on(self, company: Company | None) -> list[tuple[Player, int]]:
        return [(player, price) for other, player, price in self.bids if other is company]

    def current(self) -> Player | None:
        if self.contested is not None:
            return min(self.bids_on(self.contested), key=lambda bid: bid[1])[0]
        player = self.round.current
        return player if isinstance(player, Player) else None

    def actions(self, entity: Entity) -> Sequence[str]:
        if not self.queue or entity is not self.current():
            return ()
        return ("bid", "pass")

    def direct(self, company: Company) -> bool:
        """Is the company bought at once by whoever names it?"""
        return self.contested is None and company is self.queue[0]

    def lowest(self, company: Company) -> int:
        if self.direct(company):
            return company.asking_price
        standing = max((price for _, price in self.bids_on(company)), default=company.asking_price)
        return standing + self.game.title.bid_step

    def committed(self, player: Player) -> int:
        return sum(price for _, bidder, price in self.bids if bidder is player)

    def highest(self, player: Player, company: Company) -> int:
        own = sum(price for bidder, price in self.bids_on(company) if bidder is player)
        return player.cash - self.committed(player) + own

    # -- actions ---------------------------------------------------------------------------------------------

    def do_bid(self, action: Bid) -> None:
        player = self.player_of(action)
        if action.company is None:
            raise RuleError("a bid names a company")
        company = self.game.company(action.company)
        player.passed = False
        if self.contested is not None:
            if company is not self.contested:
                raise RuleError(f"bids are taken on {self.contested.name} only")
            self.add_bid(player, company, action.price)
            return
        if company not in self.queue:
            raise RuleError(f"{company.name} is not for sale")
        if self.direct(company):
            if self.game.strict and action.price != company.asking_price:
                raise RuleError(f"{company.name} costs {company.asking_price}, not {action.price}")
            self.sell(player, company, action.price)
            self.settle_next()
        else:
            self.add_bid(player, company, action.price)
        self.round.next_index()

    def add_bid(self, player: Player, company: Company, price: int) -> None:
        if price < self.lowest(company):
            raise RuleError(f"the lowest bid on {company.name} is {self.lowest(company)}, not {price}")
        if price > self.highest(player, company):
            raise RuleError(
                f"{player.name} can bid {self.highest(player, company)} on {company.name}, not {price}"
            )
        others = [bid for bid in self.bids if not (bid[0] is company and bid[1] is player)]
        self.bids = (*others, (company, player, price))

    def do_pass(self, action: Pass) -> None:
        player = self.player_of(action)
        if self.contested is not None:
            contested = self.contested
            self.bids = tuple([bid for bid in self.bids if not (bid[0] is contested and bid[1] is player)])
            self.settle_next()
            return
        player.passed = True
        if all(other.passed for other in self.round.entities):
            self.all_passed()
        self.round.next_index()

    def all_passed(self) -> None:
        """Nobody wants anything: the first company gets cheaper, or companies pay."""
        if self.cheapest in self.queue and self.cheapest is not None:
            self.cheapest.discount = self.cheapest.discount + 5
            if self.cheapest.asking_price <= 0:
                self.round.next_index()
                self.sell(self.round.current, self.cheapest, 0)
                self.settle_next()
        else:
            for company in paying_companies(self.game):
                if company.owner is not None:
                    self.game.pay(self.game.bank, company.owner, company.revenue)
        for player in self.round.entities:
            player.passed = False

    def sell(self, player: Player, company: Company, price: int) -> None:
        """The company goes to the player for this price."""
        if price > self.highest(player, company):
            raise RuleError(f"{player.name} has {self.highest(player, company)} to spend, not {price}")
        self.bids = tuple([bid for bid in self.bids if bid[0] is not company])
        self.queue = tuple([other for other in self.queue if other is not company])
        self.game.pay(player, self.game.bank, price)
        transfer_company(company, player)
        self.sold(player, company, price)

    def sold(self, player: Player, company: Company, price: int) -> None:
        """What a company brings with it: shares, a pending par."""

    def settle_next(self) -> None:
        """Looks at the first company until it has no bids or an auction is needed."""
        self.contested = None
        while self.queue:
            bids = self.bids_on(self.queue[0])
            if len(bids) == 1:
                self.sell(bids[0][0], self.queue[0], bids[0][1])
                continue
            if bids:
                self.contested = self.queue[0]
            return

    def auto_actions(self, entity: Entity) -> list[Action]:
        if isinstance(entity, Player) and entity.program is not None:
            return auction_programs.follow(self, entity)
        return []

    # -- listing ---------------------------------------------------------------------------------------------

    def choices(self, entity: Entity) -> Iterator[Choice]:
        if not isinstance(entity, Player):
            return
        companies = self.queue if self.contested is None else (self.contested,)
        for company in companies:
            lowest, highest = self.lowest(company), self.highest(entity, company)
            if self.direct(company):
                highest = min(highest, lowest)
            if highest >= lowest:
                action = Bid(entity=entity.id, entity_type="player", company=company.id, price=lowest)
                item = [company.id, lowest, highest]
                yield Choice("bid", item, action, highest=highest if highest > lowest else None)

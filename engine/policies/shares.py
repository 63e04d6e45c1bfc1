"""Who may buy, sell and preside, and where the money goes (rules: common 4.3 to 4.7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.core.corporation import Corporation, Owner, Player
from engine.core.money import CashHolder
from engine.core.shares import Bundle, ShareHolder

if TYPE_CHECKING:
    from engine.game import Game


@dataclass(frozen=True, slots=True)
class ShareRules:
    """Defaults of the common machine; titles subclass and override single methods.

    `market_limit`: percent of one corporation that sales may bring into the market. `one_block_per_turn`: a
    corporation may be sold only once a turn. `sell_before_buy`: no sale after a purchase (else sales may be
    before or after it, not both). `unlimited_types`, `uncounted_types`: kinds of cell without holding limit
    and whose certificates do not count. `own_shares_called`: the usual word for a corporation's own shares.
    """

    market_limit: int = 50
    one_block_per_turn: bool = False
    sell_before_buy: bool = True
    unlimited_types: frozenset[str] = frozenset({"unlimited", "multiple_buy"})
    uncounted_types: frozenset[str] = frozenset({"no_cert_limit", "unlimited", "multiple_buy"})
    own_shares_called: str = "Treasury"

    # -- limits ----------------------------------------------------------------------------------------------

    def holding_limit(self, game: Game, corporation: Corporation) -> int | None:
        """Percent that one holder may have; None for no limit."""
        cell = corporation.price
        if cell is not None and cell.main_type in self.unlimited_types:
            return None
        return corporation.holding_limit

    def counts_to_limit(self, game: Game, corporation: Corporation) -> bool:
        cell = corporation.price
        return cell is None or cell.main_type not in self.uncounted_types

    def certificates(self, game: Game, player: Player) -> float:
        """What the player's certificates and companies count toward the certificate limit."""
        total: float = len(player.companies)
        for corporation, shares in player.shares.items():
            if shares and self.counts_to_limit(game, corporation):
                total += sum(share.weight for share in shares)
        return total

    def over_holding_limit(self, game: Game, player: Player, corporation: Corporation) -> bool:
        limit = self.holding_limit(game, corporation)
        return limit is not None and player.percent_of(corporation) > limit

    def may_gain(self, game: Game, owner: ShareHolder, bundle: Bundle) -> bool:
        """Room under the holding and certificate limits for one more certificate."""
        if owner is bundle.corporation:
            return True
        corporation = bundle.corporation
        limit = self.holding_limit(game, corporation)
        if limit is not None and owner.percent_of(corporation) + bundle.percent > limit:
            return False
        if not isinstance(owner, Player) or not self.counts_to_limit(game, corporation):
            return True
        weight = sum(share.weight for share in bundle.shares)
        return self.certificates(game, owner) + weight <= game.certificate_limit

    # -- selling ---------------------------------------------------------------------------------------------

    def sale_timing(self, game: Game, holder: ShareHolder, bundle: Bundle) -> bool:
        """May shares of this corporation be sold at this time? Default: once it has operated."""
        return bundle.corporation.operated

    def fits_market(self, game: Game, bundle: Bundle) -> bool:
        return game.market.percent_of(bundle.corporation) + bundle.percent <= self.market_limit

    def president_replaceable(self, game: Game, holder: ShareHolder, bundle: Bundle) -> bool:
        """A bundle with the president's certificate needs another player who could take over."""
        if bundle.president_share is None:
            return True
        corporation = bundle.corporation
        return any(
            player is not holder and player.percent_of(corporation) >= corporation.president_percent
            for player in game.players
        )

    def may_sell(self, game: Game, holder: ShareHolder, bundle: Bundle) -> bool:
        """All conditions of a sale but those of the turn."""
        return (
            bundle.holder is holder
            and self.sale_timing(game, holder, bundle)
            and self.fits_market(game, bundle)
            and self.president_replaceable(game, holder, bundle)
        )

    def sale_steps(self, game: Game, bundle: Bundle, seller_was_president: bool) -> int:
        """How many steps down a sale moves the price."""
        return 1

    def sold_out_rises(self, game: Game, corporation: Corporation) -> bool:
        """Does the price rise at the end of a stock round when players hold all shares?"""
        return sum(player.percent_of(corporation) for player in game.players) == 100

    # -- buying ----------------------------------------------------------------------------------------------

    def receiver(self, game: Game, bundle: Bundle) -> CashHolder:
        """Who is paid for a bundle: an incremental corporation for its own, other owners for theirs, else the
        bank.
        """
        holder = bundle.holder
        if isinstance(holder, Owner):
            own = holder is bundle.corporation
            if not own or bundle.corporation.capitalization in ("incremental", "escrow"):
                return holder
        return game.bank

    def take_payment(self, game: Game, bundle: Bundle, buyer: CashHolder, price: int) -> None:
        """Moves the money for a bought bundle; called before the certificates move."""
        game.pay(buyer, self.receiver(game, bundle), price)

    def purchasable(self, game: Game, bundle: Bundle) -> bool:
        """May anybody buy this bundle now, limits and money aside?"""
        return all(share.purchasable for share in bundle.shares)

    def may_start(self, game: Game, corporation: Corporation, player: Player) -> bool:
        """May this player par the corporation, money aside?"""
        return not corporation.started and not corporation.closed

    def par_types(self, corporation: Corporation) -> tuple[str, ...]:
        """Kinds of cell where it may start."""
        return ("par",)

    # -- floating --------------------------------------------------------------------------------------------

    def reaches_float(self, game: Game, corporation: Corporation) -> bool:
        """Has enough been sold?"""
        return corporation.percent_of(corporation) <= 100 - corporation.float_percent

    def on_float(self, game: Game, corporation: Corporation) -> None:
        """The moment it floats: full capitalization is paid by the bank."""
        if corporation.capitalization == "full" and corporation.par is not None:
            game.pay(game.bank, corporation, corporation.par.price * corporation.total_shares)

    # -- presidency ------------------------------------------------------------------------------------------

    def swap_shares(self, game: Game, player: Player, corporation: Corporation) -> list[int]:
        """Which of his certificates (positions in his list) a new president gives for the president's one."""
        count = corporation.president_percent // corporation.share_percent
        return list(range(count))

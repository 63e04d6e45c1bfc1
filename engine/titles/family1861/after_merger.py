"""What follows a merger or conversion: reducing tokens and buying shares (rules: 1861 12.6, 12.8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from engine import shares
from engine.actions import BuyShares, Pass, RemoveToken
from engine.core.corporation import Corporation, Player
from engine.core.shares import Bundle, Share
from engine.errors import RuleError
from engine.legal import Choice
from engine.steps.base import Entity, Step
from engine.titles.family1861.merger import MergerRound, complete_charter, too_many_tokens


class ReduceTokens(Step):
    """The new major keeps tokens on two hexes at most, one on each."""

    __slots__ = ()
    name = "reduce_tokens"

    @property
    def deal(self) -> MergerRound:
        return cast(MergerRound, self.round)

    def active(self) -> bool:
        return bool(self.deal.reducing)

    def current(self) -> Corporation | None:
        return self.deal.reducing[0] if self.deal.reducing else None

    def actions(self, entity: Entity) -> Sequence[str]:
        return ("remove_token",) if entity is self.current() else ()

    def removable(self, corporation: Corporation) -> list[tuple[int, str, int]]:
        """(position in the token list, city id, slot) of what may be removed."""
        placed = [(index, token) for index, token in enumerate(corporation.tokens) if token.city is not None]
        before = {token.city.hex for _, token in placed if token.city is not None}
        found = []
        for index, token in placed:
            city = token.city
            assert city is not None
            left = {other.city.hex for _, other in placed if other is not token and other.city is not None}
            if len(before) == 1 or len(left) > 1:
                slot = (
                    city.slots.index(token)
                    if token in city.slots
                    else len(city.slots) + city.extra.index(token)
                )
                found.append((index, city.id, slot))
        return found

    def do_remove_token(self, action: RemoveToken) -> None:
        corporation = self.corporation_of(action)
        city = self.game.board.city(action.city)
        if not 0 <= action.slot < len(city.slots) + len(city.extra):
            raise RuleError(f"city {city.id} has no slot {action.slot}")
        token = (*city.slots, *city.extra)[action.slot]
        if token is None or token.corporation is not corporation:
            raise RuleError(f"slot {action.slot} of {city.id} holds no token of {corporation.name}")
        if all(city_id != city.id or slot != action.slot for _, city_id, slot in self.removable(corporation)):
            raise RuleError(f"{corporation.name} must keep tokens on two hexes")
        self.game.board.lift_token(token)
        if not too_many_tokens(corporation):
            self.rebuild(corporation)
            self.deal.reducing = ()

    def rebuild(self, corporation: Corporation) -> None:
        """Placed tokens in their order, the cheapest unplaced one if only one is placed, then one of price
        40.
        """
        placed = [token for token in corporation.tokens if token.city is not None]
        spare = sorted(
            (token for token in corporation.tokens if token.city is None), key=lambda token: token.price
        )
        keep = placed + spare[: max(0, 2 - len(placed))]
        corporation.tokens = tuple(keep)
        complete_charter(corporation)

    def choices(self, entity: Entity) -> Iterator[Choice]:
        if not isinstance(entity, Corporation):
            return
        for _, city_id, slot in self.removable(entity):
            city = self.game.board.city(city_id)
            action = RemoveToken(entity=entity.id, entity_type="corporation", city=city_id, slot=slot)
            yield Choice("remove_token", [city.hex.id, city.index, slot, entity.id], action)


class PostMergerShares(Step):
    """Players buy certificates of the new major from its treasury."""

    __slots__ = ()
    name = "post_merger_shares"

    @property
    def deal(self) -> MergerRound:
        return cast(MergerRound, self.round)

    def active(self) -> bool:
        return self.deal.converted is not None

    def corporation(self) -> Corporation:
        converted = self.deal.converted
        assert converted is not None
        return converted

    def purchasable(self, player: Player) -> Share | None:
        """A 10 % certificate that the player can buy (the first two of the treasury are looked at)."""
        for share in self.corporation().treasury[:2]:
            if share.percent == self.corporation().share_percent and self.can_buy(player, share):
                return share
        return None

    def can_buy(self, player: Player, share: Share) -> bool:
        bundle = Bundle.of(share)
        return player.cash >= bundle.price and self.game.title.shares.may_gain(self.game, player, bundle)

    def eligible(self) -> list[Player]:
        return [player for player in self.deal.dealing if not player.passed and self.purchasable(player)]

    def current(self) -> Player | None:
        if self.deal.converted is None:
            return None
        players = self.eligible()
        if not players:
            self.next_stage()
            players = self.eligible()
        return players[0] if players else None

    def actions(self, entity: Entity) -> Sequence[str]:
        if not isinstance(entity, Player) or self.deal.converted is None:
            return ()
        if self.game.strict and entity is not self.current():
            return ()
        return ("buy_shares", "pass") if self.purchasable(entity) else ()

    def vacant(self) -> bool:
        """Has nobody become president yet?"""
        treasury = self.corporation().treasury
        return bool(treasury) and treasury[0].president

    def next_stage(self) -> None:
        """When nobody is left of the owners of merged minors, all players may buy one certificate each."""
        if self.eligible():
            return
        deal, corporation = self.deal, self.corporation()
        if self.vacant():
            raise RuleError("the merger fails: no player has become president")
        if deal.merged and deal.repeating:
            for player in deal.dealing:
                player.passed = False
            players = self.game.players
            start = players.index(cast(Player, corporation.owner))
            deal.dealing = players[start:] + players[:start]
            deal.repeating = ()

    def do_buy_shares(self, action: BuyShares) -> None:
        player = self.player_of(action)
        corporation = self.corporation()
        bundle = self.game.bundle(action.shares, action.percent)
        if bundle.corporation is not corporation or bundle.holder is not corporation:
            raise RuleError(f"only shares of {corporation.name} from its treasury are sold now")
        if (
            len(bundle.shares) != 1
            or bundle.president_share is not None
            or not self.can_buy(player, bundle.shares[0])
        ):
            raise RuleError(f"{player.name} may not buy {', '.join(action.shares)} for {bundle.price}")
        first = corporation.treasury[0]
        if first.president and player.percent_of(corporation) == corporation.share_percent:
            shares.hand_over(player.shares_of(corporation)[0], corporation)
            shares.buy(self.game, player, bundle)
            shares.hand_over(player.shares_of(corporation)[0], corporation)
            shares.buy(self.game, player, Bundle.of(first), free=True)
        else:
            shares.buy(self.game, player, bundle)
        if player not in self.deal.repeating or not self.purchasable(player):
            player.passed = True
        self.next_stage()

    def do_pass(self, action: Pass) -> None:
        player = self.player_of(action)
        player.passed = True
        if self.vacant() and not self.eligible():
            # the public engine stops here and asks for an undo; the owners are asked again, somebody must
            # preside
            for other in self.deal.dealing:
                other.passed = False
            return
        self.next_stage()
        if self.current() is player:
            self.deal.dealing = tuple([other for other in self.deal.dealing if other is not player])

    def choices(self, entity: Entity) -> Iterator[Choice]:
        if not isinstance(entity, Player):
            return
        share = self.purchasable(entity)
        if share is not None:
            bundle = Bundle.of(share)
            action = BuyShares(
                entity=entity.id, entity_type="player", shares=[share.id], percent=share.percent
            )
            yield Choice("buy_shares", [bundle.corporation.id, "ipo", share.percent, bundle.price], action)

"""The bidding program in a waterfall auction (rules: common 2.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.actions import Action, Bid, Pass, ProgramAuctionBid
from engine.core.company import Company
from engine.core.corporation import Player
from engine.programs import disable

if TYPE_CHECKING:
    from engine.steps.auction import WaterfallAuction


def follow(step: WaterfallAuction, player: Player) -> list[Action]:
    """What the player's bidding program does now: bid, pass, or stop."""
    program = player.program
    if not isinstance(program, ProgramAuctionBid):
        return []
    target = step.game.company(program.bid_target)
    reason = _obsolete(step, player, target)
    if reason is not None:
        return disable(player, reason)
    lowest = step.lowest(target)
    if _buys(step, program, target, lowest) or _bids(program, lowest):
        return [Bid(entity=player.id, entity_type="player", company=target.id, price=lowest)]
    if not program.auto_pass_after:
        if program.enable_buy_price and not program.enable_maximum_bid and step.bids_on(target):
            return disable(player, f"Bids submitted for {target.name}")
        if program.enable_maximum_bid and lowest > (program.maximum_bid or 0):
            return disable(player, f"Price for {target.name} exceeded maximum bid")
    return [Pass(entity=player.id, entity_type="player")] if "pass" in step.actions(player) else []


def _obsolete(step: WaterfallAuction, player: Player, target: Company) -> str | None:
    """Why there is nothing left to bid for."""
    if isinstance(target.owner, Player):
        return f"{target.name} is owned by {target.owner.name}"
    if target not in step.queue:
        return f"{target.name} is no longer available"
    bids = step.bids_on(target)
    if bids and max(bids, key=lambda bid: bid[1])[0] is player:
        return f"{player.name} is already the high bid on {target.name}"
    return None


def _buys(step: WaterfallAuction, program: ProgramAuctionBid, target: Company, lowest: int) -> bool:
    return bool(program.enable_buy_price) and lowest <= (program.buy_price or 0) and step.direct(target)


def _bids(program: ProgramAuctionBid, lowest: int) -> bool:
    if not program.enable_maximum_bid or program.enable_buy_price:
        return False
    return lowest <= (program.maximum_bid or 0)

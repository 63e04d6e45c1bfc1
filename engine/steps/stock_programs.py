"""Share programs in a stock round: share pass and buying shares (rules: common 2.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.actions import Action, BuyShares, Par, Pass, ProgramBuyShares, ProgramSharePass, SellShares
from engine.core.corporation import Corporation, Player
from engine.core.shares import Bundle, Share
from engine.programs import disable

if TYPE_CHECKING:
    from engine.steps.stock import BuySellPar


def follow(step: BuySellPar, player: Player) -> list[Action]:
    """What the player's program does now; empty if it waits."""
    program = player.program
    if isinstance(program, ProgramSharePass):
        return _share_pass(step, player, program)
    if isinstance(program, ProgramBuyShares):
        return _buy_shares(step, player, program)
    return []


def _pass(player: Player) -> list[Action]:
    return [Pass(entity=player.id, entity_type="player")]


def _share_pass(step: BuySellPar, player: Player, program: ProgramSharePass) -> list[Action]:
    if "pass" not in step.actions(player) or not step_allows_pass(step):
        return []
    reason = None if program.unconditional else interference(step, player, program, None)
    return disable(player, reason) if reason else _pass(player)


def step_allows_pass(step: BuySellPar) -> bool:
    """Inside an auction a pass means something else."""
    return not getattr(step, "auctioning", None)


def _buy_shares(step: BuySellPar, player: Player, program: ProgramBuyShares) -> list[Action]:
    corporation = step.game.corporation(program.corporation)
    goal = _goal_reached(player, corporation, program)
    if goal:
        actions = disable(player, goal)
        if program.auto_pass_after:
            actions.append(ProgramSharePass(entity=player.id, entity_type="player"))
        return actions
    offered = step.actions(player)
    if "buy_shares" in offered:
        source = step.game.market.shares_of(corporation) if program.from_market else corporation.treasury
        where = "market" if program.from_market else step.game.title.shares.own_shares_called
        candidates = [share for share in source if step.can_buy(player, Bundle.of(share))]
        if not candidates:
            return disable(player, f"Cannot buy {corporation.id} from {where}")
        if len({share.percent for share in candidates}) != 1:
            return disable(
                player, f"Shares of different sizes exist, cannot auto buy {corporation.id} from {where}"
            )
        reason = interference(step, player, program, candidates[0])
        if reason:
            return disable(player, reason)
        share = candidates[0]
        return [BuyShares(entity=player.id, entity_type="player", shares=[share.id], percent=share.percent)]
    if step.bought() and "pass" in offered:
        return [] if program.until_condition == "float" and corporation.floated else _pass(player)
    return []


def _goal_reached(player: Player, corporation: Corporation, program: ProgramBuyShares) -> str | None:
    if program.until_condition == "float":
        return f"{corporation.id} is floated" if corporation.floated else None
    if player.share_count(corporation) >= int(program.until_condition):
        return f"{program.until_condition} share(s) bought in {corporation.id}, end condition met"
    return None


def interference(step: BuySellPar, player: Player, program: Action, buying: Share | None) -> str | None:
    """Why the program must stop: what others did after it was enabled, since their last turn began."""
    if step.must_sell(player):
        return f"{player.name} must sell shares"
    for other, entries in step.stock.history.items():
        if other is player:
            continue
        for count, action, corporation in entries:
            if count < player.program_since:
                continue
            reason = _disturbs(step, player, other, action, corporation, buying)
            if reason:
                return reason
    return None


def _disturbs(
    step: BuySellPar,
    player: Player,
    other: Player,
    action: Action,
    corporation: Corporation,
    buying: Share | None,
) -> str | None:
    if isinstance(action, SellShares):
        return "Shares were sold"
    if isinstance(action, Par):
        if buying is None or step.game.title.shares.sale_timing(
            step.game, player, Bundle.of(corporation.certificates[0])
        ):
            return f"Corporation {corporation.id} parred"
        return None
    if not isinstance(action, BuyShares):
        return None
    if action.entity_type == "corporation":
        return f"{corporation.id} redeemed a share."
    if corporation.owner is not player:
        return None
    own = player.percent_of(corporation)
    if own >= 50:
        return None
    if buying is None or buying.corporation is not corporation:
        return f"{other.name} bought on corporation {corporation.id} and is unsecure"
    after = own + buying.percent
    if after > 50:
        return None
    bigger = [
        share.percent
        for share in corporation.certificates
        if share.percent > buying.percent and share.holder is not player
    ]
    if bigger and after < other.percent_of(corporation) + max(bigger):
        return f"{other.name} has bought, shares exist that could allow them to gain presidency"
    return None

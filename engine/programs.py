"""Players' standing instructions (rules: common 2.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.actions import (
    Action,
    ProgramAuctionBid,
    ProgramBuyShares,
    ProgramDisable,
    ProgramMergerPass,
    ProgramSharePass,
)
from engine.core.corporation import Player
from engine.errors import RuleError

if TYPE_CHECKING:
    from engine.game import Game


def enable(game: Game, action: Action) -> None:
    """The player's new program replaces his old one; `program_disable` removes it."""
    player = game.entity_of(action)
    if not isinstance(player, Player):
        raise RuleError(f"{action.type_name} is an action of a player, not of {player.name}")
    player.program = None if isinstance(action, ProgramDisable) else action
    player.program_since = game.action_count


def drop_for_round(game: Game) -> None:
    """At a change of round, programs that make no sense in the new one vanish."""
    round_ = game.round
    for player in game.players:
        program = player.program
        if program is None:
            continue
        if isinstance(program, ProgramSharePass):
            stays = round_.is_stock or bool(program.indefinite)
        elif isinstance(program, ProgramBuyShares):
            stays = round_.is_stock
        elif isinstance(program, ProgramMergerPass):
            stays = round_.short_name == "MR"
        elif isinstance(program, ProgramAuctionBid):
            stays = round_.short_name in ("AR", "ISR")
        else:
            stays = True
        if not stays:
            player.program = None


def disable(player: Player, reason: str) -> list[Action]:
    """The automatic action that ends a program."""
    return [ProgramDisable(entity=player.id, entity_type="player", reason=reason)]

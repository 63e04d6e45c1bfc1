"""Corporations that leave the game (rules: common 4.10)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.company import close_company
from engine.core.corporation import Corporation

if TYPE_CHECKING:
    from engine.game import Game


def close_corporation(game: Game, corporation: Corporation) -> None:
    """Tokens and reservations leave the map, cash goes to the bank, companies close, certificates vanish.

    Its trains leave the game with it. If it is the entity that acts, its turn ends at once.
    """
    for token in corporation.placed_tokens:
        game.board.lift_token(token)
    game.board.forget(corporation)
    game.pay(corporation, game.bank, corporation.cash)
    for train in corporation.trains:
        train.sellable = False
    for company in corporation.companies:
        close_company(company)
    if game.round.acting_entity() is corporation:
        game.round.end_turn_of(corporation)
    drop_shares(game, corporation)
    game.stock_market.place(corporation, None)
    game.corporations = tuple([other for other in game.corporations if other is not corporation])
    corporation.closed = True


def drop_shares(game: Game, corporation: Corporation) -> None:
    """All certificates of the corporation vanish from their holders."""
    for holder in (*game.players, game.market, *game.corporations):
        if corporation in holder.shares:
            holder.shares = {other: held for other, held in holder.shares.items() if other is not corporation}


def close_in_close_cells(game: Game) -> None:
    """For `Title.listeners`: corporations whose price stands on a close cell close, one after another."""
    closed = False
    while True:
        doomed = next(
            (c for c in game.corporations if c.price is not None and c.price.main_type == "close"), None
        )
        if doomed is None:
            break
        close_corporation(game, doomed)
        closed = True
    if closed and not game.finished:
        game.round.after_closing()

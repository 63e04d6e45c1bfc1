"""Nationalization, closing and resetting of corporations (rules: 1861 section 13)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.board.hexes import City
from engine.closing import close_corporation, drop_shares
from engine.core.company import close_company, transfer_company
from engine.core.corporation import Corporation
from engine.core.trains import attach
from engine.titles.family1861.loans import repay
from engine.titles.family1861.rules import FamilyTitleRules
from engine.titles.family1861.state import family

if TYPE_CHECKING:
    from engine.game import Game


def nationalize(game: Game, corporation: Corporation) -> None:
    """The whole procedure; nothing happens to a corporation that is no longer in play."""
    if not corporation.floated or corporation not in game.corporations:
        return
    rules = FamilyTitleRules.of(game)
    repay(game, corporation)
    game.title.movement.move(game.stock_market, corporation, "left")
    game.title.movement.move(
        game.stock_market, corporation, "left", rules.loan_steps * len(corporation.loans)
    )
    rules.take_assets(game, corporation)
    price = corporation.price.price if corporation.price is not None else 0
    for player in game.players:
        shares = player.percent_of(corporation) // corporation.share_percent
        game.pay(game.bank, player, shares * price)
    _take_tokens(game, corporation)
    if corporation.kind == "minor":
        close_corporation(game, corporation)
    else:
        reset_corporation(game, corporation)


def _take_tokens(game: Game, corporation: Corporation) -> None:
    """The national replaces tokens, the most valuable city first."""
    state = family(game)
    national = state.national
    placed = [(token, token.city) for token in corporation.tokens if token.city is not None]
    for token, city in sorted(placed, key=lambda pair: (_top_value(pair[1]), pair[1].hex.id), reverse=True):
        game.board.lift_token(token)
        hex_ = city.hex
        if any(
            other.corporation is national and other.kind != "neutral"
            for there in hex_.cities
            for other in there.tokens
        ):
            continue
        fresh = national.next_token
        if fresh is None:
            continue
        for there in hex_.cities:
            there.release(national)
        game.board.touch()
        if hex_.id in state.claims:
            state.claims = tuple([claim for claim in state.claims if claim != hex_.id])
        elif sum(1 for other in national.tokens if not other.used) == len(state.claims):
            continue
        game.board.put_token(fresh, city)


def _top_value(city: City) -> int:
    revenue = city.definition.revenue
    return max([revenue.plain, *[amount for _, amount in revenue.by_color]])


def reset_corporation(game: Game, corporation: Corporation) -> None:
    """A major becomes a new corporation of the same name that can be started again."""
    for company in corporation.companies:
        close_company(company)
    drop_shares(game, corporation)
    game.stock_market.place(corporation, None)
    fresh = Corporation(game.journal, corporation.spec)
    fresh.holding_limit = corporation.holding_limit
    game.corporations = tuple([fresh if other is corporation else other for other in game.corporations])
    game.entities = {**game.entities, ("corporation", fresh.id): fresh}
    acting = game.round.acting_entity()
    corporation.closed = True  # what is left of it in the running round decides nothing any more
    if acting is corporation:
        game.round.end_turn_of(corporation)


def transfer_assets(game: Game, giver: Corporation, taker: Corporation) -> None:
    """Cash, companies, loans and trains move over."""
    game.pay(giver, taker, giver.cash)
    for company in giver.companies:
        transfer_company(company, taker)
    taker.loans = (*taker.loans, *giver.loans)
    giver.loans = ()
    for train in giver.trains:
        attach(train, taker)

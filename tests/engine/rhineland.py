"""Helpers of the 18Rhl tests: fresh games, short ways of acting, money."""

from __future__ import annotations

from typing import Any

from engine.core.corporation import Corporation, Player
from engine.game import Game
from engine.player import new_file
from engine.replay import start_game
from engine.steps.base import Step

BANK = 9000


def fresh(
    players: int = 3, seed: int = 1, options: tuple[str, ...] = (), switches: dict[str, str] | None = None
) -> Game:
    """A new game; players are 1, 2, 3 ..."""
    file = new_file("18Rhl", players, seed, options)
    if switches:
        file["settings"]["switches"] = switches
    return start_game(file)


def by_player(game: Game, player: int, kind: str, **fields: Any) -> None:
    game.apply({"type": kind, "entity": player, "entity_type": "player", **fields})


def by_corporation(game: Game, corporation: str, kind: str, **fields: Any) -> None:
    game.apply({"type": kind, "entity": corporation, "entity_type": "corporation", **fields})


def by_company(game: Game, company: str, kind: str, **fields: Any) -> None:
    game.apply({"type": kind, "entity": company, "entity_type": "company", **fields})


def money(game: Game) -> int:
    """All money there is: it is always the bank's size."""
    holders = (*game.players, *game.corporations)
    return game.bank.cash + sum(holder.cash for holder in holders)


def active_id(game: Game) -> Any:
    entity = game.active_entity
    return None if entity is None else entity.id


def step_name(game: Game) -> str | None:
    step: Step | None = game.active_step
    return None if step is None else step.name


def after_auction(
    game: Game, owners: dict[str, int] | None = None, rhe: int = 1, par: str = "70,2,1"
) -> None:
    """Sells all privates at face value; `owners`: who gets which (default player 1)."""
    wanted = owners or {}
    queue = [company.id for company in game.companies]
    for company_id in queue:
        buyer = rhe if company_id == "RhE" else wanted.get(company_id, 1)
        while active_id(game) != buyer:
            by_player(game, active_id(game), "pass")
        company = game.company(company_id)
        by_player(game, buyer, "bid", company=company_id, price=company.asking_price)
    by_player(game, rhe, "par", corporation="RhE", share_price="70,2,1")


def pass_until(game: Game, round_name: str) -> None:
    """Everybody passes until a round of this kind begins."""
    for _ in range(200):
        if game.round.short_name == round_name:
            return
        step, entity = game.active_step, game.active_entity
        assert step is not None
        assert entity is not None
        kind = "player" if isinstance(entity, Player) else "corporation"
        game.apply({"type": "pass", "entity": entity.id, "entity_type": kind})
    raise AssertionError(f"no {round_name} came")


def lay(game: Game, hex_id: str, tile: str, rotation: int) -> None:
    """Puts a tile on the map without asking anybody."""
    piece = game.board.in_stock(tile)
    assert piece is not None
    game.board.lay(game.board.hex(hex_id), piece, rotation)


def station(game: Game, corporation: str, hex_id: str, city: int = 0) -> None:
    """Puts the corporation's next station into a city without asking anybody."""
    token = game.corporation(corporation).next_token
    assert token is not None
    game.board.put_token(token, game.board.hex(hex_id).cities[city])


def listed(game: Game, kind: str) -> list[Any]:
    """The items of one kind among the legal actions."""
    return [choice.item for choice in game.legal_actions() if choice.kind == kind]


def company_lays(game: Game, company: str) -> list[Any]:
    """The tiles that a private may lay now."""
    return [choice.item for choice in game.legal_actions() if choice.by == company]


def owner_of(corporation: Corporation) -> Any:
    return None if corporation.owner is None else corporation.owner.id

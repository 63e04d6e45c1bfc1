"""What every game has at the start: players, corporations, companies, trains, the map."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.board.board import Board
from engine.core.company import Company
from engine.core.corporation import Corporation, Player
from engine.core.market import StockMarket
from engine.core.money import Bank
from engine.core.shares import Market
from engine.core.trains import Depot, Phase, TrainKind

if TYPE_CHECKING:
    from engine.game import Game


def make_entities(game: Game, players: Sequence[tuple[int | str, str]]) -> None:
    """Makes everything that the title's data list; players in seating order as (id, name)."""
    title, journal, raw = game.title, game.journal, game.title.data.raw
    game.bank = Bank(journal, raw["bank"])
    game.market = Market(journal)
    cash = title.starting_cash[len(players)]
    game.players = tuple([Player(journal, player_id, name, 0) for player_id, name in players])
    for player in game.players:
        game.pay(game.bank, player, cash)
    game.certificate_limit = title.certificate_limit[len(players)]
    game.stock_market = StockMarket(journal, title.market_rows or raw["market"])
    game.corporations = tuple([Corporation(journal, spec) for spec in title.corporation_specs])
    game.companies = tuple([Company(journal, facts) for facts in raw["companies"]])
    for company in game.companies:
        if title.company_prices is not None:
            company.min_price, company.max_price = title.company_prices(company)
    game.entities = {
        **{("player", player.id): player for player in game.players},
        **{("corporation", corporation.id): corporation for corporation in game.corporations},
        **{("company", company.id): company for company in game.companies},
    }
    game.depot = Depot(journal, [TrainKind.from_facts(facts) for facts in raw["trains"]])
    game.phases = tuple(Phase.from_facts(facts) for facts in raw["phases"])
    game.phase_index = 0
    game.board = Board(journal, title.data)
    game.loans = tuple(range(title.loan_supply))


def reserve_homes(game: Game) -> None:
    """Home slots by corporation in list order, else a reservation on the hex (common 6.8)."""
    for entity in game.entities.values():
        if not isinstance(entity, Corporation):
            continue
        for hex_id in entity.home_hexes[:1]:
            hex_ = game.board.hex(hex_id)
            cities = hex_.cities
            index = entity.home_city if entity.home_city is not None else 0
            city = cities[index] if len(cities) == 1 or entity.home_city is not None else None
            if city is None or not city.reserve(entity):
                hex_.reservations = (*hex_.reservations, entity)

"""Between the game and the optimizer: positions of a corporation about to run, and routes as actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from engine.actions import RunRoutes
from engine.core.corporation import Corporation
from engine.errors import RuleError
from optimizer.evaluate import evaluate
from optimizer.model.data import HexData, PositionData, PositionError, RouteData, TokenData, TrainData
from optimizer.model.position import Position, Route
from optimizer.model.route_io import route_from_data
from optimizer.solution import route_to_json
from optimizer.titles.resolve import resolve

if TYPE_CHECKING:
    from engine.board.hexes import Hex
    from engine.game import Game
    from optimizer.solution import Solution


def position_data(game: Game, corporation: Corporation) -> PositionData:
    """Everything that the best routes of the corporation depend on now; trains that have run are left out."""
    data = PositionData(
        title=game.title.name,
        optional_rules=list(game.title.optional_rules),
        phase=game.phase.name,
        company=corporation.id,
        company_kind="" if corporation.kind == "corporation" else corporation.kind,
        privates=[company.id for company in corporation.companies],
        switches=dict(game.title.route_switches),
        trains=[
            TrainData(id=train.id, name=train.name) for train in corporation.trains if not train.operated
        ],
        hexes={
            hex_.id: found for hex_ in game.board.hexes.values() if (found := _hex_data(hex_)) is not None
        },
    )
    game.title.complete_position(game, corporation, data)
    return data


def _hex_data(hex_: Hex) -> HexData | None:
    """What lies on the hex beyond its print; None where nothing does."""
    piece = hex_.piece
    tokens = [
        TokenData(city=city.index, slot=slot, company=token.corporation.id, kind=_kind(token.kind))
        for city in piece.cities
        for slot, token in enumerate((*city.slots, *city.extra))
        if token is not None
    ]
    markers = [icon.name for icon in hex_.icons]
    assignments = [name for name, _ in hex_.assignments]
    if piece.preprinted and not tokens and not markers and not assignments:
        return None
    data = HexData(tokens=tokens, markers=markers, assignments=assignments)
    if not piece.preprinted:
        data.tile, data.rotation = piece.name, piece.rotation
    return data


def _kind(token_kind: str) -> str:
    return "" if token_kind == "normal" else token_kind


def position(game: Game, corporation: Corporation) -> Position:
    """The position of the corporation, bound to its title's route rules."""
    return resolve(position_data(game, corporation))


def checked_revenues(game: Game, corporation: Corporation, action: RunRoutes) -> tuple[tuple[str, int], ...]:
    """(train id, revenue) of each submitted route.

    A recorded action is believed (common 8.6); a revenue that it does not give is computed. In play the
    evaluator decides: it refuses illegal routes, and its revenue is written into the action. Raises
    RuleError.
    """
    given = [route.get("revenue") for route in action.routes]
    if game.recorded and all(isinstance(revenue, int) for revenue in given):
        return tuple((str(r["train"]), int(r["revenue"])) for r in action.routes)
    verdict = evaluate(position(game, corporation), routes_of(action.routes))
    if verdict.faults and not game.recorded:
        raise RuleError("; ".join(str(fault) for fault in verdict.faults[:3]))
    if not game.recorded:
        for route, row in zip(action.routes, verdict.routes, strict=True):
            route["revenue"], route["revenue_str"] = row.revenue, row.revenue_str
    return tuple((row.train, row.revenue) for row in verdict.routes)


def routes_of(rows: Sequence[Mapping[str, Any]]) -> list[Route]:
    """The routes of a `run_routes` action for the evaluator; raises RuleError for what is none."""
    found = []
    for number, row in enumerate(rows):
        try:
            data = RouteData(
                train=str(row["train"]),
                connections=msgspec.convert(row["connections"], list[list[str]]),
                nodes=msgspec.convert(row.get("nodes") or [], list[str]),
            )
            found.append(route_from_data(data, f"routes[{number}]"))
        except (KeyError, msgspec.ValidationError, PositionError) as error:
            raise RuleError(f"routes[{number}]: {error}") from None
    return found


def run_action(corporation: Corporation, solution: Solution) -> RunRoutes:
    """The solution as an action of the corporation."""
    return RunRoutes(
        entity=corporation.id,
        entity_type="corporation",
        routes=[route_to_json(route) for route in solution.routes],
        extra_revenue=0,
        subsidy=0,
    )

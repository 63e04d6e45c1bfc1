"""The state in the form of the shared traces: a flat table of keys, and what changes in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.core.corporation import Corporation, Player, Token
from engine.core.shares import ShareHolder

if TYPE_CHECKING:
    from engine.game import Game


def snapshot(game: Game) -> dict[str, Any]:
    """All trace keys with their present values; keys with nothing to say are left out."""
    round_ = game.round
    step = round_.active_step()
    active = step.current() if step is not None else None
    table: dict[str, Any] = {
        "round": f"{round_.short_name} {game.turn}.{round_.number}",
        "active": _active_name(active),
        "step": step.name if step is not None else None,
        "phase": game.phase.name,
        "finished": game.finished,
        "bank": game.bank.cash,
        "depot": _depot(game),
        "discarded": " ".join(sorted(train.name for train in game.depot.discarded)),
        "market_shares": _holdings(game, game.market),
    }
    for number, player in enumerate(seating(game), 1):
        prefix = f"player/{player.id if isinstance(player.id, int) else number}"
        table[f"{prefix}/cash"] = player.cash
        table[f"{prefix}/companies"] = " ".join(sorted(company.id for company in player.companies))
        table[f"{prefix}/shares"] = _holdings(game, player)
        table[f"{prefix}/value"] = game.title.score(game, player)
    for corporation in listed_corporations(game):
        table.update(_corporation(corporation))
    for hex_ in game.board.hexes.values():
        if not hex_.piece.preprinted:
            table[f"tile/{hex_.id}"] = f"{hex_.piece.name}@{hex_.piece.rotation}"
    return table


def seating(game: Game) -> list[Player]:
    """The players in seating order as the file lists them."""
    return [entity for entity in game.entities.values() if isinstance(entity, Player)]


def listed_corporations(game: Game) -> list[Corporation]:
    """Corporations in play, and the national where it is kept apart."""
    national = getattr(game.state, "national", None)
    found = list(game.corporations)
    if isinstance(national, Corporation) and national not in found:
        found.append(national)
    return found


def _active_name(entity: object) -> str | None:
    if isinstance(entity, Player):
        return f"player {entity.id}"
    return None if entity is None else str(getattr(entity, "id", None))


def _depot(game: Game) -> str:
    counts: dict[str, int] = {}
    for train in game.depot.upcoming:
        counts[train.name] = counts.get(train.name, 0) + 1
    return " ".join(f"{name}x{count}" for name, count in counts.items())


def _holdings(game: Game, holder: ShareHolder) -> str:
    held = {corporation.id: holder.percent_of(corporation) for corporation in holder.shares}
    return " ".join(f"{name}:{percent}" for name, percent in sorted(held.items()) if percent)


def _token(token: Token) -> str:
    city = token.city
    return f"({token.price})" if city is None else f"{city.hex.id}:{city.definition.part}"


def _corporation(corporation: Corporation) -> dict[str, Any]:
    prefix = f"corp/{corporation.id}"
    cell = corporation.price
    owner = corporation.owner
    name: str | None = None
    if isinstance(owner, Player):
        name = f"player {owner.id}"
    elif owner is not None:
        name = "Market"
    own = corporation.percent_of(corporation)
    closed = {f"{prefix}/closed": True} if corporation.closed else {}
    return {
        **closed,
        f"{prefix}/cash": corporation.cash,
        f"{prefix}/price": None if cell is None else f"{cell.price}@{cell.row},{cell.column}",
        f"{prefix}/owner": name,
        f"{prefix}/floated": corporation.floated,
        f"{prefix}/trains": " ".join(train.name for train in corporation.trains),
        f"{prefix}/loans": len(corporation.loans),
        f"{prefix}/tokens": " ".join(_token(token) for token in corporation.tokens),
        f"{prefix}/companies": " ".join(sorted(company.id for company in corporation.companies)),
        f"{prefix}/treasury": own,
        f"{prefix}/ipo": own,
        f"{prefix}/operated": corporation.operated,
    }


def changes(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """What differs; a key that has gone maps to None, which is also what a missing key counts as."""
    found = {key: value for key, value in after.items() if before.get(key) != value}
    found.update({key: None for key, value in before.items() if key not in after and value is not None})
    return found

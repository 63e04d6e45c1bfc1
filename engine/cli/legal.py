"""`rheingold legal`: what may be done at chosen moments of a game."""

from __future__ import annotations

from typing import Any

import click

from engine.cli.files import game_argument, game_name, read, write_line
from engine.core.corporation import Player
from engine.game import Game
from engine.legal import census
from engine.replay import executed, start_game


def _ids(context: click.Context, option: click.Parameter, value: str | None) -> list[int] | None:
    if value is None:
        return None
    try:
        return [int(part) for part in value.split(",") if part.strip()]
    except ValueError as error:
        raise click.BadParameter("give action ids as numbers with commas between them") from error


@click.command("legal")
@game_argument
@click.option(
    "--before", callback=_ids, metavar="ID,ID...", help="List before these actions; default: at the end."
)
@click.option(
    "--trusting", is_flag=True, help="Accept what existing files may contain beyond the rules of play."
)
def legal_command(path: str, before: list[int] | None, trusting: bool) -> None:
    """List the legal actions of whoever is on turn in GAME, one JSON line for each moment asked for."""
    file = read(path)
    game = start_game(file, strict=not trusting)
    name = game_name(file, path)
    left = set(before or ())
    index = 0
    for entry, execute in executed(game, file):
        number = entry.get("id")
        if isinstance(number, int) and number in left:
            left.discard(number)
            write_line(_line(game, name, number, index))
        if before is not None and not left:
            return
        execute()
        index += 1
    if before is None:
        write_line(_line(game, name, None, index))
    elif left:
        raise click.ClickException(f"the game has no live action {', '.join(map(str, sorted(left)))}")


def _line(game: Game, name: str, before: Any, index: int) -> dict[str, Any]:
    entity, step = game.active_entity, game.active_step
    active = f"player {entity.id}" if isinstance(entity, Player) else getattr(entity, "id", None)
    return {
        "game": name,
        "before": before,
        "index": index,
        "active": active,
        "round": f"{game.round.short_name} {game.turn}.{game.round.number}",
        "step": step.name if step is not None else None,
        "legal": census(game.legal_actions()),
    }

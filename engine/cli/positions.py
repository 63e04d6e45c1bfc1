"""`rheingold positions`: the positions of a game's runs of trains."""

from __future__ import annotations

import click

from engine.actions import read_action
from engine.cli.files import game_argument, game_name, read, write_line
from engine.operating import position_data
from engine.replay import executed, start_game
from optimizer.model.json_io import write_position


@click.command("positions")
@game_argument
def positions_command(path: str) -> None:
    """Print the position before every run of trains in GAME as JSON lines for `rheingold solve`."""
    file = read(path)
    game = start_game(file, strict=False)
    for entry, execute in executed(game, file):
        if entry.get("type") == "run_routes":
            data = position_data(game, game.corporation(str(read_action(entry).entity)))
            data.id = f"{game_name(file, path)}-{entry.get('id')}"
            write_line(write_position(data))
        execute()

"""`rheingold replay`: play a recorded game again."""

from __future__ import annotations

import click

from engine.cli.files import game_argument, read, write_line
from engine.replay import load_game, result, trace


@click.command("replay")
@game_argument
@click.option(
    "--trace", "with_trace", is_flag=True, help="Print what every action changes, one JSON line each."
)
@click.option(
    "--trusting", is_flag=True, help="Accept what existing files may contain beyond the rules of play."
)
def replay_command(path: str, with_trace: bool, trusting: bool) -> None:
    """Replay GAME (18xx.games JSON, gzipped or not; - for standard input) and print its result."""
    file = read(path)
    if with_trace:
        for line in trace(file, strict=not trusting):
            write_line(line)
        return
    game = load_game(file, strict=not trusting)
    names = {str(player.id): player.name for player in game.players}
    state = f"finished ({game.end_reason})" if game.finished else f"in {game.round.long_name} {game.turn}"
    click.echo(f"{game.title.name}: {len(game.log)} actions, {state}")
    for player, value in sorted(result(game).items(), key=lambda item: -item[1]):
        click.echo(f"{value:>7}  {names[player]}")
    recorded = file.get("result")
    if recorded and recorded != result(game):
        raise click.ClickException(f"the file records another result: {recorded}")

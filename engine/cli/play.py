"""`rheingold play`: a game played by random players."""

from __future__ import annotations

import json
from pathlib import Path

import click

from engine.player import RandomPlayer, new_game
from engine.replay import result, save_game
from engine.title import TITLES


def _pairs(context: click.Context, option: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    pairs = [value.partition("=") for value in values]
    if any(not separator for _, separator, _ in pairs):
        raise click.BadParameter("give a switch as NAME=VALUE")
    return {name: chosen for name, _, chosen in pairs}


@click.command("play")
@click.option(
    "--title", required=True, type=click.Choice(list(TITLES), case_sensitive=False), help="Which game."
)
@click.option(
    "--random", "by_random", is_flag=True, required=True, help="Players choose legal actions at random."
)
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed plays the same game.")
@click.option("--players", type=click.IntRange(2, 6), default=4, show_default=True, help="How many players.")
@click.option(
    "--option", "options", multiple=True, metavar="RULE", help="An optional rule of the title; repeatable."
)
@click.option(
    "--switch", "switches", multiple=True, metavar="NAME=VALUE", callback=_pairs, help="A reading of a rule."
)
@click.option("--shuffle", is_flag=True, help="Seat the players by the seed, as 18xx.games does.")
@click.option("-o", "--output", type=click.Path(dir_okay=False), help="Save the game to this file.")
def play_command(
    title: str,
    by_random: bool,
    seed: int,
    players: int,
    options: tuple[str, ...],
    switches: dict[str, str],
    shuffle: bool,
    output: str | None,
) -> None:
    """Play a whole game at random and print its result."""
    del by_random  # the only kind of player so far; named so that others can join
    if output is not None and not Path(output).absolute().parent.is_dir():
        raise click.BadParameter(f"there is no folder for {output}", param_hint="'-o'")
    game = new_game(title, players, seed, options, switches, shuffle=shuffle)
    RandomPlayer(seed).play(game)
    if output is not None:
        Path(output).write_text(json.dumps(save_game(game)), encoding="utf-8")
    click.echo(
        f"{game.title.name}, seed {seed}: {len(game.log)} actions, turn {game.turn}, {game.end_reason}"
    )
    for player, value in sorted(result(game).items(), key=lambda item: -item[1]):
        click.echo(f"{value:>7}  Player {player}")

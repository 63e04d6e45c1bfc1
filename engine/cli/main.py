"""The `rheingold` command: the composition root of the project's command lines."""

from __future__ import annotations

import sys

import click

from engine.cli.audit import audit_command
from engine.cli.legal import legal_command
from engine.cli.play import play_command
from engine.cli.positions import positions_command
from engine.cli.replay import replay_command
from engine.errors import GameError
from optimizer.cli import commands as optimizer_commands
from optimizer.service.cli import serve_command


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="rheingold")
def cli() -> None:
    """Proven best train routes for 18xx games, and whole games of 1861, 1867, 1856 and 18Rhl."""


for command in (
    *optimizer_commands,
    serve_command(plugins=("engine.service:plugin",)),
    replay_command,
    audit_command,
    positions_command,
    legal_command,
    play_command,
):
    cli.add_command(command)


def main() -> None:
    """Entry point. Errors of a game are one line on stderr and exit status 1."""
    try:
        cli()
    except GameError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()

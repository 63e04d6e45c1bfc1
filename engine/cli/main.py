"""The `rheingold` command: the composition root of the project's command lines."""

from __future__ import annotations

import sys
from typing import NoReturn

import click

from engine.cli.audit import audit_command
from engine.cli.legal import legal_command
from engine.cli.play import play_command
from engine.cli.positions import positions_command
from engine.cli.replay import replay_command
from engine.errors import GameError, GameFileError
from optimizer.cli import commands as optimizer_commands
from optimizer.service.cli import serve_command
from optimizer.service.client.messages import CallError


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
    """Entry point. Errors are one line on stderr.

    Exit status 1 if a game breaks the rules, 2 for files that cannot be read and everything else.
    """
    try:
        cli()
    except GameFileError as error:
        fail(str(error), 2)
    except GameError as error:
        fail(str(error), 1)
    except CallError as error:
        fail(f"the server answers {error}", 2)
    except OSError as error:
        where = f": {error.filename}" if error.filename else ""
        fail(f"{error.strerror or error}{where}", 2)


def fail(message: str, status: int) -> NoReturn:
    """Say what went wrong and end."""
    click.echo(f"Error: {message}", err=True)
    sys.exit(status)


if __name__ == "__main__":
    main()

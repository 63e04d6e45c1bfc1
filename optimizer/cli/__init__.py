"""The optimizer's commands: ``solve``, ``check``, ``render`` and ``titles``."""

from __future__ import annotations

import click

from optimizer.cli.check import check_command
from optimizer.cli.render import render_command
from optimizer.cli.solve import solve_command
from optimizer.cli.titles import titles_command

commands: list[click.Command] = [solve_command, check_command, render_command, titles_command]

__all__ = ["commands"]

"""`rheingold audit`: who left how much on the table."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from engine.audit import Run, runs
from engine.audit_page import audit_page, audited_game
from engine.cli.files import game_argument, read, write_line
from engine.planner import planner_for
from optimizer.cli.types import FiniteRange
from optimizer.solution import Limits


@click.command("audit")
@game_argument
@click.option("--json", "as_json", is_flag=True, help="One JSON line for each run of trains.")
@click.option(
    "--html", "page", type=click.Path(dir_okay=False), help="Write a page with pictures to this file."
)
@click.option("--time", type=FiniteRange(min=0), help="At most so many seconds of search for each run.")
@click.option(
    "--server", metavar="HOST:PORT", help="Ask a route optimizer service instead of searching here."
)
def audit_command(path: str, as_json: bool, page: str | None, time: float | None, server: str | None) -> None:
    """Compare every run of trains in GAME with the proven best one, and add up by player what was missed."""
    file = read(path)
    limits = Limits(time=time) if time is not None else None
    found = list(runs(file, planner_for(server), limits))
    names = {player.get("id", player.get("name")): str(player.get("name")) for player in file["players"]}
    if page is not None:
        Path(page).write_text(audit_page(audited_game(file, found)), encoding="utf-8")
    if as_json:
        for run in found:
            write_line(_record(run))
        return
    _print(found, names)


def _record(run: Run) -> dict[str, object]:
    return {
        "id": run.action.get("id"),
        "round": run.round,
        "corporation": run.corporation,
        "player": run.player,
        "trains": [train.name for train in run.position.trains],
        "revenue": run.revenue,
        "best": run.best.revenue,
        "missed": run.missed,
        "proven": run.best.proven,
        "bound": run.best.bound,
    }


def _print(found: list[Run], names: dict[object, str]) -> None:
    console = Console()
    table = Table("round", "action", "company", "trains", "run", "best", "missed", "player")
    for run in found:
        if run.missed or not run.best.proven:
            best = str(run.best.revenue) if run.best.proven else f"{run.best.revenue}..{run.best.bound}"
            trains = " ".join(train.name for train in run.position.trains)
            table.add_row(
                run.round,
                str(run.action.get("id")),
                run.corporation,
                trains,
                str(run.revenue),
                best,
                str(run.missed),
                names.get(run.player, "-"),
            )
    console.print(table)
    totals = Table("player", "runs", "below best", "earned", "missed")
    for player in dict.fromkeys(run.player for run in found):
        own = [run for run in found if run.player == player]
        totals.add_row(
            names.get(player, "-"),
            str(len(own)),
            str(sum(1 for run in own if run.missed > 0)),
            str(sum(run.revenue for run in own)),
            str(sum(run.missed for run in own)),
        )
    console.print(totals)
    proven = sum(1 for run in found if run.best.proven)
    console.print(f"{len(found)} runs, {proven} proven, {sum(run.missed for run in found)} missed in all")

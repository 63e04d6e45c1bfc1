"""``rheingold titles``: what the optimizer knows."""

from __future__ import annotations

import json

import click

from optimizer.titles import TITLE_NAMES, TITLES, load_title
from optimizer.titles.loader import all_phases, all_trains, known_optional_rules


@click.command("titles")
@click.option("--json", "as_json", is_flag=True, help="Write one line of JSON for each title.")
def titles_command(as_json: bool) -> None:
    """List the titles with their trains and phases (those of optional rules last), rules and switches."""
    for name in TITLE_NAMES:
        title = load_title(name)
        switches = {key: list(switch.values) for key, switch in TITLES[name].switches.items()}
        trains = [train.name for train in all_trains(name)]
        phases = [phase.name for phase in all_phases(name)]
        optional = list(known_optional_rules(name))
        row = {
            "title": name,
            "hexes": len(title.board.printed),
            "tiles": len(title.tiles),
            "trains": trains,
            "phases": phases,
            "optional_rules": optional,
            "switches": switches,
        }
        if as_json:
            click.echo(json.dumps(row, ensure_ascii=False, separators=(",", ":")))
            continue
        click.echo(f"{name}: {row['hexes']} hexes, {row['tiles']} kinds of tile")
        click.echo(f"  trains          {', '.join(trains)}")
        click.echo(f"  phases          {', '.join(phases)}")
        click.echo(f"  optional rules  {', '.join(optional) or 'none'}")
        for key, values in switches.items():
            click.echo(f"  switch          {key} = {' | '.join(values)}")

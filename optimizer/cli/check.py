"""``rheingold check``: are the routes in a file legal, and what do they earn?"""

from __future__ import annotations

import json
from collections.abc import Mapping

import click

from optimizer.cli.reading import Input
from optimizer.cli.rules import rules_option
from optimizer.evaluate import evaluate
from optimizer.evaluation.report import Evaluation, RouteEvaluation, StopPay
from optimizer.model.data import PositionError, RouteData
from optimizer.model.position import Position, Route
from optimizer.model.route_io import routes_from_data

EXIT_WRONG = 1


@click.command("check")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(allow_dash=True))
@click.option("--json", "as_json", is_flag=True, help="Write one line of JSON for each set of routes.")
@click.option("--quiet", "-q", is_flag=True, help="Write only sets that are illegal or earn something else.")
@rules_option
@click.pass_context
def check_command(context: click.Context, /, files: tuple[str, ...], as_json: bool, quiet: bool) -> None:
    """Judge and price the routes that come with the positions in FILE.

    These are an item's "routes", or "recorded" and "best" of the shared cases' format. Exit status 1 if
    any set is illegal or earns something else than the file says, 2 if anything cannot be read.
    """
    items = Input(files)
    checked = wrong = 0
    for item in items:
        if item.position is None:
            continue
        if not item.routes:
            items.complain(item.where, "comes with no routes to check")
        for name, rows in item.routes.items():
            routes = _routes(items, item.where, name, rows)
            if routes is None:
                continue
            verdict = evaluate(item.position, routes)
            problems = _differences(verdict, rows, item.revenues.get(name))
            good = verdict.legal and not problems
            checked += 1
            wrong += not good
            if good and quiet:
                continue
            if as_json:
                click.echo(_line(item.position, name, verdict, problems))
            else:
                click.echo(_text(item.position, name, verdict, problems))
    if not checked:
        click.echo("nothing to check: 0 sets of routes", err=True)
    elif not as_json:
        click.echo(f"{checked} sets of routes checked, {wrong} wrong", err=True)
    context.exit(items.exit_code() or (EXIT_WRONG if wrong else 0))


def _routes(items: Input, where: str, name: str, rows: list[RouteData]) -> tuple[Route, ...] | None:
    try:
        return routes_from_data(rows, name)
    except PositionError as error:
        for fault in error.faults:
            items.complain(where, str(fault))
        return None


def _differences(verdict: Evaluation, rows: list[RouteData], total: int | None) -> list[str]:
    """Say where the file gives other figures."""
    found = [
        f"train {row.train}: the file says {row.revenue}, it earns {route.revenue}"
        for row, route in zip(rows, verdict.routes, strict=True)
        if row.revenue is not None and row.revenue != route.revenue
    ]
    if rows and total is not None and total != verdict.revenue:
        found.append(f"the file says {total} in all, it is {verdict.revenue}")
    return found


def _line(position: Position, name: str, verdict: Evaluation, problems: list[str]) -> str:
    row: Mapping[str, object] = {
        "id": position.id,
        "company": position.company,
        "which": name,
        **verdict.to_json(),
        "differences": problems,
    }
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"))


def _text(position: Position, name: str, verdict: Evaluation, problems: list[str]) -> str:
    state = "legal" if verdict.legal else "ILLEGAL"
    lines = [f"{position.id} {position.company} {name}: {state}, earns {verdict.revenue}".lstrip()]
    for route in verdict.routes:
        lines.append(f"  {route.train}  {route.revenue}  {route.revenue_str}")
        lines.append(f"    = {_sum(route)}")
    lines += [f"  fault: {fault}" for fault in verdict.faults]
    lines += [f"  differs: {problem}" for problem in problems]
    return "\n".join(lines)


def _sum(route: RouteEvaluation) -> str:
    """Return the revenue as a sum: ``60 H8-0 + 2 x (30 - 10) F9-1 + 40 capital``."""
    parts = [f"{_product(stop)} {stop.signature}" for stop in route.stops if stop.counted and stop.paid]
    parts += [f"{bonus.amount} {bonus.name}" for bonus in route.bonuses]
    return " + ".join(parts) or "0"


def _product(stop: StopPay) -> str:
    figure = f"({stop.value} - {stop.penalty})" if stop.penalty else str(stop.value)
    factor = stop.multiplier * stop.factor
    return f"{factor} x {figure}" if factor != 1 else figure

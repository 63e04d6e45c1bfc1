"""``rheingold solve``: the best routes of positions."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

import click

from optimizer.cli.output import Output
from optimizer.cli.reading import Input, read_fixed_routes
from optimizer.cli.rules import rules_option
from optimizer.custom.rule import RuleError
from optimizer.evaluate import evaluate, priced_routes
from optimizer.model.position import Position, Route
from optimizer.solution import Limits, Solution, routes_to_json

F = TypeVar("F", bound=Callable[..., Any])

LIMIT_TEXT = {
    "time": "time limit",
    "nodes": "node limit",
    "routes": "more good routes than fit in memory",
    "stopped": "stopped",
}


def _validated(context: click.Context, option: click.Parameter, value: Any) -> Any:
    """Check a limit as :class:`Limits` does, so that the message names the option.

    None, which the library takes for no limit, cannot be written on a command line.
    """
    name = option.name or ""
    try:
        if value is not None:
            Limits(**{name: value})
    except ValueError as error:
        text = str(error).removeprefix(f"{name} ").replace(", or None", "")
        raise click.BadParameter(text) from error
    return value


def _limit(flag: str, kind: type, about: str, default: int | None = None) -> Callable[[F], F]:
    """Return an option that sets one of the limits."""
    shown = default is not None
    return click.option(flag, type=kind, default=default, show_default=shown, callback=_validated, help=about)


@click.command("solve")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(allow_dash=True))
@click.option("--json", "as_json", is_flag=True, help="Write one line of JSON for each position.")
@_limit("--time", float, "Stop a position after so many seconds.")
@_limit("--nodes", int, "Stop after so many search nodes (reproducible).")
@_limit("--cutoff", int, "Ask only whether more than this can be earned.")
@_limit("--threads", int, "How many threads to use.", 1)
@_limit("--best", int, "How many of the best sets to find.", 1)
@click.option("--fixed", "fixed_file", type=click.Path(allow_dash=True), help="Routes of some trains (JSON).")
@rules_option
@click.pass_context
def solve_command(
    context: click.Context, /, files: tuple[str, ...], as_json: bool, fixed_file: str | None, **limits: Any
) -> None:
    """Find the best routes for the positions in FILE (.json, .jsonl, .gz; - for standard input).

    Faulty positions are reported on stderr, and the others solved. Exit status 2 if any was faulty, 1 if an
    answer did not pass the check.
    """
    # These load the native search, which other commands need not.
    from optimizer.graph.compile import TooComplex
    from optimizer.graph.trains import UnsupportedRules
    from optimizer.solve import CheckFailed, optimize

    bounds = Limits(**limits)
    fixed = read_fixed_routes(fixed_file) if fixed_file is not None else ()
    items = Input(files)
    with Output() as output:
        for item in items:
            position = item.position
            if position is None:
                continue
            given = _checked(items, item.where, position, fixed)
            if given is None:
                continue
            try:
                solution = optimize(position, bounds, fixed=given)
            except (TooComplex, UnsupportedRules) as error:
                items.complain(item.where, str(error))
                continue
            except (CheckFailed, RuleError) as error:
                items.fail(item.where, f"internal error: {error}")
                continue
            row = as_line(position, solution, bounds) if as_json else as_text(position, solution)
            output.line(row)
            output.solved(solution.proven)
    context.exit(items.exit_code())


def _checked(
    items: Input, where: str, position: Position, fixed: tuple[Route, ...]
) -> tuple[Route, ...] | None:
    """Return the fixed routes with their track, or None where they cannot be run in this position."""
    if not fixed:
        return ()
    verdict = evaluate(position, fixed)
    for fault in verdict.faults:
        items.complain(where, f"fixed route: {fault}")
    return priced_routes(verdict) if verdict.legal else None


def as_line(position: Position, solution: Solution, limits: Limits) -> str:
    """Return a solution as a line of JSON; what was asked for beyond the usual is added."""
    row = {"id": position.id, "company": position.company, **solution.to_json()}
    if limits.cutoff is not None:
        row["better_than_cutoff"] = solution.better_than_cutoff
    if limits.best > 1:
        row["alternatives"] = [
            {"revenue": one.revenue, "routes": routes_to_json(one.routes)} for one in solution.alternatives
        ]
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"))


def as_text(position: Position, solution: Solution) -> str:
    """Return a solution for people to read."""
    lines = [f"{_heading(position)}: {_verdict(solution)}"]
    lines += route_lines(position, solution.routes)
    for number, one in enumerate(solution.alternatives[1:], start=2):
        lines.append(f"  {number}. best: {one.revenue}")
        lines += [f"  {line}" for line in route_lines(position, one.routes)]
    return "\n".join(lines)


def _heading(position: Position) -> str:
    where = f", {position.title} phase {position.phase}" if position.title else ""
    name = f"{position.id} " if position.id else ""
    return f"{name}{position.company}{where}"


def _verdict(solution: Solution) -> str:
    time = f"{solution.statistics.seconds * 1000:.1f} ms"
    better = solution.better_than_cutoff
    if better is False:
        return f"nothing better than {solution.cutoff} ({time})"
    if solution.proven:
        return f"{solution.revenue}, proven best ({time})"
    why = LIMIT_TEXT.get(solution.limit, "not proven")
    return f"{solution.revenue}, at most {solution.bound} ({why}, {time})"


def route_lines(position: Position, routes: tuple[Route, ...]) -> list[str]:
    """Return a line for every train: what it earns and where it runs."""
    by_train = {route.train: route for route in routes}
    width = max((len(train.id) for train in position.trains), default=0)
    lines = []
    for train in position.trains:
        route = by_train.get(train.id)
        run = f"{route.revenue:>5}  {route.revenue_str}" if route is not None else "    -  stays idle"
        lines.append(f"  {train.id:<{width}}  {run}")
    return lines

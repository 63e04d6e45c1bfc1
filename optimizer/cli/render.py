"""``rheingold render``: pictures of positions, with routes on them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import click

from optimizer.cli.reading import Input
from optimizer.cli.types import FiniteRange
from optimizer.evaluate import evaluate
from optimizer.evaluation.report import Evaluation
from optimizer.model.data import PositionError
from optimizer.model.position import Position
from optimizer.model.route_io import routes_from_data
from optimizer.render import Options, render
from optimizer.render.png import NoRasterizer, to_png
from optimizer.solution import Limits, Solution
from optimizer.titles import LoadedPosition

_GIVEN = ("recorded", "routes")  # names under which routes come with a position


class CannotDraw(Exception):
    """One position cannot be drawn as asked; the others can."""


@dataclass(frozen=True)
class _Request:
    routes: str
    png: bool
    options: Options
    limits: Limits


@click.command("render")
@click.argument("files", nargs=-1, required=True, metavar="POSITION...", type=click.Path(allow_dash=True))
@click.option(
    "-o",
    "--output",
    type=click.Path(allow_dash=True),
    help="File, or folder (for several); else standard output.",
)
@click.option(
    "--routes",
    type=click.Choice(["best", "recorded", "none"]),
    default="best",
    show_default=True,
    help="Find the best routes, draw those that come with the position, or none.",
)
@click.option("--id", "ids", multiple=True, help="Draw only positions with this id (may be repeated).")
@click.option("--crop", is_flag=True, help="Draw only what the routes touch.")
@click.option("--png", is_flag=True, help="Write PNG instead of SVG (needs resvg-py).")
@click.option(
    "--scale",
    type=FiniteRange(0.05, 4.0),
    default=0.5,
    show_default=True,
    help="Size; 0.5 makes hexes 100 pixels wide.",
)
@click.option("--legend/--no-legend", default=True, help="List the routes below the map.")
@click.option("--coordinates/--no-coordinates", default=True, help="Write each hex's coordinate.")
@click.option("--numbers/--no-numbers", default=True, help="Write each tile's number.")
@click.option("--time", type=FiniteRange(min=0), default=30.0, show_default=True, help="Seconds per search.")
@click.pass_context
def render_command(
    context: click.Context,
    /,
    files: tuple[str, ...],
    output: str | None,
    routes: str,
    ids: tuple[str, ...],
    crop: bool,
    png: bool,
    scale: float,
    legend: bool,
    coordinates: bool,
    numbers: bool,
    time: float,
) -> None:
    """Draw the map of each POSITION (.json, .jsonl, .gz; - for standard input) as SVG or PNG.

    Exit status 2 if any position was faulty or could not be drawn as asked.
    """
    png = _writes_png(output, png)
    options = Options(crop=crop, legend=legend, coordinates=coordinates, tile_numbers=numbers, scale=scale)
    request = _Request(routes, png, options, Limits(time=time))
    items = Input(files)
    sink = _Sink(output, ".png" if png else ".svg")
    for item in items:
        if item.position is None or (ids and item.position.id not in ids):
            continue
        try:
            data = draw(item, item.position, request)
        except CannotDraw as error:
            items.complain(item.where, str(error))
            continue
        sink.add(item.position.id, data)
    sink.finish()
    if not sink.count and not items.bad:
        items.complain(" ".join(files), f"holds no position with the id {', '.join(ids)}")
    context.exit(items.exit_code())


def _writes_png(output: str | None, png: bool) -> bool:
    """Tell whether to write PNG; raise click.BadParameter for a file that is named for something else."""
    if output in (None, "-") or str(output).endswith("/") or Path(str(output)).is_dir():
        return png
    ending = Path(str(output)).suffix.lower()
    if ending not in ("", ".svg", ".png") or (png and ending == ".svg"):
        wanted = ".png with --png" if ending == ".svg" else ".svg or .png, or in a slash for a folder"
        raise click.BadParameter(f"the name of {output} must end in {wanted}", param_hint="'-o'")
    return png or ending == ".png"


def draw(item: LoadedPosition, position: Position, request: _Request) -> bytes:
    """Return the picture of one position; raise CannotDraw where it lacks what was asked for."""
    svg = render(position, _routes_for(item, position, request), request.options)
    if not request.png:
        return f"{svg}\n".encode()
    try:
        return to_png(svg)
    except NoRasterizer as error:
        raise click.ClickException(str(error)) from error


def _routes_for(item: LoadedPosition, position: Position, request: _Request) -> Solution | Evaluation | None:
    if request.routes == "none":
        return None
    if request.routes == "best":
        return _solve(position, request.limits)
    name = next((name for name in _GIVEN if name in item.routes), "")
    if not name:
        raise CannotDraw("comes with no routes; draw it with --routes best or none")
    try:
        return evaluate(position, routes_from_data(item.routes[name], name))
    except PositionError as error:
        raise CannotDraw("; ".join(str(fault) for fault in error.faults)) from error


def _solve(position: Position, limits: Limits) -> Solution:
    # These load the native search, which the other choices need not.
    from optimizer.graph.compile import TooComplex
    from optimizer.graph.trains import UnsupportedRules
    from optimizer.solve import optimize

    try:
        return optimize(position, limits)
    except (TooComplex, UnsupportedRules) as error:
        raise CannotDraw(str(error)) from error


class _Sink:
    """Where pictures go: one file or standard output takes one picture, a folder takes any number."""

    def __init__(self, output: str | None, suffix: str) -> None:
        self.suffix = suffix
        self.count = 0
        self._held: bytes | None = None
        self._names: set[str] = set()
        self._target = None if output in (None, "-") else Path(str(output))
        into = self._target is not None and (str(output).endswith("/") or self._target.is_dir())
        self._folder = self._target if into else None
        if self._folder is not None:
            self._folder.mkdir(parents=True, exist_ok=True)

    def add(self, name: str, data: bytes) -> None:
        """Take a picture; a second one without a folder is a usage error."""
        self.count += 1
        if self._folder is not None:
            (self._folder / (self._file_name(name) + self.suffix)).write_bytes(data)
        elif self._held is not None:
            raise click.UsageError(
                "there are several positions: give a folder (-o FOLDER/), or choose one by --id"
            )
        else:
            self._held = data

    def _file_name(self, name: str) -> str:
        """Return a name that is safe for a file and not yet used."""
        base = re.sub(r"[^A-Za-z0-9._-]+", "_", name).strip("._") or "position"
        free, number = base, 1
        while free in self._names:
            number += 1
            free = f"{base}-{number}"
        self._names.add(free)
        return free

    def finish(self) -> None:
        """Write a lone picture."""
        if self._held is None:
            return
        if self._target is not None:
            self._target.write_bytes(self._held)
        else:
            click.echo(self._held, nl=False)

"""The audit of a game as one page of HTML: what was run, what would have been best, and pictures of both.

The page needs nothing from the network and works without scripts; a short script only adds folding of all
runs at once and highlighting. All pictures share one set of symbols, which keeps a whole game's page
small.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.audit import Run
from engine.audit_chart import missed_chart
from engine.audit_page_style import SCRIPT, STYLE, player_color
from engine.operating import routes_of
from optimizer.evaluate import evaluate
from optimizer.evaluation.report import Evaluation, RouteEvaluation
from optimizer.model.position import Position
from optimizer.render import Options, Symbols, render
from optimizer.render.legend import run_words, stop_words
from optimizer.render.picture import touched_hexes
from optimizer.render.style import company_color, style_sheet, text_color
from optimizer.render.svg import element, escape
from optimizer.render.trains import train_color, train_name
from optimizer.solution import Solution


@dataclass(frozen=True)
class AuditedRun:
    """One company's run of trains: the position before it, the routes as run, and the best ones.

    ``round`` is its name for people, such as ``OR 3.1``; ``action`` the id of the run in the game.
    ``best`` must have its breakdown.
    """

    round: str
    action: int
    company: str
    player: str
    position: Position
    run: Evaluation
    best: Solution

    @property
    def trains(self) -> tuple[str, ...]:
        """Names of the company's trains."""
        return tuple(train.name for train in self.position.trains)

    @property
    def missed(self) -> int:
        """How much more the best routes found would have earned."""
        return max(0, self.best.revenue - self.run.revenue)


@dataclass(frozen=True)
class AuditedGame:
    """All runs of a game in order. ``players`` are in the order of their seats."""

    title: str
    id: str
    players: tuple[str, ...]
    runs: tuple[AuditedRun, ...]


def audited_game(file: Mapping[str, Any], runs: Iterable[Run]) -> AuditedGame:
    """Return what the page needs of a game in the public JSON format and the runs of its audit.

    The routes that were run are evaluated again for their breakdown; what they earned is as audited.
    """
    players = {row.get("id", row["name"]): str(row["name"]) for row in file["players"]}
    return AuditedGame(
        title=str(file["title"]),
        id=str(file.get("id", "")),
        players=tuple(players.values()),
        runs=tuple(_audited_run(run, players) for run in runs),
    )


def _audited_run(run: Run, players: Mapping[Any, str]) -> AuditedRun:
    evaluation = evaluate(run.position, routes_of(run.action.get("routes") or []))
    return AuditedRun(
        round=run.round,
        action=int(run.action.get("id", 0)),
        company=run.corporation,
        player=players.get(run.player, "–"),
        position=run.position,
        run=replace(evaluation, revenue=run.revenue),
        best=_with_breakdown(run),
    )


def _with_breakdown(run: Run) -> Solution:
    """Return the best routes with their breakdown, which a remote optimizer doesn't send."""
    if run.best.breakdown is not None:
        return run.best
    return replace(run.best, breakdown=evaluate(run.position, run.best.routes))


def audit_page(game: AuditedGame) -> str:
    """Return the page as HTML. The same game gives the same bytes."""
    symbols = Symbols()
    rounds = "".join(_round(name, runs, symbols) for name, runs in _by_round(game.runs))
    heading = f"Audit of {game.title} game {game.id}"
    body = (
        element("h1", escape(heading))
        + _summary(game)
        + _players(game)
        + _chart(game)
        + '<p class="tools" hidden><button type="button" data-fold="close">Fold all pictures</button> '
        '<button type="button" data-fold="open">Show all pictures</button></p>' + rounds
    )
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="icon" href="data:,">'
        f"{element('title', escape(heading))}<style>{STYLE}{style_sheet()}</style></head>\n"
        f"<body>{symbols.definitions()}<main>{body}</main><script>{SCRIPT}</script></body></html>\n"
    )


def _by_round(runs: Iterable[AuditedRun]) -> list[tuple[str, list[AuditedRun]]]:
    rounds: dict[str, list[AuditedRun]] = {}
    for run in runs:
        rounds.setdefault(run.round, []).append(run)
    return list(rounds.items())


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "–"


def _summary(game: AuditedGame) -> str:
    earned = sum(run.run.revenue for run in game.runs)
    missed = sum(run.missed for run in game.runs)
    perfect = sum(not run.missed for run in game.runs)
    unproven = sum(not run.best.proven for run in game.runs)
    text = (
        f"{len(game.runs)} runs of trains earned {earned}. {perfect} of them were the best possible; "
        f"{missed} was missed ({_percent(missed, earned + missed)} of what there was to earn)."
    )
    if unproven:
        text += f" In {unproven} runs the search ended early: there may be better routes than those shown."
    return element("p", escape(text), class_="summary")


def _row(cells: Sequence[tuple[str, str]], head: str = "") -> str:
    """Return a table row; ``cells`` are (class, markup), the first one heads the row."""
    out = [element("th", cells[0][1], scope="row", class_=cells[0][0])]
    out += [element("td", markup, class_=class_) for class_, markup in cells[1:]]
    return element("tr", "".join(out), class_=head)


def _table(caption: str, heads: Sequence[tuple[str, str]], rows: Iterable[str]) -> str:
    head = "".join(element("th", escape(text), scope="col", class_=class_) for class_, text in heads)
    table = (
        element("caption", escape(caption))
        + element("thead", element("tr", head))
        + element("tbody", "".join(rows))
    )
    return element(
        "div", element("table", table), class_="scroll", tabindex="0", role="region", aria_label=caption
    )


def _players(game: AuditedGame) -> str:
    rows = []
    for seat, player in enumerate(game.players):
        runs = [run for run in game.runs if run.player == player]
        earned, missed = sum(run.run.revenue for run in runs), sum(run.missed for run in runs)
        swatch = element(
            "span", " ", class_="swatch", style=f"background:{player_color(seat)}", aria_hidden="true"
        )
        cells = [
            ("", f"{swatch}{escape(player)}"),
            ("n", str(len(runs))),
            ("n", str(sum(not run.missed for run in runs))),
            ("n", str(earned)),
            ("n", str(earned + missed)),
            ("n", str(missed)),
            ("n", _percent(missed, earned + missed)),
        ]
        rows.append(_row(cells))
    heads = [("", "Player"), ("n", "Runs"), ("n", "Perfect"), ("n", "Earned"), ("n", "Best"), ("n", "Missed")]
    return _table("Totals by player", [*heads, ("n", "Share missed")], rows)


def _chart(game: AuditedGame) -> str:
    rows = [
        (name, [sum(run.missed for run in runs if run.player == player) for player in game.players])
        for name, runs in _by_round(game.runs)
    ]
    return missed_chart(game.players, rows)


def _anchor(run: AuditedRun) -> str:
    return f"run-{run.action}"


def _company_chip(run: AuditedRun) -> str:
    color = company_color(run.position.title, run.company)
    return element(
        "span", escape(run.company), class_="chip", style=f"background:{color};color:{text_color(color)}"
    )


def _best_figure(run: AuditedRun) -> str:
    if run.best.proven:
        return str(run.best.revenue)
    return f"{run.best.revenue} <small>(at most {run.best.bound})</small>"


def _round(name: str, runs: list[AuditedRun], symbols: Symbols) -> str:
    rows = []
    for run in runs:
        missed = str(run.missed) if run.missed else "0"
        if run.missed:
            label = f"{run.missed} missed by {run.company}: see the pictures"
            missed = element("a", missed, href=f"#{_anchor(run)}", aria_label=label)
        cells = [
            ("", _company_chip(run)),
            ("", escape(run.player)),
            ("", escape(", ".join(run.trains))),
            ("n", str(run.run.revenue)),
            ("n", _best_figure(run)),
            ("n", missed),
        ]
        rows.append(_row(cells, "lost" if run.missed else ""))
    heads = [("", "Company"), ("", "Player"), ("", "Trains"), ("n", "Run"), ("n", "Best"), ("n", "Missed")]
    table = _table(f"Runs of trains in {name}", heads, rows)
    pictures = "".join(_pair(run, symbols) for run in runs if run.missed)
    return element("section", element("h2", escape(name)) + table + pictures)


def _pair(run: AuditedRun, symbols: Symbols) -> str:
    """Return the two pictures of a missed run, of the same part of the map."""
    best = run.best.breakdown or Evaluation(0)
    # Sorted, so that the page does not depend on the order of a set.
    part = tuple(sorted(touched_hexes(run.position, run.run) | touched_hexes(run.position, best)))
    options = Options(crop=True, crop_to=part, legend=False, coordinates=True, symbols=symbols)
    figures = _figure(run, "Run", run.run, render(run.position, run.run, options))
    figures += _figure(run, "Best", best, render(run.position, run.best, options))
    head = (
        f"{escape(run.company)} ({escape(run.player)}), trains {escape(', '.join(run.trains))}: "
        f"run {run.run.revenue}, best {run.best.revenue}, missed {run.missed}"
    )
    summary = element("summary", element("h3", head))
    return element("details", summary + element("div", figures, class_="pair"), open="open", id=_anchor(run))


def _figure(run: AuditedRun, word: str, evaluation: Evaluation, picture: str) -> str:
    items = [_route_item(run.position, index, route) for index, route in enumerate(evaluation.routes)]
    items += [element("li", escape(words)) for words in run_words(evaluation)]
    routes = element("ul", "".join(items), class_="routes") if items else element("p", "No train ran.")
    caption = element("figcaption", element("strong", f"{word}: {evaluation.revenue}") + routes)
    return element("figure", caption + picture, class_="picture")


def _route_item(position: Position, index: int, route: RouteEvaluation) -> str:
    swatch = element(
        "span",
        " ",
        class_="swatch",
        style=f"background:{train_color(position, route.train, index)}",
        aria_hidden="true",
    )
    words = [stop_words(position.board.locations, stop) for stop in route.stops]
    text = ", ".join(words) + "".join(f" + {b.name} {b.amount}" for b in route.bonuses if b.amount)
    text += "".join(f" (not legal: {fault.message})" for fault in route.faults)
    name = element("b", escape(f"{train_name(position, route.train)}: {route.revenue}"))
    return element("li", f"{swatch}{name} {escape(text)}", data_train=route.train)

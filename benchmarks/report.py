"""Measure everything in one run, write `benchmarks/RESULTS.md`, and copy its first table to README.

    python -m benchmarks.report [--sample N] [--time 10] [--note "what else ran"] [-o FILE]

Times: one thread, a warm process, compile and search together, the position already read. Every answer is
checked by the evaluator and against what is known; wrong ones are listed, and make the exit status 1.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import statistics
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import bulk
from benchmarks.groups import Item, group_names, named, read_group
from benchmarks.named import better, known, write
from optimizer.graph.compile import TooComplex
from optimizer.solution import Limits, Solution
from optimizer.solve import CheckFailed, optimize

OUTPUT = Path(__file__).parent / "RESULTS.md"
ABOUT_BULK = (
    "Random walks scored as candidate routes, one by one by the evaluator and in one pass of `evaluate_many` "
    "on all processors, in a warm process. The answers are compared route by route."
)
README = Path(__file__).parent.parent / "README.md"
BEGIN, END = "<!-- results -->", "<!-- /results -->"
SHORT = 0.05
SHORT_ROUNDS = 3
WARM_UP = 20
ABOUT = {
    "people's games": "runs of trains in recorded games of people",
    "generated games": "runs of trains in games of random play",
    "published 1867": "the last operating round that the navig18xx project publishes",
    "other titles": "1830 and 18Chesapeake, with the map in the position",
    "stress": "late networks of those games with up to six long trains",
    "full maps": "grown by `benchmarks/grow.py` from the title's stock of tiles",
    "dense maps": "grown without running out of tiles: denser than any game can be",
}


@dataclass(frozen=True)
class Answer:
    """An item and what the optimizer said about it.

    ``wall``: seconds of the whole call, check included; ``processor``: seconds of processor time in it.
    """

    item: Item
    solution: Solution
    wall: float
    processor: float


class Solver:
    """Solves items, and keeps a list of what was wrong."""

    def __init__(self) -> None:
        self.wrong: list[str] = []

    def answer(self, item: Item, limits: Limits) -> Answer | None:
        """Solve an item; None if the answer does not pass the check."""
        started, used = time.perf_counter(), time.thread_time()
        try:
            solution = optimize(item.position, limits)
        except (CheckFailed, TooComplex) as error:
            self._note(f"{item.name}: {error}")
            return None
        wall, processor = time.perf_counter() - started, time.thread_time() - used
        fault = item.fault(solution.revenue, solution.bound)
        if fault:
            self._note(fault)
        return Answer(item, solution, wall, processor)

    def answers(self, items: Iterable[Item], limits: Limits) -> list[Answer]:
        """Solve items; those without an answer are left out."""
        return [found for item in items if (found := self.answer(item, limits)) is not None]

    def _note(self, fault: str) -> None:
        if fault not in self.wrong:
            self.wrong.append(fault)
            print(f"WRONG {fault}", file=sys.stderr, flush=True)


def quantile(ordered: Sequence[float], share: float) -> float:
    """Return the value below which this share of the ordered values lies."""
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def group_row(name: str, answers: Sequence[Answer]) -> str:
    """Return a line of the table of groups."""
    times = sorted(one.solution.statistics.seconds * 1000 for one in answers)
    used = sorted(one.processor * 1000 for one in answers)
    proven = sum(one.solution.proven for one in answers)
    figures = [statistics.median(times), quantile(times, 0.9), quantile(times, 0.99), times[-1]]
    figures += [statistics.median(used), quantile(used, 0.99), used[-1]]
    shown = " | ".join(milliseconds(figure) for figure in figures)
    return f"| {name} | {len(answers)} | {shown} | {proven} of {len(answers)} |"


def milliseconds(figure: float) -> str:
    """Return a time in milliseconds with three figures that mean something."""
    return f"{figure:.2f}" if figure < 10 else f"{figure:.1f}" if figure < 100 else f"{figure:,.0f}"


def instance_rows(answers: Iterable[Answer]) -> list[str]:
    """Return the table of single instances."""
    rows = [
        "| instance | trains | best | bound | time, ms | nodes | known |",
        "|---|---|--:|--:|--:|--:|---|",
    ]
    for one in answers:
        solution, item = one.solution, one.item
        trains = " ".join(train.name for train in item.position.trains)
        bound = "proven" if solution.proven else f"{solution.bound:,}"
        known = (
            f"{item.least}"
            if item.most == item.least
            else f"{item.least} to {item.most or '?'}"
            if item.least
            else ""
        )
        seconds = milliseconds(solution.statistics.seconds * 1000)
        nodes = f"{solution.statistics.nodes:,}"
        rows.append(
            f"| {item.name} | {trains} | {solution.revenue} | {bound} | {seconds} | {nodes} | {known} |"
        )
    return rows


def short_limit_rows(solver: Solver, items: Sequence[Item]) -> list[str]:
    """Return the table of what a limit of 50 ms gives on the named instances."""
    rows = ["| instance | found | bound | best known | worst of 3, ms |", "|---|--:|--:|--:|--:|"]
    for item in items:
        answers = solver.answers([item] * SHORT_ROUNDS, Limits(time=SHORT))
        if all(one.solution.proven for one in answers):
            continue
        last = answers[-1].solution
        worst = max(one.wall for one in answers) * 1000
        rows.append(f"| {item.name} | {last.revenue} | {last.bound} | {item.least} | {worst:.0f} |")
    return rows


def machine() -> str:
    """Describe the machine."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [
            line.partition(":")[2].strip()
            for line in cpuinfo.read_text().splitlines()
            if "model name" in line
        ]
        model = names[0] if names else model
    build = f"{platform.python_implementation()} {platform.python_version()}, {platform.system()}"
    return f"{model}, {os.cpu_count()} cores, {build}"


def load() -> str:
    """Return the load of the machine over the last minute."""
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"


def measure(
    solver: Solver, names: Sequence[str], sample: int, limits: Limits
) -> tuple[list[str], dict[str, list[Answer]]]:
    """Solve all groups; return the table of groups and the answers."""
    rows = [
        "| group | positions | median | 90 % | 99 % | longest | CPU median | CPU 99 % | CPU longest | "
        "proven |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    answers: dict[str, list[Answer]] = {}
    for name in names:
        items = read_group(name)
        items = items[:: max(1, len(items) // sample)] if sample else items
        solver.answers(items[:WARM_UP], Limits(time=SHORT))
        answers[name] = solver.answers(items, limits)
        rows.append(group_row(name, answers[name]))
        print(rows[-1], file=sys.stderr, flush=True)
    return rows, answers


def report(solver: Solver, sample: int, limits: Limits, note: str) -> str:
    """Measure and return the whole page."""
    before = load()
    names = group_names()
    groups, answers = measure(solver, names, sample, limits)
    note_known([*answers["full maps"], *answers["dense maps"]])
    short = short_limit_rows(solver, named())
    single = [one for name in ("published 1867", "full maps", "dense maps") for one in answers.get(name, ())]
    parts = [
        "# Results",
        f"Written by `python -m benchmarks.report`. {machine()}. One thread, a warm process; time is compile "
        "and search together, in milliseconds, with the position already read; the evaluator's check of "
        "every answer comes on top. CPU is the processor time of the whole call, check included, which other "
        f"work on the machine hardly touches. Limit: {limits.time:g} s a position.",
        f"Load of the machine when the run began {before}, when it ended {load()}. {note}".strip(),
        "## Groups",
        "\n".join(groups),
        "\n".join(f"- {name}: {ABOUT[name]}" for name in names),
        "## Single instances",
        "*known*: the best ever found and, where it is not proven, the least bound ever shown "
        "(`benchmarks/instances/known.json`).",
        "\n".join(instance_rows(single)),
        "## A limit of 50 ms",
        "What a search with `Limits(time=0.05)` gives where that is not enough for a proof, and how long the "
        "whole call takes, check included.",
        "\n".join(short),
        "## Many routes at once",
        ABOUT_BULK,
        "\n".join(bulk.rows()),
    ]
    if solver.wrong:
        parts += ["## Wrong answers", "\n".join(f"- {fault}" for fault in solver.wrong)]
    return "\n\n".join(parts) + "\n"


def note_known(answers: Iterable[Answer]) -> None:
    """Keep what is better than what was known about the named instances."""
    facts = known()
    for one in answers:
        name = one.item.name
        if not one.item.fault(one.solution.revenue, one.solution.bound):
            facts[name] = better(facts.get(name), one.solution)
    write(facts)


def copy_table(page: str, readme: Path) -> None:
    """Put the table of groups into README, between its marks, with the machine and how busy it was."""
    rows = re.search(r"^\| group .*?(?=\n\n)", page, re.DOTALL | re.MULTILINE)
    busy = re.search(r"^Load of the machine .*$", page, re.MULTILINE)
    assert rows is not None
    assert busy is not None
    text = readme.read_text(encoding="utf-8")
    start, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    readme.write_text(
        f"{text[:start]}\n\n{rows[0]}\n\n{machine()}. {busy[0]}\n\n{text[end:]}", encoding="utf-8"
    )


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Measure everything and write the table of results.")
    parser.add_argument("--sample", type=int, default=0, help="about so many positions of each group; 0: all")
    parser.add_argument("--time", type=float, default=10.0, help="seconds a position")
    parser.add_argument("--note", default="", help="what else ran on the machine")
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT)
    given = parser.parse_args()
    solver = Solver()
    page = report(solver, given.sample, Limits(time=given.time), given.note)
    given.output.write_text(page, encoding="utf-8")
    if given.output == OUTPUT:
        copy_table(page, README)
    sys.exit(1 if solver.wrong else 0)


if __name__ == "__main__":
    main()

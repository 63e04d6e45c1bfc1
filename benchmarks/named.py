"""The named instances and what is known about them.

``instances/grown.jsonl`` holds the positions. ``instances/known.json`` has for each name the best revenue
ever found, the least bound ever shown, and how long that took: where the two are equal, the optimum is
proven.

    python -m benchmarks.named --grow            # grow the positions again
    python -m benchmarks.named --time 60         # search, and keep what is better than what is known
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.grow import grow
from benchmarks.recipes import recipes
from optimizer.model.json_io import write_position
from optimizer.model.position import Position
from optimizer.solution import Limits, Solution
from optimizer.solve import optimize
from optimizer.titles import load_positions

FOLDER = Path(__file__).parent / "instances"
GROWN = FOLDER / "grown.jsonl"
KNOWN = FOLDER / "known.json"


@dataclass(frozen=True)
class Known:
    """The best revenue found, the least bound shown, and the seconds of the search that showed it."""

    revenue: int
    bound: int
    seconds: float

    @property
    def proven(self) -> bool:
        """Whether the best is known."""
        return self.revenue == self.bound


def load(file: Path = GROWN) -> dict[str, Position]:
    """Return the instances of a file by name. Raises PositionError for a faulty one."""
    found: dict[str, Position] = {}
    for item in load_positions(file):
        if item.position is None:
            raise item.error()
        found[item.id] = item.position
    return found


def known() -> dict[str, Known]:
    """Return what is known about the instances by name."""
    if not KNOWN.exists():
        return {}
    rows = json.loads(KNOWN.read_text(encoding="utf-8"))
    return {name: Known(**row) for name, row in rows.items()}


def fault(name: str, revenue: int, bound: int, so_far: Mapping[str, Known]) -> str:
    """Tell what is impossible about an answer given what is known; empty if nothing is."""
    old = so_far.get(name)
    if revenue > bound:
        return f"{name}: found {revenue}, which is more than its own bound {bound}"
    if old is not None and revenue > old.bound:
        return f"{name}: found {revenue}, but {old.bound} was shown to be the most there is"
    if old is not None and bound < old.revenue:
        return f"{name}: bound {bound}, but {old.revenue} was found before"
    return ""


def better(old: Known | None, solution: Solution) -> Known:
    """Return what is known after an answer."""
    seconds = round(solution.statistics.seconds, 3)
    new = Known(solution.revenue, solution.bound, seconds)
    if old is None:
        return new
    gains = new.bound < old.bound or (new.proven and seconds < old.seconds)
    return Known(max(old.revenue, new.revenue), min(old.bound, new.bound), seconds if gains else old.seconds)


def write(facts: Mapping[str, Known]) -> None:
    """Write what is known."""
    rows = {name: asdict(fact) for name, fact in sorted(facts.items())}
    KNOWN.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Grow the instances, or search them and note the results.")
    parser.add_argument("--grow", action="store_true", help="grow the positions again")
    parser.add_argument("--time", type=float, help="search each instance for so many seconds")
    given = parser.parse_args()
    if given.grow:
        lines = [json.dumps(write_position(grow(one)), separators=(",", ":")) for one in recipes()]
        GROWN.write_text("\n".join(lines) + "\n", encoding="utf-8")
    if given.time is not None:
        facts = known()
        for name, position in load().items():
            solution = optimize(position, Limits(time=given.time))
            wrong = fault(name, solution.revenue, solution.bound, facts)
            if wrong:
                raise AssertionError(wrong)
            facts[name] = fact = better(facts.get(name), solution)
            write(facts)
            print(
                f"{name}: {fact.revenue}" + ("" if fact.proven else f" to {fact.bound}"), f"{fact.seconds} s"
            )


if __name__ == "__main__":
    main()

"""Make a game and positions like those of this folder: `python -m examples.make FOLDER`.

The shipped ones were made so; later random players play other games.

The game is played by the engine's random player, whose companies sometimes run only their second or third
best routes, so that its audit has something to find.
"""

from __future__ import annotations

import dataclasses
import gzip
import json
import random
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.grow import Recipe, grow
from engine.operating import position_data
from engine.player import RandomPlayer, new_game
from engine.replay import executed, save_game, start_game
from optimizer.model.data import PositionData
from optimizer.model.json_io import write_position
from optimizer.model.position import Position, Route
from optimizer.solution import Limits, Solution
from optimizer.solve import optimize

CARELESS = 0.3
SETS = 3

SEEDS = (1, 2, 3)

# Positions by name: the run that earns most in the games of a title, in a phase or with a train if one is
# named.
RUNS: Mapping[str, tuple[str, str, str]] = {
    "demo-1861-early": ("1861", "4", ""),
    "demo-1861": ("1861", "", ""),
    "demo-1867": ("1867", "", ""),
    "demo-1856-cgr": ("1856", "", ""),
    "demo-18rhl-early": ("18Rhl", "4", ""),
    "demo-18rhl-late": ("18Rhl", "", "8"),
}
GROWN = {
    "demo-1856": Recipe("1856", 2, ("D", "6", "5"), company="GW", stations=4, crowd=0.5),
    "demo-18rhl": Recipe("18Rhl", 1, ("8", "6", "5"), company="RhE", stations=4, crowd=0.4),
}
ORDER = (*list(RUNS)[:4], "demo-1856", *list(RUNS)[4:], "demo-18rhl")


class CarelessPlanner:
    """Takes one of the best sets of routes, mostly the best."""

    def __init__(self, seed: int) -> None:
        self.source = random.Random(seed)

    def best_routes(
        self, position: Position, *, fixed: Sequence[Route] = (), limits: Limits | None = None
    ) -> Solution:
        """Return the best set, or with some chance another good one."""
        nodes = limits.nodes if limits is not None else None
        best = optimize(position, Limits(nodes=nodes, best=SETS), fixed=fixed)
        if self.source.random() >= CARELESS or len(best.alternatives) < 2:
            return best
        other = self.source.choice(best.alternatives[1:])
        return dataclasses.replace(best, routes=other.routes, revenue=other.revenue)


def play(title: str, seed: int, planner: CarelessPlanner | None = None) -> dict[str, Any]:
    """Return the file of a whole game."""
    game = new_game(title, 4, seed)
    RandomPlayer(seed, planner).play(game)
    return save_game(game)


def best_run(files: Iterable[Mapping[str, Any]], phase: str, train: str) -> dict[str, Any]:
    """Return the position of the run that earned most, in this phase and with this train if named."""
    best: tuple[int, PositionData] | None = None
    for file in files:
        game = start_game(file)
        for entry, execute in executed(game, file):
            if entry.get("type") == "run_routes":
                earned = sum(route["revenue"] for route in entry["routes"])
                data = position_data(game, game.corporation(str(entry["entity"])))
                wanted = phase in ("", data.phase) and (
                    not train or any(t.name == train for t in data.trains)
                )
                if wanted and (best is None or earned > best[0]):
                    best = earned, data
            execute()
    if best is None:
        raise ValueError(f"no run in phase {phase!r} with train {train!r}")
    return write_position(best[1])


def positions() -> Iterator[dict[str, Any]]:
    """Yield the positions of the demo in order."""
    games: dict[str, list[dict[str, Any]]] = {}
    for name in ORDER:
        if name in GROWN:
            yield write_position(grow(dataclasses.replace(GROWN[name], name=name)))
            continue
        title, phase, train = RUNS[name]
        if title not in games:
            games[title] = [play(title, seed) for seed in SEEDS]
        yield {"id": name, **best_run(games[title], phase, train)}


def main() -> None:
    """Write the files into the folder named on the command line."""
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_dir():
        sys.exit("usage: python -m examples.make FOLDER (one that exists)")
    folder = Path(sys.argv[1])
    lines = [json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in positions()]
    (folder / "positions.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    game = json.dumps(play("18Rhl", 3, CarelessPlanner(3)), separators=(",", ":"))
    (folder / "game-18rhl.json.gz").write_bytes(gzip.compress(game.encode(), mtime=0))


if __name__ == "__main__":
    main()

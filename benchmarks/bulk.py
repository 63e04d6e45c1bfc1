"""Scoring many routes: `evaluate_many` beside the plain evaluator, route by route the same answers.

python -m benchmarks.bulk        # the rows of the results table
"""

from __future__ import annotations

import time
from random import Random

from benchmarks.named import load
from optimizer.bulk import Scorer, evaluate_many
from optimizer.evaluate import evaluate
from optimizer.evaluation.track import JUNCTION, STOP, Map, Step
from optimizer.model.position import Position, Route

INSTANCES = (
    "1861-national-mixed-full-1",
    "1867-three-eights-full-1",
    "1856-four-trains-full-1",
    "18rhl-promoted-full-4",
)
ROUTES = 20_000
PLAIN = 400  # so many are scored one by one too


def candidates(position: Position, count: int, seed: int = 1) -> list[Route]:
    """Make routes by walking from stop to stop at random: most of them run a dozen paths, some are legal."""
    track = Map(position)
    random = Random(seed)
    hexes = sorted({*position.board.printed, *position.by_hex})
    starts = [
        Step(h, i, piece, end, piece.other(end))
        for h in hexes
        for i, piece in enumerate(track.pieces(h))
        for end in {piece.a, piece.b}
        if STOP <= end < JUNCTION
    ]
    found: list[Route] = []
    while len(found) < count:
        steps = [random.choice(starts)]
        wanted = random.randint(1, 30)
        while len(steps) < wanted:
            following = [step for step in after(track, steps[-1]) if step not in steps]
            if not following:
                break
            steps.append(random.choice(following))
        while steps and not STOP <= steps[-1].exit < JUNCTION:
            steps.pop()
        if steps:
            train = random.choice(position.trains).id
            found.append(Route(train, (), (), paths=tuple((step.hex, step.path) for step in steps)))
    return found


def after(track: Map, last: Step) -> list[Step]:
    """Return the steps that can follow one."""
    hex_id = last.hex if last.exit >= STOP else track.neighbors.get(last.hex, {}).get(last.exit, "")
    if not track.knows(hex_id):
        return []
    found = []
    for i, piece in enumerate(track.pieces(hex_id)):
        entry = track.entry(last, hex_id, piece)
        if entry is not None:
            found.append(Step(hex_id, i, piece, entry, piece.other(entry)))
    return found


def check(position: Position, routes: list[Route]) -> str:
    """Compare with the evaluator; return what differs, or nothing."""
    scores = evaluate_many(position, routes)
    for i, route in enumerate(routes):
        (one,) = evaluate(position, [route]).routes
        broken = sorted({fault.rule for fault in one.faults})
        if one.revenue != scores.revenue[i] or broken != sorted(scores.rules_broken(i)):
            return (
                f"route {i}: {scores.revenue[i]} {scores.rules_broken(i)}, evaluator {one.revenue} {broken}"
            )
    return ""


def rows() -> list[str]:
    """Measure and return the rows of the table."""
    found = [
        "| instance | routes | legal | evaluator, routes/s | `evaluate_many`, routes/s | of them encoding |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    positions = load()
    for name in INSTANCES:
        position = positions[name]
        routes = candidates(position, ROUTES)
        fault = check(position, routes[:PLAIN])
        if fault:
            raise AssertionError(f"{name}: {fault}")
        scorer = Scorer(position)
        started = time.perf_counter()
        for route in routes[:PLAIN]:
            evaluate(position, [route])
        plain = time.perf_counter() - started
        started = time.perf_counter()
        arrays = scorer.encode(routes)
        encoded = time.perf_counter() - started
        scores = scorer.score(arrays)
        whole = time.perf_counter() - started
        found.append(
            f"| {name} | {len(routes):,} | {int(scores.legal.sum()):,} | {PLAIN / plain:,.0f} "
            f"| {len(routes) / whole:,.0f} | {encoded / whole:.0%} |"
        )
    return found


if __name__ == "__main__":
    print("\n".join(rows()))

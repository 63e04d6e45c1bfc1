"""Bulk evaluation against the evaluator, route by route: revenue and every broken rule."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from optimizer.brute import legal_routes
from optimizer.bulk import Scorer, evaluate_many
from optimizer.evaluate import evaluate
from optimizer.model.cases_io import position_from_case, routes_from_case
from optimizer.model.position import Position, Route
from optimizer.model.route_io import routes_from_data
from optimizer.titles.resolve import resolve
from tests.conftest import read_lines
from tests.custom.test_search import OF_ROUTES, with_custom
from tests.small_maps import plain_train, routes, small
from tests.strategies import Sketch, sketches

EXAMPLES = int(os.environ.get("RHEINGOLD_EXAMPLES", "25"))
SOME = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def walks(position: Position, random: Random, count: int) -> list[Route]:
    """Make random walks over track that joins, and some lists of track that does not."""
    network = Scorer(position)
    paths = list(network.names.path)
    joins = network._network  # what joins what is all that is taken from there
    made: list[Route] = []
    for _ in range(count if paths else 0):
        end = 2 * random.randrange(len(paths)) + random.randrange(2)
        found = [paths[end >> 1]]
        for _ in range(random.randint(0, 9)):
            near = joins.join_to[joins.join_first[end] : joins.join_first[end + 1]]
            if random.random() < 0.05 or len(near) == 0:
                near = np.array([random.randrange(2 * len(paths))])
            end = int(random.choice(list(near))) ^ 1
            found.append(paths[end >> 1])
        train = random.choice(position.trains).id
        made.append(Route(train, (), (), paths=tuple(found)))
    return made


def check(position: Position, candidates: Sequence[Route]) -> None:
    """Compare every route."""
    scores = evaluate_many(position, candidates)
    for i, route in enumerate(candidates):
        (expected,) = evaluate(position, [route]).routes
        broken = sorted({fault.rule for fault in expected.faults})
        assert sorted(scores.rules_broken(i)) == broken, route
        assert scores.revenue[i] == expected.revenue, route


@given(sketches(max_hexes=7), st.integers(0, 2**32 - 1))
@SOME
def test_equals_the_evaluator_on_random_walks(sketch: Sketch, seed: int) -> None:
    position = sketch.make()
    check(position, walks(position, Random(seed), 60))


@given(sketches(max_hexes=5), st.sampled_from(OF_ROUTES), st.integers(0, 2**32 - 1))
@SOME
def test_equals_the_evaluator_with_python_rules(sketch: Sketch, custom: tuple, seed: int) -> None:  # type: ignore[type-arg]
    position = with_custom(sketch.make(), custom)
    check(position, walks(position, Random(seed), 25))


@given(sketches(max_hexes=6, max_trains=1))
@SOME
def test_all_legal_routes_are_legal(sketch: Sketch) -> None:
    position = sketch.make()
    found = legal_routes(position, position.trains[0], 20_000)
    scores = evaluate_many(position, found)
    assert scores.legal.all()
    assert scores.revenue.tolist() == [route.revenue for route in found]


# F2 - F4 - F6 in a column: cities worth 20, 30 and 40.
LINE = {"F2": "c20 0A", "F4": "c30 3A 0A", "F6": "c40 3A"}


def test_gives_revenue_and_names_what_is_broken() -> None:
    position = small(LINE, plain_train(2, "2"), tokens="F2:A")
    given_routes = routes("2-0: F2-F4", "2-0: F4-F6", "2-0: F2-F4 F4-F6", "9-9: F2-F4", "2-0: F2-F6")
    scores = evaluate_many(position, given_routes)
    # 20 + 30; without the token's city nothing is paid; of three stops the token's and the best: 20 + 40
    assert scores.revenue.tolist() == [50, 0, 60, 0, 0]
    assert scores.legal.tolist() == [True, False, False, False, False]
    assert scores.rules_broken(1) == ("no_token",)
    assert scores.rules_broken(2) == ("too_long",)
    assert scores.rules_broken(3) == ("unknown_train",)
    assert scores.rules_broken(4) == ("no_such_track",)


def test_a_scorer_takes_arrays_again_and_again() -> None:
    position = small(LINE, plain_train(3, "3"), tokens="F2:A")
    scorer = Scorer(position)
    arrays = scorer.encode(routes("3-0: F2-F4 F4-F6") * 1000)
    assert len(arrays) == 1000
    assert (scorer.score(arrays).revenue == 90).all()
    assert (evaluate_many(position, arrays).revenue == 90).all()


def test_nothing_to_score() -> None:
    scores = evaluate_many(small(LINE, tokens="F2:A"), [])
    assert len(scores.revenue) == len(scores.faults) == 0


@pytest.mark.cases
@pytest.mark.parametrize("title", ["1861", "1867", "1856", "18rhl"])
def test_equals_the_evaluator_on_shared_routes(cases: Path, title: str) -> None:
    for file in sorted((cases / "positions").glob(f"{title}-*.jsonl.gz"))[:6]:
        for row in islice(read_lines(file), 0, None, 9):
            position = resolve(position_from_case(row))
            found = [
                route
                for name in ("recorded", "best")
                if row.get(name)
                for route in routes_from_data(routes_from_case(row, name), name)
            ]
            random = Random(len(found))
            check(position, [*found, *(walks(position, random, 20) if position.trains else [])])

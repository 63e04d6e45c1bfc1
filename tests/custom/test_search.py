"""The search with rules in Python against brute force, which runs the same rules as plain Python."""

from __future__ import annotations

import dataclasses
import os

import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from optimizer.brute import TooManyRoutes, brute_force
from optimizer.model.position import Position
from optimizer.model.rules import Counter, CustomRule
from optimizer.solution import Limits
from tests.custom import rules as _rules  # noqa: F401 (declares the rules)
from tests.strategies import Sketch, sketches

pytest.importorskip("optimizer.native.fleet")

from optimizer.graph.trains import UnsupportedRules
from optimizer.solve import optimize

EXAMPLES = int(os.environ.get("RHEINGOLD_EXAMPLES", "60"))
SOME = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)

OF_ROUTES = (
    (CustomRule("test mixed"),),
    (CustomRule("test mixed", (("forbid", 3),)),),
    (CustomRule("test mixed once"),),
    (CustomRule("test pairs"),),
    (CustomRule("test pairs once"),),
    (CustomRule("test bounded"),),
    (CustomRule("test pairs", (("amount", 30),)), CustomRule("test mixed once"), CustomRule("test mixed")),
    (CustomRule("test bounded"), CustomRule("test pairs once"), CustomRule("test mixed", (("forbid", 5),))),
)
OF_RUNS = ((CustomRule("test run"),), (CustomRule("test run", (("forbid", 3),)),))


def with_custom(position: Position, custom: tuple[CustomRule, ...]) -> Position:
    """Return the position with Python rules, and counters of two hexes each where it has none."""
    hexes = sorted({*position.board.printed, *position.by_hex})
    plain = (Counter("x", frozenset(hexes[::2])), Counter("y", frozenset(hexes[1::3])))
    counters = position.rules.counters or plain
    return position.replace(rules=dataclasses.replace(position.rules, custom=custom, counters=counters))


def check(position: Position) -> None:
    """Solve by search and by brute force."""
    try:
        expected = brute_force(position, limit=2500)
    except TooManyRoutes:
        assume(False)
        raise
    solution = optimize(position)
    event(f"{len(expected.routes)} trains run")
    assert solution.revenue == expected.revenue
    assert solution.proven
    for nodes in (1, 20, 100):
        partial = optimize(position, Limits(nodes=nodes))
        assert partial.revenue <= expected.revenue <= partial.bound
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "optimizer.graph.compile.FEW_CHAINS", -1
        )  # compiling ends early unless only a bound is declared
        early = optimize(position, Limits(time=0))
    assert early.revenue <= expected.revenue <= early.bound


@given(sketches(max_hexes=7, max_trains=2), st.sampled_from(OF_ROUTES))
@SOME
def test_rules_of_routes_agree_with_brute_force(sketch: Sketch, custom: tuple[CustomRule, ...]) -> None:
    check(with_custom(sketch.make(), custom))


@given(sketches(max_hexes=6, max_trains=3), st.sampled_from(OF_RUNS))
@SOME
def test_rules_of_runs_agree_with_brute_force(sketch: Sketch, custom: tuple[CustomRule, ...]) -> None:
    position = with_custom(sketch.make(), custom)
    # Brute force keeps one direction of each route, and joined stops look different from either side.
    assume(position.rules.ferry is None)
    try:
        check(position)
    except UnsupportedRules as error:
        event("refused")
        assert "which the search cannot do for" in str(error)  # noqa: PT017

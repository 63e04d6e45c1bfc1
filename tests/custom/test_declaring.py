"""Declaring, finding and loading rules, and what happens where a declaration is wrong."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from optimizer import custom_registry
from optimizer.custom import FORBIDDEN, Counted, Route, Rule, RuleError, Run, loading, number, rule, text
from optimizer.custom.compiled import cache_folder
from optimizer.custom_registry import find_rule, register_evaluation, registered_rules
from optimizer.model.data import PositionError
from optimizer.model.position import Position
from optimizer.model.rules import Counter, CustomRule, DistanceRow, RouteRules, TrainType
from optimizer.model.tile import STOP_KINDS
from optimizer.titles import load_position
from tests.conftest import ROOT
from tests.small_maps import plain_train, routes, small

pytest.importorskip("optimizer.native.fleet")

from optimizer.graph.trains import UnsupportedRules
from optimizer.solve import optimize

LINE = {"F2": "c20 0A", "F4": "c30x2 3A 0A", "F6": "c40 3A"}


@pytest.fixture(autouse=True)
def own_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let rules that are declared in a test be gone after it."""
    monkeypatch.setattr(custom_registry, "_rules", dict(custom_registry._rules))


def line(*names: str, trains: tuple[TrainType, ...] = (), counters: tuple[Counter, ...] = ()) -> Position:
    custom = tuple(CustomRule(name) for name in names)
    rules = RouteRules(custom=custom, counters=counters)
    return small(LINE, *(trains or (plain_train(3, "3"),)), tokens="F2:A F4:A", rules=rules)


@pytest.mark.parametrize(
    ("custom", "hex_id", "fault"),
    [
        ({"name": "test nobody"}, "F2", "custom[0].name: no custom rule is named 'test nobody'"),
        ({"name": "test data"}, "F2", "custom[0].parameters: rule test data needs the parameter each"),
        ({"name": "test data", "parameters": {"each": 1, "x": 2}}, "F2", "has no parameter x"),
        ({"name": "test data", "parameters": {"each": 1}}, "F2", "needs a counter named 'coal'"),
    ],
)
def test_positions_with_faulty_rules_are_refused(custom: dict[str, Any], hex_id: str, fault: str) -> None:
    rule("test data", most=1, counters=("coal",), parameters=("each",))(lambda _route, _parameters: 0)
    hexes = {hex_id: {"definition": {"color": "white", "stops": [], "paths": []}}}
    inline = {"layout": "flat", "hexes": hexes, "rules": {"custom": [custom]}}
    with pytest.raises(PositionError) as caught:
        load_position({"company": "A", "trains": [], "inline": inline})
    assert fault in str(caught.value)


def test_names_are_numbers() -> None:
    assert number("A1") == 65 * 256 + 49
    assert text(number("5+5E")) == "5+5E"
    with pytest.raises(ValueError, match="longer than 7"):
        number("ABCDEFGH")


@pytest.mark.parametrize(
    ("declaration", "message"),
    [
        ({}, "says neither `most` nor `bound`"),
        ({"most": 1, "scope": "company"}, "none of route, once, run"),
        ({"most": 1, "reads": "hexes"}, "neither route nor counters"),
        ({"most": 1, "reads": "counters"}, "it needs some"),
        ({"most": 1, "per": "coal"}, "none of its counters"),
        ({"most": 1, "parameters": ("not a name",)}, "no Python name"),
        ({"most": 1, "counters": tuple(f"c{i}" for i in range(9))}, "more than 8 counters"),
        ({"bound": lambda _r, _p: 0, "scope": "run"}, "needs reads route"),
    ],
)
def test_wrong_declarations_are_refused(declaration: dict[str, Any], message: str) -> None:
    with pytest.raises(RuleError, match=message):
        rule("test wrong", **declaration)(lambda _route, _parameters: 0)


def test_a_name_is_taken_once() -> None:
    declare = rule("test taken", most=1)
    declare(lambda _route, _parameters: 0)
    with pytest.raises(ValueError, match="registered already"):
        declare(lambda _route, _parameters: 1)


def test_parameters_have_names_and_defaults() -> None:
    made = rule("test parameters", most=lambda p: p.a * p.b, parameters={"a": None, "b": 3})(lambda _r, _p: 0)
    assert made.values({"a": 5}) == (5, 3)
    assert made.most_of({"a": 5}) == 15
    with pytest.raises(RuleError, match="needs the parameter a"):
        made.values({})
    with pytest.raises(RuleError, match="has no parameter c; its parameters are: a, b"):
        made.values({"a": 1, "c": 2})


def test_unknown_rules_are_named() -> None:
    with pytest.raises(KeyError, match="no custom rule is named 'test nobody'"):
        optimize(line("test nobody"))


def test_missing_counters_are_named() -> None:
    rule("test counters", most=1, counters=("coal",))(lambda _route, _parameters: 0)
    with pytest.raises(UnsupportedRules, match="needs the counter 'coal'"):
        optimize(line("test counters"))


def test_rules_for_the_evaluator_alone_are_refused_by_the_search() -> None:
    register_evaluation("test plain", lambda _route, _given: 5)
    with pytest.raises(UnsupportedRules, match="for the evaluator only"):
        optimize(line("test plain"))


def test_rules_about_runs_are_refused_for_trains_that_choose() -> None:
    rule("test choosing", scope="run", most=10)(lambda _run, _parameters: 10)
    two_of_three = TrainType("3", (DistanceRow(STOP_KINDS, 3, 2),))
    with pytest.raises(UnsupportedRules, match="test choosing looks at whole runs"):
        optimize(line("test choosing", trains=(two_of_three,)))
    assert optimize(line("test choosing")).revenue == 90 + 10


def test_rules_beyond_a_route_are_refused_with_fixed_routes() -> None:
    rule("test fixed", scope="once", most=10)(lambda _route, _parameters: 10)
    position = line("test fixed", trains=(plain_train(2, "2"), plain_train(3, "3")))
    with pytest.raises(UnsupportedRules, match="no routes can be fixed"):
        optimize(position, fixed=routes("2-0: F2-F4"))


def more_than_declared(_route: Route, _: Any) -> int:
    return 50


def uneven(_route: Route, _: Any) -> int:
    return 15


@pytest.mark.parametrize(
    ("function", "declaration", "message"),
    [
        (more_than_declared, {"most": 40}, "returned 50, but declares 40 as the most"),
        (uneven, {"most": 40, "unit": 10}, "returned 15, but declares multiples of 10"),
    ],
)
def test_broken_promises_are_never_answers(function: Any, declaration: dict[str, Any], message: str) -> None:
    rule("test promise", **declaration)(function)
    with pytest.raises(RuleError, match=message):
        optimize(line("test promise"))


def directed(route: Route, _: Any) -> int:
    return 10 if route.stops[0].amount < route.stops[-1].amount else 0


def falling(seen: Counted, _: Any) -> int:
    return int(20 - 10 * min(2, seen.counts.x))


def growing(route: Route, _: Any) -> int:
    return 10 * len(route.stops)


def too_low(route: Route, _: Any) -> int:
    return 10 * len(route.stops)


@pytest.mark.parametrize(
    ("function", "declaration", "message"),
    [
        (directed, {"most": 10}, "for the same run backwards"),
        (falling, {"most": 20, "reads": "counters", "counters": ("x",)}, "falls when x grows"),
        (growing, {"bound": too_low}, "its bound for a part is 10"),
    ],
)
def test_debug_mode_finds_broken_promises(
    function: Any, declaration: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RHEINGOLD_CHECK_RULES", "1")
    rule("test debug", **declaration)(function)
    with pytest.raises(RuleError, match=message):
        optimize(line("test debug", counters=(Counter("x", frozenset(("F2",))),)))


def count_routes(run: Run, _: Any) -> int:
    return 7 * len(run.routes)


def test_debug_mode_agrees_with_a_good_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RHEINGOLD_CHECK_RULES", "1")
    rule("test good", scope="run", most=14)(count_routes)
    position = line("test good", trains=(plain_train(2, "2"), plain_train(2, "2")))
    # F2-F4 50 and F4-F6 70, and seven for each
    assert optimize(position).revenue == 50 + 70 + 14


EXPRESS = number("x3")


def for_the_express(route: Route, _: Any) -> int:
    return 30 if route.train == EXPRESS else 0


def test_trains_that_are_alike_but_for_their_names() -> None:
    rule("test express", most=30)(for_the_express)
    position = line("test express", trains=(plain_train(3, "3"), plain_train(3, "x3")))
    # F4-F6 70 and F2-F4 50, and 30 for the express alone
    solution = optimize(position)
    assert solution.revenue == 70 + 50 + 30
    assert {route.train for route in solution.routes if route.revenue in (100, 80)} == {"x3-1"}


def at_most_one_in_the_west(run: Run, _: Any) -> int:
    west = 0
    for route in run.routes:
        for i in range(route.first, route.first + route.size):
            if run.stops[i].marks:
                west += 1
                break
    return FORBIDDEN if west > 1 else 0


def test_a_rule_may_forbid_a_run() -> None:
    # As 18USA: so many trains of a company may run to certain places.
    rule("test forbid", scope="run", most=0, counters=("west",))(at_most_one_in_the_west)
    counters = (Counter("west", frozenset(("F4",))),)
    position = line("test forbid", trains=(plain_train(2, "2"), plain_train(2, "2")), counters=counters)
    # Both routes would visit F4, so the better one runs alone.
    assert optimize(position).revenue == 70


def not_compilable(route: Route, _: Any) -> int:
    return len(dict.fromkeys(route.stops, "name")) + open("nothing").fileno()


def test_what_cannot_be_compiled_is_said() -> None:
    rule("test impossible", most=1)(not_compilable)
    with pytest.raises(RuleError, match="rule test impossible cannot be compiled"):
        optimize(line("test impossible"))


def test_rules_are_loaded_by_name() -> None:
    loading.load_rules(["tests.custom.montan:montan"])
    assert find_rule("test montan").parameters == {"amount": None}
    with pytest.raises(RuleError, match="cannot be imported"):
        loading.load_rules(["tests.custom.nowhere:rule"])
    with pytest.raises(RuleError, match="has nothing named 'nobody'"):
        loading.load_rules(["tests.custom.montan:nobody"])
    with pytest.raises(RuleError, match="is no rule"):
        loading.load_rules(["tests.custom.montan:COUNTERS"])


class Point:
    """An entry point as packages declare them."""

    name, value = "examples", "optimizer.custom.examples.east_west"

    def __init__(self, found: Any) -> None:
        self.found = found

    def load(self) -> Any:
        if isinstance(self.found, Exception):
            raise self.found
        return self.found


def test_rules_of_installed_packages_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def installed(_route: Route, _parameters: Any) -> int:
        return 0

    made = Rule("test installed", installed, most=0)
    monkeypatch.setattr(
        loading, "entry_points", lambda group: [Point(made)] if group == loading.GROUP else []
    )
    loading.load_installed.cache_clear()
    assert find_rule("test installed") is made
    assert made in registered_rules()
    loading.load_installed.cache_clear()
    monkeypatch.setattr(loading, "entry_points", lambda group: [Point(ImportError("gone"))])
    with pytest.raises(RuleError, match=r"entry point examples .* cannot be loaded: gone"):
        loading.load_installed()
    loading.load_installed.cache_clear()


COLD = """
import sys
import optimizer.solve, optimizer.custom.loading, optimizer.cli
from optimizer.custom.examples import east_west
from tests.small_maps import titled
from optimizer.solve import optimize
solution = optimize(titled("1861", "2", "NW", "2", tokens="B4:NW"))
assert solution.proven
assert "numba" not in sys.modules, "Numba was loaded"
"""


def test_cold_start_loads_no_numba() -> None:
    subprocess.run([sys.executable, "-c", COLD], check=True, cwd=ROOT, timeout=60)


FIRST = """
from tests.custom.test_examples import column, east_west
from tests.small_maps import plain_train
from optimizer.solve import optimize
print(optimize(column(plain_train(7, "7"), custom={east_west.east_west.name: {}})).revenue)
"""


def test_first_use_says_what_it_waits_for_and_is_kept(tmp_path: Path) -> None:
    environment = {**os.environ, "RHEINGOLD_CACHE": str(tmp_path / "rules")}
    environment.pop("RHEINGOLD_QUIET", None)
    said = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", FIRST], check=True, cwd=ROOT, env=environment, capture_output=True,
            text=True, timeout=120,
        )  # fmt: skip
        assert done.stdout.strip() == "290"
        said.append(done.stderr)
    assert "rule 1846 east-west: loading Numba" in said[0]
    assert "compiling (once; kept in" in said[0]
    assert "compiling" not in said[1]
    assert any((tmp_path / "rules" / "__pycache__").iterdir())


def test_the_cache_has_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RHEINGOLD_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert cache_folder() == Path("/somewhere/rheingold")


def test_a_changed_rule_is_another_rule() -> None:
    made = Rule("test same", growing, most=1)
    assert made == dataclasses.replace(made)
    assert made != dataclasses.replace(made, function=too_low)

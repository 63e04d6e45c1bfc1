"""Operating rounds on the optimizer: best routes, fixed routes, and the evaluator as judge."""

from __future__ import annotations

from typing import Any

import pytest

from engine import IllegalActionError, replay_actions, start_game
from engine.core.corporation import Corporation
from engine.game import Game
from engine.operating import run_action
from engine.planner import RemotePlanner
from engine.player import new_game
from engine.replay import executed
from optimizer.model.position import Position
from optimizer.service.config import ServiceConfig
from optimizer.service.server import Service
from optimizer.solution import Solution, route_to_json
from tests.engine.conftest import recorded

pytestmark = pytest.mark.cases


def before(name: str, number: int) -> Game:
    """The recorded game before this action."""
    file = recorded(name)
    game = start_game(file)
    for entry, execute in executed(game, file):
        if entry["id"] == number:
            return game
        execute()
    raise AssertionError(number)


@pytest.fixture
def moscow() -> Game:
    """1861/29683 before #86: phase 2, one 2-train, H8-G5-E1 is worth 80 (common 8.11)."""
    return before("1861-29683", 86)


def test_best_routes_of_the_company_on_turn(moscow: Game) -> None:
    solution = moscow.best_routes()
    assert (solution.revenue, solution.proven) == (80, True)
    assert [route.hexes for route in solution.routes] in ([("H8", "G5", "E1")], [("E1", "G5", "H8")])


def test_routes_that_are_fixed_stay(moscow: Game) -> None:
    short = {"train": "2-0", "connections": [["H8", "G7", "G5"]], "nodes": ["H8-1", "G5-0"]}
    solution = moscow.best_routes(fixed=[short])
    # the only train is fixed on Moscow 40 and the town 10
    assert solution.revenue == 50
    with pytest.raises(ValueError, match="fixed routes"):
        moscow.best_routes(fixed=[{**short, "connections": [["G5", "F4", "F2", "E1"]], "nodes": []}])


def test_the_evaluator_prices_routes_in_play(moscow: Game) -> None:
    company = moscow.active_entity
    assert company is not None
    routes = [route_to_json(route) for route in moscow.best_routes().routes]
    routes[0]["revenue"] = 1000  # what a client claims does not matter
    run = {"type": "run_routes", "entity": company.id, "entity_type": "corporation", "routes": routes}
    honest = moscow.clone()
    honest.apply(run)
    action = moscow.apply({**run, "extra_revenue": 1000})
    assert action.routes[0]["revenue"] == 80  # type: ignore[attr-defined]
    assert action.extra_revenue == 0  # type: ignore[attr-defined]
    assert moscow.bank.cash == honest.bank.cash


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"connections": [["G5", "F4", "F2", "E1"]], "nodes": ["G5-0", "E1-0"]}, "token"),
        ({"train": "2-1"}, "does not belong"),
        ({"connections": "H8"}, "routes\\[0\\]"),
        ({"connections": [["H8", "Z99"]], "nodes": []}, "Z99"),
    ],
)
def test_illegal_routes_are_refused(moscow: Game, change: dict[str, Any], message: str) -> None:
    company = moscow.active_entity
    assert company is not None
    good = route_to_json(moscow.best_routes().routes[0])
    with pytest.raises(IllegalActionError, match=message) as caught:
        moscow.apply(
            {
                "type": "run_routes",
                "entity": company.id,
                "entity_type": "corporation",
                "routes": [{**good, **change}],
            }
        )
    assert caught.value.step == "route"
    assert moscow.offered_actions() == {"run_routes"}


def test_a_recorded_revenue_is_believed_and_a_missing_one_computed() -> None:
    """An old file whose routes have no revenue; its trace fixes what they earned."""
    file = recorded("1867-hs-ahjzadkh-19792")
    game = start_game(file)
    runs = [entry for entry in replay_actions(game, file) if entry["type"] == "run_routes"]
    assert runs
    assert not any("revenue" in entry["routes"][0] for entry in runs)


def test_nobody_runs_in_an_auction() -> None:
    with pytest.raises(Exception, match="nobody is to run"):
        new_game("1861", 3, 1).best_routes()


def test_a_service_at_an_address_answers_too(moscow: Game) -> None:
    service = Service(ServiceConfig(port=0, grace_seconds=1.0))
    service.start()
    try:
        with RemotePlanner(f"127.0.0.1:{service.port}", timeout=30) as planner:
            solution = moscow.best_routes(planner)
            assert (solution.revenue, solution.proven) == (80, True)
            company = moscow.active_entity
            assert isinstance(company, Corporation)
            moscow.apply(run_action(company, solution))
    finally:
        service.stop()
    assert company.operated
    assert company.cash >= 40  # half of the run


def test_any_planner_will_do(moscow: Game) -> None:
    asked: list[Position] = []

    class Planner:
        def best_routes(self, position: Position, **options: Any) -> Solution:
            asked.append(position)
            return Solution(routes=(), revenue=0, bound=80, proven=False)

    assert moscow.best_routes(Planner()).bound == 80
    assert asked[0].company == getattr(moscow.active_entity, "id", None)


def test_the_nationals_trains_run_by_proven_optimum() -> None:
    """The first run of the state railway in a recorded game: the optimum is not below what was run."""
    file = recorded("1861-29683")
    game = start_game(file)
    for entry, execute in executed(game, file):
        if entry["type"] == "run_routes" and entry["entity"] == "RSR":
            solution = game.best_routes()
            assert solution.proven
            assert solution.revenue >= sum(route["revenue"] for route in entry["routes"]) > 0
            return
        execute()
    raise AssertionError("the state railway never ran")

"""Mutated actions: each is applied or refused with a clear status, and a refused one changes nothing."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from rheingold.v1 import game_service_pb2 as pb

from engine.service import GameEngine
from optimizer.service.config import ServiceConfig
from optimizer.service.handlers import Runtime
from optimizer.service.metrics import NoMetrics
from optimizer.service.solver import Solver
from tests.service.direct import Aborted, Context

CLEAR = {grpc.StatusCode.OK, grpc.StatusCode.FAILED_PRECONDITION, grpc.StatusCode.INVALID_ARGUMENT}

VALUES: tuple[Any, ...] = (
    *(None, True, 0, -1, 1, 5, 40, 100, 10**9, 2.5, "", "1", "N", "KK", "H8", "57", "57-0", "2-0", "x" * 500),
    *(
        [],
        [1],
        ["N_1"],
        {},
        {"a": 1},
        "corporation",
        "player",
        "company",
        "minor",
        "pass",
        "lay_tile",
        "undo",
        "redo",
    ),
)


class DirectGames:
    """The game engine's methods, called directly."""

    def __init__(self) -> None:
        config = ServiceConfig(max_seconds=1.0)
        metrics = NoMetrics()
        runtime = Runtime(config, "", metrics, Solver(config, metrics))
        self._methods = GameEngine(runtime).registration().methods

    def call(self, name: str, request: Any) -> tuple[grpc.StatusCode, bytes]:
        context: Any = Context()
        handler = self._methods[name].unary_unary
        assert handler is not None
        try:
            return grpc.StatusCode.OK, handler(request.SerializeToString(), context)
        except Aborted:
            return context.status.code, b""


def mutate(rng: random.Random, action: dict[str, Any]) -> dict[str, Any]:
    """Change, take away or add a field or two."""
    changed = dict(action)
    for _ in range(rng.choice((1, 1, 2, 3))):
        name = rng.choice(
            [*changed, "price", "hex", "tile", "rotation", "city", "slot", "shares", "percent", "train"]
        )
        if rng.random() < 0.2:
            changed.pop(name, None)
        else:
            changed[name] = rng.choice(VALUES)
    return changed


def play(title: str, steps: int, seed: int) -> Iterator[grpc.StatusCode]:
    """Play at random, a mutated action before each good one; yields what became of the mutated ones."""
    rng = random.Random(seed)
    games = DirectGames()
    seats = [pb.Player(id=str(number)) for number in (1, 2, 3)]
    code, answer = games.call("CreateGame", pb.CreateGameRequest(title=title, players=seats, seed=seed))
    assert code is grpc.StatusCode.OK
    game_id = pb.CreateGameResponse.FromString(answer).status.game_id

    def state() -> bytes:
        return games.call("GetState", pb.GetStateRequest(game_id=game_id))[1]

    for _ in range(steps):
        _, answer = games.call("ListLegalActions", pb.ListLegalActionsRequest(game_id=game_id))
        choices = pb.ListLegalActionsResponse.FromString(answer).choices
        if not choices:
            return
        good = rng.choice(choices).action_json
        bad = json.dumps(mutate(rng, json.loads(good)))
        before = state()
        code, _ = games.call("ApplyActions", pb.ApplyActionsRequest(game_id=game_id, actions_json=[bad]))
        assert code in CLEAR, bad
        yield code
        if code is grpc.StatusCode.OK:
            continue
        assert state() == before, bad
        code, _ = games.call("ApplyActions", pb.ApplyActionsRequest(game_id=game_id, actions_json=[good]))
        assert code is grpc.StatusCode.OK, good


@pytest.mark.parametrize("title", ["1861", "1867"])
def test_mutated_actions(title: str) -> None:
    codes = Counter(play(title, 80, 4))
    assert codes[grpc.StatusCode.INVALID_ARGUMENT] > 10
    assert codes[grpc.StatusCode.FAILED_PRECONDITION] > 0


@pytest.mark.full
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("title", ["1861", "1867"])
@pytest.mark.parametrize("seed", range(4))
def test_many_mutated_actions(title: str, seed: int) -> None:
    assert set(Counter(play(title, 2000, seed))) <= CLEAR

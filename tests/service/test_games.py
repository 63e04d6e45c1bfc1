"""The GameEngine service: games over the wire are the engine's games."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from rheingold.v1 import game_service_pb2 as pb
from rheingold.v1 import game_service_pb2_grpc as pb_grpc

from engine.game_store import GameStore, UnknownHandleError
from engine.legal import census
from engine.replay import load_game, save_game, start_game
from engine.service import plugin
from engine.trace import snapshot
from optimizer.service.client.messages import CallError, call_error
from optimizer.service.config import ServiceConfig
from optimizer.service.server import Service

Stub = pb_grpc.GameEngineStub


class Games:
    """A server with the game engine."""

    def __init__(self, **settings: Any) -> None:
        self.service = Service(ServiceConfig(**{"port": 0, "grace_seconds": 1.0, **settings}), [plugin])
        self.service.start()
        self.channel = grpc.insecure_channel(f"127.0.0.1:{self.service.port}")
        self.stub = Stub(self.channel)

    def create(self, title: str = "1861", players: int = 3, seed: int = 5) -> pb.GameStatus:
        seats = [pb.Player(id=str(number + 1), name=f"P{number + 1}") for number in range(players)]
        return self.stub.CreateGame(pb.CreateGameRequest(title=title, players=seats, seed=seed)).status

    def legal(self, game_id: str) -> pb.ListLegalActionsResponse:
        return self.stub.ListLegalActions(pb.ListLegalActionsRequest(game_id=game_id))

    def apply(self, game_id: str, *actions: str, expected: int | None = None) -> pb.GameStatus:
        request = pb.ApplyActionsRequest(game_id=game_id, actions_json=actions, expected_actions=expected)
        return self.stub.ApplyActions(request).status

    def state(self, game_id: str) -> Any:
        return json.loads(self.stub.GetState(pb.GetStateRequest(game_id=game_id)).state_json)

    def export(self, game_id: str) -> Any:
        return json.loads(self.stub.ExportGame(pb.ExportGameRequest(game_id=game_id)).game_json)

    def play(self, game_id: str, count: int, seed: int = 1) -> None:
        rng = random.Random(seed)
        for _ in range(count):
            choices = self.legal(game_id).choices
            if not choices:
                return
            self.apply(game_id, rng.choice(choices).action_json)

    def close(self) -> None:
        self.channel.close()
        self.service.stop()


@pytest.fixture
def games() -> Iterator[Games]:
    """A server with the game engine, games in memory."""
    running = Games()
    yield running
    running.close()


def refused(call: Callable[[], object]) -> CallError:
    """Return the error of a call that must fail."""
    with pytest.raises(grpc.RpcError) as caught:
        call()
    error: Any = caught.value
    return call_error(error.code(), error.details(), error.trailing_metadata())


def test_new_game_is_the_engines(games: Games) -> None:
    status = games.create()
    assert (status.title, status.actions, status.finished) == ("1861", 0, False)
    here = start_game({**games.export(status.game_id), "actions": []})
    assert games.state(status.game_id) == json.loads(json.dumps(snapshot(here)))
    legal = games.legal(status.game_id)
    assert json.loads(legal.legal_json) == json.loads(json.dumps(census(here.legal_actions())))
    assert len(legal.choices) == len(here.legal_actions())


@pytest.mark.parametrize("title", ["1861", "1867"])
def test_played_game_is_the_engines(games: Games, title: str) -> None:
    game_id = games.create(title).game_id
    games.play(game_id, 60)
    here = load_game(games.export(game_id))
    assert games.state(game_id) == json.loads(json.dumps(snapshot(here)))
    loaded = games.stub.LoadGame(pb.LoadGameRequest(game_json=json.dumps(save_game(here)))).status
    assert loaded.game_id != game_id
    assert games.state(loaded.game_id) == games.state(game_id)


def test_undo_takes_back_exactly(games: Games) -> None:
    game_id = games.create().game_id
    games.play(game_id, 10)
    before, actions = games.state(game_id), games.export(game_id)["actions"]
    count = len(actions)
    games.play(game_id, 3, seed=9)
    status = games.stub.UndoActions(pb.UndoActionsRequest(game_id=game_id, count=3)).status
    assert games.state(game_id) == before
    assert status.actions == count
    error = refused(lambda: games.stub.UndoActions(pb.UndoActionsRequest(game_id=game_id, count=1000)))
    assert error.code is grpc.StatusCode.INVALID_ARGUMENT
    assert games.state(game_id) == before


def test_illegal_action_says_why_and_changes_nothing(games: Games) -> None:
    game_id = games.create().game_id
    good = games.legal(game_id).choices[0].action_json
    bad = json.dumps({"type": "run_routes", "entity": "KK", "entity_type": "corporation", "routes": []})
    before = games.state(game_id)
    error = refused(lambda: games.apply(game_id, bad))
    assert error.code is grpc.StatusCode.FAILED_PRECONDITION
    assert "run_routes" in error.message
    assert games.state(game_id) == before
    # Of several actions none count if one is refused.
    assert refused(lambda: games.apply(game_id, good, bad)).code is grpc.StatusCode.FAILED_PRECONDITION
    assert games.state(game_id) == before
    assert games.apply(game_id, good).actions == 1


@pytest.mark.parametrize("text", ["", "[]", "{", "null", '{"type": "nonsense"}', '{"type": 5}', "[" * 10_000])
def test_what_is_no_action_is_an_invalid_argument(games: Games, text: str) -> None:
    game_id = games.create().game_id
    error = refused(lambda: games.apply(game_id, text))
    assert (error.code, error.faults[0].path) == (grpc.StatusCode.INVALID_ARGUMENT, "actions_json[0]")


def test_expected_actions_guard_against_races(games: Games) -> None:
    game_id = games.create().game_id
    action = games.legal(game_id).choices[0].action_json
    assert games.apply(game_id, action, expected=0).actions == 1
    again = games.legal(game_id).choices[0].action_json
    error = refused(lambda: games.apply(game_id, again, expected=0))
    assert error.code is grpc.StatusCode.ABORTED
    assert "1 actions" in error.message


def test_faulty_games_are_refused(games: Games) -> None:
    error = refused(lambda: games.create(title="1830"))
    assert error.code is grpc.StatusCode.INVALID_ARGUMENT
    assert "1861" in error.message
    assert refused(lambda: games.create(players=0)).faults[0].path == "players"
    for text in (
        "",
        "[]",
        '{"title": "1861"}',
        '{"title": "1861", "players": [{"name": "A"}], "actions": 5}',
    ):
        error = refused(lambda text=text: games.stub.LoadGame(pb.LoadGameRequest(game_json=text)))
        assert error.code is grpc.StatusCode.INVALID_ARGUMENT


def test_unknown_and_closed_games_are_not_found(games: Games) -> None:
    game_id = games.create().game_id
    games.stub.CloseGame(pb.CloseGameRequest(game_id=game_id))
    for handle in (game_id, "", "../../etc/passwd", "0" * 16):
        assert refused(lambda handle=handle: games.state(handle)).code is grpc.StatusCode.NOT_FOUND


def test_best_routes_for_the_company_on_turn(games: Games) -> None:
    game_id = games.create().game_id
    error = refused(lambda: games.stub.BestRoutes(pb.BestRoutesRequest(game_id=game_id)))
    assert (error.code, "nobody is to run" in error.message) == (grpc.StatusCode.FAILED_PRECONDITION, True)
    rng = random.Random(3)
    for _ in range(400):
        choices = games.legal(game_id).choices
        kinds = {choice.kind for choice in choices}
        if "run_routes" in kinds:
            break
        # Passing in the stock round ends it without companies: buy, par and bid where possible.
        keen = [choice for choice in choices if choice.kind in ("par", "bid", "tile_lay", "buy_shares")]
        games.apply(game_id, rng.choice(keen or choices).action_json)
    else:
        pytest.fail("nobody ran trains")
    response = games.stub.BestRoutes(pb.BestRoutesRequest(game_id=game_id))
    assert response.solution.proven
    status = games.apply(game_id, response.action_json)
    assert status.actions == response.status.actions + 1
    ran = games.export(game_id)["actions"][-1]
    assert ran["type"] == "run_routes"
    assert sum(route["revenue"] for route in ran["routes"]) == response.solution.revenue


def test_least_recently_used_game_goes(tmp_path: Path) -> None:
    file = {"title": "1861", "players": [{"id": n, "name": str(n)} for n in (1, 2, 3)], "actions": []}
    for folder in ("", str(tmp_path)):
        store = GameStore(folder, max_games=2, idle_seconds=100)
        first, second = store.add(start_game(file)), store.add(start_game(file))
        with store.open(first.handle):
            pass
        third = store.add(start_game(file))
        with pytest.raises(UnknownHandleError), store.open(second.handle):
            pass
        for kept in (first, third):
            with store.open(kept.handle) as found:
                assert not found.game.finished


def test_stores_of_two_processes_share_a_folder(tmp_path: Path) -> None:
    file = {"title": "1861", "players": [{"id": n, "name": str(n)} for n in (1, 2, 3)], "actions": []}
    one, other = (GameStore(str(tmp_path), max_games=5, idle_seconds=100) for _ in range(2))
    handle = one.add(start_game(file)).handle

    def step(store: GameStore) -> None:
        with store.open(handle) as kept:
            kept.game.apply(kept.game.legal_actions()[0].action)
            kept.changed = True

    threads = [threading.Thread(target=step, args=(store,)) for store in (one, other) * 3]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    for store in (one, other):
        with store.open(handle) as kept:
            assert len(kept.game.log) == 6
    other.remove(handle)
    with pytest.raises(UnknownHandleError), one.open(handle):
        pass


def test_games_survive_in_a_folder(tmp_path: Path) -> None:
    running = Games(games_folder=str(tmp_path))
    game_id = running.create().game_id
    running.play(game_id, 8)
    state = running.state(game_id)
    running.close()
    again = Games(games_folder=str(tmp_path))
    assert again.state(game_id) == state
    again.close()


def test_all_methods_are_served(games: Games) -> None:
    offered = {method.name for method in pb.DESCRIPTOR.services_by_name["GameEngine"].methods}
    for name in offered:
        call = games.channel.unary_unary(f"/rheingold.v1.GameEngine/{name}")
        with pytest.raises(grpc.RpcError) as caught:
            call(b"\xff\xff")
        assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT

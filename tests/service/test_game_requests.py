"""Odd requests to GameEngine: each is refused with the path of every faulty field, or answered whole."""

from __future__ import annotations

import json
from collections.abc import Iterator

import grpc
import pytest
from rheingold.v1 import game_service_pb2 as pb

from engine import service
from optimizer.service.admission import Waiter
from tests.service.test_games import Games, refused

SEATS = [{"id": number, "name": str(number)} for number in (1, 2, 3)]


@pytest.fixture(scope="module")
def games() -> Iterator[Games]:
    running = Games(concurrency=2)
    yield running
    running.close()


def load(games: Games, text: str) -> pb.GameStatus:
    return games.stub.LoadGame(pb.LoadGameRequest(game_json=text)).status


def file(more: str = "", title: str = "1861") -> str:
    """A game file as text, for what `json.dumps` would not write."""
    return f'{{"title": "{title}", "players": {json.dumps(SEATS)}, "actions": []{more}}}'


def test_every_faulty_field_of_a_new_game_is_told(games: Games) -> None:
    seats = [pb.Player(id=player) for player in ("1", "", "01", "x", "x")]
    request = pb.CreateGameRequest(
        title="1856", players=seats, optional_rules=["nonsense", "unlimited"], switches={"trajekt": "engine"}
    )
    error = refused(lambda: games.stub.CreateGame(request))
    assert error.code is grpc.StatusCode.INVALID_ARGUMENT
    # 01 is the number 1 again.
    expected = ["players[1].id", "players[2].id", "players[4].id", "optional_rules[0]"]
    assert [fault.path for fault in error.faults][:4] == expected
    assert "switches[trajekt]" in [fault.path for fault in error.faults]
    assert all(fault.message for fault in error.faults)


def test_titles_are_for_so_many_players(games: Games) -> None:
    error = refused(lambda: games.create("1856", players=2))
    assert [(fault.path, "3, 4, 5, 6" in fault.message) for fault in error.faults] == [("players", True)]


def test_every_text_that_is_no_action_is_told(games: Games) -> None:
    game_id = games.create().game_id
    good = games.legal(game_id).choices[0].action_json
    error = refused(lambda: games.apply(game_id, "{", good, "[]"))
    assert [fault.path for fault in error.faults] == ["actions_json[0]", "actions_json[2]"]


# What Python reads and JSON is not, or what no answer could hold.
NO_JSON = (
    ', "x": NaN',
    ', "x": -Infinity',
    ', "x": 1e999',
    ', "x": [{"y": "\\ud800"}]',
    ', "\\uDFFF": 1',
    f', "x": {"[" * 200}{"]" * 200}',
    f', "x": {"9" * 5000}',
)


@pytest.mark.parametrize("more", NO_JSON, ids=lambda text: text[:20])
def test_what_is_no_json_is_refused(games: Games, more: str) -> None:
    error = refused(lambda: load(games, file(more)))
    assert (error.code, [fault.path for fault in error.faults]) == (
        grpc.StatusCode.INVALID_ARGUMENT,
        ["game_json"],
    )
    game_id = games.create().game_id
    action = json.loads(games.legal(game_id).choices[0].action_json)
    text = json.dumps(action)[:-1] + more + "}"
    error = refused(lambda: games.apply(game_id, text))
    assert [fault.path for fault in error.faults] == ["actions_json[0]"]
    assert json.dumps(games.export(game_id)["actions"]) == "[]"


@pytest.mark.parametrize("more", [', "x": "\\ud83d\\ude00"', ', "x": [[[{"y": 1e300}]]]', ', "x": "\\u0000"'])
def test_other_odd_json_comes_back_whole(games: Games, more: str) -> None:
    assert games.export(load(games, file(more)).game_id)["x"] == json.loads(file(more))["x"]


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("{}", "game_json.title"),
        (file(title="1830"), "game_json.title"),
        ('{"title": 5}', "game_json.title"),
        ('{"title": "1861"}', "game_json.players"),
        ('{"title": "1861", "players": [5]}', "game_json.players[0]"),
        ('{"title": "1861", "players": [{"id": 1}, {"id": 1}]}', "game_json.players[1].id"),
        ('{"title": "1861", "players": [{"id": 1.5}]}', "game_json.players[0].id"),
        (file(', "settings": 5'), "game_json.settings"),
        (file(', "settings": {"seed": [1]}'), "game_json.settings.seed"),
        (file(', "settings": {"optional_rules": "x"}'), "game_json.settings.optional_rules"),
        (file().replace("[]", "5"), "game_json.actions"),
        (file().replace("[]", "[5]"), "game_json.actions[0]"),
        (file().replace("[]", '[{"type": "nonsense"}]'), "game_json"),
    ],
)
def test_faults_of_documents_have_paths(games: Games, text: str, path: str) -> None:
    error = refused(lambda: load(games, text))
    assert (error.code, [fault.path for fault in error.faults]) == (grpc.StatusCode.INVALID_ARGUMENT, [path])
    assert error.faults[0].message


@pytest.mark.parametrize("count", [-1, 1, 2**31 - 1, -(2**31)])
def test_more_actions_than_there_are_cannot_be_replayed(games: Games, count: int) -> None:
    request = pb.LoadGameRequest(game_json=file(), actions=count)
    assert [fault.path for fault in refused(lambda: games.stub.LoadGame(request)).faults] == ["actions"]


def test_games_do_not_grow_without_end(games: Games, monkeypatch: pytest.MonkeyPatch) -> None:
    talk = {"type": "message", "entity": 1, "entity_type": "player", "message": "x" * 10}
    text = json.dumps(talk)
    game_id = games.create().game_id
    monkeypatch.setattr(service, "MAX_ACTIONS", 5)
    games.apply(game_id, text, text, text)
    error = refused(lambda: games.apply(game_id, text, text, text))
    assert error.code is grpc.StatusCode.FAILED_PRECONDITION
    assert "at most 5 actions" in error.message
    choice = games.legal(game_id).choices[0].action_json
    assert games.apply(game_id, choice, text).actions == 5
    error = refused(lambda: games.stub.UndoActions(pb.UndoActionsRequest(game_id=game_id)))
    assert "at most 5 actions" in error.message
    game_id = games.create().game_id
    monkeypatch.setattr(service, "MAX_GAME_BYTES", 2 * len(text))
    games.apply(game_id, text)
    games.apply(game_id, text)
    assert f"at most {2 * len(text)} bytes" in refused(lambda: games.apply(game_id, text)).message


def test_many_actions_wait_their_turn_as_searches_do(games: Games, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "FEW_ACTIONS", 1)
    game_id = games.create().game_id
    text = json.dumps({"type": "message", "entity": 1, "entity_type": "player", "message": "x"})
    admission = games.service.solver.admission
    with admission.slot(Waiter()), admission.slot(Waiter()):
        assert games.apply(game_id, text).actions == 1
        request = pb.ApplyActionsRequest(game_id=game_id, actions_json=[text, text])
        error = refused(lambda: games.stub.ApplyActions(request, timeout=0.3))
        assert error.code is grpc.StatusCode.DEADLINE_EXCEEDED
    assert games.apply(game_id, text, text).actions == 3

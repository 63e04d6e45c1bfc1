"""Readings of rules of games over the wire: chosen, checked, shown, kept (docs/rules-switches.md)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from rheingold.v1 import game_service_pb2 as pb
from rheingold.v1 import game_service_pb2_grpc as pb_grpc

from engine.game_store import GameStore
from engine.replay import load_game, start_game
from engine.title import load_game_title
from optimizer.service.client import CallError
from tests.service.test_games import Games, refused
from tests.service.test_serve import Process

SEATS = [pb.Player(id=str(number)) for number in (1, 2, 3)]
DEFAULTS = {name: switch.default for name, switch in load_game_title("18Rhl", 3, ()).switches.items()}
# One switch of the route rules and one of play, both unlike their defaults.
CHOSEN = {"trajekt": "designer", "teleport_counts": "extra"}


@pytest.fixture
def games() -> Iterator[Games]:
    running = Games()
    yield running
    running.close()


def create(games: Games, title: str = "18Rhl", **switches: str) -> pb.GameStatus:
    return games.stub.CreateGame(pb.CreateGameRequest(title=title, players=SEATS, switches=switches)).status


def paths(error: CallError) -> list[str]:
    assert error.code is grpc.StatusCode.INVALID_ARGUMENT
    return [fault.path for fault in error.faults]


def test_chosen_readings_are_shown_and_exported(games: Games) -> None:
    status = create(games, **CHOSEN)
    assert dict(status.switches) == {**DEFAULTS, **CHOSEN}
    file = games.export(status.game_id)
    assert file["settings"]["switches"] == CHOSEN
    assert dict(load_game(file).title.chosen) == CHOSEN
    # They stay after actions and undo, in every answer that shows the game.
    games.play(status.game_id, 3)
    undone = games.stub.UndoActions(pb.UndoActionsRequest(game_id=status.game_id, count=2)).status
    for shown in (undone, games.legal(status.game_id).status):
        assert dict(shown.switches) == {**DEFAULTS, **CHOSEN}


def test_defaults_hold_where_nothing_is_chosen(games: Games) -> None:
    status = create(games)
    assert dict(status.switches) == DEFAULTS
    assert "switches" not in games.export(status.game_id)["settings"]
    assert not create(games, "1861").switches


def test_every_faulty_switch_is_told_with_its_path(games: Games) -> None:
    error = refused(lambda: create(games, trajekt="maybe", ferry="yes", ratingen="printed", rge_skip=""))
    assert paths(error) == ["switches[ferry]", "switches[rge_skip]", "switches[trajekt]"]
    by_path = {fault.path: fault.message for fault in error.faults}
    assert "no switch 'ferry'" in by_path["switches[ferry]"]
    assert "teleport_counts" in by_path["switches[ferry]"]
    assert by_path["switches[trajekt]"] == "must be engine or designer, not 'maybe'"
    # 1861 has none (docs/rules-switches.md), and the title's own faults come along.
    assert paths(refused(lambda: create(games, "1861", trajekt="designer"))) == ["switches[trajekt]"]
    assert paths(refused(lambda: create(games, "1830", trajekt="designer"))) == ["title"]
    long = refused(lambda: create(games, **{"x" * 5000: "y" * 5000}))
    assert len(long.faults[0].path) <= 400


def test_loaded_game_keeps_its_readings_and_takes_others(games: Games) -> None:
    file = games.export(create(games, **CHOSEN).game_id)

    def load(**switches: str) -> pb.GameStatus:
        return games.stub.LoadGame(pb.LoadGameRequest(game_json=json.dumps(file), switches=switches)).status

    assert dict(load().switches) == {**DEFAULTS, **CHOSEN}
    mixed = load(trajekt="engine", ratingen="printed")
    assert dict(mixed.switches) == {**DEFAULTS, **CHOSEN, "trajekt": "engine", "ratingen": "printed"}
    assert games.export(mixed.game_id)["settings"]["switches"] == {
        "teleport_counts": "extra",
        "trajekt": "engine",
        "ratingen": "printed",
    }
    assert paths(refused(lambda: load(trajekt="maybe", ferry="no"))) == [
        "switches[ferry]",
        "switches[trajekt]",
    ]


@pytest.mark.parametrize("settings", [None, {}, {"switches": None}, {"switches": {}}])
def test_files_without_readings_take_them(games: Games, settings: object) -> None:
    file = {**games.export(create(games).game_id), "settings": settings}
    request = pb.LoadGameRequest(game_json=json.dumps(file), switches={"trajekt": "designer"})
    assert games.stub.LoadGame(request).status.switches["trajekt"] == "designer"


@pytest.mark.parametrize(
    ("settings", "path"),
    [
        ({"switches": {"trajekt": "maybe"}}, "game_json.settings.switches.trajekt"),
        ({"switches": {"ferry": "yes"}}, "game_json.settings.switches.ferry"),
        ({"switches": {"trajekt": []}}, "game_json.settings.switches.trajekt"),
        ({"switches": ["trajekt"]}, "game_json.settings.switches"),
        ([], "game_json.settings"),
        ({"optional_rules": ["nonsense"]}, "game_json.settings.optional_rules"),
        ({"seed": "x"}, "game_json.settings.seed"),
    ],
)
def test_faults_of_a_documents_settings_have_paths(games: Games, settings: object, path: str) -> None:
    file = {**games.export(create(games).game_id), "settings": settings or ["not empty"]}
    for switches in ({}, {"out_token": "zero"}):
        request = pb.LoadGameRequest(game_json=json.dumps(file), switches=switches)
        assert paths(refused(lambda request=request: games.stub.LoadGame(request))) == [path]


def test_stores_that_share_a_folder_keep_readings(tmp_path: Path) -> None:
    players = [{"id": number, "name": str(number)} for number in (1, 2, 3)]
    file = {"title": "18Rhl", "players": players, "settings": {"switches": CHOSEN}, "actions": []}
    one, other = (GameStore(str(tmp_path), max_games=5, idle_seconds=100) for _ in range(2))
    handle = one.add(start_game(file)).handle
    with other.open(handle) as kept:
        assert dict(kept.game.title.chosen) == CHOSEN
        kept.game.apply(kept.game.legal_actions()[0].action)
        kept.changed = True
    with one.open(handle) as kept:
        assert len(kept.game.log) == 1
        assert dict(kept.game.title.chosen) == CHOSEN


def test_all_workers_and_the_next_server_know_the_readings(tmp_path: Path) -> None:
    flags = ("--workers", "2", "--games-folder", str(tmp_path))
    options = [("grpc.use_local_subchannel_pool", 1)]  # a connection for each channel
    request = pb.CreateGameRequest(title="18Rhl", players=SEATS, switches=CHOSEN)
    game_id = ""
    for _ in range(2):
        process = Process(*flags)
        try:
            for _ in range(8):
                with grpc.insecure_channel(process.target, options=options) as channel:
                    stub = pb_grpc.GameEngineStub(channel)
                    game_id = game_id or stub.CreateGame(request).status.game_id
                    shown = stub.GetState(pb.GetStateRequest(game_id=game_id)).status.switches
                    assert dict(shown) == {**DEFAULTS, **CHOSEN}
        finally:
            assert process.stop() == 0

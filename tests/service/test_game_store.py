"""Kept games in trouble: a full disk, games that are busy, idle, closed meanwhile, or removed by others."""

from __future__ import annotations

import errno
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc
import pytest
from rheingold.v1 import game_service_pb2 as pb

from engine.game_store import BusyGameError, GameStore, UnknownHandleError
from engine.replay import start_game
from optimizer.service.config import ConfigError
from tests.service.test_admission import until
from tests.service.test_games import Games, refused

FILE = {"title": "1861", "players": [{"id": n, "name": str(n)} for n in (1, 2, 3)], "actions": []}


def step(store: GameStore, handle: str) -> None:
    with store.open(handle) as kept:
        kept.game.apply(kept.game.legal_actions()[0].action)
        kept.changed = True


def played(store: GameStore, handle: str) -> int:
    with store.open(handle) as kept:
        return len(kept.game.log)


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], None]:
    """A function that fills the disk, or makes room again: half a file is written, then there is no room."""
    full = False
    write = Path.write_text

    def write_text(self: Path, data: str, *rest: Any, **more: Any) -> int:
        if not full:
            return write(self, data, *rest, **more)
        write(self, data[: len(data) // 2], *rest, **more)
        raise OSError(errno.ENOSPC, "No space left on device")

    def fill(on: bool) -> None:
        nonlocal full
        full = on

    monkeypatch.setattr(Path, "write_text", write_text)
    return fill


def test_what_a_full_disk_did_not_take_did_not_happen(tmp_path: Path, full_disk: Callable[..., None]) -> None:
    store = GameStore(str(tmp_path), max_games=5, idle_seconds=100)
    handle = store.add(start_game(FILE)).handle
    step(store, handle)
    full_disk(True)
    with pytest.raises(OSError, match="No space left"):
        step(store, handle)
    with pytest.raises(OSError, match="No space left"):
        store.add(start_game(FILE))
    assert played(store, handle) == 1
    assert not list(tmp_path.glob("*.new"))
    assert [file.stem for file in tmp_path.glob("*.json")] == [handle]
    full_disk(False)
    step(store, handle)
    other = GameStore(str(tmp_path), max_games=5, idle_seconds=100)
    assert played(store, handle) == played(other, handle) == 2


def test_full_disk_is_an_internal_error_and_the_game_stays(
    tmp_path: Path, full_disk: Callable[..., None]
) -> None:
    games = Games(games_folder=str(tmp_path))
    try:
        game_id = games.create().game_id
        action = games.legal(game_id).choices[0].action_json
        full_disk(True)
        error = refused(lambda: games.apply(game_id, action, expected=0))
        assert error.code is grpc.StatusCode.INTERNAL
        assert "space" not in error.message
        assert refused(games.create).code is grpc.StatusCode.INTERNAL
        full_disk(False)
        assert games.apply(game_id, action, expected=0).actions == 1
    finally:
        games.close()


def test_folder_that_cannot_be_had_is_a_setting_at_fault(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match=r"--games-folder: .*file"):
        Games(games_folder=str(tmp_path / "file" / "games"))


@pytest.mark.parametrize("shared", [False, True])
def test_waiting_for_a_game_is_bounded_and_ends_with_patience(tmp_path: Path, shared: bool) -> None:
    store = GameStore(str(tmp_path) if shared else "", max_games=5, idle_seconds=100, max_waiting=1)
    handle = store.add(start_game(FILE)).handle
    patient = True
    ended: list[str] = []

    def wait() -> None:
        try:
            with store.open(handle, lambda: patient):
                ended.append("served")
        except BusyGameError:
            ended.append("gave up")

    with store.open(handle):
        waiter = threading.Thread(target=wait)
        waiter.start()
        until(lambda: store._waiting == 1)
        with pytest.raises(BusyGameError), store.open(handle):  # one waits already
            pass
        assert not ended
        patient = False
        waiter.join(10)
        assert ended == ["gave up"]
        patient = True
        waiter = threading.Thread(target=wait)
        waiter.start()
        until(lambda: store._waiting == 1)
    waiter.join(10)
    assert ended == ["gave up", "served"]
    assert store._waiting == 0


def test_calls_that_wait_for_a_busy_game_leave_room_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    stores: list[GameStore] = []

    def make(*settings: Any) -> GameStore:
        stores.append(GameStore(*settings))
        return stores[-1]

    monkeypatch.setattr("engine.service.GameStore", make)
    games = Games(queue=2, max_streams=1)
    try:
        game_id = games.create().game_id
        get = pb.GetStateRequest(game_id=game_id)
        with stores[0].open(game_id):
            # Who waits no longer than this is forgotten ...
            late = refused(lambda: games.stub.GetState(get, timeout=0.2))
            assert late.code is grpc.StatusCode.DEADLINE_EXCEEDED
            until(lambda: stores[0]._waiting == 0)
            # ... and of many two wait, as many as the queue has places; the others may come again.
            calls = [games.stub.GetState.future(get, timeout=60) for _ in range(40)]
            until(lambda: sum(call.done() for call in calls) == 38, 30)
            again = refused(lambda: games.stub.CloseGame(pb.CloseGameRequest(game_id=game_id)))
            assert (again.code, again.retry_seconds) == (grpc.StatusCode.RESOURCE_EXHAUSTED, 1.0)
            assert games.create().actions == 0
        codes = [call.code() for call in calls]
        assert codes.count(grpc.StatusCode.OK) == 2
        assert codes.count(grpc.StatusCode.RESOURCE_EXHAUSTED) == 38
    finally:
        games.close()


@pytest.mark.parametrize("shared", [False, True])
def test_who_waited_for_a_game_that_was_closed_is_told(tmp_path: Path, shared: bool) -> None:
    store = GameStore(str(tmp_path) if shared else "", max_games=5, idle_seconds=100)
    handle = store.add(start_game(FILE)).handle
    told: list[str] = []

    def wait() -> None:
        try:
            step(store, handle)
        except UnknownHandleError:
            told.append("closed")

    with store.open(handle):
        closer = threading.Thread(target=store.remove, args=(handle,))
        closer.start()
        until(lambda: store._waiting == 1)
        waiters = [threading.Thread(target=wait) for _ in range(3)]
        for waiter in waiters:
            waiter.start()
        until(lambda: store._waiting == 4)
    for thread in (closer, *waiters):
        thread.join(10)
    # Whoever came before the closing was served; nobody changed a game that was closed.
    with pytest.raises(UnknownHandleError), store.open(handle):
        pass
    assert not list(tmp_path.iterdir())


def test_idle_games_are_forgotten() -> None:
    store = GameStore("", max_games=5, idle_seconds=0.2)
    handle = store.add(start_game(FILE)).handle
    for _ in range(3):
        time.sleep(0.1)
        step(store, handle)
    time.sleep(0.3)
    with pytest.raises(UnknownHandleError), store.open(handle):
        pass


def test_files_that_others_remove_do_not_disturb(tmp_path: Path) -> None:
    store = GameStore(str(tmp_path), max_games=2, idle_seconds=100)
    problems: list[BaseException] = []

    def add() -> None:
        try:
            for _ in range(15):
                store.add(start_game(FILE))
        except BaseException as error:
            problems.append(error)

    threads = [threading.Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not problems
    assert len(list(tmp_path.glob("*.json"))) == 2


def test_a_file_that_is_removed_as_soon_as_it_is_there_does_not_disturb(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = Path.replace

    def replaced_and_gone(file: Path, target: Path) -> Path:
        replace(file, target).unlink()
        return target

    store = GameStore(str(tmp_path), max_games=2, idle_seconds=100)
    monkeypatch.setattr(Path, "replace", replaced_and_gone)
    kept = store.add(start_game(FILE))
    with pytest.raises(UnknownHandleError), store.open(kept.handle):
        pass


def test_files_of_others_are_never_removed(tmp_path: Path) -> None:
    names = ("game.json", "0123456789abcdef0.json", "0123456789ABCDEF.json", "0123456789abcdef.txt")
    for name in names:
        (tmp_path / name).write_text("{}")
        os.utime(tmp_path / name, (0, 0))
    (tmp_path / f"{'d' * 16}.json").mkdir()
    store = GameStore(str(tmp_path), max_games=1, idle_seconds=100)
    first, second = store.add(start_game(FILE)), store.add(start_game(FILE))
    assert {*names, f"{'d' * 16}.json", f"{second.handle}.json"} == {file.name for file in tmp_path.iterdir()}
    with pytest.raises(UnknownHandleError), store.open(first.handle):
        pass


@pytest.mark.parametrize("text", [b"", b"{", b"\xff\xfe", b"[]", b'{"title": "1830", "players": []}'])
def test_damaged_games_are_no_fault_of_the_client_and_can_be_closed(tmp_path: Path, text: bytes) -> None:
    games = Games(games_folder=str(tmp_path))
    try:
        game_id = games.create().game_id
        (tmp_path / f"{game_id}.json").write_bytes(text)
        error = refused(lambda: games.state(game_id))
        assert error.code is grpc.StatusCode.INTERNAL
        assert game_id not in error.message
        games.stub.CloseGame(pb.CloseGameRequest(game_id=game_id))
        assert refused(lambda: games.state(game_id)).code is grpc.StatusCode.NOT_FOUND
        assert not list(tmp_path.iterdir())
    finally:
        games.close()


def test_reading_makes_no_other_process_replay_the_game(tmp_path: Path) -> None:
    one, other = (GameStore(str(tmp_path), max_games=5, idle_seconds=100) for _ in range(2))
    handle = one.add(start_game(FILE)).handle

    def game(store: GameStore) -> object:
        with store.open(handle) as kept:
            return kept.game

    first, second = game(one), game(other)
    for _ in range(3):
        assert game(one) is first
        assert game(other) is second
    step(other, handle)
    assert game(other) is second
    assert game(one) is not first
    assert played(one, handle) == 1

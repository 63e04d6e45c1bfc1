"""Games that a service keeps: in memory, or as files that several processes share.

Whoever uses a game holds its lock, so calls on one game follow each other. A kept game is forgotten when it
has not been used for a while, or when there are too many. What a full disk did not take did not happen.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from stat import S_ISREG
from typing import Any

from engine.game import Game
from engine.replay import replay_actions, save_game, start_game

_HANDLE = re.compile(r"[0-9a-f]{16}\Z")

# How often who waits for a game of another process looks whether it is free, and who waits for any game
# whether it is still worth it.
LOOK_SECONDS = 0.01


class UnknownHandleError(KeyError):
    """There is no game with this handle (any more)."""


class DamagedGameError(Exception):
    """The file of a kept game cannot be replayed: somebody changed it, or another version wrote it."""


class BusyGameError(Exception):
    """Too many callers wait for games, or this one does not wait any longer."""


@dataclass
class KeptGame:
    """A game in use: set `changed` after changing it; `restore` takes back what was done since `open`.

    `size`: bytes of its document, about; whoever adds actions adds their bytes.
    """

    handle: str
    game: Game
    size: int
    changed: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)
    used: float = 0.0
    stamp: tuple[int, int, int] | None = None  # of the file that it equals, see `_stamp`
    saved: dict[str, Any] | None = None

    def restore(self) -> None:
        """Makes the game again from the actions that it had when it was opened."""
        assert self.saved is not None
        self.game = replay(self.saved)
        self.changed = False


def replay(file: dict[str, Any]) -> Game:
    """The game after all actions of a file: recorded ones are trusted, further ones are judged strictly."""
    game = start_game(file, strict=False)
    for _ in replay_actions(game, file):
        pass
    game.strict = True
    return game


class GameStore:
    """All kept games. May be used by any thread, and with a folder by several processes."""

    def __init__(self, folder: str, max_games: int, idle_seconds: float, max_waiting: int = 64) -> None:
        self._folder = Path(folder) if folder else None
        self._max_games = max_games
        self._idle_seconds = idle_seconds
        self._max_waiting = max_waiting
        self._waiting = 0
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, KeptGame] = OrderedDict()
        if self._folder is not None:
            self._folder.mkdir(parents=True, exist_ok=True)

    def __len__(self) -> int:
        return len(self._kept)

    def add(self, game: Game, size: int = 0) -> KeptGame:
        """Keeps a new game."""
        kept = KeptGame(secrets.token_hex(8), game, size, used=time.monotonic())
        self._write(kept)
        with self._lock:
            self._kept[kept.handle] = kept
        self._forget_old()
        return kept

    def remove(self, handle: str, patient: Callable[[], bool] = lambda: True) -> None:
        """Forgets a game, a damaged one too; raises as `open`."""
        with self._held(handle, patient):
            with self._lock:
                self._kept.pop(handle, None)
            for file in self._files(handle):
                file.unlink(missing_ok=True)

    @contextmanager
    def open(self, handle: str, patient: Callable[[], bool] = lambda: True) -> Iterator[KeptGame]:
        """Gives a game for the length of a `with` block; others wait, as long as they are `patient`.

        Raises UnknownHandleError, BusyGameError or DamagedGameError.
        """
        with self._held(handle, patient):
            kept = self._alive(handle) if self._folder is None else self._current(handle)
            kept.used = time.monotonic()
            kept.changed = False
            kept.saved = save_game(kept.game)
            yield kept
            if kept.changed:
                self._write(kept)

    @contextmanager
    def _held(self, handle: str, patient: Callable[[], bool]) -> Iterator[None]:
        """Holds the lock of a game: in memory its own, with a folder one that processes share."""
        if not _HANDLE.match(handle):
            raise UnknownHandleError(handle)
        if self._folder is None:
            lock = self._alive(handle).lock
            self._wait(lambda: lock.acquire(timeout=LOOK_SECONDS), patient)
            try:
                yield
            finally:
                lock.release()
            return
        file = self._file(handle)
        if not file.is_file():
            raise UnknownHandleError(handle)
        with file.with_suffix(".lock").open("w") as shared:
            self._wait(lambda: _locked(shared.fileno()), patient)
            yield

    def _alive(self, handle: str) -> KeptGame:
        """A game in memory that was not idle for too long."""
        with self._lock:
            kept = self._kept.get(handle)
            if kept is None or kept.used < time.monotonic() - self._idle_seconds:
                raise UnknownHandleError(handle)
            return kept

    def _wait(self, take: Callable[[], bool], patient: Callable[[], bool]) -> None:
        """Waits until the lock is taken; how many wait is bounded, for others need their threads."""
        if take():
            return
        with self._lock:
            if self._waiting >= self._max_waiting:
                raise BusyGameError
            self._waiting += 1
        try:
            while not take():
                if not patient():
                    raise BusyGameError
        finally:
            with self._lock:
                self._waiting -= 1

    def _current(self, handle: str) -> KeptGame:
        """The game as the file has it, read again if another process changed it."""
        file = self._file(handle)
        kept = self._kept.get(handle)
        try:
            stamp = _stamp(file)
            if kept is None or kept.stamp != stamp:
                kept = KeptGame(handle, _read(file), file.stat().st_size, stamp=stamp)
            os.utime(file.with_suffix(".lock"))  # it is in use: not the next one to be forgotten
        except FileNotFoundError:
            file.with_suffix(".lock").unlink(missing_ok=True)
            raise UnknownHandleError(handle) from None
        with self._lock:
            self._kept[handle] = kept
            self._kept.move_to_end(handle)
        return kept

    def _write(self, kept: KeptGame) -> None:
        """Writes the file of a game; where that fails, the game is again what the file says."""
        if self._folder is None:
            return
        file = self._file(kept.handle)
        fresh = file.with_suffix(".new")
        try:
            fresh.write_text(json.dumps(save_game(kept.game)), encoding="utf-8")
            kept.stamp = _stamp(fresh)  # once it has its name, others may forget it at any time
            fresh.replace(file)
        except OSError:
            fresh.unlink(missing_ok=True)
            with self._lock:
                self._kept.pop(kept.handle, None)
            raise

    def _file(self, handle: str) -> Path:
        assert self._folder is not None
        return self._folder / f"{handle}.json"

    def _files(self, handle: str) -> list[Path]:
        if self._folder is None:
            return []
        return [self._file(handle).with_suffix(ending) for ending in (".json", ".new", ".lock")]

    def _forget_old(self) -> None:
        """Forgets games that were not used for long, and the least recently used of too many."""
        oldest = time.monotonic() - self._idle_seconds
        with self._lock:
            rows = sorted(self._kept.values(), key=lambda kept: kept.used)
            surplus = max(0, len(rows) - self._max_games)
            for number, kept in enumerate(rows):
                if number < surplus or kept.used < oldest:
                    del self._kept[kept.handle]
        if self._folder is not None:
            # Only what is named as a game is ours: the folder may hold other files, which nobody removes.
            games = (file for file in self._folder.glob("*.json") if _HANDLE.match(file.stem))
            files = sorted(_times(games))
            surplus = max(0, len(files) - self._max_games)
            for number, (used, file) in enumerate(files):
                if number < surplus or used < time.time() - self._idle_seconds:
                    for gone in self._files(file.stem):
                        gone.unlink(missing_ok=True)


def _read(file: Path) -> Game:
    """The game of a file of the folder; raises FileNotFoundError or DamagedGameError."""
    text = file.read_bytes()
    try:
        return replay(json.loads(text))
    except Exception as error:
        raise DamagedGameError(file.stem) from error


def _locked(file: int) -> bool:
    """Tries to lock a file for this holder alone, for a moment."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        time.sleep(LOOK_SECONDS)
        return False
    return True


def _stamp(file: Path) -> tuple[int, int, int]:
    """What is different after every writing, for each makes a new file: number, time of change, size."""
    state = file.stat()
    return state.st_ino, state.st_mtime_ns, state.st_size


def _times(files: Iterable[Path]) -> Iterator[tuple[float, Path]]:
    """Yields when games were last used; other processes may remove some meanwhile."""
    for file in files:
        with suppress(FileNotFoundError):
            state = file.stat()
            if not S_ISREG(state.st_mode):
                continue
            used = state.st_mtime
            with suppress(FileNotFoundError):
                used = max(used, file.with_suffix(".lock").stat().st_mtime)
            yield used, file

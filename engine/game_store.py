"""Games that a service keeps: in memory, or as files that several processes share.

Whoever uses a game holds its lock, so calls on one game follow each other. A kept game is forgotten when it
has not been used for a while, or when there are too many.
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
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.game import Game
from engine.replay import replay_actions, save_game, start_game

_HANDLE = re.compile(r"[0-9a-f]{16}\Z")


class UnknownHandleError(KeyError):
    """There is no game with this handle (any more)."""


@dataclass
class KeptGame:
    """A game in use: set `changed` after changing it; `restore` takes back what was done since `open`."""

    handle: str
    game: Game
    changed: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)
    used: float = 0.0
    stamp: tuple[int, int] | None = None  # of the file that it equals: time of change and size
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

    def __init__(self, folder: str, max_games: int, idle_seconds: float) -> None:
        self._folder = Path(folder) if folder else None
        self._max_games = max_games
        self._idle_seconds = idle_seconds
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, KeptGame] = OrderedDict()
        if self._folder is not None:
            self._folder.mkdir(parents=True, exist_ok=True)

    def __len__(self) -> int:
        return len(self._kept)

    def add(self, game: Game) -> KeptGame:
        """Keeps a new game."""
        kept = KeptGame(secrets.token_hex(8), game, used=time.monotonic())
        self._write(kept)
        with self._lock:
            self._kept[kept.handle] = kept
        self._forget_old()
        return kept

    def remove(self, handle: str) -> None:
        """Forgets a game; raises UnknownHandleError."""
        with self.open(handle):
            with self._lock:
                self._kept.pop(handle, None)
            for file in self._files(handle):
                file.unlink(missing_ok=True)

    @contextmanager
    def open(self, handle: str) -> Iterator[KeptGame]:
        """Gives a game for the length of a `with` block; others wait. Raises UnknownHandleError."""
        if not _HANDLE.match(handle):
            raise UnknownHandleError(handle)
        with self._lock:
            kept = self._kept.get(handle)
            if kept is None and self._folder is None:
                raise UnknownHandleError(handle)
        with self._locked_file(handle):
            kept = self._current(handle, kept)
            with kept.lock:
                kept.used = time.monotonic()
                kept.changed = False
                kept.saved = save_game(kept.game)
                yield kept
                if kept.changed:
                    self._write(kept)

    def _current(self, handle: str, kept: KeptGame | None) -> KeptGame:
        """The game as the file has it, read again if another process changed it."""
        if self._folder is None:
            assert kept is not None
            return kept
        file = self._file(handle)
        try:
            state = file.stat()
            stamp = (state.st_mtime_ns, state.st_size)
            if kept is None or kept.stamp != stamp:
                kept = KeptGame(handle, replay(json.loads(file.read_bytes())), stamp=stamp)
        except FileNotFoundError:
            raise UnknownHandleError(handle) from None
        os.utime(file)  # it is in use: not the next one to be forgotten
        state = file.stat()
        kept.stamp = (state.st_mtime_ns, state.st_size)
        with self._lock:
            self._kept[handle] = kept
            self._kept.move_to_end(handle)
        return kept

    def _write(self, kept: KeptGame) -> None:
        if self._folder is None:
            return
        file = self._file(kept.handle)
        fresh = file.with_suffix(".new")
        fresh.write_text(json.dumps(save_game(kept.game)), encoding="utf-8")
        fresh.replace(file)
        state = file.stat()
        kept.stamp = (state.st_mtime_ns, state.st_size)

    @contextmanager
    def _locked_file(self, handle: str) -> Iterator[None]:
        """Holds the lock that processes share; does nothing without a folder."""
        if self._folder is None:
            yield
            return
        if not self._file(handle).is_file():
            raise UnknownHandleError(handle)
        with self._file(handle).with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _file(self, handle: str) -> Path:
        assert self._folder is not None
        return self._folder / f"{handle}.json"

    def _files(self, handle: str) -> list[Path]:
        return [] if self._folder is None else [self._file(handle), self._file(handle).with_suffix(".lock")]

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
            files = sorted((file.stat().st_mtime, file) for file in self._folder.glob("*.json"))
            surplus = max(0, len(files) - self._max_games)
            for number, (used, file) in enumerate(files):
                if number < surplus or used < time.time() - self._idle_seconds:
                    for gone in self._files(file.stem):
                        gone.unlink(missing_ok=True)

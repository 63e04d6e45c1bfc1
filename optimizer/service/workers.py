"""Processes: one server, or several worker processes that share one port.

The kernel deals out connections among the workers (SO_REUSEPORT). The parent serves nothing itself: it
holds the port, replaces a worker that died, passes the wish to stop on, and adds up the metrics.
"""

from __future__ import annotations

import contextlib
import dataclasses
import gc
import logging
import os
import shutil
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from typing import NoReturn

from optimizer.custom.loading import load_rules
from optimizer.custom.rule import RuleError
from optimizer.custom_registry import registered_rules
from optimizer.service.config import ConfigError, ServiceConfig
from optimizer.service.handlers import Plugin
from optimizer.service.logs import flush, log, set_up
from optimizer.service.metrics import MULTIPROCESS, forget_worker, serve_worker_metrics, start_metrics
from optimizer.service.server import Service
from optimizer.titles.loader import TITLE_NAMES, load_title, standard_tiles

SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)

# A worker that dies sooner than this after its start is replaced only after as long a pause.
SHORT_LIFE_SECONDS = 2.0

# How often the parent looks after its workers, and a worker after its parent.
POLL_SECONDS = 0.2

# Beyond the grace for running calls: then a worker is killed.
KILL_SECONDS = 5.0

# Allocations between two passes of the collector, and passes between those of its older generations: a pass
# over everything keeps all threads waiting for up to 20 ms, and little is left in cycles.
COLLECTOR = (10_000, 20, 100)

# How long a thread that computes keeps the interpreter while others wait: short, so that health checks
# and other quick calls are answered at once.
SWITCH_SECONDS = 0.00005

Ready = Callable[[int], None]


def run(config: ServiceConfig, plugins: Sequence[Plugin] = (), ready: Ready | None = None) -> None:
    """Serve until SIGTERM, SIGINT or SIGHUP. ``ready`` is told the port once calls are answered.

    Raises ConfigError if the port cannot be had.
    """
    set_up(config.log_level)
    _load_rules(config)
    _warm_up()
    if config.workers == 1:
        _serve(config, plugins, ready, _wish_to_stop())
    else:
        _Workers(config, plugins, ready).run()


def _load_rules(config: ServiceConfig) -> None:
    try:
        load_rules(name.strip() for name in config.rules.split(",") if name.strip())
        registered_rules()
    except RuleError as error:
        raise ConfigError(f"--rules: {error}") from error


def _warm_up() -> None:
    """Read what every position needs, before workers are forked, and keep the collector off it."""
    for name in TITLE_NAMES:
        load_title(name)
    standard_tiles()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTOR)


def _wish_to_stop() -> threading.Event:
    """Return an event that the signals set."""
    wish = threading.Event()
    for number in SIGNALS:
        if signal.getsignal(number) is signal.SIG_IGN:  # nohup
            continue
        signal.signal(number, lambda _number, _frame: wish.set())
    return wish


def _serve(
    config: ServiceConfig,
    plugins: Sequence[Plugin],
    ready: Ready | None,
    wish: threading.Event,
    parent: int = 0,
) -> None:
    sys.setswitchinterval(SWITCH_SECONDS)
    service = Service(config, plugins, start_metrics(config.metrics_host, config.metrics_port))
    service.start()
    if ready is not None:
        ready(service.port)
    while not wish.wait(POLL_SECONDS) and (not parent or os.getppid() == parent):
        pass
    service.stop()


class _Workers:
    """The parent of worker processes. It forks before anything of gRPC runs, and never runs any itself."""

    def __init__(self, config: ServiceConfig, plugins: Sequence[Plugin], ready: Ready | None) -> None:
        self._held, port = _hold_port(config)
        self._config = dataclasses.replace(config, port=port)
        self._plugins = plugins
        self._ready = ready
        self._started: dict[int, tuple[int, float]] = {}  # process: (number of the worker, when it began)

    def run(self) -> None:
        """Keep the workers running until told to stop."""
        config = self._config
        folder = tempfile.mkdtemp(prefix="rheingold-")
        if config.metrics_port:
            os.environ[MULTIPROCESS] = folder
        if not config.games_folder:  # all workers must know all games
            self._config = dataclasses.replace(config, games_folder=os.path.join(folder, "games"))
        wish = _wish_to_stop()
        try:
            pipes = [self._fork(number) for number in range(1, config.workers + 1)]
            for pipe in pipes:
                self._await(pipe)
            if config.metrics_port:
                serve_worker_metrics(config.metrics_host, config.metrics_port)
            if self._ready is not None:
                self._ready(config.port)
            while not wish.wait(POLL_SECONDS):
                self._replace_dead()
        finally:
            self._stop()
            self._held.close()
            shutil.rmtree(folder, ignore_errors=True)

    def _fork(self, number: int) -> int:
        """Start a worker; returns the pipe into which it writes when it serves."""
        reader, writer = os.pipe()
        parent = os.getpid()
        process = os.fork()
        if process == 0:
            os.close(reader)
            self._be_worker(number, parent, writer)
        os.close(writer)
        self._started[process] = (number, time.monotonic())
        return reader

    def _be_worker(self, number: int, parent: int, writer: int) -> NoReturn:
        status = 1
        try:
            set_up(self._config.log_level, number)
            self._held.close()

            def ready(_port: int) -> None:
                with contextlib.suppress(BrokenPipeError):  # nobody waits for a replacement
                    os.write(writer, b"!")
                os.close(writer)

            _serve(self._config, self._plugins, ready, _wish_to_stop(), parent)
            status = 0
        except Exception as error:
            log(logging.ERROR, "worker failed", error=error)
        finally:
            flush()
            os._exit(status)

    def _await(self, pipe: int) -> None:
        """Wait until a worker serves, or raise ConfigError if it ended before."""
        with os.fdopen(pipe, "rb") as told:
            if told.read(1) != b"!":
                raise ConfigError("a worker process could not start; the log says why")

    def _replace_dead(self) -> None:
        for process, (number, began) in list(self._started.items()):
            done, status = os.waitpid(process, os.WNOHANG)
            if not done:
                continue
            del self._started[process]
            forget_worker(process)
            log(logging.ERROR, "worker died", number=number, status=status)
            if time.monotonic() - began < SHORT_LIFE_SECONDS:
                time.sleep(SHORT_LIFE_SECONDS)
            os.close(self._fork(number))

    def _stop(self) -> None:
        for process in self._started:
            os.kill(process, signal.SIGTERM)
        end = time.monotonic() + self._config.grace_seconds + KILL_SECONDS
        for process in list(self._started):
            while not os.waitpid(process, os.WNOHANG)[0]:
                if time.monotonic() > end:
                    os.kill(process, signal.SIGKILL)
                    os.waitpid(process, 0)
                    break
                time.sleep(0.02)
        self._started.clear()


def _hold_port(config: ServiceConfig) -> tuple[socket.socket, int]:
    """Bind the port for the workers to share; returns the socket and the port's number."""
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    held = socket.socket(family, socket.SOCK_STREAM)
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    try:
        # A port that is shared can be had by another server, too, which would get some of the calls.
        with socket.socket(family, socket.SOCK_STREAM) as alone:
            alone.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            alone.bind((config.host, config.port))
        held.bind((config.host, config.port))
    except OSError as error:
        held.close()
        raise ConfigError(f"--host, --port: cannot listen on {config.address}: {error.strerror}") from error
    return held, held.getsockname()[1]

"""Prometheus metrics (extra ``metrics``), or nothing where they are not asked for."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from optimizer.service.config import ConfigError

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

BUCKETS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)

SAMPLE_SECONDS = 0.25

# Set for worker processes that share their figures through files.
MULTIPROCESS = "PROMETHEUS_MULTIPROC_DIR"


class Metrics(Protocol):
    """What the service counts."""

    def call(self, method: str, code: str, seconds: float) -> None:
        """Count a finished call."""

    def queued(self, seconds: float) -> None:
        """Count the time that a call waited for its search."""

    def answer(self, proven: bool, cached: bool) -> None:
        """Count an answer."""

    def watch(self, running: Callable[[], int], waiting: Callable[[], int]) -> None:
        """Show how many searches run and how many calls wait, whenever the metrics are read."""


class NoMetrics:
    """Counts nothing."""

    def call(self, method: str, code: str, seconds: float) -> None:
        """Count a finished call."""

    def queued(self, seconds: float) -> None:
        """Count the time that a call waited for its search."""

    def answer(self, proven: bool, cached: bool) -> None:
        """Count an answer."""

    def watch(self, running: Callable[[], int], waiting: Callable[[], int]) -> None:
        """Show how many searches run and how many calls wait."""


class PrometheusMetrics:
    """Counts with prometheus-client, in a registry of its own."""

    def __init__(self, registry: CollectorRegistry) -> None:
        import prometheus_client as prometheus

        self._calls = prometheus.Counter(
            "rheingold_calls",
            "Finished calls by method and status code.",
            ["method", "code"],
            registry=registry,
        )
        self._seconds = prometheus.Histogram(
            "rheingold_call_seconds",
            "Time from request to answer.",
            ["method"],
            buckets=BUCKETS,
            registry=registry,
        )
        self._queue_seconds = prometheus.Histogram(
            "rheingold_queue_seconds",
            "Time that a call waited for its search.",
            buckets=BUCKETS,
            registry=registry,
        )
        self._answers = prometheus.Counter(
            "rheingold_answers", "Answers by proof and cache.", ["proven", "cached"], registry=registry
        )
        self._running = prometheus.Gauge(
            "rheingold_searches_running",
            "Searches running now.",
            registry=registry,
            multiprocess_mode="livesum",
        )
        # One for each set of labels: to look it up anew takes longer than to count.
        self._of_labels: dict[tuple[Any, ...], Any] = {}
        self._waiting = prometheus.Gauge(
            "rheingold_calls_waiting", "Calls waiting now.", registry=registry, multiprocess_mode="livesum"
        )

    def call(self, method: str, code: str, seconds: float) -> None:
        """Count a finished call."""
        self._labelled(self._calls, method, code).inc()
        self._labelled(self._seconds, method).observe(seconds)

    def queued(self, seconds: float) -> None:
        """Count the time that a call waited for its search."""
        self._queue_seconds.observe(seconds)

    def answer(self, proven: bool, cached: bool) -> None:
        """Count an answer."""
        self._labelled(self._answers, "true" if proven else "false", "true" if cached else "false").inc()

    def _labelled(self, metric: Any, *labels: str) -> Any:
        key = (metric, *labels)
        return self._of_labels.get(key) or self._of_labels.setdefault(key, metric.labels(*labels))

    def watch(self, running: Callable[[], int], waiting: Callable[[], int]) -> None:
        """Show how many searches run and how many calls wait, whenever the metrics are read.

        Worker processes write their figures to files, so theirs are written a few times a second.
        """
        if MULTIPROCESS not in os.environ:
            self._running.set_function(running)
            self._waiting.set_function(waiting)
            return

        def write() -> None:
            while True:
                self._running.set(running())
                self._waiting.set(waiting())
                time.sleep(SAMPLE_SECONDS)

        threading.Thread(target=write, name="metrics", daemon=True).start()


def start_metrics(host: str, port: int) -> Metrics:
    """Serve metrics over HTTP and return the counters; port 0 counts nothing.

    Worker processes (see :data:`MULTIPROCESS`) only count; their parent serves the sums.
    Raises ModuleNotFoundError where the extra ``metrics`` is not installed.
    """
    if not port:
        return NoMetrics()
    import prometheus_client as prometheus

    registry = prometheus.CollectorRegistry()
    metrics = PrometheusMetrics(registry)
    if MULTIPROCESS not in os.environ:
        _serve(host, port, registry)
    return metrics


def _serve(host: str, port: int, registry: Any) -> None:
    import prometheus_client as prometheus

    try:
        prometheus.start_http_server(port, addr=host, registry=registry)
    except OSError as error:
        where = f"cannot listen on {host}:{port}"
        raise ConfigError(f"--metrics-host, --metrics-port: {where}: {error.strerror}") from error


def forget_worker(process: int) -> None:
    """Take the figures of a dead worker that hold for the moment only out of the sums."""
    if MULTIPROCESS in os.environ:
        from prometheus_client import multiprocess

        multiprocess.mark_process_dead(process)  # type: ignore[no-untyped-call]


def serve_worker_metrics(host: str, port: int) -> None:
    """Serve the sums of all worker processes' metrics over HTTP."""
    import prometheus_client as prometheus
    from prometheus_client import multiprocess

    registry = prometheus.CollectorRegistry()
    multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    _serve(host, port, registry)

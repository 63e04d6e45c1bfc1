"""The server of one process: services, health, reflection, transport security, an orderly end."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from optimizer.service.config import ConfigError, ServiceConfig
from optimizer.service.handlers import Plugin, Runtime
from optimizer.service.logs import log
from optimizer.service.methods import RouteOptimizer
from optimizer.service.metrics import Metrics, NoMetrics
from optimizer.service.solver import Solver

# Handler threads beyond those that searches, waiting calls and streams can hold: they refuse what is too
# much and answer what needs no search.
SPARE_THREADS = 16

# After the health turned to not serving: time for whoever watches it to see it before calls are refused.
DRAIN_SECONDS = 0.2


class Service:
    """A running server. ``plugins`` add services (the game engine), given what all of them share."""

    def __init__(
        self, config: ServiceConfig, plugins: Sequence[Plugin] = (), metrics: Metrics | None = None
    ) -> None:
        self.config = config
        self.solver = Solver(config, metrics or NoMetrics())
        runtime = Runtime(config, config.token(), metrics or NoMetrics(), self.solver)
        self._health = health.HealthServicer(
            experimental_thread_pool=ThreadPoolExecutor(2, thread_name_prefix="health")
        )
        threads = config.searches + config.queue + config.max_streams + SPARE_THREADS
        self._server = grpc.server(
            ThreadPoolExecutor(threads, thread_name_prefix="call"), options=_options(config)
        )
        registrations = [RouteOptimizer(runtime).registration(), *(plugin(runtime) for plugin in plugins)]
        for one in registrations:
            handler = grpc.method_handlers_generic_handler(one.service, dict(one.methods))
            self._server.add_generic_rpc_handlers((handler,))
        self._names = [one.service for one in registrations]
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        reflection.enable_server_reflection(
            [*self._names, health.SERVICE_NAME, reflection.SERVICE_NAME], self._server
        )
        self.port = self._bind()
        self._stopped = threading.Event()

    def start(self) -> None:
        """Begin to serve."""
        self._server.start()
        for name in ("", *self._names):
            self._health.set(name, health_pb2.HealthCheckResponse.SERVING)
        log(
            logging.INFO,
            "serving",
            host=self.config.host,
            port=self.port,
            searches=self.config.searches,
            tls=bool(self.config.tls_cert),
            token=bool(self.config.token_file),
        )

    def stop(self) -> None:
        """Stop in order: not healthy, running searches answer with what they have, then no calls at all."""
        log(logging.INFO, "stopping", running=self.solver.admission.running)
        self._health.enter_graceful_shutdown()
        self.solver.stop()
        time.sleep(DRAIN_SECONDS)
        self._server.stop(self.config.grace_seconds).wait()
        log(logging.INFO, "stopped")
        self._stopped.set()

    def wait(self) -> None:
        """Wait until the server has stopped."""
        self._stopped.wait()

    def _bind(self) -> int:
        config = self.config
        try:
            if not config.tls_cert:
                return self._server.add_insecure_port(config.address)
            return self._server.add_secure_port(config.address, _credentials(config))
        except RuntimeError as error:
            raise ConfigError(f"--host, --port: cannot listen on {config.address}") from error


def _credentials(config: ServiceConfig) -> grpc.ServerCredentials:
    pair = (Path(config.tls_key).read_bytes(), Path(config.tls_cert).read_bytes())
    authority = Path(config.tls_client_ca).read_bytes() if config.tls_client_ca else None
    return grpc.ssl_server_credentials([pair], authority, require_client_auth=authority is not None)


def _options(config: ServiceConfig) -> list[tuple[str, int]]:
    return [
        ("grpc.max_receive_message_length", config.max_message_bytes),
        ("grpc.max_send_message_length", -1),
        ("grpc.max_concurrent_streams", 1000),
        ("grpc.so_reuseport", int(config.workers > 1)),
    ]

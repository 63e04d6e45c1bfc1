"""The service's settings: each one a flag of ``rheingold serve`` and an environment variable.

The flag of a field is its name with dashes (``--max-hexes``), its variable the name in capitals behind
``RHEINGOLD_`` (``RHEINGOLD_MAX_HEXES``). A flag wins over the variable, the variable over the default.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PREFIX = "RHEINGOLD_"

# Types of settings, by the names of their annotations.
KINDS: dict[str, type[Any]] = {"str": str, "int": int, "float": float}


class ConfigError(ValueError):
    """A setting that makes no sense; the text names the flag."""


def setting(default: Any, help_text: str, least: float | None = None, most: float | None = None) -> Any:
    """Declare a setting: its default, what it does, and the range it must lie in."""
    return field(default=default, metadata={"help": help_text, "least": least, "most": most})


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class ServiceConfig:
    """Everything that can be set. Raises :class:`ConfigError` for what makes no sense."""

    host: str = setting("127.0.0.1", "Address to listen on. Anything but loopback is open to others.")
    port: int = setting(50051, "Port to listen on; 0 takes a free one.", 0, 65535)
    workers: int = setting(1, "Processes that share the port.", 1, 256)
    concurrency: int = setting(
        0, "Searches at the same time in a process; 0: one for each processor.", 0, 1024
    )
    queue: int = setting(64, "Calls that may wait for a search to end; more are refused.", 0, 100_000)
    max_streams: int = setting(128, "Batch and stream calls at the same time in a process.", 1, 10_000)
    batch_window: int = setting(32, "Items of one batch call that are read but not yet answered.", 1, 10_000)
    max_message_bytes: int = setting(1 << 20, "Size of a request.", 1024, 1 << 30)
    max_hexes: int = setting(1000, "Hexes in a position.", 1, 100_000)
    max_trains: int = setting(30, "Trains in a position.", 1, 1000)
    max_seconds: float = setting(60.0, "Seconds that one search may take, whatever is asked.", 0.001, 86_400)
    max_threads: int = setting(1, "Threads that one search may use, whatever is asked.", 1, 256)
    max_best: int = setting(100, "Best sets of routes that may be asked for.", 1, 1000)
    deadline_margin: float = setting(
        0.03, "Seconds before the client's deadline at which a search stops and answers.", 0.001, 60
    )
    cache_bytes: int = setting(64 << 20, "Memory for results of positions seen before; 0: none.", 0, 1 << 40)
    grace_seconds: float = setting(10.0, "Seconds that running calls get when the server stops.", 0, 3600)
    token_file: str = setting("", "File with the bearer token that clients must send.")
    tls_cert: str = setting("", "File with the server's certificate chain (PEM).")
    tls_key: str = setting("", "File with the certificate's private key (PEM).")
    tls_client_ca: str = setting(
        "", "File with the authority that clients' certificates must come from (PEM)."
    )
    rules: str = setting("", "Modules with rules written in Python, separated by commas.")
    metrics_port: int = setting(0, "Port for Prometheus metrics over HTTP; 0: none.", 0, 65535)
    metrics_host: str = setting("127.0.0.1", "Address for the metrics.")
    log_level: str = setting("info", "Least level to log: debug, info, warning or error.")
    games_folder: str = setting("", "Folder that keeps the games; empty: they end with the server.")
    max_games: int = setting(
        100, "Games kept at the same time; the least recently used one goes.", 1, 100_000
    )
    game_idle_seconds: float = setting(3600.0, "Seconds after which an unused game is forgotten.", 1, 1e9)

    def __post_init__(self) -> None:
        """Check ranges and what belongs together."""
        for item in dataclasses.fields(self):
            least, most = item.metadata["least"], item.metadata["most"]
            value = getattr(self, item.name)
            if least is not None and not least <= value <= most:
                raise ConfigError(f"{flag(item.name)} must be from {least:g} to {most:g}, not {value!r}")
        if bool(self.tls_cert) != bool(self.tls_key):
            raise ConfigError("--tls-cert and --tls-key belong together: give both or none")
        if self.tls_client_ca and not self.tls_cert:
            raise ConfigError("--tls-client-ca needs --tls-cert and --tls-key")
        if self.log_level not in ("debug", "info", "warning", "error"):
            raise ConfigError(f"--log-level must be debug, info, warning or error, not {self.log_level!r}")
        for name in ("token_file", "tls_cert", "tls_key", "tls_client_ca"):
            path = getattr(self, name)
            if path and not Path(path).is_file():
                raise ConfigError(f"{flag(name)}: there is no file {path}")
        self._check_token()
        self._check_tls()

    def _check_token(self) -> None:
        if not self.token_file:
            return
        try:
            token = self.token()
        except UnicodeDecodeError:
            token = "\N{REPLACEMENT CHARACTER}"
        if not token:
            raise ConfigError(f"--token-file: {self.token_file} is empty")
        if not (token.isascii() and token.isprintable() and " " not in token):
            what = "must hold one line of printable ASCII characters without blanks"
            raise ConfigError(f"--token-file: {self.token_file} {what}: clients can send no other")

    def _check_tls(self) -> None:
        """Raise ConfigError for files that cannot be used; gRPC itself only says that it cannot listen."""
        if not self.tls_cert:
            return
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        try:
            context.load_cert_chain(self.tls_cert, self.tls_key, password="")
        except (OSError, ValueError) as error:
            what = "are no certificate chain and its private key, unencrypted, in PEM"
            raise ConfigError(f"--tls-cert, --tls-key: {self.tls_cert}, {self.tls_key} {what}") from error
        if not self.tls_client_ca:
            return
        with contextlib.suppress(OSError, ValueError):
            context.load_verify_locations(self.tls_client_ca)
        if not context.cert_store_stats()["x509"]:
            raise ConfigError(f"--tls-client-ca: {self.tls_client_ca} holds no certificate in PEM")

    @property
    def searches(self) -> int:
        """Searches at the same time in a process; processors are shared out among the workers."""
        return self.concurrency or max(1, _processors() // self.workers)

    @property
    def address(self) -> str:
        """Host and port as one text."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    def token(self) -> str:
        """Return the bearer token, or an empty text if none is asked for."""
        return Path(self.token_file).read_text(encoding="utf-8").strip() if self.token_file else ""


def flag(name: str) -> str:
    """Return the flag of a setting."""
    return "--" + name.replace("_", "-")


def variable(name: str) -> str:
    """Return the environment variable of a setting."""
    return PREFIX + name.upper()


def from_environment(environment: Mapping[str, str] | None = None, **given: Any) -> ServiceConfig:
    """Return the settings of the environment; ``given`` ones win.

    Raises ConfigError for a variable that cannot be read.
    """
    source = os.environ if environment is None else environment
    values: dict[str, Any] = {}
    for item in dataclasses.fields(ServiceConfig):
        text = source.get(variable(item.name))
        if text is None:
            continue
        kind: type[Any] = KINDS[str(item.type)]
        try:
            values[item.name] = kind(text)
        except ValueError as error:
            right = "a whole number" if kind is int else "a number"
            raise ConfigError(f"{variable(item.name)}: must be {right}, not {text!r}") from error
    return ServiceConfig(**{**values, **given})

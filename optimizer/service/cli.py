"""``rheingold serve``: run the service from the command line."""

from __future__ import annotations

import dataclasses
import importlib
import ipaddress
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from optimizer.service.config import KINDS, ConfigError, ServiceConfig, flag, from_environment, variable

if TYPE_CHECKING:
    from optimizer.service.handlers import Plugin

# Must be in the environment before gRPC is imported.
QUICK_POLLING = "-event_engine_client,-event_engine_listener"


def _settings(command: Callable[..., None]) -> Callable[..., None]:
    """Add one option for each setting."""
    for item in reversed(dataclasses.fields(ServiceConfig)):
        help_text = f"{item.metadata['help']} [{variable(item.name)}; {item.default!r}]"
        command = click.option(
            flag(item.name), item.name, type=KINDS[str(item.type)], default=None, help=help_text
        )(command)
    return command


def serve_command(plugins: Sequence[str] = ()) -> click.Command:
    """Return the command ``serve``.

    ``plugins`` name further services to offer as ``module:function`` (see
    :data:`optimizer.service.handlers.Plugin`); they are loaded when the command runs.
    """

    @click.command("serve", short_help="Run the gRPC service.")
    @_settings
    def serve(**given: Any) -> None:
        """Run the gRPC service until SIGTERM, SIGINT or SIGHUP.

        Every setting is a flag and an environment variable; the flag wins. Nothing but loopback is
        listened on unless --host says so.
        """
        # gRPC's older way to wait for its sockets takes a thread less: each call is about 0.1 ms shorter.
        os.environ.setdefault("GRPC_EXPERIMENTS", QUICK_POLLING)
        # Imported here: the other commands need no gRPC and start faster without.
        from optimizer.service.workers import run

        try:
            config = from_environment(**{name: value for name, value in given.items() if value is not None})
            _warn(config)
            run(
                config,
                [_load(plugin) for plugin in plugins],
                lambda port: click.echo(f"serving on {config.host}:{port}"),
            )
        except ConfigError as error:
            raise click.UsageError(str(error)) from error

    return serve


def _load(plugin: str) -> Plugin:
    module, _, name = plugin.partition(":")
    loaded: Plugin = getattr(importlib.import_module(module), name)
    return loaded


def _warn(config: ServiceConfig) -> None:
    """Tell of settings that are allowed but rarely meant."""
    try:
        local = ipaddress.ip_address(config.host).is_loopback
    except ValueError:
        local = config.host == "localhost"
    if local:
        return
    if not config.tls_cert:
        click.echo(f"warning: {config.host} is open to others without TLS (--tls-cert, --tls-key)", err=True)
    if not config.token_file and not config.tls_client_ca:
        click.echo(f"warning: everybody may call {config.host} (--token-file, --tls-client-ca)", err=True)


serve = serve_command()

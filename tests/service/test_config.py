"""Settings: flags, environment, ranges."""

from __future__ import annotations

import dataclasses
import ipaddress
from pathlib import Path

import pytest

from optimizer.service.config import ConfigError, ServiceConfig, flag, from_environment, variable


def test_default_listens_on_loopback_only() -> None:
    assert ipaddress.ip_address(ServiceConfig().host).is_loopback
    assert ipaddress.ip_address(ServiceConfig().metrics_host).is_loopback


def test_flag_wins_over_environment_and_environment_over_default() -> None:
    environment = {"RHEINGOLD_QUEUE": "7", "RHEINGOLD_MAX_SECONDS": "2.5", "OTHER": "x"}
    config = from_environment(environment, queue=9)
    assert (config.queue, config.max_seconds) == (9, 2.5)
    assert config.workers == ServiceConfig().workers


@pytest.mark.parametrize("field", dataclasses.fields(ServiceConfig), ids=lambda field: field.name)
def test_every_setting_has_a_flag_a_variable_and_help(field: dataclasses.Field[object]) -> None:
    assert flag(field.name) == "--" + field.name.replace("_", "-")
    assert variable(field.name) == "RHEINGOLD_" + field.name.upper()
    assert field.metadata["help"].endswith(".")


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"port": 70000}, "--port must be from 0 to 65535"),
        ({"workers": 0}, "--workers"),
        ({"max_seconds": float("nan")}, "--max-seconds"),
        ({"log_level": "loud"}, "--log-level"),
        ({"tls_client_ca": "x"}, "--tls-client-ca needs"),
        ({"tls_cert": "/nowhere"}, "belong together"),
        ({"token_file": "/nowhere"}, "--token-file: there is no file"),
    ],
)
def test_nonsense_is_refused_by_the_name_of_its_flag(settings: dict[str, object], text: str) -> None:
    with pytest.raises(ConfigError, match=text):
        ServiceConfig(**settings)  # type: ignore[arg-type]


def test_unreadable_variable_is_named() -> None:
    with pytest.raises(ConfigError, match="RHEINGOLD_QUEUE: must be a whole number, not 'many'"):
        from_environment({"RHEINGOLD_QUEUE": "many"})


def test_token_comes_from_a_file_without_its_line_end(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("s3cret\n")
    assert ServiceConfig(token_file=str(file)).token() == "s3cret"
    file.write_text("\n")
    with pytest.raises(ConfigError, match="is empty"):
        ServiceConfig(token_file=str(file))


def test_processors_are_shared_out_among_workers() -> None:
    assert ServiceConfig(workers=256).searches == 1
    assert ServiceConfig(concurrency=5).searches == 5

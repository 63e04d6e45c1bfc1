"""Bearer token, TLS and mutual TLS."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from optimizer.service.client import CallError, Client
from optimizer.service.config import ConfigError, ServiceConfig
from tests.service.conftest import Serve
from tests.service.positions import line_map

needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificates")


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an authority (ca), a server's and a client's certificate and key, and a stranger's."""
    folder = tmp_path_factory.mktemp("tls")

    def openssl(*arguments: str) -> None:
        subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True, timeout=60)

    def pair(name: str, *more: str) -> None:
        openssl(
            *("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"),
            *("-keyout", f"{name}.key", "-subj", f"/CN={name}", *more),
        )

    for authority in ("ca", "stranger"):
        pair(authority, "-x509", "-out", f"{authority}.pem")
    (folder / "san").write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
    for name in ("server", "client"):
        pair(name, "-out", f"{name}.csr")
        openssl(
            *("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial"),
            *("-days", "2", "-extfile", "san", "-out", f"{name}.pem"),
        )
    return folder


@pytest.fixture
def token_file(tmp_path: Path) -> str:
    file = tmp_path / "token"
    file.write_text("s3cret-token\n")
    return str(file)


def test_right_token_is_let_in(serve: Serve, token_file: str) -> None:
    server = serve(token_file=token_file)
    with Client(server.target, token="s3cret-token") as client:
        assert client.optimize(line_map()).proven


@pytest.mark.parametrize("token", ["", "wrong", "s3cret-token2"])
def test_other_tokens_are_not(serve: Serve, token_file: str, token: str) -> None:
    server = serve(token_file=token_file)
    with Client(server.target, token=token) as client:
        calls: list[Callable[[], object]] = [
            lambda: client.optimize(line_map()),
            lambda: client.evaluate(line_map(), []),
            client.list_titles,
            lambda: list(client.optimize_stream(line_map())),
            lambda: list(client.optimize_batch([])),
        ]
        for call in calls:
            with pytest.raises(CallError) as caught:
                call()
            assert caught.value.code is grpc.StatusCode.UNAUTHENTICATED
            assert "s3cret" not in caught.value.message


def test_health_needs_no_token(serve: Serve, token_file: str) -> None:
    server = serve(token_file=token_file)
    answer = health_pb2_grpc.HealthStub(server.channel).Check(health_pb2.HealthCheckRequest())
    assert answer.status == health_pb2.HealthCheckResponse.SERVING


@needs_openssl
def test_tls(serve: Serve, certificates: Path) -> None:
    server = serve(tls_cert=str(certificates / "server.pem"), tls_key=str(certificates / "server.key"))
    trust = grpc.ssl_channel_credentials((certificates / "ca.pem").read_bytes())
    with Client(server.target, credentials=trust) as client:
        assert client.optimize(line_map()).proven
    with pytest.raises(CallError) as caught:
        server.client.optimize(line_map(), timeout=60)  # without TLS
    assert caught.value.code is grpc.StatusCode.UNAVAILABLE
    other = grpc.ssl_channel_credentials((certificates / "stranger.pem").read_bytes())
    with Client(server.target, credentials=other) as client, pytest.raises(CallError):
        client.optimize(line_map(), timeout=60)


@needs_openssl
def test_mutual_tls(serve: Serve, certificates: Path) -> None:
    server = serve(
        tls_cert=str(certificates / "server.pem"),
        tls_key=str(certificates / "server.key"),
        tls_client_ca=str(certificates / "ca.pem"),
    )

    def credentials(name: str) -> grpc.ChannelCredentials:
        authority = (certificates / "ca.pem").read_bytes()
        if not name:
            return grpc.ssl_channel_credentials(authority)
        pair = [(certificates / f"{name}.{end}").read_bytes() for end in ("key", "pem")]
        return grpc.ssl_channel_credentials(authority, *pair)

    with Client(server.target, credentials=credentials("client")) as client:
        assert client.optimize(line_map()).proven
    for name in ("", "stranger"):
        with (
            Client(server.target, credentials=credentials(name)) as client,
            pytest.raises(CallError) as caught,
        ):
            client.optimize(line_map(), timeout=60)
        assert caught.value.code is grpc.StatusCode.UNAVAILABLE


@pytest.mark.parametrize(
    "text", [b"two words", b"two\nlines", b"caf\xc3\xa9", b"\xff\xfe", b"\xef\xbb\xbfmark", b"nul\0"]
)
def test_a_token_that_no_client_can_send_is_refused(tmp_path: Path, text: bytes) -> None:
    file = tmp_path / "token"
    file.write_bytes(text)
    with pytest.raises(ConfigError, match=r"--token-file.*printable ASCII"):
        ServiceConfig(token_file=str(file))
    file.write_bytes(b"fine\r\n")
    assert ServiceConfig(token_file=str(file)).token() == "fine"


@needs_openssl
def test_certificates_that_cannot_be_used_are_named(certificates: Path, tmp_path: Path) -> None:
    server, key = str(certificates / "server.pem"), str(certificates / "server.key")
    garbage = tmp_path / "garbage"
    garbage.write_text("garbage")
    empty = tmp_path / "empty"
    empty.write_text("")
    other_key = str(certificates / "client.key")
    for cert, cert_key in ((str(garbage), key), (server, str(garbage)), (server, other_key), (key, server)):
        with pytest.raises(ConfigError, match="--tls-cert, --tls-key"):
            ServiceConfig(tls_cert=cert, tls_key=cert_key)
    for authority in (garbage, empty, certificates / "server.key"):
        with pytest.raises(ConfigError, match="--tls-client-ca"):
            ServiceConfig(tls_cert=server, tls_key=key, tls_client_ca=str(authority))
    ServiceConfig(tls_cert=server, tls_key=key, tls_client_ca=str(certificates / "ca.pem"))

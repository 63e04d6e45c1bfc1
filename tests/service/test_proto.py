"""The protocol buffers: generated code is current, lint is clean, nothing that clients rely on breaks."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def run(*command: str) -> None:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def buf() -> str:
    """The command buf (extra ``dev``); without it skip, or fail in CI."""
    beside = Path(sys.executable).with_name("buf")
    found = str(beside) if beside.is_file() else shutil.which("buf")
    if found is None:
        if os.environ.get("CI") == "true":
            pytest.fail("buf is missing: install the extra dev")
        pytest.skip("needs buf (extra dev)")
    return found


def test_generated_code_is_current() -> None:
    pytest.importorskip("grpc_tools")
    run(sys.executable, "tools/generate_proto.py", "--check")


def test_lint(buf: str) -> None:
    run(buf, "lint", "proto")


def test_nothing_breaks_clients(buf: str) -> None:
    run(buf, "breaking", "proto", "--against", "proto/baseline.binpb")

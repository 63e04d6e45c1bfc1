"""The Node.js example client against a live server."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.service.conftest import Running

FOLDER = Path(__file__).resolve().parents[2] / "clients" / "node"


def node(server: Running, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run node in the client's folder; without node or its packages skip, or in CI get them or fail."""
    in_ci = os.environ.get("CI") == "true"
    if in_ci and shutil.which("npm"):
        with (FOLDER / "package.json").open() as held:  # tests may run in several processes
            fcntl.flock(held, fcntl.LOCK_EX)
            if not (FOLDER / "node_modules").is_dir():
                install = ["npm", "ci", "--no-audit", "--no-fund"]
                subprocess.run(install, cwd=FOLDER, check=True, capture_output=True, timeout=240)
    if shutil.which("node") is None or not (FOLDER / "node_modules").is_dir():
        missing = "needs node, and npm ci in clients/node"
        if in_ci:
            pytest.fail(missing)
        pytest.skip(missing)
    environment = {**os.environ, "RHEINGOLD_TARGET": server.target}
    return subprocess.run(
        ["node", *arguments],
        cwd=FOLDER,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_node_client(server: Running) -> None:
    done = node(server, "--test")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "# pass 7" in done.stdout or "pass 7" in done.stdout, done.stdout


def test_node_example(server: Running) -> None:
    done = node(server, "example.js", server.target)
    assert done.returncode == 0, done.stderr
    action = json.loads(done.stdout)
    # Token in the middle (30); the better neighbour pays 40.
    assert [route["revenue"] for route in action["routes"]] == [70]
    assert (action["type"], action["entity"]) == ("run_routes", "RED")
    assert "best: 70, at most 70" in done.stderr

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
    assert "# pass 8" in done.stdout or "pass 8" in done.stdout, done.stdout


def test_node_example(server: Running) -> None:
    done = node(server, "example.js", server.target)
    assert done.returncode == 0, done.stderr
    action = json.loads(done.stdout)
    # Token in the middle (30); the better neighbour pays 40.
    assert [route["revenue"] for route in action["routes"]] == [70]
    assert (action["type"], action["entity"]) == ("run_routes", "RED")
    assert "best: 70, at most 70" in done.stderr


def test_node_example_says_what_is_wrong_with_its_file(server: Running, tmp_path: Path) -> None:
    broken, unknown, odd = (tmp_path / name for name in ("broken.json", "unknown.json", "odd.json"))
    broken.write_text("{")
    unknown.write_text('{"title": "1861", "fase": "2"}')
    odd.write_text('{"title": "1861", "trains": [{"id": "2-0", "distance": 2.5}]}')
    for file, told in (
        (tmp_path / "absent.json", "there is no such file"),
        (tmp_path, "is a folder"),
        (broken, "is not the JSON of one position"),
        (unknown, "position.fase: Position has no such field"),
        (odd, "position.trains[0].distance: must be a whole number, not 2.5"),
    ):
        done = node(server, "example.js", server.target, str(file))
        assert done.returncode == 2, done.stderr
        assert done.stderr.splitlines()[-1].startswith(f"{file}: {told}")
        assert done.stdout == ""

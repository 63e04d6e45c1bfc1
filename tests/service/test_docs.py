"""docs/service.md says what is so."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from engine.service import plugin
from optimizer.service.config import ServiceConfig
from optimizer.service.errors import TABLE
from optimizer.service.server import Service
from tests.service.conftest import Running
from tests.service.positions import line_map

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "service.md").read_text(encoding="utf-8")


def test_settings_are_current() -> None:
    command = [sys.executable, "tools/document_settings.py"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


def examples() -> list[str]:
    return re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def run(code: str, target: str, names: dict[str, Any]) -> dict[str, Any]:
    code = code.replace("127.0.0.1:50051", target).replace("Limits(time=2)", "Limits(time=1)")
    exec(compile(code, "docs/service.md", "exec"), names)
    return names


def test_client_example_runs(server: Running) -> None:
    positions = [line_map(revenue=number) for number in (10, 20)]
    names = run(examples()[0], server.target, {"position": line_map(), "positions": positions})
    assert names["answer"].revenue == 40


def test_game_example_runs() -> None:
    service = Service(ServiceConfig(port=0, grace_seconds=1.0), [plugin])
    service.start()
    names = run(examples()[1], f"127.0.0.1:{service.port}", {})
    assert names["game"].actions == 1
    assert names["state"]["phase"] == "2"
    service.stop()


def test_every_status_is_documented() -> None:
    documented = set(re.findall(r"^\| `([A-Z_]+)` \|", PAGE, re.MULTILINE))
    assert documented == {code.name for _, code in TABLE} - {"CANCELLED"} | {"INTERNAL"}

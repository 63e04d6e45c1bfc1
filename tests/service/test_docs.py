"""docs/service.md says what is so."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from optimizer.service.errors import TABLE
from tests.service.conftest import Running
from tests.service.positions import line_map

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "service.md").read_text(encoding="utf-8")


def test_settings_are_current() -> None:
    command = [sys.executable, "tools/document_settings.py"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


def test_python_example_runs(server: Running) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    code = example.replace("127.0.0.1:50051", server.target).replace("Limits(time=2)", "Limits(time=1)")
    names = {"position": line_map(), "positions": [line_map(revenue=number) for number in (10, 20)]}
    exec(compile(code, "docs/service.md", "exec"), names)
    assert names["answer"].revenue == 40  # type: ignore[attr-defined]


def test_every_status_is_documented() -> None:
    documented = set(re.findall(r"^\| `([A-Z_]+)` \|", PAGE, re.MULTILINE))
    assert documented == {code.name for _, code in TABLE} - {"CANCELLED"} | {"INTERNAL"}

"""Run tests on native code built with sanitizers and bounds checks.

    python tools/sanitize.py [--all]

Copies the checkout to a temporary folder, builds it there with RHEINGOLD_SANITIZE=1 and runs the search's
tests (with --all: all tests of the optimizer and the engine) with the address sanitizer loaded.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COPIED = (
    "optimizer",
    "engine",
    "proto",
    "tests",
    "benchmarks",
    "examples",
    "setup.py",
    "pyproject.toml",
    "README.md",
    "LICENSE",
)
SEARCH = (
    "tests/optimizer/test_search_random.py",
    "tests/optimizer/test_search_titles.py",
    "tests/optimizer/test_layout.py",
    "tests/service/test_wire.py",
    "tests/service/test_encode.py",
)
EVERYTHING = ("tests/optimizer", "tests/engine", "tests/service/test_wire.py", "tests/service/test_encode.py")


def _library(name: str) -> str:
    compiler = os.environ.get("CXX", "g++")
    found = subprocess.run([compiler, f"-print-file-name={name}"], capture_output=True, text=True, check=True)
    return found.stdout.strip()


def main() -> int:
    """Return the exit status of the tests."""
    everything = "--all" in sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="rheingold-sanitized-") as folder:
        for name in COPIED:
            source = ROOT / name
            if source.is_dir():
                ignore = shutil.ignore_patterns("*.so", "*.cpp", "__pycache__")
                shutil.copytree(source, Path(folder) / name, ignore=ignore)
            elif source.exists():
                shutil.copy(source, Path(folder) / name)
        build = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
        subprocess.run(build, cwd=folder, env={**os.environ, "RHEINGOLD_SANITIZE": "1"}, check=True)
        cases = os.environ.get("RHEINGOLD_CASES") or str(ROOT.parent / "shared" / "cases")
        environment = {
            **os.environ,
            "LD_PRELOAD": _library("libasan.so"),
            "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=1:verify_asan_link_order=0",
            "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
            "RHEINGOLD_SANITIZED": "1",
        }
        if Path(cases).is_dir():
            environment["RHEINGOLD_CASES"] = cases
        tests = EVERYTHING if everything else SEARCH
        marks = [] if everything else ["-m", "not full"]
        command = [sys.executable, "-m", "pytest", "-x", "--timeout", "1800", *marks, *tests]
        return subprocess.run(command, cwd=folder, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())

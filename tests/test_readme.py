"""What README shows is run: Python, commands with their output, the Node.js example."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from benchmarks.service_process import ServerProcess

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
ADDRESS = "127.0.0.1:50051"
# Commands that the test does not run: it starts the server itself, and grpcurl is no package of ours.
NOT_RUN = ("rheingold serve", "grpcurl ")
TIME = re.compile(r"[\d.,]+ ms\)")


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, the number of its first line, and its text."""

    language: str
    line: int
    text: str


def blocks() -> list[Block]:
    """Return all fenced blocks of README in order."""
    return [
        Block(found[1], TEXT.count("\n", 0, found.start()) + 2, found[2])
        for found in re.finditer(r"^```(\w*)\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
    ]


def blocks_of(language: str) -> list[Block]:
    """Return the blocks of a language."""
    return [block for block in blocks() if block.language == language]


def names(found: list[Block]) -> list[str]:
    """Return names for pytest."""
    return [f"line-{block.line}" for block in found]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in that has what README's paths name, and a `rheingold` command."""
    for folder in ("examples", "docs"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    command = tmp_path / "bin" / "rheingold"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m engine.cli.main "$@"\n')
    command.chmod(0o755)
    paths = os.pathsep.join((str(ROOT), str(ROOT / "proto" / "generated")))
    monkeypatch.setenv("PATH", os.pathsep.join((str(command.parent), os.environ["PATH"])))
    monkeypatch.setenv("PYTHONPATH", paths)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """A server; the value is its address."""
    with ServerProcess("--log-level=warning") as running:
        yield running.target


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command line; its standard output and errors come together."""
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=280,
        check=False,
    )


def matches(shown: list[str], real: list[str]) -> bool:
    """Compare lines: times may differ, and a line `...` stands for any lines."""
    if not shown:
        return not real
    if shown[0] == "...":
        return any(matches(shown[1:], real[start:]) for start in range(len(real) + 1))
    return bool(real) and TIME.sub("", shown[0]) == TIME.sub("", real[0]) and matches(shown[1:], real[1:])


def sessions(block: Block) -> list[tuple[str, list[str]]]:
    """Return the commands of a console block, each with the output shown."""
    found: list[tuple[str, list[str]]] = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            found.append((line.removeprefix("$ "), []))
        else:
            found[-1][1].append(line)
    return found


@pytest.mark.parametrize("block", blocks_of("console"), ids=names(blocks_of("console")))
def test_commands_say_what_is_shown(block: Block, place: Path) -> None:
    for command, shown in sessions(block):
        real = run(command, place).stdout.splitlines()
        assert matches(shown, real), f"{command}\nREADME:\n{chr(10).join(shown)}\nreal:\n{chr(10).join(real)}"


@pytest.mark.parametrize("block", blocks_of("sh"), ids=names(blocks_of("sh")))
def test_commands_work(block: Block, place: Path) -> None:
    for command in block.text.splitlines():
        if not command.startswith(NOT_RUN):
            done = run(command, place)
            assert done.returncode == 0, f"{command}\n{done.stdout}"
            target = re.search(r"(?:-o|>|--html) (\S+)$", command)
            assert target is None or (place / target[1]).stat().st_size > 0


@pytest.mark.parametrize("block", blocks_of("python"), ids=names(blocks_of("python")))
def test_python_runs(block: Block, place: Path, server: str) -> None:
    said = io.StringIO()
    scope: dict[str, Any] = {"__name__": "readme"}
    with contextlib.redirect_stdout(said):
        exec(compile(block.text.replace(ADDRESS, server), f"README line {block.line}", "exec"), scope)
    shown = next(iter(blocks()[blocks().index(block) + 1 :]), None)
    if shown is not None and shown.language == "text":
        assert said.getvalue() == shown.text


def test_node_example_runs(server: str) -> None:
    if shutil.which("node") is None or not (ROOT / "clients" / "node" / "node_modules").is_dir():
        pytest.skip("needs node, and npm ci in clients/node")
    (block,) = blocks_of("js")
    code = block.text.replace(ADDRESS, server)
    done = subprocess.run(
        ["node", "--input-type=module", "-e", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "240 2\n"), done.stderr


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[\w-]+)?\)", TEXT):
        assert (ROOT / target).exists(), target


def test_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"(?:`|^    )make ([a-z-]+)", TEXT, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_commands_exist() -> None:
    from engine.cli.main import cli

    shown = set(re.findall(r"^\| `rheingold (\w+)` \|", TEXT, re.MULTILINE))
    assert shown == set(cli.commands)


def test_figures_are_those_of_the_results() -> None:
    # README repeats the table of groups; its rows are copied, not retyped
    results = (ROOT / "benchmarks" / "RESULTS.md").read_text(encoding="utf-8").splitlines()
    rows = re.findall(r"^\| [a-z18' ]+ \| \d[\d,]* \|.*\|$", TEXT, re.MULTILINE)
    assert rows
    for row in rows:
        assert row in results

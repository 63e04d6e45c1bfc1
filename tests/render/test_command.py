"""``rheingold render``: files, folders, choices, and what it says when it cannot."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from optimizer.cli import commands
from optimizer.cli.render import render_command
from optimizer.model import position_to_data, write_position
from optimizer.model.position import Position
from tests.render.boards import position

Invoke = Callable[..., Result]


@pytest.fixture
def run_command() -> Invoke:
    def invoke(*arguments: object, **more: str) -> Result:
        return CliRunner().invoke(render_command, [str(part) for part in arguments], **more)

    return invoke


def as_row(of: Position, with_routes: bool = False) -> dict[str, object]:
    row = write_position(position_to_data(of))
    routes = [
        {"train": "3-0", "connections": [["B4", "B2"], ["B4", "B6"]], "nodes": ["B2-0", "B4-0", "B6-0"]}
    ]
    return {"position": row, "routes": routes} if with_routes else {"position": row}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Two positions, the first with routes."""
    path = tmp_path / "positions.jsonl"
    rows = [as_row(position(), True), as_row(position().replace(id="test-2"))]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_the_command_is_one_of_the_optimizer_s() -> None:
    assert render_command in commands


def test_one_position_goes_to_a_file(run_command: Invoke, file: Path, tmp_path: Path) -> None:
    out = tmp_path / "map.svg"
    result = run_command(file, "--id", "test-2", "--routes", "none", "-o", out)
    assert result.exit_code == 0, result.output
    assert out.read_text().startswith("<svg ")
    assert "layer-routes" not in out.read_text()


def test_without_a_file_it_goes_to_standard_output(run_command: Invoke, file: Path) -> None:
    result = run_command(file, "--id", "test-1", "--routes", "recorded")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("<svg ")
    # 40 (green off-board) + 30 + 10
    assert "AB: routes 80" in result.stdout


def test_many_go_to_a_folder_under_their_ids(run_command: Invoke, file: Path, tmp_path: Path) -> None:
    result = run_command(file, file, "--routes", "none", "-o", f"{tmp_path}/out/")
    assert result.exit_code == 0, result.output
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["test-1-2.svg", "test-1.svg", "test-2-2.svg", "test-2.svg"]


def test_many_do_not_fit_into_one_file(run_command: Invoke, file: Path, tmp_path: Path) -> None:
    result = run_command(file, "--routes", "none", "-o", tmp_path / "one.svg")
    assert result.exit_code == 2
    assert "give a folder" in result.output


def test_png_by_option_or_by_name(run_command: Invoke, file: Path, tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
    for arguments in (("-o", tmp_path / "a.png"), ("--png", "-o", tmp_path / "b")):
        result = run_command(file, "--id", "test-1", "--routes", "none", *arguments)
        assert result.exit_code == 0, result.output
        assert Path(arguments[-1]).read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize("name", ["a.pdf", "a.jpeg", "a.svg.gz", "out.d", "A.PDF"])
@pytest.mark.parametrize("options", [(), ("--png",)])
def test_other_formats_are_refused(
    run_command: Invoke, file: Path, tmp_path: Path, name: str, options: tuple[str, ...]
) -> None:
    result = run_command(file, "--id", "test-1", "--routes", "none", *options, "-o", tmp_path / name)
    assert result.exit_code == 2
    assert "must end in .svg or .png" in result.output
    assert not (tmp_path / name).exists()


def test_names_that_are_written(run_command: Invoke, file: Path, tmp_path: Path) -> None:
    (tmp_path / "folder.d").mkdir()
    for name in ("a", "a.SVG", "folder.d", "other.d/"):
        result = run_command(file, "--id", "test-1", "--routes", "none", "-o", f"{tmp_path}/{name}")
        assert result.exit_code == 0, result.output
    assert [path.name for path in (tmp_path / "other.d").iterdir()] == ["test-1.svg"]
    result = run_command(file, "--id", "test-1", "--routes", "none", "--png", "-o", tmp_path / "b.svg")
    assert result.exit_code == 2
    assert "must end in .png with --png" in result.output


def test_a_position_without_routes_is_told_and_the_others_drawn(
    run_command: Invoke, file: Path, tmp_path: Path
) -> None:
    result = run_command(file, "--routes", "recorded", "-o", f"{tmp_path}/out/")
    assert result.exit_code == 2
    assert "positions.jsonl:2: comes with no routes" in result.stderr
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["test-1.svg"]


def test_faulty_input_and_unknown_ids_are_told(run_command: Invoke, file: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text('{"company": 5}')
    result = run_command(broken, "--routes", "none")
    assert result.exit_code == 2
    assert "broken.json" in result.stderr
    result = run_command(file, "--id", "nobody", "--routes", "none")
    assert result.exit_code == 2
    assert "nobody" in result.stderr


def test_options_reach_the_picture(run_command: Invoke, file: Path) -> None:
    small = run_command(file, "--id", "test-1", "--routes", "none", "--scale", "0.25").stdout
    assert run_command(file, "--id", "test-1", "--routes", "none").stdout != small
    bare = run_command(file, "--id", "test-1", "--routes", "none", "--no-coordinates", "--no-numbers").stdout
    assert '"coordinate"' not in bare


def test_the_best_routes_are_found_and_drawn(run_command: Invoke, file: Path) -> None:
    pytest.importorskip("optimizer.solve")
    result = run_command(file, "--id", "test-1")
    assert result.exit_code == 0, result.output
    assert "AB: best routes 80, proven best" in result.stdout

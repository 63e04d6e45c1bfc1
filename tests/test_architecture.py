"""Which parts may import which, and how long files and functions may get."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
OURS = ("optimizer", "engine", "benchmarks", "examples", "tests", "tools")
FILE_LINES, FUNCTION_LINES = 420, 60
# Cython inlines within a module only, so the search's inner loops are kept together.
NATIVE_LINES = 800

_CYTHON_IMPORT = re.compile(r"^\s*(?:from\s+([\w.]+)\s+c?import|c?import\s+([\w.]+))", re.MULTILINE)

# The optimizer's parts from the ground up: what each may import beside the standard library and packages of
# others. The evaluator and its twin share no code with the search that they check.
MODEL = {"optimizer.model"}
EVALUATOR = {"optimizer.evaluate", "optimizer.evaluation", "optimizer.custom", "optimizer.custom_registry"}
MAY_IMPORT = {
    "optimizer.model": set(),
    "optimizer.native": set(),
    "optimizer.titles": {*MODEL, "optimizer.custom", "optimizer.custom_registry"},
    "optimizer.graph": {*MODEL, "optimizer.native", "optimizer.custom", "optimizer.custom_registry"},
    "optimizer.evaluation": {*MODEL, *EVALUATOR},
    "optimizer.evaluate": {*MODEL, *EVALUATOR},
    "optimizer.brute": {*MODEL, *EVALUATOR, "optimizer.solution"},
    "optimizer.solution": {*MODEL, *EVALUATOR},
    "optimizer.render": {*MODEL, *EVALUATOR, "optimizer.solution"},
}


def source_files(*tops: str, suffixes: tuple[str, ...] = (".py", ".pyi")) -> list[Path]:
    """Return our files in these folders."""
    return sorted(
        file for top in tops for file in (ROOT / top).rglob("*") if file.suffix in suffixes and file.is_file()
    )


def name_of(file: Path) -> str:
    """Return a file's path from the root, with slashes."""
    return file.relative_to(ROOT).as_posix()


def room_of(name: str) -> str:
    """Return the part that a dotted name belongs to: ``optimizer.graph.compile`` -> ``optimizer.graph``."""
    return ".".join(name.split(".")[:2])


def imports_of(file: Path) -> Iterator[str]:
    """Yield the full dotted names that a file imports."""
    text = file.read_text(encoding="utf-8")
    if file.suffix in (".pyx", ".pxd"):
        yield from (found[1] or found[2] for found in _CYTHON_IMPORT.finditer(text))
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            assert node.level == 0, f"{name_of(file)}: relative imports are not used here"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def own_imports(file: Path) -> set[str]:
    """Return the names of ours that a file imports."""
    return {name for name in imports_of(file) if name.partition(".")[0] in OURS}


def test_the_optimizer_imports_nothing_above_it() -> None:
    for file in source_files("optimizer", suffixes=(".py", ".pyi", ".pyx", ".pxd")):
        above = {
            name for name in own_imports(file) if not name.startswith("optimizer.") and name != "optimizer"
        }
        assert not above, f"{name_of(file)} imports {', '.join(sorted(above))}"


def test_the_engine_imports_only_itself_and_the_optimizer() -> None:
    closed = ("optimizer.native", "optimizer.graph", "optimizer.brute")
    for file in source_files("engine", suffixes=(".py", ".pyi", ".pyx", ".pxd")):
        for name in own_imports(file):
            assert name.partition(".")[0] in ("engine", "optimizer"), f"{name_of(file)} imports {name}"
            assert not name.startswith(closed), f"{name_of(file)} imports {name}: go through optimizer.solve"


@pytest.mark.parametrize("part", MAY_IMPORT)
def test_parts_of_the_optimizer_import_what_is_below_them(part: str) -> None:
    path = ROOT / part.replace(".", "/")
    kinds = (".py", ".pyi", ".pyx", ".pxd")
    files = (
        source_files(part.replace(".", "/"), suffixes=kinds) if path.is_dir() else [path.with_suffix(".py")]
    )
    assert files
    for file in files:
        rooms = {room_of(name) for name in own_imports(file)} - {part, "optimizer"}
        above = rooms - MAY_IMPORT[part]
        assert not above, f"{name_of(file)} imports {', '.join(sorted(above))}"


def test_only_solve_ties_the_search_to_the_graph() -> None:
    searches = ("optimizer.native.fleet", "optimizer.native.run_search")
    users = [
        name_of(file)
        for file in source_files("optimizer", "engine")
        if file.suffix == ".py" and any(name.startswith(searches) for name in own_imports(file))
    ]
    assert users == ["optimizer/solve.py"]


def test_core_code_does_not_ask_which_title_is_played() -> None:
    asks = re.compile(r"\btitle(?:\.name)?\s*(?:==|!=|in\b)\s*[\"'(\[{]")
    rooms = ("optimizer/graph", "optimizer/native", "optimizer/evaluation", "engine/core", "engine/board")
    more = ("engine/steps", "engine/rounds", "engine/policies", "optimizer/model")
    for file in source_files(*rooms, *more, suffixes=(".py", ".pyx")):
        found = asks.search(file.read_text(encoding="utf-8"))
        assert found is None, f"{name_of(file)}: {found.group()}"


def test_files_are_short() -> None:
    for file in source_files(
        "optimizer", "engine", "benchmarks", "examples", "tools", suffixes=(".py", ".pyx")
    ):
        lines = file.read_text(encoding="utf-8").count("\n")
        most = NATIVE_LINES if file.suffix == ".pyx" else FILE_LINES
        assert lines <= most, f"{name_of(file)} has {lines} lines; split it"


def test_functions_are_short() -> None:
    for file in source_files("optimizer", "engine", "benchmarks", "examples", "tools", suffixes=(".py",)):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                assert lines <= FUNCTION_LINES, f"{name_of(file)}: {node.name} has {lines} lines; split it"


def test_the_list_of_parts_names_what_exists() -> None:
    # so that a renamed part does not fall out of the rules unseen
    for part in MAY_IMPORT:
        path = ROOT / part.replace(".", "/")
        assert path.is_dir() or path.with_suffix(".py").is_file(), part

"""The commands solve, check and titles."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any, get_args

import click
import pytest
from click.testing import CliRunner, Result

from optimizer.cli import commands
from optimizer.cli.solve import LIMIT_TEXT
from optimizer.evaluate import evaluate
from optimizer.model import position_to_data, write_position
from optimizer.model.position import Route
from optimizer.solution import LimitName
from optimizer.titles import TITLE_NAMES
from tests.small_maps import titled

pytest.importorskip("optimizer.native.fleet")

# The printed board of 1861 with a station in Moscow: H8-G5-E1 earns 40 + 10 + 40 with a 3-train.
MOSCOW = titled("1861", "3", "N", "3", "", "H8.1:N").replace(id="moscow")
# 1856, two 2-trains from C14 to Sarnia on two tracks: 50 each.
SARNIA = titled("1856", "2", "LPS", "2 2", "C14=5r1 B15=7r3", "C14:LPS").replace(id="sarnia")

KEYS = [
    "id", "company", "revenue", "bound", "proven", "limit", "compile_seconds", "search_seconds",
    "check_seconds", "seconds", "routes",
]  # fmt: skip
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
BROKEN: dict[str, Any] = {"title": "1861", "phase": "9", "company": "N"}


def invoke(name: str, *arguments: str, stdin: bytes | None = None) -> Result:
    group = click.Group(commands={str(command.name): command for command in commands})
    return CliRunner().invoke(group, [name, *arguments], input=stdin, catch_exceptions=False)


def rows(*positions: Any) -> list[str]:
    return [json.dumps(p if isinstance(p, dict) else write_position(position_to_data(p))) for p in positions]


@pytest.fixture
def two(tmp_path: Path) -> str:
    file = tmp_path / "two.jsonl"
    file.write_text("\n".join(rows(MOSCOW, SARNIA)) + "\n")
    return str(file)


def test_solve_writes_a_line_of_json_for_each_position(two: str) -> None:
    result = invoke("solve", "--json", two)
    assert result.exit_code == 0
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert [list(row) for row in found] == [KEYS, KEYS]
    assert [(row["id"], row["company"], row["revenue"]) for row in found] == [
        ("moscow", "N", 90), ("sarnia", "LPS", 100),
    ]  # fmt: skip
    assert all(row["proven"] and row["bound"] == row["revenue"] and row["limit"] == "" for row in found)
    assert all(row["seconds"] == row["compile_seconds"] + row["search_seconds"] for row in found)


def test_written_routes_are_ready_to_submit(two: str) -> None:
    line = json.loads(invoke("solve", "--json", two).stdout.splitlines()[0])
    (route,) = line["routes"]
    assert set(route) == {"train", "connections", "hexes", "revenue", "revenue_str", "nodes"}
    assert route["hexes"] in (["H8", "G5", "E1"], ["E1", "G5", "H8"])
    assert {tuple(sorted(chain)) for chain in route["connections"]} == {
        ("G5", "G7", "H8"), ("E1", "F2", "F4", "G5"),
    }  # fmt: skip
    chains = tuple(tuple(chain) for chain in route["connections"])
    verdict = evaluate(MOSCOW, [Route(route["train"], chains, ())])
    assert (verdict.legal, verdict.revenue) == (True, 90)


def test_solve_in_words(two: str) -> None:
    result = invoke("solve", two)
    assert result.exit_code == 0
    assert "moscow N, 1861 phase 3: 90, proven best" in result.stdout
    assert "  2-0" in result.stdout
    assert result.stderr == ""


@pytest.mark.parametrize("packed", [False, True])
def test_reads_standard_input_and_gzip(packed: bool) -> None:
    text = "\n".join(rows(MOSCOW, SARNIA)).encode()
    result = invoke("solve", "--json", "-", stdin=gzip.compress(text) if packed else text)
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == 2


def test_faulty_items_are_told_and_the_others_solved(tmp_path: Path) -> None:
    file = tmp_path / "mixed.jsonl"
    file.write_text("\n".join([*rows(BROKEN), "{", *rows(SARNIA)]))
    result = invoke("solve", "--json", str(file), str(tmp_path / "absent.json"))
    assert result.exit_code == 2
    assert [json.loads(line)["id"] for line in result.stdout.splitlines()] == ["sarnia"]
    told = result.stderr.splitlines()
    assert any(line.startswith(f"{file}:1: phase: ") for line in told)
    assert any(line.startswith(f"{file}:2: ") for line in told)
    assert any("absent.json" in line for line in told)
    assert "Traceback" not in result.stderr


def test_an_empty_file_is_bad_input(tmp_path: Path) -> None:
    file = tmp_path / "empty.json"
    file.write_text("")
    result = invoke("solve", str(file))
    assert result.exit_code == 2
    assert "holds no position" in result.stderr


@pytest.mark.parametrize("option", ["--time=-1", "--nodes=0", "--threads=0", "--best=0", "--cutoff=-5"])
def test_limits_that_make_no_sense_are_refused(two: str, option: str) -> None:
    result = invoke("solve", option, two)
    assert result.exit_code == 2
    assert option.split("=")[0] in result.stderr
    assert "None" not in result.stderr
    assert "must be a" in result.stderr


def test_cutoff_and_best_add_to_the_line(two: str) -> None:
    asked = json.loads(invoke("solve", "--json", "--cutoff", "90", two).stdout.splitlines()[0])
    assert asked["better_than_cutoff"] is False
    assert "nothing better than 90" in invoke("solve", "--cutoff", "90", two).stdout
    best = json.loads(invoke("solve", "--json", "--best", "2", two).stdout.splitlines()[1])
    assert best["alternatives"][0]["revenue"] == best["revenue"] == 100
    assert best["alternatives"][1]["revenue"] == 50


def test_fixed_routes_are_run(two: str, tmp_path: Path) -> None:
    around = {"train": "2-1", "connections": [["C14", "B15", "B13"]]}
    fixed = tmp_path / "fixed.json"
    fixed.write_text(json.dumps({"routes": [around]}))
    sarnia = tmp_path / "sarnia.json"
    sarnia.write_text(rows(SARNIA)[0])
    row = json.loads(invoke("solve", "--json", "--fixed", str(fixed), str(sarnia)).stdout)
    assert row["revenue"] == 100
    packed = tmp_path / "fixed.json.gz"
    packed.write_bytes(gzip.compress(fixed.read_bytes()))
    assert json.loads(invoke("solve", "--json", "--fixed", str(packed), str(sarnia)).stdout)["revenue"] == 100
    hexes = {route["train"]: route["connections"] for route in row["routes"]}
    assert sorted(hexes["2-1"][0]) == ["B13", "B15", "C14"]
    # the same file does not fit the other position
    result = invoke("solve", "--fixed", str(fixed), two)
    assert result.exit_code == 2
    assert "fixed route: train 2-1: N has no train 2-1; it has 3-0 [unknown_train]" in result.stderr


def test_fixed_routes_that_cannot_be_read(two: str, tmp_path: Path) -> None:
    fixed = tmp_path / "fixed.json"
    for text in ("[", "7", '{"routes": [{"train": "3-0", "connections": [], "nodes": ["H8"]}]}'):
        fixed.write_text(text)
        result = invoke("solve", "--fixed", str(fixed), two)
        assert result.exit_code == 2
        assert "fixed.json" in result.stderr


def checked(tmp_path: Path, *chains: list[str], revenue: int | None = None) -> Result:
    route: dict[str, Any] = {"train": "3-0", "connections": list(chains)}
    if revenue is not None:
        route["revenue"] = revenue
    file = tmp_path / "check.json"
    position = write_position(position_to_data(MOSCOW))
    file.write_text(json.dumps({"position": position, "routes": [route]}))
    return invoke("check", str(file))


def test_check_shows_the_sum(tmp_path: Path) -> None:
    result = checked(tmp_path, ["H8", "G7", "G5"], ["E1", "F2", "F4", "G5"], revenue=90)
    assert result.exit_code == 0
    assert "legal, earns 90" in result.stdout
    assert "= 40 H8-1 + 10 G5-0 + 40 E1-1" in result.stdout


def test_check_tells_illegal_routes_and_other_figures(tmp_path: Path) -> None:
    wrong = checked(tmp_path, ["H8", "G7", "G5"], revenue=70)
    assert wrong.exit_code == 1
    assert "the file says 70, it earns 50" in wrong.stdout
    illegal = checked(tmp_path, ["E1", "F2", "F4", "G5"])
    assert illegal.exit_code == 1
    assert "ILLEGAL" in illegal.stdout
    assert "[no_token]" in illegal.stdout


def test_check_needs_routes(two: str) -> None:
    result = invoke("check", two)
    assert result.exit_code == 2
    assert "comes with no routes to check" in result.stderr
    for options in ([], ["--json"], ["--quiet"]):
        assert "nothing to check: 0 sets of routes" in invoke("check", *options, two).stderr


@pytest.mark.parametrize("command", ["solve", "check", "render"])
def test_a_game_file_is_told_from_a_position(command: str) -> None:
    result = invoke(command, str(EXAMPLES / "game-18rhl.json.gz"))
    assert result.exit_code == 2
    told = [line for line in result.stderr.splitlines() if "is a game, not a position" in line]
    assert len(told) == 1
    assert "`rheingold positions`" in told[0]


def test_render_says_what_the_search_refuses(tmp_path: Path) -> None:
    data = json.loads((EXAMPLES / "own-map.json").read_text())
    rows = [{"nodes": ["city", "town"], "pay": 1}, {"nodes": ["city", "offboard"], "pay": 1}]
    data["trains"] = [{"id": "odd-0", "name": "odd", "rows": rows}]
    path = tmp_path / "odd.json"
    path.write_text(json.dumps(data))
    for command in ("solve", "render"):
        result = invoke(command, str(path))
        assert result.exit_code == 2
        assert f"{path}:1: train odd: two of its rows share some kinds only" in result.stderr


def test_check_in_json(tmp_path: Path) -> None:
    checked(tmp_path, ["H8", "G7", "G5"])
    row = json.loads(invoke("check", "--json", str(tmp_path / "check.json")).stdout)
    assert (row["id"], row["which"], row["legal"], row["revenue"]) == ("moscow", "routes", True, 50)
    assert [stop["amount"] for stop in row["routes"][0]["stops"]] == [40, 10]


def test_titles_lists_every_title() -> None:
    result = invoke("titles")
    assert result.exit_code == 0
    for name in TITLE_NAMES:
        assert f"{name}: " in result.stdout
    lines = [json.loads(line) for line in invoke("titles", "--json").stdout.splitlines()]
    assert [line["title"] for line in lines] == list(TITLE_NAMES)
    # the 8 of 1856 and its phase come with an optional rule
    assert lines[2]["trains"] == lines[2]["phases"] == ["2", "3", "4", "5", "6", "D", "8"]


def test_every_limit_that_can_end_a_search_has_a_text() -> None:
    assert set(LIMIT_TEXT) == set(get_args(LimitName)) - {""}


@pytest.mark.cases
def test_solve_and_check_read_the_shared_cases(cases: Path) -> None:
    file = str(cases / "positions" / "1867-published.jsonl.gz")
    best = {"GWR": 840, "C&O": 900, "CNR": 1150}
    solved = [json.loads(line) for line in invoke("solve", "--json", file).stdout.splitlines()]
    assert {row["company"]: row["revenue"] for row in solved} == best
    result = invoke("check", file)
    assert result.exit_code == 0, result.stdout


def test_answers_that_fail_the_check_are_told_not_given(two: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from optimizer import solve

    def refuse(*arguments: Any, **named: Any) -> None:
        raise solve.CheckFailed("the search found 90, but the evaluator says: worth 80")

    monkeypatch.setattr(solve, "optimize", refuse)
    result = invoke("solve", "--json", two)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.count("internal error: the search found 90") == 2

"""The game commands of `rheingold`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from engine import save_game
from engine.cli.main import cli
from engine.player import RandomPlayer, new_game
from optimizer.titles import load_positions


@pytest.fixture(scope="module")
def game_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of 1861 by random players, ended after some operating rounds."""
    game = new_game("1861", 3, 4)
    player = RandomPlayer(4)
    while game.turn < 3:
        game.apply(player.choose(game))
    game.apply({"type": "end_game", "entity": 1, "entity_type": "player"})
    path = tmp_path_factory.mktemp("games") / "short.json.gz"
    path.write_bytes(gzip.compress(json.dumps(save_game(game)).encode()))
    return path


def run(*arguments: str, stdin: str | bytes | None = None) -> Result:
    outcome = CliRunner().invoke(cli, arguments, input=stdin)
    assert outcome.exception is None or isinstance(outcome.exception, SystemExit), outcome.exception
    return outcome


def rows(outcome: Result) -> list[dict[str, Any]]:
    assert outcome.exit_code == 0, outcome.output
    return [json.loads(line) for line in outcome.output.splitlines()]


def test_replay_prints_the_result(game_path: Path) -> None:
    outcome = run("replay", str(game_path))
    assert outcome.exit_code == 0, outcome.output
    first, *players = outcome.output.splitlines()
    assert first.startswith("1861: ")
    assert first.endswith("finished (manually_ended)")
    values = [int(line.split()[0]) for line in players]
    assert values == sorted(values, reverse=True)
    assert len(values) == 3


def test_replay_complains_of_a_wrong_result(game_path: Path, tmp_path: Path) -> None:
    file = json.loads(gzip.decompress(game_path.read_bytes()))
    file["result"]["1"] += 1
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(file))
    outcome = run("replay", str(changed))
    assert outcome.exit_code == 1
    assert "records another result" in outcome.output


def test_replay_traces_every_action(game_path: Path) -> None:
    lines = rows(run("replay", "--trace", str(game_path)))
    assert lines[0]["id"] == 0
    assert lines[0]["changes"]["round"] == "ISR 1.1"
    assert lines[-1]["changes"]["finished"] is True
    file = json.loads(gzip.decompress(game_path.read_bytes()))
    assert [line["id"] for line in lines[1:]] == [entry["id"] for entry in file["actions"]]


def test_replay_reads_standard_input(game_path: Path) -> None:
    text = gzip.decompress(game_path.read_bytes()).decode()
    wanted = run("replay", str(game_path)).output
    assert run("replay", "-", stdin=text).output == wanted
    assert run("replay", "-", stdin=game_path.read_bytes()).output == wanted  # gzipped
    broken = CliRunner().invoke(cli, ["replay", "-"], input="[1]")
    assert "one JSON object" in str(broken.exception)


def test_positions_can_be_read_by_the_optimizer(game_path: Path, tmp_path: Path) -> None:
    outcome = run("positions", str(game_path))
    lines = rows(outcome)
    file = json.loads(gzip.decompress(game_path.read_bytes()))
    runs = [entry["id"] for entry in file["actions"] if entry["type"] == "run_routes"]
    assert [line["id"] for line in lines] == [f"short-{number}" for number in runs]
    assert runs
    path = tmp_path / "positions.jsonl"
    path.write_text(outcome.output)
    assert all(item.position is not None for item in load_positions(path))


def test_legal_lists_at_chosen_moments(game_path: Path) -> None:
    first, later = rows(run("legal", str(game_path), "--before", "1,9"))
    assert first["index"] == 0
    assert first["active"] == "player 1"
    assert first["legal"] == {"pass": True, "bid": [["TSR", 20, 420]]}
    assert (later["before"], later["index"]) == (9, 8)
    (end,) = rows(run("legal", str(game_path)))
    assert end["legal"] == {"pass": False}  # the game is over
    outcome = run("legal", str(game_path), "--before", "999999")
    assert outcome.exit_code == 1
    assert "no live action 999999" in outcome.output


def test_audit_adds_up(game_path: Path, tmp_path: Path) -> None:
    lines = rows(run("audit", "--json", str(game_path)))
    assert all(line["best"] >= line["revenue"] and line["proven"] for line in lines)
    page = tmp_path / "audit.html"
    outcome = run("audit", "--html", str(page), str(game_path))
    assert outcome.exit_code == 0
    assert f"{len(lines)} runs, {len(lines)} proven" in outcome.output
    assert page.read_text().startswith("<!DOCTYPE html>")


def test_play_saves_the_game(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    outcome = run("play", "--random", "--title", "1867", "--seed", "3", "--players", "2", "-o", str(path))
    assert outcome.exit_code == 0, outcome.output
    assert outcome.output.startswith("1867, seed 3: ")
    again = run("replay", str(path))
    assert again.exit_code == 0
    assert again.output.splitlines()[1:] == outcome.output.splitlines()[1:]


@pytest.mark.cases
def test_legal_and_trace_write_what_the_shared_files_have(cases: Path) -> None:
    name = "1867-r2002"
    game = str(cases / "games" / f"{name}.json.gz")
    with gzip.open(cases / "legal" / f"{name}.jsonl.gz", "rt") as lines:
        wanted = {row["before"]: row for row in map(json.loads, lines)}
    got = rows(run("legal", game, "--before", ",".join(map(str, wanted))))
    assert len(got) == len(wanted)
    for row in got:
        want = wanted[row["before"]]
        for key in ("game", "index", "active", "round"):
            assert row[key] == want[key]
        assert row["legal"].keys() == {
            kind for kind, items in want["legal"].items() if items or kind == "pass"
        }
    with gzip.open(cases / "traces" / f"{name}.jsonl.gz", "rt") as lines:
        trace = [json.loads(line) for line in lines]
    for line, want in zip(rows(run("replay", "--trace", game)), trace, strict=True):
        assert line["id"] == want["id"]
        if line["id"]:
            line["changes"].pop("step", None)
            want["changes"].pop("step", None)
            assert line["changes"] == want["changes"]


def test_errors_are_one_line(tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_text(json.dumps({"title": "1830", "players": [{"id": 1}], "actions": []}))
    outcome = CliRunner().invoke(cli, ["replay", str(path)])
    assert "unknown title '1830'" in str(outcome.exception)

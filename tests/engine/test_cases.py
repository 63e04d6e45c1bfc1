"""The shared games: every trace line, every list of legal actions, every position."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

from engine import replay_actions, result, start_game
from engine.legal import census
from engine.operating import position
from engine.replay import executed
from engine.trace import changes, snapshot
from optimizer.model.cases_io import position_from_case
from optimizer.titles.resolve import resolve
from tests.conftest import cases_folder
from tests.engine.conftest import case_names, recorded, sampled

TITLES = ("1861", "1867", "1856", "18rhl")
pytestmark = pytest.mark.cases


def lines(kind: str, name: str) -> list[dict[str, Any]]:
    folder = cases_folder()
    assert folder is not None
    with gzip.open(folder / kind / f"{name}.jsonl.gz", "rt", encoding="utf-8") as rows:
        return [json.loads(row) for row in rows]


def differences(expected: dict[str, Any], got: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    keys = (expected.keys() | got.keys()) - {"step"}  # the step's name is informative
    return {key: (expected.get(key), got.get(key)) for key in keys if expected.get(key) != got.get(key)}


@pytest.mark.parametrize("name", sampled(case_names("games", *TITLES)))
def test_every_line_of_the_trace(name: str) -> None:
    """Strict replay: (wanted, got) of every key after every action, and the recorded result."""
    file = recorded(name)
    expected: dict[str, Any] = {}
    game = start_game(file)
    rows = lines("traces", name)
    expected.update(rows[0]["changes"])
    assert differences(expected, snapshot(game)) == {}
    replay = replay_actions(game, file)
    before = snapshot(game)
    for row in rows[1:]:
        entry = next(replay)
        assert entry["id"] == row["id"]
        expected.update(row["changes"])
        after = snapshot(game)
        assert differences(expected, after) == {}, f"after action {row['id']}"
        assert changes(before, after).keys() ^ row["changes"].keys() <= {"step"}
        before = after
    assert list(replay) == []
    if file.get("result"):
        assert result(game) == {player: int(value) for player, value in file["result"].items()}


def listed(value: Any) -> Any:
    """A kind's items in a form that compares: order does not matter, and no items is the same as no kind."""
    if isinstance(value, dict):
        return {name: listed(items) for name, items in value.items() if items} or None
    if isinstance(value, list):
        return sorted(map(repr, (tuple(item) if isinstance(item, list) else item for item in value))) or None
    return value or None


def checked_kinds(line: dict[str, Any], got: dict[str, Any]) -> list[str]:
    kinds = set(line["legal"]) | set(got)
    kinds -= set(line.get("undetermined") or ())
    if "bankrupt" not in line["legal"]:
        kinds.discard("bankrupt")  # given only while money is being raised
    return sorted(kinds)


def without(items: Any, doubtful: list[Any], skipped: set[str]) -> Any:
    """Items that the shared list is sure about."""
    if not isinstance(items, list):
        return items
    rows = [list(item) if isinstance(item, tuple) else item for item in items]
    return [row for row in rows if row not in doubtful and not (isinstance(row, list) and row[0] in skipped)]


def compared(table: dict[str, Any], line: dict[str, Any], kind: str) -> Any:
    """What a table says about a kind, without what the shared list marks as unsure or undetermined."""
    skipped = set(line.get(f"{kind}_skipped_hexes") or ())
    unsure = line.get("unsure") or []
    undetermined = line.get("undetermined") or []
    items = table.get(kind)
    if not isinstance(items, dict):
        return listed(without(items, [item for name, item in unsure if name == kind], skipped))
    found = {}
    for owner, rows in items.items():
        if f"{kind} {owner}" not in undetermined:
            found[owner] = without(
                rows, [item for name, item in unsure if name == f"{kind} {owner}"], skipped
            )
    return listed(found)


@pytest.mark.parametrize("name", sampled(case_names("legal", *TITLES)))
def test_legal_actions(name: str) -> None:
    """Every kind that a line lists, at every moment that the file has."""
    file = recorded(name)
    game = start_game(file)
    wanted = {row["index"]: row for row in lines("legal", name)}

    def check(line: dict[str, Any]) -> None:
        got = census(game.legal_actions())
        for kind in checked_kinds(line, got):
            want, have = compared(line["legal"], line, kind), compared(got, line, kind)
            assert want == have, f"before action {line['before']}: {kind}"

    for index, _ in enumerate(replay_actions(game, file), 1):
        if index in wanted:
            check(wanted.pop(index))
    assert all(index == 0 for index in wanted)


WITH_POSITIONS = sorted(set(case_names("positions", *TITLES)) & set(case_names("games", *TITLES)))


@pytest.mark.parametrize("name", sampled(WITH_POSITIONS))
def test_positions(name: str) -> None:
    """The position before each recorded run of trains."""
    file = recorded(name)
    game = start_game(file, strict=False)
    wanted = {int(row["id"].rpartition("-")[2]): row for row in lines("positions", name)}
    for entry, execute in executed(game, file):
        row = wanted.pop(entry["id"], None) if entry["type"] == "run_routes" else None
        if row is not None:
            got = position(game, game.corporation(entry["entity"]))
            want = resolve(position_from_case(row))
            assert got.hexes == want.hexes, entry["id"]
            assert got.rules == want.rules, entry["id"]
            assert {(t.id, t.type) for t in got.trains} == {(t.id, t.type) for t in want.trains}, entry["id"]
            assert sorted(got.privates) == sorted(want.privates), entry["id"]
            assert (got.phase, got.company, got.company_kind, got.assignments) == (
                want.phase, want.company, want.company_kind, want.assignments,
            )  # fmt: skip
        execute()
    assert wanted == {}

"""Tiles of inline maps that were read before: the same positions and faults as without, and bounded."""

from __future__ import annotations

from pathlib import Path

import pytest
from rheingold.v1 import position_pb2 as pb

from optimizer import evaluate, optimize
from optimizer.model.data import PositionError
from optimizer.model.read_limits import ReadLimits
from optimizer.service import tile_memory
from optimizer.service.errors import UnsupportedRuleError
from optimizer.service.positions import PositionReader
from tests.service.positions import line_map


def test_a_map_read_again_has_the_same_tiles() -> None:
    reader = PositionReader(ReadLimits())
    first, again = reader.read(line_map(cities=3)), reader.read(line_map(cities=3))
    fresh = PositionReader(ReadLimits()).read(line_map(cities=3))
    assert first == again == fresh
    assert first.board.key == again.board.key == fresh.board.key
    for hex_id, tile in first.board.printed.items():
        assert again.board.printed[hex_id] is tile
        assert fresh.board.printed[hex_id] == tile


def test_a_tile_that_changed_is_read_anew() -> None:
    reader = PositionReader(ReadLimits())
    before = reader.read(line_map(cities=2, revenue=20))
    after = reader.read(line_map(cities=2, revenue=30))
    assert [optimize(one).revenue for one in (before, after)] == [40, 60]  # two cities each
    assert before.board.key != after.board.key


def test_what_stands_on_a_known_tile_is_checked_every_time() -> None:
    reader = PositionReader(ReadLimits())
    reader.read(line_map())
    for _ in range(2):
        turned = line_map()
        turned.inline.hexes["A1"].rotation = 17
        with pytest.raises(PositionError, match=r"hexes\[A1\].rotation"):
            reader.read(turned)
        crowded = line_map()
        crowded.inline.hexes["A3"].tokens.add(stop=0, slot=7, company="BLUE")
        with pytest.raises(PositionError, match=r"hexes\[A3\].tokens"):
            reader.read(crowded)


def test_faulty_tiles_are_not_remembered() -> None:
    reader = PositionReader(ReadLimits())
    reader.read(line_map())
    count = len(reader._tiles)
    for _ in range(2):
        bad = line_map()
        bad.inline.hexes["A3"].definition.paths[0].a.edge = 9
        with pytest.raises(PositionError, match=r"hexes\[A3\].definition.paths\[0\]"):
            reader.read(bad)
        odd = line_map()
        odd.inline.hexes["A3"].definition.stops[0].kind = "castle"
        with pytest.raises(UnsupportedRuleError, match="castle"):
            reader.read(odd)
    assert len(reader._tiles) == count


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tile_memory, "MAX_TILES", 10)
    reader = PositionReader(ReadLimits())
    for revenue in range(10, 500, 10):
        reader.read(line_map(cities=3, revenue=revenue))
        assert len(reader._tiles) <= 10
    reader.read(line_map(cities=11))  # more than fit
    wordy = line_map(revenue=700)
    wordy.inline.hexes["A1"].definition.labels.append("x" * 2000)
    reader.read(wordy)
    assert all(len(data) <= tile_memory.MAX_BYTES for _, data in reader._tiles._tiles)


@pytest.mark.cases
def test_other_titles_read_alike_from_memory(cases: Path) -> None:
    from optimizer.model import position_from_case
    from optimizer.service.convert.write import position_message
    from tests.service.test_cases import lines

    reader = PositionReader(ReadLimits())
    for row in lines(cases / "other-titles", 8):
        message = position_message(position_from_case(row))
        fresh = PositionReader(ReadLimits()).read(message)
        assert reader.read(message) == fresh
        found = reader.read(pb.Position.FromString(message.SerializeToString()))
        assert found == fresh
        solution = optimize(found)
        assert solution.revenue == row["best"]["revenue"]
        assert evaluate(fresh, solution.routes).revenue == solution.revenue

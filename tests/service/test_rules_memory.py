"""Route rules known by what they were read from: always those that the title says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from rheingold.v1 import position_pb2 as pb

from optimizer.model.cases_io import position_from_case
from optimizer.model.position import HexState
from optimizer.model.read_limits import ReadLimits
from optimizer.service import rules_memory
from optimizer.service.convert.write import position_message
from optimizer.service.positions import PositionReader, plain
from optimizer.service.rules_memory import RulesMemory, Watched
from optimizer.titles.loader import TITLE_NAMES
from optimizer.titles.resolve import resolve
from tests.service.test_cases import lines


@pytest.mark.cases
def test_known_positions_have_the_rules_of_their_title(cases: Path) -> None:
    reader = PositionReader(ReadLimits())
    titles = set()
    for row in lines(cases / "positions", 5):
        data = position_from_case(row)
        message = position_message(data)
        wanted = resolve(data)
        parts = plain(message)
        assert reader.read(message, parts) == wanted
        for _ in range(2):
            found = reader.find(parts)
            assert found is not None, row["id"]
            assert found == wanted, row["id"]
            assert found.by_hex == dict(found.hexes)
            assert list(found.by_hex) == [hex_id for hex_id, _ in found.hexes]
        titles.add(wanted.title)
    assert titles == set(TITLE_NAMES)


@pytest.mark.cases
def test_no_title_reads_rules_from_hexes_that_are_not_watched(cases: Path) -> None:
    """Hexes that it did not ask for and that have no marks may as well not be there."""
    count = 0
    for row in lines(cases / "positions", 10):
        data = position_from_case(row)
        message = position_message(data)
        reader = PositionReader(ReadLimits())
        position = reader.read(message, plain(message))
        frame, _, memory = reader._heads[plain(message).head]
        rules, watched = memory.read(position.by_hex)
        assert rules == position.rules
        assert not watched.whole
        kept = {
            hex_id: state
            for hex_id, state in position.by_hex.items()
            if hex_id in watched.names or state.markers or state.assignments
        }
        assert frame.rules(kept) == rules, row["id"]
        count += len(kept) < len(position.by_hex)
    assert count > 100


def one(hexes: dict[str, pb.HexState]) -> pb.Position:
    """Return a position of 18Rhl, whose rules depend on hexes and markers."""
    position = pb.Position(title="18Rhl", phase="5", company="BME")
    position.trains.add(id="5-0", name="5")
    for hex_id, state in hexes.items():
        position.hexes[hex_id].CopyFrom(state)
    return position


def test_what_was_looked_at_is_noted() -> None:
    message = one({"G2": pb.HexState(markers=["coal"]), "E4": pb.HexState()})
    by_hex = PositionReader(ReadLimits()).read(message).by_hex
    watched = Watched(by_hex)
    assert watched.get("G2") is by_hex["G2"]
    assert watched.get("Z99") is None
    assert "E4" in watched
    assert [hex_id for hex_id, state in watched.items() if state.markers] == ["G2"]
    assert (watched.names, watched.whole) == ({"G2", "Z99", "E4"}, False)
    assert all(state.tile is not None for _, state in list(watched.items()))
    assert watched.whole


@pytest.mark.parametrize(
    "look", [list, len, dict, lambda hexes: list(hexes.values()), lambda hexes: hexes == {}]
)
def test_a_look_at_all_hexes_is_noted(look: Callable[[Watched], object]) -> None:
    watched = Watched(PositionReader(ReadLimits()).read(one({"G2": pb.HexState()})).by_hex)
    look(watched)
    assert watched.whole


def test_rules_of_other_markers_are_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules_memory, "MAX_RULES", 2)
    reader = PositionReader(ReadLimits())
    variants = [
        one({hex_id: pb.HexState(markers=[kind])})
        for hex_id in ("G2", "E4", "D9")
        for kind in ("coal", "steel")
    ]
    for _ in range(3):
        for message in variants:
            wanted = PositionReader(ReadLimits()).read(message).rules
            assert reader.read(message, plain(message)).rules == wanted
            for _ in range(2):
                found = reader.find(plain(message))
                assert found is not None
                assert found.rules == wanted
    memory: RulesMemory = reader._heads[plain(variants[0]).head][2]
    assert 1 <= len(memory._known[1]) <= 2


def test_states_are_compared_by_identity_only_while_they_are_kept() -> None:
    message = one({"G2": pb.HexState(markers=["coal"])})
    reader = PositionReader(ReadLimits())
    reader.read(message, plain(message))
    reader.find(plain(message))
    memory = reader._heads[plain(message).head][2]
    for states, _ in memory._known[1].values():
        looked, marked = states  # type: ignore[misc]
        assert all(state is None or isinstance(state, HexState) for state in looked)
        assert [hex_id for hex_id, _ in marked] == ["G2"]

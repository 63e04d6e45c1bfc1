"""Reading positions with a memory of hexes: the same as without, and bounded."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from rheingold.v1 import position_pb2 as pb

from optimizer.model import position_from_case
from optimizer.model.data import PositionError
from optimizer.model.read_limits import ReadLimits
from optimizer.service import positions
from optimizer.service.convert.write import position_message
from optimizer.service.positions import PositionReader, plain
from optimizer.titles.resolve import resolve
from tests.service.positions import line_map, titled
from tests.service.test_cases import lines


def laid(tile: str, rotation: int = 0, hex_id: str = "F14") -> pb.Position:
    position = titled()
    position.hexes[hex_id].tile = tile
    position.hexes[hex_id].rotation = rotation
    return position


def test_known_hexes_give_the_same_position() -> None:
    reader = PositionReader(ReadLimits())
    first, again = reader.read(laid("8", 2)), reader.read(laid("8", 2))
    assert first == again == PositionReader(ReadLimits()).read(laid("8", 2))
    assert first.by_hex["F14"] is again.by_hex["F14"]
    assert reader.read(laid("8", 3)).by_hex["F14"].rotation == 3


def test_faulty_hexes_are_faulty_every_time() -> None:
    reader = PositionReader(ReadLimits())
    reader.read(laid("8"))
    for _ in range(2):
        with pytest.raises(PositionError) as caught:
            reader.read(laid("no such tile"))
        assert [fault.path for fault in caught.value.faults] == ["hexes[F14].tile"]


def test_a_hex_known_in_one_phase_is_checked_in_another() -> None:
    reader = PositionReader(ReadLimits())
    late = laid("23")  # green
    late.phase = "3"
    late.trains[0].name = "3"
    assert reader.read(late).by_hex["F14"].tile.color == "green"
    with pytest.raises(PositionError, match="green"):
        reader.read(laid("23"))  # phase 2 has yellow only


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(positions, "MAX_KNOWN", 10)
    reader = PositionReader(ReadLimits())
    for hex_id in ("F14", "F16", "F12", "G15"):
        for rotation in range(6):
            reader.read(laid("8", rotation, hex_id))
    known = [*reader._known.values()]
    kept = sum(len(one.laid) + len(one.printed) + len(one.placed) for one in known) + len(reader._heads)
    assert kept <= reader._count <= 10
    wordy = laid("8")
    wordy.hexes["F14"].markers.append("x" * 190)
    wordy.trains.extend([pb.Train(id=f"{'x' * 50}-{number}", name="2") for number in range(20)])
    reader.read(wordy)
    assert all(len(head) <= positions.MAX_HEAD_BYTES for head in reader._heads)
    entries = [entry for one in reader._known.values() for entry in (*one.laid, *one.printed, *one.placed)]
    assert all(len(entry) <= positions.MAX_ENTRY_BYTES for entry in entries)


def test_entries_are_found_among_long_fields() -> None:
    position = laid("8")
    position.id = "i" * 300
    position.privates.append("p" * 20_000)
    position.hexes["G15"].markers.append("m" * 500)
    parts = plain(position)
    assert parts is not None
    found = [pb.Position.HexesEntry.FromString(entry) for entry in parts.entries]
    assert parts.name == position.id
    assert {entry.key: entry.value for entry in found} == dict(position.hexes.items())


def test_what_lies_on_one_hex_may_lie_on_another() -> None:
    reader = PositionReader(ReadLimits())
    here, there = reader.read(laid("8", 2)), reader.read(laid("8", 2, "G15"))
    assert here.by_hex["F14"] is there.by_hex["G15"]
    with pytest.raises(PositionError) as caught:
        reader.read(laid("8", 2, "Z99"))
    assert [fault.path for fault in caught.value.faults] == ["hexes[Z99]"]
    with pytest.raises(PositionError):
        reader.read(laid("8", 2, "Z" * 200))


def test_tokens_on_printed_hexes_belong_to_their_hex() -> None:
    reader = PositionReader(ReadLimits())
    printed = titled()
    printed.hexes["H8"].tokens.add(city=1, slot=0, company="N")  # Moscow has several cities
    assert reader.read(printed).by_hex["H8"].tokens[0].city == 1
    other = titled()
    other.hexes["F14"].tokens.add(city=1, slot=0, company="N")  # an empty hex
    with pytest.raises(PositionError, match=r"hexes\[F14\]"):
        reader.read(other)


def test_heads_are_told_apart() -> None:
    reader = PositionReader(ReadLimits())
    reader.read(laid("8"))
    other = laid("8")
    other.company = "MB"
    other.trains.add(id="2-1", name="2")
    read = reader.read(other)
    assert (read.company, len(read.trains)) == ("MB", 2)
    other.trains[0].name = "8"
    with pytest.raises(PositionError, match="phase"):
        reader.read(other)


@pytest.mark.cases
def test_cases_in_any_order(cases: Path) -> None:
    rows = list(lines(cases / "positions", 15))
    random.Random(5).shuffle(rows)
    reader = PositionReader(ReadLimits())
    for row in rows:
        assert reader.read(position_message(position_from_case(row))) == resolve(position_from_case(row)), (
            row["id"]
        )


def test_figures_that_32_bits_cannot_hold_are_refused() -> None:
    reader = PositionReader(ReadLimits())
    position = line_map(cities=10, revenue=1_000_000)
    position.trains[0].distance = 10
    position.trains[0].multiplier = 100
    # 10 cities at 100 million each: exactly what may be.
    assert reader.read(position).trains[0].type.multiplier == 100
    position.inline.rules.counters.add(name="ends", hexes=["A1", "A3"])
    bonus = position.inline.rules.bonuses.add(name="ends", per="ends")
    bonus.levels.add(needs={"ends": 1}, amount=1)
    with pytest.raises(PositionError, match="1000000000"):
        reader.read(position)

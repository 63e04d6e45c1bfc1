"""Positions as JSON: form, names, faults of form, and what protobuf makes of the same text."""

from __future__ import annotations

import gzip
import io
import json
import re
from typing import Any

import pytest
from google.protobuf import json_format
from hypothesis import given, settings
from hypothesis import strategies as st
from rheingold.v1 import position_pb2

from optimizer.model import (
    PositionData,
    PositionError,
    ReadLimits,
    dumps,
    parse_json,
    read_position,
    write_position,
)
from optimizer.model.data import HexData, TokenData, TrainData
from optimizer.titles import TITLES, load_position, load_positions, loads
from tests.conftest import ROOT

POSITION: dict[str, Any] = {
    "id": "Köln",
    "title": "18Rhl",
    "optionalRules": ["ratingen_variant"],
    "phase": "5",
    "company": "RhE",
    "counters": {"eastern_ruhr_links": 2},
    "switches": {"out_token": "zero"},
    "trains": [{"id": "5-0", "name": "5"}],
    "hexes": {
        "D7": {"tile": "947", "rotation": 3, "tokens": [{"city": 0, "company": "KEG"}], "markers": ["K"]},
        "F9": {"tile": "928", "tokens": [{"city": 0, "slot": 1, "company": "RhE"}]},
    },
}

INLINE: dict[str, Any] = {
    "company": "B&O",
    "trains": [
        {"id": "2", "name": "2", "distance": 2, "requiresToken": False},
        {
            "id": "3",
            "name": "3",
            "rows": [{"nodes": ["city", "offboard"], "visit": 3, "pay": 2}],
            "payTotal": 0,
            "payFirst": ["city"],
            "payNeedsToken": False,
        },
    ],
    "inline": {
        "layout": "flat",
        "phaseColors": ["yellow"],
        "hexes": {
            "A2": {
                "definition": {
                    "color": "yellow",
                    "stops": [{"kind": "city", "revenue": 20, "slots": 1, "groups": ["g"], "loc": "3.5"}],
                    "paths": [
                        {"a": {"edge": 0}, "b": {"stop": 0}, "laneA": {"width": 2, "index": 1}},
                        {"a": {"edge": 0}, "b": {"junction": 0}, "terminal": True, "laneA": {"width": 2}},
                    ],
                    "labels": ["Y"],
                    "impassable": [4],
                },
                "rotation": 2,
                "neighbors": {"2": "A4"},
                "tokens": [{"stop": 0, "company": "B&O"}],
            },
            "A4": {"tile": "57"},
        },
        "rules": {
            "sameHexOnce": True,
            "bonusesNeedPay": False,
            "counters": [{"name": "n", "hexes": ["A2"], "entries": [{"hex": "A2", "edge": 1}]}],
            "bonuses": [
                {"name": "b", "levels": [{"needs": {"n": 1}, "amount": 10, "note": "B"}], "perMax": 3}
            ],
            "trainRules": [{"atMostOne": [{"hexes": ["A2", "A4"]}], "doublings": [{"hexes": ["A2"]}]}],
            "ferry": {"penalty": 10, "hexes": ["A2"]},
        },
    },
}


def faults(row: Any, limits: ReadLimits | None = None) -> dict[str, str]:
    """Read what cannot be read and return its faults by path."""
    with pytest.raises(PositionError) as caught:
        read_position(row, *([limits] if limits else []))
    return {fault.path: fault.message for fault in caught.value.faults}


def test_names_in_both_spellings() -> None:
    data = read_position(POSITION)
    snake = {"optional_rules" if name == "optionalRules" else name: row for name, row in POSITION.items()}
    assert read_position(snake) == data
    assert data.optional_rules == ["ratingen_variant"]
    assert data.hexes["D7"] == HexData("947", 3, [TokenData(city=0, company="KEG")], ["K"])
    assert data.trains == [TrainData("5-0", "5")]


@pytest.mark.parametrize("row", [POSITION, INLINE])
def test_what_was_read_is_written_again(row: dict[str, Any]) -> None:
    data = read_position(row)
    assert read_position(write_position(data)) == data
    assert read_position(parse_json(dumps(data))) == data
    # Fields at their default would be left out; none is given here.
    assert write_position(data) == row


def test_a_zero_that_was_given_is_kept() -> None:
    # pay_total 0 pays nothing; absent pays by rows: the two must not be mixed up.
    data = read_position(INLINE)
    assert (data.trains[0].pay_total, data.trains[1].pay_total) == (None, 0)
    assert (data.trains[0].requires_token, data.trains[1].requires_token) == (False, None)


@pytest.mark.parametrize("row", [POSITION, INLINE])
def test_protobuf_reads_and_writes_the_same(row: dict[str, Any]) -> None:
    message = json_format.ParseDict(row, position_pb2.Position())
    data = read_position(row)
    for preserve in (True, False):
        written = json_format.MessageToDict(message, preserving_proto_field_name=preserve)
        assert read_position(written) == data
    assert json_format.ParseDict(write_position(data), position_pb2.Position()) == message


def test_every_field_of_the_schema_is_in_the_messages() -> None:
    """Walk the dataclasses and the messages together: same fields, same shapes."""
    from optimizer.model.schema import _fields

    def fields(kind: type) -> set[str]:
        return {name for name, (own, _) in _fields(kind).readers.items() if name == own}

    from optimizer.model import data as model

    messages = position_pb2.DESCRIPTOR.message_types_by_name
    named = {"Path": "PathData", "PathEnd": "EndData", "HexState": "HexData"}
    for name, message in messages.items():
        kind = getattr(model, named.get(name, f"{name}Data"))
        assert fields(kind) == {field.name for field in message.fields}, name


def test_numbers_as_proto3_json_has_them() -> None:
    for value in (3, 3.0, "3"):
        assert read_position({"hexes": {"H8": {"rotation": value}}}).hexes["H8"].rotation == 3


def test_null_is_absent() -> None:
    assert read_position({"title": None, "hexes": {"H8": {"rotation": None}}}) == PositionData(
        hexes={"H8": HexData()}
    )


@pytest.mark.parametrize(
    ("row", "path", "words"),
    [
        ([], "", "must be an object, not []"),
        ({"phaze": "2"}, "phaze", "did you mean phase?"),
        ({"zzz": 1}, "zzz", "known are id, title, inline"),
        ({"hexes": []}, "hexes", "must be an object"),
        ({"hexes": {"H8": 3}}, "hexes[H8]", "must be an object, not 3"),
        (
            {"hexes": {"H8": {"rotation": "seven"}}},
            "hexes[H8].rotation",
            "must be a whole number, not 'seven'",
        ),
        ({"hexes": {"H8": {"rotation": 1.5}}}, "hexes[H8].rotation", "must be a whole number"),
        ({"hexes": {"H8": {"rotation": True}}}, "hexes[H8].rotation", "must be a whole number"),
        ({"hexes": {"H8": {"rotation": float("nan")}}}, "hexes[H8].rotation", "not nan"),
        ({"hexes": {"H8": {"rotation": 2**31}}}, "hexes[H8].rotation", "out of range"),
        ({"hexes": {"H8": {"rotation": 10**5000}}}, "hexes[H8].rotation", "out of range: a int"),
        ({"hexes": {"H8": {"tokens": {}}}}, "hexes[H8].tokens", "must be a list"),
        ({"hexes": {"H8": {"tokens": [{"sloth": 1}]}}}, "hexes[H8].tokens[0].sloth", "did you mean slot?"),
        ({"trains": [{"id": 3}]}, "trains[0].id", "must be text, not 3"),
        ({"trains": [{"payTotal": 1, "pay_total": 1}]}, "trains[0].pay_total", "both spellings"),
        ({"trains": [{"requires_token": 1}]}, "trains[0].requires_token", "true or false"),
        ({"privates": ["TSR", 3]}, "privates[1]", "must be text"),
        ({"id": "x" * 201}, "id", "too long"),
        ({"id": "a\x00b\ud800"}, "id", "not text"),
        (
            {"inline": {"hexes": {"A2": {"neighbors": {"n": "A4"}}}}},
            "inline.hexes[A2].neighbors[n]",
            "number",
        ),
    ],
)
def test_faults_of_form(row: Any, path: str, words: str) -> None:
    found = faults(row)
    assert list(found) == [path]
    assert words in found[path]


def test_limits_on_lists_and_text() -> None:
    limits = ReadLimits(items=2, text=3)
    found = faults({"privates": ["a", "b", "c"], "id": "abcd"}, limits)
    assert list(found) == ["privates", "id"]


def test_faults_of_form_and_of_names_come_together() -> None:
    row = {**POSITION, "phase": "99", "company": 3, "privates": [7, "Nobody"]}
    with pytest.raises(PositionError) as caught:
        load_position(row)
    paths = [fault.path for fault in caught.value.faults]
    # The company is not reported a second time as unknown, and places in lists stay right.
    assert paths == ["company", "privates[0]", "phase", "privates[1]"]


def test_an_error_text_names_every_fault() -> None:
    with pytest.raises(PositionError) as caught:
        loads('{"title": "1861", "phase": "2", "company": "N", "rotation": 1, "trains": 5}')
    assert str(caught.value).startswith("rotation: unknown field; ")
    assert str(caught.value).endswith("; trains: must be a list, not 5")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "is not JSON: Expecting property name enclosed in double quotes at line 1 column 2"),
        ("[" * 100_000, "nested too deeply"),
        ("9" * 5000, "cannot be read|can be read"),
        (b"\xff", "is not UTF-8 text"),
        ('{"title": "1861", "title": "1867"}', "title: is given twice"),
        ('{"hexes": {"H8": {}, "H8": {}}}', "hexes.H8: is given twice"),
    ],
)
def test_broken_texts(text: str | bytes, words: str) -> None:
    with pytest.raises(PositionError, match=words):
        loads(text)


def test_too_large_a_text() -> None:
    with pytest.raises(PositionError, match="too large: at most 10 bytes"):
        parse_json(" " * 11, ReadLimits(input_bytes=10))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@settings(deadline=None)
@given(st.sampled_from([POSITION, INLINE]), st.data())
def test_nothing_but_position_errors(base: dict[str, Any], data: st.DataObject) -> None:
    """Replace any part of a sound position by anything: it is read, or refused with its faults."""
    row = json.loads(json.dumps(base))
    part = row
    while True:
        keys = list(part) if isinstance(part, dict) else list(range(len(part)))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(part[key], (dict, list)) or not part[key] or data.draw(st.booleans()):
            break
        part = part[key]
    part[key] = data.draw(json_values)
    (item,) = load_positions(io.StringIO(json.dumps(row)))
    assert (item.position is None) == bool(item.faults)


LINE = dumps(read_position(POSITION)).encode()
PRETTY = json.dumps(POSITION, indent=2).encode()


@pytest.mark.parametrize(
    ("text", "places"),
    [
        (b"", []),
        (LINE, ["1"]),
        (LINE + b"\n\n" + LINE + b"\n", ["1", "3"]),
        (PRETTY, ["1"]),
        (b"[" + LINE + b"," + LINE + b"]", ["1[0]", "1[1]"]),
        (b"[\n" + LINE + b",\n" + PRETTY + b"]", ["1[0]", "1[1]"]),
        (b"\xef\xbb\xbf" + LINE, ["1"]),
        (b'{"position": ' + LINE + b', "routes": []}', ["1"]),
    ],
)
def test_files_of_every_shape(text: bytes, places: list[str]) -> None:
    for stream in (io.BytesIO(text), io.BytesIO(gzip.compress(text)), io.StringIO(text.decode())):
        items = list(load_positions(stream))
        assert [item.where for item in items] == places
        assert all(item.position is not None and item.id == "Köln" for item in items)


def test_a_faulty_line_does_not_end_the_file() -> None:
    broken = b"\n".join([LINE, b"{", b"[1]", LINE.replace(b'"5-0"', b"5"), LINE])
    items = list(load_positions(io.BytesIO(broken)))
    assert [(item.where, item.position is not None) for item in items] == [
        ("1", True),
        ("2", False),
        ("3[0]", False),
        ("4", False),
        ("5", True),
    ]
    assert "is not JSON" in str(items[1].error())
    assert [fault.path for fault in items[3].faults] == ["trains[0].id"]


def test_a_faulty_first_line_does_not_end_the_file() -> None:
    items = list(load_positions(io.BytesIO(b"{broken}\n" + LINE)))
    assert [(item.where, item.position is not None) for item in items] == [("1", False), ("2", True)]


def test_a_broken_archive_is_told() -> None:
    (item,) = load_positions(io.BytesIO(gzip.compress(LINE)[:-20]))
    assert "cannot be unpacked" in str(item.error())


def test_too_long_a_line_is_skipped() -> None:
    limits = ReadLimits(input_bytes=len(LINE) + 1)
    items = list(load_positions(io.BytesIO(b'{"id": "' + b"x" * 2000 + b'"}\n' + LINE), limits))
    assert ["too large" in str(item.error()) for item in items] == [True, False]


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(OSError, match="no-such-file"):
        list(load_positions("no-such-file.json"))


def test_routes_come_along() -> None:
    route = {"train": "5-0", "connections": [["F9", "G8"]], "nodes": ["F9-0"], "revenue": 10, "other": 1}
    row = json.dumps({"position": POSITION, "routes": [route]})
    (item,) = load_positions(io.StringIO(row))
    (found,) = item.routes["routes"]
    assert (found.train, found.connections, found.nodes, found.revenue) == (
        "5-0",
        [["F9", "G8"]],
        ["F9-0"],
        10,
    )
    (item,) = load_positions(
        io.StringIO(json.dumps({"position": POSITION, "routes": [{"train": 5}], "x": 1}))
    )
    assert [fault.path for fault in item.faults] == ["x", "routes[0].train"]


def documented_examples() -> list[Any]:
    """Return the JSON examples of docs/position.md."""
    text = (ROOT / "docs" / "position.md").read_text(encoding="utf-8")
    return [json.loads(block) for block in re.findall(r"```json\n(.*?)```", text, re.DOTALL)]


def test_documented_examples_are_sound() -> None:
    titled, own = (load_position(row) for row in documented_examples())
    assert (titled.title, len(titled.trains)) == ("1861", 2)
    # A2 is entered by side 5 only, which leads to B3, and so on to C4: one line of track.
    assert own.board.neighbors["A2"] == {5: "B3"}
    assert own.board.neighbors["B3"] == {2: "A2", 5: "C4"}
    assert {own.tile_at("B3")[0].name, own.tile_at("C4")[0].name} == {"9", "57"}


def test_every_switch_is_documented() -> None:
    text = (ROOT / "docs" / "position.md").read_text(encoding="utf-8")
    for record in TITLES.values():
        for name, switch in record.switches.items():
            values = ", ".join(f"`{value}`" for value in switch.values)
            assert f"| `{name}` | {values} |" in text

"""Broken requests: bytes changed at random, and fields changed at random."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

INTEGERS = (0, 1, -1, 2, 3, 5, 6, 7, 12, 99, 1000, 1_000_001, 2**31 - 1, -(2**31))
WORDS = (
    *(
        "",
        "A1",
        "A3",
        "H8",
        "D9",
        "ZZ99",
        "a1",
        "A1-0",
        "city",
        "town",
        "offboard",
        "halt",
        "57",
        "8",
        "9",
        "1861",
    ),
    *(
        "1867",
        "1856",
        "18Rhl",
        "2",
        "5+5E",
        "D",
        "route",
        "company",
        "stop",
        "hex",
        "group",
        "free",
        "open_bank",
    ),
    *(
        "yellow",
        "green",
        "brown",
        "gray",
        "flat",
        "pointy",
        "neutral",
        "RED",
        "KK",
        "x" * 300,
        "\u00e9\u4e2d",
        "\x00",
    ),
)


def mutate_bytes(rng: random.Random, data: bytes, other: bytes) -> bytes:
    """Return bytes with a few changes: a bit flipped, a byte or a part changed, cut, doubled, or replaced."""
    result = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 4, 16))):
        if not result:
            return bytes(result)
        start = rng.randrange(len(result))
        end = min(len(result), start + rng.choice((1, 2, 4, 16, 64)))
        match rng.randrange(6):
            case 0:
                result[start] ^= 1 << rng.randrange(8)
            case 1:
                result[start] = rng.randrange(256)
            case 2:
                del result[start:end]
            case 3:
                result[start:start] = result[start:end]
            case 4:
                place = rng.randrange(len(other))
                result[start:end] = other[place : place + end - start]
            case _:
                result[start:end] = rng.randbytes(end - start)
    return bytes(result)


def mutate_fields(rng: random.Random, message: Message) -> None:
    """Change a few fields somewhere in a message, within what its types allow."""
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        target = message
        while rng.random() < 0.8:
            inner = _inner(target)
            if not inner:
                break
            target = rng.choice(inner)
        _change(rng, target, rng.choice(target.DESCRIPTOR.fields))


def _inner(message: Message) -> Sequence[Message]:
    """Return the messages inside a message."""
    found: list[Message] = []
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        if field.message_type.GetOptions().map_entry:
            if field.message_type.fields_by_name["value"].message_type is not None:
                found.extend(value[key] for key in value)
        elif isinstance(value, Message):
            found.append(value)
        else:
            found.extend(value)
    return found


def _change(rng: random.Random, message: Message, field: FieldDescriptor) -> None:
    value: Any = getattr(message, field.name)
    if rng.random() < 0.2:
        message.ClearField(field.name)
    elif field.message_type is not None and field.message_type.GetOptions().map_entry:
        _change_map(rng, value, field.message_type)
    elif field.is_repeated:
        _change_list(rng, value, field)
    elif field.message_type is not None:
        value.SetInParent()
    else:
        setattr(message, field.name, scalar(rng, field))


def _change_map(rng: random.Random, value: Any, entry: Any) -> None:
    key = scalar(rng, entry.fields_by_name["key"])
    if value and rng.random() < 0.3:
        del value[rng.choice(sorted(value))]
    elif entry.fields_by_name["value"].message_type is None:
        value[key] = scalar(rng, entry.fields_by_name["value"])
    elif value:
        value[key].CopyFrom(value[rng.choice(sorted(value))])
    else:
        value.get_or_create(key)


def _change_list(rng: random.Random, value: Any, field: FieldDescriptor) -> None:
    if value and rng.random() < 0.3:
        del value[rng.randrange(len(value))]
    elif field.message_type is None:
        value.append(scalar(rng, field))
    elif value and rng.random() < 0.8:
        value.add().CopyFrom(rng.choice(value))
    else:
        value.add()


def scalar(rng: random.Random, field: FieldDescriptor) -> Any:
    """Return a value for a field that is no message."""
    makers: dict[int, Callable[[], Any]] = {
        FieldDescriptor.CPPTYPE_STRING: lambda: rng.choice(WORDS),
        FieldDescriptor.CPPTYPE_BOOL: lambda: rng.random() < 0.5,
        FieldDescriptor.CPPTYPE_DOUBLE: lambda: rng.choice(
            (0.0, -1.0, 1e-9, 1e300, float("nan"), float("inf"))
        ),
        FieldDescriptor.CPPTYPE_ENUM: lambda: 0,
    }
    return makers.get(field.cpp_type, lambda: rng.choice(INTEGERS))()

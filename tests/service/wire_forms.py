"""Other ways to write a message on the wire, and ways to write it wrong."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5


def number(value: int, padding: int = 0) -> bytes:
    """Seven bits a byte, the lowest first; ``padding``: bytes more than needed."""
    found = bytearray()
    while value > 0x7F or padding:
        padding -= value <= 0x7F
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)


class Field(NamedTuple):
    """A field: its number, how it is written, what is in it, and bytes too many in tag and length."""

    number: int
    kind: int
    content: bytes
    tag_padding: int = 0
    size_padding: int = 0

    def written(self) -> bytes:
        size = number(len(self.content), self.size_padding) if self.kind == BYTES else b""
        return number(self.number << 3 | self.kind, self.tag_padding) + size + self.content


def fields(data: bytes) -> list[Field]:
    """Return the fields of a message that is written as usual."""
    found = []
    place = 0

    def read() -> int:
        nonlocal place
        value = shift = 0
        while True:
            byte = data[place]
            place += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while place < len(data):
        tag = read()
        begin = place
        if tag & 7 == VARINT:
            read()
        elif tag & 7 == BYTES:
            size = read()
            begin = place
            place += size
        else:
            place += 8 if tag & 7 == FIXED64 else 4
        found.append(Field(tag >> 3, tag & 7, data[begin:place]))
    return found


def _again(rng: random.Random, row: list[Field], at: int) -> None:
    row.insert(rng.randrange(len(row) + 1), row[at])


def _shuffle(rng: random.Random, row: list[Field], _at: int) -> None:
    rng.shuffle(row)


def _drop(_rng: random.Random, row: list[Field], at: int) -> None:
    del row[at]


def _empty(_rng: random.Random, row: list[Field], at: int) -> None:
    row[at] = Field(row[at].number, BYTES, b"")


def _one_more_empty(rng: random.Random, row: list[Field], at: int) -> None:
    row.insert(rng.randrange(len(row) + 1), Field(row[at].number, BYTES, b""))


def _no_text(_rng: random.Random, row: list[Field], at: int) -> None:
    row[at] = Field(row[at].number, BYTES, b"\xff\xfe")


def _unknown(rng: random.Random, row: list[Field], _at: int) -> None:
    odd = rng.choice((Field(99, BYTES, b"x"), Field(98, VARINT, b"\x07"), Field(97, FIXED32, b"abcd")))
    row.insert(rng.randrange(len(row) + 1), odd)


def _group(rng: random.Random, row: list[Field], _at: int) -> None:
    row.insert(rng.randrange(len(row) + 1), Field(50, 3, number(50 << 3 | 4)))


def _long_tag(rng: random.Random, row: list[Field], at: int) -> None:
    row[at] = row[at]._replace(tag_padding=rng.choice((1, 2, 3, 4, 8)))


def _long_size(rng: random.Random, row: list[Field], at: int) -> None:
    row[at] = row[at]._replace(size_padding=rng.choice((1, 2, 3, 4, 8)))


def _join(rng: random.Random, row: list[Field], at: int) -> None:
    other = rng.choice(row)
    row[at] = row[at]._replace(content=row[at].content + other.content)


CHANGES: tuple[Callable[[random.Random, list[Field], int], None], ...] = (
    *(_again, _shuffle, _drop, _empty, _one_more_empty, _no_text, _unknown, _group),
    *(_long_tag, _long_size, _join),
)


def rewrite(rng: random.Random, data: bytes, depth: int = 3) -> bytes:
    """Write a message in another way, which may mean something else or nothing."""
    row = fields(data)
    if not row:
        return data
    at = rng.randrange(len(row))
    if depth and row[at].kind == BYTES and rng.random() < 0.75:
        try:
            row[at] = row[at]._replace(content=rewrite(rng, row[at].content, depth - 1))
        except IndexError:  # it is a text and no message
            return rewrite(rng, data, 0)
    else:
        rng.choice(CHANGES)(rng, row, at)
    return b"".join(field.written() for field in row)

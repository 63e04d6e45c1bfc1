from collections.abc import Container
from typing import TypeVar

_T = TypeVar("_T")

def split_request(data: bytes, position: int, item: int) -> tuple[int, int, bytes] | None: ...
def split_fields(
    data: bytes, begin: int, end: int, name: int, repeated: int
) -> tuple[bytes, bytes, list[bytes]] | None: ...
def entry_value(entry: bytes) -> tuple[str, bytes] | None: ...
def distinct(entries: list[bytes]) -> bool: ...
def known_pairs(
    entries: list[bytes], known: dict[bytes, tuple[str, _T]]
) -> tuple[tuple[str, _T], ...] | None: ...
def look_up(
    entries: list[bytes],
    by_value: dict[bytes, _T],
    by_place: Container[str],
    by_entry: dict[bytes, _T],
) -> tuple[dict[str, _T], dict[str, bytes]] | None: ...

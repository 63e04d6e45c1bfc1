from array import array
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from typing_extensions import disjoint_base

_Tile = Any  # a tile of the model

@disjoint_base
class Shape:
    tile: _Tile
    cities: tuple[int, ...]
    groups: tuple[tuple[str, int], ...]
    slots: tuple[int, ...]
    closed: tuple[int, ...]
    costs: tuple[tuple[int, int], ...]
    rims: tuple[int, ...]
    stops: int
    has_ferry: bool
    def __init__(
        self,
        tile: _Tile,
        record: Sequence[int],
        kinds: Sequence[int],
        cities: tuple[int, ...],
        groups: tuple[tuple[str, int], ...],
        slots: tuple[int, ...],
        closed: tuple[int, ...],
        costs: tuple[tuple[int, int], ...],
        has_ferry: bool,
        rims: tuple[int, ...],
    ) -> None: ...

@disjoint_base
class ShapeTable:
    def __init__(self, make: Callable[[_Tile, int], Shape]) -> None: ...
    def shape_of(self, tile: _Tile, rotation: int) -> Shape: ...

@disjoint_base
class Layout:
    board: Any
    base: dict[str, int]
    shapes: dict[str, Shape]
    odd: list[str]
    own: list[int]
    stops: int
    flags: bytearray
    def __init__(
        self,
        board: Any,
        printed: tuple[tuple[str, Shape], ...],
        index: dict[str, int],
        hexes: Sequence[tuple[str, Any]],
        states: Mapping[str, Any],
        company: str,
        neutral: Collection[str],
        table: ShapeTable,
    ) -> None: ...
    @property
    def records(self) -> array[int]: ...
    @property
    def kinds(self) -> bytearray: ...
    def figures(self, colors: tuple[str, ...], diesel: bool) -> array[int]: ...
    def stops_of(self, hex_id: str) -> range: ...
    def stops_in(self, hexes: Collection[str]) -> list[int]: ...
    def mark(self, marks: array[int], hexes: Sequence[tuple[str, int]], ignored: int) -> None: ...
    def spread(self, extras: array[int], hexes: Collection[str], share: int) -> int: ...
    def most_in(self, values: array[int], hexes: Collection[str]) -> tuple[int, int]: ...
    def multiply(self, values: array[int], city: int, town: int, offboard: int) -> None: ...

def unit_of(values: array[int], unit: int) -> int: ...
def most_flagged(values: array[int], flags: bytes | bytearray, flag: int) -> int: ...

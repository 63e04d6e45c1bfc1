from array import array
from collections.abc import Sequence

from typing_extensions import disjoint_base

from optimizer.native.network import Network

@disjoint_base
class TrainGraph:
    net: Network
    contracted: bool
    @property
    def sizes(self) -> tuple[int, int, int]: ...
    def __init__(
        self,
        net: Network,
        spec: array[int],
        values: array[int],
        extras: array[int],
        flags: bytes,
        doubled: array[int],
        marks: array[int],
        sets: array[int],
        entries: array[int],
        entry_marks: array[int],
        bonuses: array[int],
        keep_all: bool,
        keep_parallel: bool,
        limit: int,
        like: TrainGraph | None = None,
    ) -> None: ...
    def unfold(self, root: int, arm: int, arcs: Sequence[int]) -> list[tuple[int, bool]]: ...

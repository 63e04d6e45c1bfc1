from array import array
from collections.abc import Callable, Sequence

from typing_extensions import disjoint_base

from optimizer.native.network import Network
from optimizer.native.train_graph import TrainGraph

_Route = tuple[int, int, int, tuple[int, ...], int, int]
_Set = tuple[int, list[_Route]]

@disjoint_base
class Fleet:
    def __init__(
        self,
        net: Network,
        graphs: list[TrainGraph],
        trains: Sequence[int],
        claim_bit: int,
        granularity: int,
    ) -> None: ...
    def solve(
        self,
        stop: array[int],
        deadline: float,
        node_limit: int,
        cutoff: int,
        keep: int,
        listener: Callable[[_Set, float], None] | None,
        threads: int = 1,
    ) -> tuple[list[_Set], int, str, int]: ...
    def run_kind(self, kind: int, threshold: float, priced: bool) -> None: ...
    def alone_of(self, kind: int) -> int: ...

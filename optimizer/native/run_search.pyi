from array import array
from collections.abc import Sequence

from typing_extensions import disjoint_base

from optimizer.native.custom import RunRules
from optimizer.native.network import Network
from optimizer.native.train_graph import TrainGraph

_Route = tuple[int, int, int, tuple[int, ...]]

@disjoint_base
class RunSearch:
    def __init__(
        self,
        net: Network,
        graphs: Sequence[TrainGraph],
        trains: Sequence[int],
        claim_bit: int,
        granularity: int,
        rules: RunRules,
    ) -> None: ...
    def solve(
        self, stop: array[int], deadline: float, node_limit: int, cutoff: int, keep: int
    ) -> tuple[list[tuple[int, list[_Route]]], int, str, int]: ...

from typing_extensions import disjoint_base

from optimizer.native.train_graph import TrainGraph

@disjoint_base
class Census:
    def __init__(self, graph: TrainGraph) -> None: ...
    def count(self, limit: int) -> int: ...

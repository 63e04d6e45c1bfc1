from array import array

from typing_extensions import disjoint_base

from optimizer.native.train_graph import TrainGraph

def attach(
    graph: TrainGraph,
    rules: array[int],
    stops: array[int],
    marks: array[int],
    sides: array[int],
    train: int,
    multiplier: int,
) -> None: ...
def broken(graph: TrainGraph) -> list[tuple[int, int, int, str]]: ...

@disjoint_base
class RunRules:
    def __init__(self, rules: array[int], marks: array[int], sides: array[int], stops: int) -> None: ...
    def broken(self) -> list[tuple[int, int, int, str]]: ...

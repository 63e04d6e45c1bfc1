from array import array

from typing_extensions import disjoint_base

@disjoint_base
class Network:
    hexes: int
    stops: int
    chains_count: int
    resources: int
    resource_words: int
    def __init__(
        self,
        neighbor: array[int],
        shapes: array[int],
        flags: bytes,
        banned: array[int],
        shared: array[int],
        merging: array[int],
        from_everywhere: bool,
        limit: int,
    ) -> None: ...
    def along(
        self, chain: int, backwards: bool, names: tuple[str, ...]
    ) -> tuple[list[tuple[str, int]], tuple[str, ...], int, int]: ...

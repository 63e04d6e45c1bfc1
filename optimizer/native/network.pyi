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
    def chain_paths_of(self, chain: int, backwards: bool) -> list[tuple[int, int]]: ...
    def chain_ends(self, chain: int) -> tuple[int, int]: ...
    def stop_at(self, stop: int) -> int: ...
    def is_reached(self, stop: int) -> bool: ...

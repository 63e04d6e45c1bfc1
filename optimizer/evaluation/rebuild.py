"""Rebuilding track from what recorded games give: the hexes of each chain (common 8.4).

A list of hexes can fit several chains, and it may run in either direction. Consecutive chains share
exactly one stop, no path is used twice by the routes of a run, and the named stops decide the rest.
"""

from __future__ import annotations

from collections.abc import Sequence

from optimizer.evaluation.track import STOP, Map, Step, chains_along
from optimizer.model.position import Route

PathKey = tuple[str, int]  # (hex, number of the path on its tile)
StopKey = tuple[str, int]  # (hex, end of a path that is a stop)

# Far above what any map needs; a hand-made list could otherwise keep the search busy for ever.
MAX_TRIES = 20_000


class Chain:
    """A chain ridden in one direction: its steps, and what is asked about it again and again."""

    __slots__ = ("end", "paths", "start", "steps")

    def __init__(self, steps: tuple[Step, ...]) -> None:
        """Take the steps from one stop to another."""
        self.steps = steps
        self.start: StopKey = (steps[0].hex, steps[0].entry)
        self.end: StopKey = (steps[-1].hex, steps[-1].exit)
        self.paths = frozenset((step.hex, step.path) for step in steps)

    def reversed(self) -> Chain:
        """Return the same chain ridden the other way."""
        return Chain(tuple(step._replace(entry=step.exit, exit=step.entry) for step in reversed(self.steps)))


class RebuildError(ValueError):
    """No track fits the lists of hexes; ``hex`` is where the first list that fails begins."""

    def __init__(self, message: str, hex_id: str) -> None:
        """Say why, and where."""
        super().__init__(message)
        self.hex = hex_id


def _named(track: Map, route: Route) -> frozenset[StopKey]:
    """Return the stops that the route names, as ends of paths."""
    named: set[StopKey] = set()
    for hex_id, part in route.stops:
        if track.knows(hex_id):
            stops = track.tile(hex_id).stops
            named.update((hex_id, STOP + i) for i, stop in enumerate(stops) if stop.part == part)
    return frozenset(named)


def _candidates(track: Map, hexes: Sequence[str], taken: frozenset[PathKey]) -> list[Chain]:
    """Return the chains along a list of hexes, in the list's direction first."""
    where = hexes[0] if hexes else ""
    for name in hexes:
        if not track.knows(name.split(" ")[0]):
            raise RebuildError(f"there is no hex {name} on the map", name)
    forward = [Chain(steps) for steps in chains_along(track, hexes)]
    if not forward:
        raise RebuildError(f"no track joins two stops along {'-'.join(hexes) or 'an empty list'}", where)
    free = [chain for chain in forward if not chain.paths & taken]
    if not free:
        raise RebuildError(f"all track along {'-'.join(hexes)} is used by another route", where)
    known = {(chain.start, chain.paths) for chain in free}
    back = [chain.reversed() for chain in free]
    return free + [chain for chain in back if (chain.start, chain.paths) not in known]


class _Joiner:
    """Chooses one chain of each list so that every chain begins where the one before it ends."""

    def __init__(self, candidates: Sequence[Sequence[Chain]]) -> None:
        self.candidates = candidates
        self.row: list[Chain] = []
        self.longest = 0
        self.tries = 0

    def _fits(self, chain: Chain, repeats: bool) -> bool:
        if not self.row:
            return True
        if chain.start != self.row[-1].end or any(chain.paths & old.paths for old in self.row):
            return False
        return repeats or chain.end not in {old.start for old in self.row}

    def grow(self, only: frozenset[StopKey] | None, repeats: bool) -> bool:
        """Complete the row; ``only`` limits it to these stops, ``repeats`` allows a stop twice."""
        self.tries += 1
        number = len(self.row)
        self.longest = max(self.longest, number)
        if number == len(self.candidates):
            return True
        for chain in self.candidates[number]:
            if self.tries > MAX_TRIES or (only is not None and not {chain.start, chain.end} <= only):
                continue
            if self._fits(chain, repeats):
                self.row.append(chain)
                if self.grow(only, repeats):
                    return True
                self.row.pop()
        return False


def _single(track: Map, chains: Sequence[Chain], named: frozenset[StopKey]) -> Chain:
    """Choose the chain of a route that has only one: with a token, and with the stops named."""

    def rank(chain: Chain) -> tuple[bool, int]:
        ends = {chain.start, chain.end}
        return not any(track.has_token(h, end - STOP) for h, end in ends), -len(ends & named)

    return min(chains, key=rank)


def rebuild(track: Map, route: Route, taken: frozenset[PathKey] = frozenset()) -> tuple[PathKey, ...]:
    """Return the paths of a route along it, found from its ``connections`` (and ``stops`` as hints).

    ``taken`` are paths of the other routes of the run. Raises RebuildError where nothing fits.
    """
    candidates = [_candidates(track, hexes, taken) for hexes in route.connections]
    named = _named(track, route)
    if len(candidates) == 1:
        row = [_single(track, candidates[0], named)]
    else:
        joiner = _Joiner(candidates)
        if not (joiner.grow(named, False) or joiner.grow(None, False) or joiner.grow(None, True)):
            hexes = route.connections[joiner.longest]
            raise RebuildError(f"{'-'.join(hexes)} does not continue the track before it", hexes[0])
        row = joiner.row
    return tuple((step.hex, step.path) for chain in row for step in chain.steps)

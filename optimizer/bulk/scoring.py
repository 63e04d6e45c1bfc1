"""The face of bulk evaluation: routes in, arrays of revenue and faults out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from optimizer.bulk.tables import Ints, NetworkTables
from optimizer.bulk.trains import bonus_tables, custom_rules, custom_tables, train_tables
from optimizer.evaluation.rebuild import RebuildError, rebuild
from optimizer.evaluation.report import RULES
from optimizer.evaluation.track import Map
from optimizer.model.position import Position, Route

_NO_TRACK = 1 << list(RULES).index("no_such_track")
_NO_TRAIN = 1 << list(RULES).index("unknown_train")
_RULE_NAMES = tuple(RULES)


@dataclass(frozen=True, slots=True)
class RouteArrays:
    """Routes as arrays, from :meth:`Scorer.encode`.

    ``types``: the type of train of each route (its number); ``first``: route i runs along the numbered paths
    ``paths[first[i]:first[i + 1]]``; ``hints``: the stop that a route of one path starts from, or -1;
    ``faults``: what was wrong already in the way it was given.
    """

    types: Ints
    first: Ints
    paths: Ints
    hints: Ints
    faults: Ints

    def __len__(self) -> int:
        return len(self.types)


@dataclass(frozen=True, slots=True)
class Scores:
    """``revenue`` of each route, and ``faults``: bit i stands for the i-th of the evaluator's rules."""

    revenue: NDArray[np.int64]
    faults: NDArray[np.int64]

    @property
    def legal(self) -> NDArray[np.bool_]:
        """Which routes break no rule."""
        legal: NDArray[np.bool_] = self.faults == 0
        return legal

    def rules_broken(self, route: int) -> tuple[str, ...]:
        """Return the names of the rules that a route breaks."""
        word = int(self.faults[route])
        return tuple(name for i, name in enumerate(_RULE_NAMES) if (word >> i) & 1)


class Scorer:
    """A position made ready for scoring; keep it to score several lists."""

    def __init__(self, position: Position) -> None:
        """Number the map. Raises TooMany where the position needs more bits than there are."""
        self.position = position
        self.track = Map(position)
        tables = NetworkTables(self.track)
        types = list(dict.fromkeys(train.type for train in position.trains))
        self._type = {train.id: types.index(train.type) for train in position.trains}
        named = custom_rules(position.rules)
        rules = [rule for rule, _ in named]
        self._network, self.names = tables.build(), tables.names()
        self._trains = train_tables(tables, types, rules)
        self._bonuses = bonus_tables(position.rules, types, rules)
        self._customs, self._keep = custom_tables(tables, types, named)

    def encode(self, routes: Sequence[Route]) -> RouteArrays:
        """Turn routes into arrays. Those given by ``connections`` alone are rebuilt first, which is slow."""
        types = np.zeros(len(routes), dtype=np.int64)
        hints = np.full(len(routes), -1, dtype=np.int64)
        faults = np.zeros(len(routes), dtype=np.int64)
        lengths = np.zeros(len(routes) + 1, dtype=np.int64)
        paths: list[int] = []
        number = self.names.path
        for i, route in enumerate(routes):
            kind = self._type.get(route.train, -1)
            types[i] = kind
            keys = route.paths or self._rebuilt(route)
            found = [number.get(key, -1) for key in keys]
            if kind < 0 or (keys and min(found) < 0) or (not keys and route.connections):
                faults[i] = _NO_TRAIN * (kind < 0) | _NO_TRACK * (not keys or min(found) < 0)
                types[i] = -1
            else:
                paths += found
                lengths[i + 1] = len(found)
            if route.stops and route.paths:
                hints[i] = self.names.stop.get(route.stops[0], -1)
        return RouteArrays(types, np.cumsum(lengths), np.array(paths, dtype=np.int64), hints, faults)

    def _rebuilt(self, route: Route) -> tuple[tuple[str, int], ...]:
        if not route.connections:
            return ()
        try:
            return rebuild(self.track, route)
        except RebuildError:
            return ()

    def score(self, routes: RouteArrays) -> Scores:
        """Score routes; a route that could not be encoded earns nothing."""
        # Imported here: loading Numba takes longer than most uses of this package.
        from optimizer.bulk.kernel import score

        revenue = np.zeros(len(routes), dtype=np.int64)
        faults = routes.faults.copy()
        good = np.flatnonzero(routes.types >= 0)
        if len(good) == 0:
            return Scores(revenue, faults)
        lengths = np.diff(routes.first)
        # What could not be encoded has no paths, so the others' paths lie one after the other.
        first = np.concatenate(([0], np.cumsum(lengths[good])))
        earned = np.zeros(len(good), dtype=np.int64)
        broken = np.zeros(len(good), dtype=np.int64)
        score(
            self._network, self._trains, self._bonuses, self._customs, routes.types[good], routes.hints[good],
            first, routes.paths, int(lengths.max()), earned, broken,
        )  # fmt: skip
        revenue[good] = earned
        faults[good] |= broken
        return Scores(revenue, faults)


def evaluate_many(position: Position, routes: Sequence[Route] | RouteArrays) -> Scores:
    """Score many routes of one position, each as if it ran alone.

    Equal to ``evaluate(position, [route]).routes[0]`` for every route: its revenue, and as bits the names of
    the rules that it breaks. Rules about whole runs say nothing here. Arrays come from
    :meth:`Scorer.encode` of a scorer for the same position.
    """
    scorer = Scorer(position)
    return scorer.score(routes if isinstance(routes, RouteArrays) else scorer.encode(routes))

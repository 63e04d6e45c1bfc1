"""What the routes of a run use up: of each hex side, track and whatever else is exclusive one use."""

from __future__ import annotations

from optimizer.evaluation.legality import Ridden
from optimizer.evaluation.report import Fault
from optimizer.evaluation.track import JUNCTION, STOP, Map, Piece, Step
from optimizer.model.tile import rotate

Key = tuple[str, str, int, int]  # (rule, hex, side or path or stop, lane)

_MESSAGES = {
    "side_twice": "uses side {number} of {hex} again",
    "track_twice": "uses track within {hex} again",
    "town_twice": "uses the track beyond the rim town of {hex} again",
}
_SHARED = {"stop": "shared_stop", "hex": "shared_hex", "group": "shared_group"}


class Used:
    """What has been used up so far, route after route."""

    def __init__(self, track: Map) -> None:
        """Begin with nothing used."""
        self._track = track
        self._keys: dict[Key, str] = {}
        self._resources: dict[tuple[str, str], str] = {}

    def add(self, route: Ridden) -> list[Fault]:
        """Note what a route uses; return a fault for everything that was used before."""
        faults = []
        for step in route.trace.steps:
            for key in self._keys_of(step):
                owner = self._keys.setdefault(key, "")
                if owner:
                    rule, hex_id, number, _ = key
                    whose = "itself" if owner == route.train.id else f"train {owner}"
                    message = _MESSAGES[rule].format(hex=hex_id, number=number) + f", like {whose}"
                    side = number if rule == "side_twice" else None
                    faults.append(route.fault(rule, message, hex_id, side=side))
                else:
                    self._keys[key] = route.train.id
        return faults + self._shared(route)

    def _keys_of(self, step: Step) -> list[Key]:
        """Return what a path uses up: its sides; itself if it has none; track of a rim town."""
        piece = step.piece
        keys: list[Key] = []
        if piece.a < STOP:
            keys.append(("side_twice", step.hex, piece.a, piece.lane_a[1]))
        if piece.b < STOP:
            keys.append(("side_twice", step.hex, piece.b, piece.lane_b[1]))
        if not keys:
            keys.append(("track_twice", step.hex, step.path, 0))
        elif len(keys) == 1:
            keys += self._rim_town(step.hex, piece)
        return keys

    def _rim_town(self, hex_id: str, piece: Piece) -> list[Key]:
        """Return the key of track from a town on the rim to a side that it does not lie at (8.5.9)."""
        stop, side = (piece.a, piece.b) if piece.b < STOP else (piece.b, piece.a)
        if stop >= JUNCTION:
            return []
        tile, rotation = self._track.position.tile_at(hex_id)
        town = tile.stops[stop - STOP]
        on_rim = town.loc is not None and town.kind == "town" and town.loc.isdigit()
        if on_rim and rotate(int(town.loc or 0), rotation) != side:
            return [("town_twice", hex_id, stop - STOP, piece.lane(stop)[1])]
        return []

    def _shared(self, route: Ridden) -> list[Fault]:
        faults = []
        for kind in sorted(self._track.position.rules.exclusive):
            resources: dict[str, str] = {}
            for visit in route.visits:
                if kind == "group":
                    resources.update(dict.fromkeys(visit.stop.groups, visit.hex))
                    continue
                resource = visit.signature if kind == "stop" else visit.hex
                if kind == "hex" and resource in resources and not visit.merged:
                    faults.append(route.fault("shared_hex", f"visits hex {resource} twice", resource))
                resources[resource] = visit.hex
            for resource, hex_id in resources.items():
                owner = self._resources.setdefault((kind, resource), route.train.id)
                if owner != route.train.id:
                    message = f"shares {kind} {resource} with train {owner}"
                    faults.append(route.fault(_SHARED[kind], message, hex_id))
        return faults

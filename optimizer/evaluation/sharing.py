"""What the routes of a run use up: of each hex side, track and whatever else is exclusive one use."""

from __future__ import annotations

from optimizer.evaluation.legality import Ridden
from optimizer.evaluation.report import Fault
from optimizer.evaluation.track import Map, Use

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
        self._owners: dict[tuple[str, Use], str] = {}
        self._resources: dict[tuple[str, str], str] = {}

    def add(self, route: Ridden) -> list[Fault]:
        """Note what a route uses; return a fault for everything that was used before."""
        faults = []
        laid, owners, train = self._track.laid, self._owners, route.train.id
        for hex_id, path, _, _, _ in route.trace.steps:
            for use in laid[hex_id].uses[path]:
                key = (hex_id, use)
                owner = owners.get(key)
                if owner:
                    faults.append(_used_again(route, hex_id, use, owner))
                else:
                    owners[key] = train
        if self._track.position.rules.exclusive:
            faults += self._shared(route)
        return faults

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


def _used_again(route: Ridden, hex_id: str, use: Use, owner: str) -> Fault:
    rule, number, _ = use
    whose = "itself" if owner == route.train.id else f"train {owner}"
    message = _MESSAGES[rule].format(hex=hex_id, number=number) + f", like {whose}"
    return route.fault(rule, message, hex_id, side=number if rule == "side_twice" else None)

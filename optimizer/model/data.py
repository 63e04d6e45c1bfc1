"""A position as it is written: plain dataclasses, unvalidated, with the names of the JSON schema.

The readers (JSON, the shared cases' format, protobuf) fill a :class:`PositionData`;
:func:`optimizer.titles.resolve.resolve` checks it and turns it into a
:class:`~optimizer.model.position.Position`. Every field has the name and meaning that it has in
``proto/rheingold/v1/position.proto``, where they are documented one by one.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from optimizer.model.tile import Tile


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with a position: where (``hexes[H8].rotation``), and what would be right."""

    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.path else self.message


class PositionError(ValueError):
    """A position that cannot be; ``faults`` lists everything found wrong, in order."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("; ".join(str(fault) for fault in faults))
        self.faults = faults


@dataclass(slots=True)
class TokenData:
    """A station. ``city`` counts the tile's cities only, ``stop`` all its stops; give one of them."""

    city: int | None = None
    stop: int | None = None
    slot: int = 0
    company: str = ""
    kind: str = ""


@dataclass(slots=True)
class HexData:
    """What lies on a hex of a title's map and is not printed there."""

    tile: str = ""
    rotation: int = 0
    tokens: list[TokenData] = field(default_factory=list)
    markers: list[str] = field(default_factory=list)
    assignments: list[str] = field(default_factory=list)


@dataclass(slots=True)
class HexBonusData:
    """A right of the company: ``amount`` for each of ``hexes`` that a route pays for."""

    name: str = ""
    hexes: list[str] = field(default_factory=list)
    amount: int = 0


@dataclass(slots=True)
class DistanceRowData:
    """How many stops of these kinds a train may visit and be paid for."""

    nodes: list[str] = field(default_factory=list)
    visit: int | None = None
    pay: int = 0
    multiplier: int = 0


@dataclass(slots=True)
class TrainData:
    """A train. With a title only ``id`` and ``name`` are given; the rest is for inline maps."""

    id: str = ""
    name: str = ""
    distance: int | None = None
    rows: list[DistanceRowData] = field(default_factory=list)
    multiplier: int | None = None
    requires_token: bool | None = None
    pay_total: int | None = None
    pay_first: list[str] = field(default_factory=list)
    pay_needs_token: bool | None = None


@dataclass(slots=True)
class EndData:
    """One end of a path: exactly one of the three is given."""

    edge: int | None = None
    stop: int | None = None
    junction: int | None = None


@dataclass(slots=True)
class LaneData:
    """Which of several parallel tracks over one side."""

    width: int = 1
    index: int = 0


@dataclass(slots=True)
class PathData:
    """A piece of track between two ends."""

    a: EndData = field(default_factory=EndData)
    b: EndData = field(default_factory=EndData)
    terminal: bool = False
    ferry: bool = False
    lane_a: LaneData | None = None
    lane_b: LaneData | None = None
    track: str = ""


@dataclass(slots=True)
class StopData:
    """A city, town or off-board of a tile; ``revenue_by_color`` replaces ``revenue`` if not empty."""

    kind: str = ""
    revenue: int = 0
    revenue_by_color: dict[str, int] = field(default_factory=dict)
    slots: int | None = None
    groups: list[str] = field(default_factory=list)
    loc: str = ""
    visit_cost: int | None = None


@dataclass(slots=True)
class TileData:
    """A tile at rotation 0."""

    color: str = ""
    stops: list[StopData] = field(default_factory=list)
    paths: list[PathData] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    impassable: list[int] = field(default_factory=list)


@dataclass(slots=True)
class KnownTileData(TileData):
    """A definition that was read and checked before: the tile that it gave, and nothing else."""

    made: Tile = field(kw_only=True)


@dataclass(slots=True)
class InlineHexData:
    """A hex of an inline map: a standard tile's number or a definition, turned by ``rotation``."""

    tile: str = ""
    definition: TileData | None = None
    rotation: int = 0
    neighbors: dict[int, str] = field(default_factory=dict)
    tokens: list[TokenData] = field(default_factory=list)


@dataclass(slots=True)
class DoublingData:
    """Multiplies what stops in ``hexes`` pay, under a condition on the route's ends."""

    hexes: list[str] = field(default_factory=list)
    both_ends_in: list[str] = field(default_factory=list)
    factor: int | None = None
    one_end_in: list[str] = field(default_factory=list)
    other_end_in: list[str] = field(default_factory=list)
    note: str = ""


@dataclass(slots=True)
class HexSetData:
    """A set of hexes."""

    hexes: list[str] = field(default_factory=list)


@dataclass(slots=True)
class TrainRuleData:
    """Rules for trains of these names; see :class:`optimizer.model.rules.TrainRule`."""

    trains: list[str] = field(default_factory=list)
    ends_not: list[str] = field(default_factory=list)
    some_end_in: list[str] = field(default_factory=list)
    closed_hexes: list[str] = field(default_factory=list)
    no_end_hexes: list[str] = field(default_factory=list)
    worthless_hexes: list[str] = field(default_factory=list)
    at_most_one: list[HexSetData] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    doublings: list[DoublingData] = field(default_factory=list)


@dataclass(slots=True)
class HexSideData:
    """A side of a hex."""

    hex: str = ""
    edge: int = 0


@dataclass(slots=True)
class CounterData:
    """A number read off a route; see :class:`optimizer.model.rules.Counter`."""

    name: str = ""
    hexes: list[str] = field(default_factory=list)
    entries: list[HexSideData] = field(default_factory=list)


@dataclass(slots=True)
class BonusLevelData:
    """``amount`` if each counter named in ``needs`` has at least that number."""

    needs: dict[str, int] = field(default_factory=dict)
    amount: int = 0
    note: str = ""


@dataclass(slots=True)
class BonusData:
    """Extra revenue; see :class:`optimizer.model.rules.Bonus`."""

    name: str = ""
    levels: list[BonusLevelData] = field(default_factory=list)
    per: str = ""
    per_max: int | None = None
    trains: list[str] = field(default_factory=list)
    but_trains: list[str] = field(default_factory=list)
    multiplied: bool = False
    scope: str = ""


@dataclass(slots=True)
class FerryRuleData:
    """Rules of ferry links; see :class:`optimizer.model.rules.FerryRule`."""

    penalty: int = 0
    hexes: list[str] = field(default_factory=list)
    crossing: str = ""


@dataclass(slots=True)
class HexStopData:
    """A stop of a hex, by its index on the tile."""

    hex: str = ""
    stop: int = 0


@dataclass(slots=True)
class StopSetData:
    """A set of stops."""

    stops: list[HexStopData] = field(default_factory=list)


@dataclass(slots=True)
class CustomRuleData:
    """A rule written in Python, by its registered name."""

    name: str = ""
    parameters: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class RouteRulesData:
    """Route rules of an inline map; see :class:`optimizer.model.rules.RouteRules`."""

    train_rules: list[TrainRuleData] = field(default_factory=list)
    counters: list[CounterData] = field(default_factory=list)
    bonuses: list[BonusData] = field(default_factory=list)
    bonuses_need_pay: bool | None = None
    same_hex_once: bool = False
    stop_sets_once: list[StopSetData] = field(default_factory=list)
    ferry: FerryRuleData | None = None
    neutral_hexes: list[str] = field(default_factory=list)
    exclusive: list[str] = field(default_factory=list)
    custom: list[CustomRuleData] = field(default_factory=list)


@dataclass(slots=True)
class InlineMapData:
    """A map that the position brings along, with its rules."""

    layout: str = ""
    phase_colors: list[str] = field(default_factory=list)
    hexes: dict[str, InlineHexData] = field(default_factory=dict)
    rules: RouteRulesData | None = None


@dataclass(slots=True)
class PositionData:
    """A company about to run its trains, on a title's map (``title``) or on its own (``inline``)."""

    id: str = ""
    title: str = ""
    inline: InlineMapData | None = None
    optional_rules: list[str] = field(default_factory=list)
    phase: str = ""
    company: str = ""
    company_kind: str = ""
    privates: list[str] = field(default_factory=list)
    hex_bonuses: list[HexBonusData] = field(default_factory=list)
    assignments: list[str] = field(default_factory=list)
    counters: dict[str, int] = field(default_factory=dict)
    switches: dict[str, str] = field(default_factory=dict)
    trains: list[TrainData] = field(default_factory=list)
    hexes: dict[str, HexData] = field(default_factory=dict)


@dataclass(slots=True)
class RouteData:
    """A route as files have it: chains of hexes between stops, and stop signatures (``H8-1``)."""

    train: str = ""
    connections: list[list[str]] = field(default_factory=list)
    nodes: list[str] = field(default_factory=list)
    hexes: list[str] = field(default_factory=list)
    revenue: int | None = None
    revenue_str: str = ""

"""From a position as written (:class:`PositionData`) to a sound :class:`Position`.

Everything that names something is checked here; each fault carries the path of its field, and all of
them are reported together.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from optimizer.model.data import HexData, PositionData, PositionError, TokenData, TrainData
from optimizer.model.faults import Faults, choices, no_such, show
from optimizer.model.position import HexState, Position, Token, Train
from optimizer.model.read_limits import DEFAULT_LIMITS, ReadLimits, check_counts
from optimizer.model.rules import RouteRules, TrainType
from optimizer.model.tile import Tile
from optimizer.titles.base import resolve_inline
from optimizer.titles.loader import (
    Phase,
    TitleData,
    UnknownTitle,
    canonical_title,
    known_optional_rules,
    load_title,
)
from optimizer.titles.record import RulesInput, TitleRules
from optimizer.titles.registry import title_rules, train_with_switches
from optimizer.titles.tokens import add_token, city_of

Container = Mapping[str, object] | frozenset[str]


def resolve(
    data: PositionData, limits: ReadLimits = DEFAULT_LIMITS, known: Mapping[str, HexState] | None = None
) -> Position:
    """Check a position and bind it to its title's map, trains and rules.

    ``known``: hexes that are not in ``data`` because they were resolved before, for the same title,
    optional rules and phase. Raises PositionError with every fault found.
    """
    faults = Faults()
    position = try_resolve(data, faults, limits, known or {})
    faults.raise_if_any()
    if position is None:  # a fault was reported in every such case
        raise PositionError([])
    return position


def try_frame(data: PositionData, faults: Faults, limits: ReadLimits = DEFAULT_LIMITS) -> Frame | None:
    """Check a titled position but for its hexes, adding to ``faults``; None if anything was wrong."""
    if not check_counts(data, limits, faults.add):
        return None
    title = _title_data(data, faults)
    frame = None if title is None else _Titled(data, title, faults).frame()
    return None if faults else frame


def try_hexes(frame: Frame, hexes: Mapping[str, HexData], faults: Faults) -> dict[str, HexState | None]:
    """Check hexes for a title and phase, adding to ``faults``; None for those that cannot be."""
    titled = _Titled(PositionData(), frame.title, faults)
    return {hex_id: titled.hex_state(hex_id, row, frame.phase) for hex_id, row in hexes.items()}


def try_resolve(
    data: PositionData,
    faults: Faults,
    limits: ReadLimits = DEFAULT_LIMITS,
    known: Mapping[str, HexState] = MappingProxyType({}),
) -> Position | None:
    """Check a position, adding to ``faults``; None where it cannot be built at all."""
    if not check_counts(data, limits, faults.add):
        return None
    if data.inline is not None:
        if data.title:
            faults.add("title", "a position has either a title or an inline map, not both")
            return None
        return resolve_inline(data, data.inline, faults, limits)
    title = _title_data(data, faults)
    return None if title is None else _Titled(data, title, faults).position(known)


@lru_cache(maxsize=64)
def _sound_title(name: str, optional_rules: tuple[str, ...]) -> TitleData:
    """Return a title; UnknownTitle (which is not kept) if it or one of the rules is unknown."""
    return load_title(name, optional_rules)


def _title_data(data: PositionData, faults: Faults) -> TitleData | None:
    try:
        return _sound_title(data.title, tuple(data.optional_rules))
    except UnknownTitle:
        return _doubtful_title(data, faults)


def _doubtful_title(data: PositionData, faults: Faults) -> TitleData | None:
    if not data.title:
        faults.add("title", "missing: name a title or give an inline map")
        return None
    try:
        name = canonical_title(data.title)
    except UnknownTitle as error:
        faults.add("title", str(error))
        return None
    known = known_optional_rules(name)
    good = []
    for i, rule in enumerate(data.optional_rules):
        if rule in known:
            good.append(rule)
        else:
            faults.add(
                f"optional_rules[{i}]", f"{name} has no optional rule {show(rule)}; it has {choices(known)}"
            )
    return load_title(name, good)


@dataclasses.dataclass(frozen=True, slots=True)
class _Known:
    """What may be named in positions of a title: looked up for every position, so kept ready."""

    companies: Mapping[str, str]  # name to kind
    privates: frozenset[str]
    limited_colors: frozenset[str]  # colours of tiles that some phase brings
    first_phase: Mapping[str, int]  # train to the index of the first phase in which it can run


@lru_cache(maxsize=64)
def _known(key: str, name: str, optional_rules: tuple[str, ...]) -> _Known:
    title = load_title(name, optional_rules)
    order = {phase.name: i for i, phase in enumerate(title.phases)}
    started = {str(phase.row.get("on", phase.name)): i for i, phase in enumerate(title.phases)}
    first: dict[str, int] = {}
    for row in title.raw["trains"]:
        # A train that is on sale before its own phase can be lent before it too (1856 19.4).
        available = order.get(str(row.get("available_on")), started.get(row["name"], 0))
        first[row["name"]] = min(started.get(row["name"], available), available)
    return _Known(
        companies={row["sym"]: row.get("type") or "" for row in title.raw["corporations"]},
        privates=frozenset(row["sym"] for row in title.raw["companies"]),
        limited_colors=frozenset(color for phase in title.phases for color in phase.colors),
        first_phase=first,
    )


@dataclasses.dataclass(frozen=True, slots=True)
class Frame:
    """A sound position of a title without its hexes: who runs what, when, and with which rights."""

    record: TitleRules
    title: TitleData
    phase: Phase
    company: str
    company_kind: str
    trains: tuple[Train, ...]
    privates: tuple[str, ...]
    hex_bonuses: tuple[tuple[str, tuple[str, ...], int], ...]
    assignments: tuple[str, ...]
    counters: Mapping[str, int]
    switches: Mapping[str, str]  # those that differ from the default

    bare: Position = dataclasses.field(init=False, repr=False)  # without hexes
    all_switches: Mapping[str, str] = dataclasses.field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Build what all positions of the frame share."""
        object.__setattr__(self, "all_switches", {**self.record.defaults, **self.switches})
        bare = Position(
            board=self.title.board,
            company=self.company,
            trains=self.trains,
            colors=self.phase.colors,
            hexes=(),
            rules=RouteRules(),
            title=self.title.name,
            optional_rules=self.title.optional_rules,
            phase=self.phase.name,
            company_kind=self.company_kind,
            privates=self.privates,
            hex_bonuses=self.hex_bonuses,
            assignments=self.assignments,
            counters=tuple(self.counters.items()),
            switches=tuple(self.switches.items()),
        )
        object.__setattr__(self, "bare", bare)

    def position(
        self,
        hexes: tuple[tuple[str, HexState], ...],
        name: str = "",
        by_hex: Mapping[str, HexState] | None = None,
        rules: RouteRules | None = None,
    ) -> Position:
        """Return the position with these hexes, in order, resolved for the same title and phase.

        ``by_hex``: the same as a mapping, and ``rules``: the route rules with them, where they are known.
        """
        by_hex = dict(hexes) if by_hex is None else by_hex
        position = self.bare.on(hexes, rules or self.rules(by_hex), name)
        position.__dict__["by_hex"] = by_hex  # it is needed for every search, and here it costs nothing
        return position

    def rules(self, by_hex: Mapping[str, HexState]) -> RouteRules:
        """Return the route rules that hold with these hexes."""
        who = (self.title, self.phase, self.company, self.privates, self.hex_bonuses)
        facts = RulesInput(*who, self.assignments, self.counters, self.all_switches, by_hex)
        return self.record.route_rules(facts)


class _Titled:
    """One position of a title on its way to be resolved."""

    def __init__(self, data: PositionData, title: TitleData, faults: Faults) -> None:
        self.data = data
        self.title = title
        self.faults = faults
        self.record: TitleRules = title_rules(title.name)
        self.known = _known(title.board.key, title.name, title.optional_rules)

    def position(self, known: Mapping[str, HexState]) -> Position | None:
        """Return the position, or None if anything was wrong."""
        before = len(self.faults.found)
        frame = self.frame()
        phase = frame.phase if frame is not None else self._known_phase()
        hexes = {hex_id: self.hex_state(hex_id, row, phase) for hex_id, row in self.data.hexes.items()}
        if len(self.faults.found) > before or frame is None:
            return None
        found = {hex_id: state for hex_id, state in hexes.items() if state is not None}
        return frame.position(tuple(sorted({**known, **found}.items())), self.data.id)

    def frame(self) -> Frame | None:
        """Return the position without its hexes, or None if anything was wrong."""
        data = self.data
        before = len(self.faults.found)
        phase = self._phase()
        self._company()
        self._names()
        switches = self._switches()
        trains = self._trains(phase, switches)
        if len(self.faults.found) > before or phase is None:
            return None
        return Frame(
            record=self.record,
            title=self.title,
            phase=phase,
            company=data.company,
            company_kind=self.known.companies[data.company],
            trains=trains,
            privates=tuple(data.privates),
            hex_bonuses=tuple((row.name, tuple(row.hexes), row.amount) for row in data.hex_bonuses),
            assignments=tuple(data.assignments),
            counters=dict(sorted(data.counters.items())),
            switches=dict(sorted(switches.items())),
        )

    def _known_phase(self) -> Phase | None:
        return next((phase for phase in self.title.phases if phase.name == self.data.phase), None)

    def _phase(self) -> Phase | None:
        try:
            return self.title.phase(self.data.phase)
        except KeyError:
            names = [phase.name for phase in self.title.phases]
            self._no_such("phase", "phase", self.data.phase, names)
            return None

    def _no_such(self, path: str, what: str, name: str, known: Iterable[str]) -> None:
        self.faults.add(path, no_such(self.title.name, what, name, known))

    def _company(self) -> None:
        company, kind = self.data.company, self.data.company_kind
        if company not in self.known.companies:
            self._no_such("company", "company", company, self.known.companies)
        elif kind and kind != self.known.companies[company]:
            right = self.known.companies[company]
            what = f"{company} is a {right}" if right else f"companies of {self.title.name} have no kind"
            self.faults.add("company_kind", f"{what}, not {show(kind)}")

    def _names(self) -> None:
        """Check privates, hex bonuses, assignments and counters."""
        self._each("privates", self.data.privates, self.known.privates, "private")
        self._each("assignments", self.data.assignments, self.record.assignments, "assignment")
        seen: dict[frozenset[str], int] = {}
        for i, bonus in enumerate(self.data.hex_bonuses):
            path = f"hex_bonuses[{i}]"
            first = seen.setdefault(frozenset(bonus.hexes), i)
            if first != i:
                self.faults.add(path, f"is the same right as hex_bonuses[{first}]")
            if not bonus.hexes:
                self.faults.add(f"{path}.hexes", "missing: name the hexes that pay the bonus")
            self._each(f"{path}.hexes", bonus.hexes, self.title.board.printed, "hex")
            if not 0 <= bonus.amount <= 1000:
                self.faults.add(f"{path}.amount", f"must be 0 to 1000, not {show(bonus.amount)}")
        for name, value in self.data.counters.items():
            if name not in self.record.counters:
                self._no_such(f"counters[{name}]", "counter", name, self.record.counters)
                continue
            low, high = self.record.counters[name]
            if not low <= value <= high:
                self.faults.add(f"counters[{name}]", f"must be {low} to {high}, not {show(value)}")

    def _each(self, path: str, names: Sequence[str], known: Container, what: str) -> None:
        for i, name in enumerate(names):
            if name not in known:
                self._no_such(f"{path}[{i}]", what, name, sorted(known))
            elif name in names[:i]:
                self.faults.add(f"{path}[{i}]", f"{what} {name} is named twice")

    def _switches(self) -> dict[str, str]:
        """Return the switches that differ from their default."""
        chosen: dict[str, str] = {}
        for name, value in self.data.switches.items():
            switch = self.record.switches.get(name)
            if switch is None:
                self._no_such(f"switches[{name}]", "switch", name, self.record.switches)
            elif value not in switch.values:
                right = " or ".join(switch.values)
                self.faults.add(f"switches[{name}]", f"must be {right}, not {show(value)}")
            elif value != switch.default:
                chosen[name] = value
        return chosen

    def _trains(self, phase: Phase | None, switches: Mapping[str, str]) -> tuple[Train, ...]:
        trains: list[Train] = []
        seen: dict[str, int] = {}
        for i, row in enumerate(self.data.trains):
            path = f"trains[{i}]"
            if not row.id:
                self.faults.add(f"{path}.id", "missing")
            elif row.id in seen:
                self.faults.add(f"{path}.id", f"{row.id} is also the id of trains[{seen[row.id]}]")
            seen.setdefault(row.id, i)
            if row != TrainData(row.id, row.name):
                self.faults.add(
                    path, "what a title's train can do comes from the title: give id and name only"
                )
            found = self._train_type(f"{path}.name", row.name, phase)
            if found is not None:
                trains.append(Train(row.id, train_with_switches(self.title.name, found, switches)))
        return tuple(trains)

    def _train_type(self, path: str, name: str, phase: Phase | None) -> TrainType | None:
        found = self.title.trains.get(name)
        if found is None:
            self._no_such(path, "train", name, self.title.trains)
        elif phase is not None:
            first = self.known.first_phase[name]
            if self.title.phases.index(phase) < first:
                self.faults.add(path, f"no {name}-train before phase {self.title.phases[first].name}")
        return found

    def hex_state(self, hex_id: str, row: HexData, phase: Phase | None) -> HexState | None:
        """Return what lies on a hex, or None if that cannot be."""
        path = f"hexes[{hex_id}]"
        tile = self.title.board.printed.get(hex_id)
        if tile is None:
            self.faults.add(path, f"{self.title.name} has no hex {show(hex_id)}")
            return None
        if row.tile:
            tile = self._tile(f"{path}.tile", row.tile, phase)
        if row.rotation and (not 0 <= row.rotation <= 5):
            self.faults.add(f"{path}.rotation", f"must be 0 to 5, not {show(row.rotation)}")
        elif row.rotation and not row.tile:
            self.faults.add(f"{path}.rotation", "must be 0 where no tile was laid")
        if row.assignments:
            self._each(f"{path}.assignments", row.assignments, self.record.assignments, "assignment")
        if tile is None:
            return None
        tokens = self._tokens(path, row.tokens, tile) if row.tokens else ()
        return HexState(tile, row.rotation, tokens, tuple(row.markers), tuple(row.assignments))

    def _tile(self, path: str, name: str, phase: Phase | None) -> Tile | None:
        tile = self.title.tiles.get(name)
        if tile is None or not self.title.tile_counts[name]:
            chosen = ", ".join(self.title.optional_rules)
            rules = f" with {chosen}" if chosen else ""
            self.faults.add(path, f"{self.title.name}{rules} has no tile {show(name)}")
            return None
        if phase is not None and tile.color not in phase.colors and tile.color in self.known.limited_colors:
            self.faults.add(
                path,
                f"tile {name} is {tile.color}, but phase {phase.name} has only {', '.join(phase.colors)}",
            )
        return tile

    def _tokens(self, path: str, rows: Sequence[TokenData], tile: Tile) -> tuple[Token, ...]:
        tokens: list[Token] = []
        for i, row in enumerate(rows):
            where = f"{path}.tokens[{i}]"
            city = city_of(where, row, tile, self.faults)
            if row.company not in self.known.companies and row.company not in self.record.marker_tokens:
                self._no_such(f"{where}.company", "company", row.company, self.known.companies)
            neutral = self._neutral(f"{where}.kind", row)
            if city is not None:
                add_token(where, Token(city, row.slot, row.company, neutral), tile, tokens, self.faults)
        return tuple(sorted(tokens))

    def _neutral(self, path: str, row: TokenData) -> bool:
        if row.kind in ("", "normal"):
            return False
        if row.kind != "neutral":
            self.faults.add(path, f"must be normal or neutral, not {show(row.kind)}")
            return False
        if self.record.neutral_computed:
            return False
        if row.company not in self.record.neutral_companies:
            names = choices(sorted(self.record.neutral_companies))
            self.faults.add(path, f"only tokens of {names} can be neutral in {self.title.name}")
            return False
        return True

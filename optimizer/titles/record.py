"""What a title's record of route rules consists of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from optimizer.model.position import HexState
from optimizer.model.rules import RouteRules, TrainType
from optimizer.model.tile import Tile
from optimizer.titles.loader import Phase, TitleData


@dataclass(frozen=True, slots=True)
class RulesInput:
    """What a title may look at to say which route rules hold for a company now.

    ``hexes``: what lies on the map beyond the print. ``switches`` are complete: those not given have
    their default. ``hex_bonuses``: (name, hexes, amount) of rights the company bought.
    """

    data: TitleData
    phase: Phase
    company: str
    privates: tuple[str, ...] = ()
    hex_bonuses: tuple[tuple[str, tuple[str, ...], int], ...] = ()
    assignments: tuple[str, ...] = ()
    counters: Mapping[str, int] = field(default_factory=dict)
    switches: Mapping[str, str] = field(default_factory=dict)
    hexes: Mapping[str, HexState] = field(default_factory=dict)

    def tile(self, hex_id: str) -> tuple[Tile, int]:
        """Return the tile on a hex and its rotation."""
        state = self.hexes.get(hex_id)
        return (state.tile, state.rotation) if state is not None else (self.data.board.printed[hex_id], 0)


@dataclass(frozen=True, slots=True)
class Switch:
    """A documented choice between readings of a rule; the first value is the default."""

    values: tuple[str, ...]
    about: str

    @property
    def default(self) -> str:
        """The value that holds where none is given."""
        return self.values[0]


@dataclass(frozen=True, slots=True)
class TitleRules:
    """What a title adds to routing.

    ``route_rules`` resolves the rules for one company; ``adapt_train`` gives a train the title's own
    rules of payment. ``counters`` are named facts about the game with their lowest and highest value.
    ``assignments`` may lie on companies and hexes. ``marker_tokens`` are printed tokens that are no
    company's stations. Tokens of ``neutral_companies`` may be neutral; where ``neutral_computed`` is
    set neutrality follows from a rule and a mark on a token is ignored.
    """

    name: str
    route_rules: Callable[[RulesInput], RouteRules]
    adapt_train: Callable[[TrainType, Mapping[str, str]], TrainType]
    switches: Mapping[str, Switch] = field(default_factory=dict)
    counters: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    assignments: frozenset[str] = frozenset()
    marker_tokens: frozenset[str] = frozenset()
    neutral_companies: frozenset[str] = frozenset()
    neutral_computed: bool = False

    @property
    def defaults(self) -> dict[str, str]:
        """The switches with their defaults."""
        return {name: switch.default for name, switch in self.switches.items()}

"""What makes a title: numbers, switches and policies, composed (rules: common appendix B).

A title is one `Title` record. Numbers and switches are plain fields; everything that needs code is a small
policy object or function named for what it does. Titles take the shared ones and replace what differs;
nothing in the core asks which title is played.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from importlib import import_module
from typing import TYPE_CHECKING, Any

from engine.core.market import Movement
from engine.errors import GameFileError
from optimizer.model.data import PositionData
from optimizer.titles.loader import TitleData
from optimizer.titles.record import Switch
from optimizer.titles.registry import title_rules

if TYPE_CHECKING:
    from engine.core.company import Company
    from engine.core.corporation import Corporation, CorporationSpec, Player
    from engine.core.trains import Train
    from engine.game import Game
    from engine.policies.shares import ShareRules
    from engine.policies.tokens import TokenRules
    from engine.policies.track import TrackRules
    from engine.policies.trains import TrainRules
    from engine.rounds.base import Round


class EndTiming(Enum):
    """When the game ends after a trigger, most urgent first."""

    IMMEDIATE = "immediate"
    OPERATING_ROUND = "end of the operating round"
    SET = "end of the set"
    ONE_MORE_SET = "one more full set"


@dataclass(frozen=True, slots=True)
class EndTrigger:
    """One reason to end the game: when it holds, and how soon the game then ends."""

    reason: str
    holds: Callable[[Game], bool]
    timing: EndTiming


@dataclass(frozen=True, slots=True)
class EndRules:
    """End of the game (common 10.1). `triggers` in order; `priority`: timings that replace later ones,
    strongest first.

    `plan_last_set`: told the standing trigger after every action, for titles that lengthen the last set.
    `settle`: what happens when the game ends, before scores are final.
    """

    triggers: tuple[EndTrigger, ...]
    priority: tuple[EndTiming, ...] = tuple(EndTiming)
    plan_last_set: Callable[[Game, EndTrigger], None] = lambda game, trigger: None
    settle: Callable[[Game], None] = lambda game: None


@dataclass(frozen=True, slots=True)
class Title:
    """Everything that the engine needs to know about one title with its optional rules.

    Tables by number of players: `starting_cash`, `certificate_limit`. Functions get the game and return what
    their name says. `events`: what happens when a train with this event is bought. `listeners`: called after
    every action, in order. `complete_position`: adds what routes depend on beyond trains, tokens and tiles
    (rights, assignments, counters). `play_switches`: documented readings of rules of play, besides
    those of the route rules; `chosen`: the readings of either kind that a game's settings name. `extra`: an
    immutable record of the title's own numbers for its own steps. `market_rows`: the stock market, where it
    is not the data's own. `random_weights`: how likely a random player tries a kind of action, where the
    usual weights would not let games go on.
    """

    name: str
    data: TitleData
    starting_cash: Mapping[int, int]
    certificate_limit: Mapping[int, int]
    corporation_specs: tuple[CorporationSpec, ...]
    shares: ShareRules
    track: TrackRules
    tokens: TokenRules
    trains: TrainRules
    end: EndRules
    movement: Movement
    opening_round: Callable[[Game], Round]
    next_round: Callable[[Game, Round], Round]
    operating_order: Callable[[Game], list[Corporation]]
    score: Callable[[Game, Player], int]
    setup: Callable[[Game], None] = lambda game: None
    make_state: Callable[[Game], Any] = lambda game: None
    events: Mapping[str, Callable[[Game, Train], None]] = field(default_factory=dict)
    listeners: tuple[Callable[[Game], None], ...] = ()
    complete_position: Callable[[Game, Corporation, PositionData], None] = lambda game, corporation, data: (
        None
    )
    play_switches: Mapping[str, Switch] = field(default_factory=dict)
    chosen: Mapping[str, str] = field(default_factory=dict)
    loan_supply: int = 0
    bid_step: int = 5
    extra: Any = None
    market_rows: Any = None
    random_weights: Mapping[str, float] = field(default_factory=dict)
    company_prices: Callable[[Company], tuple[int, int]] | None = None

    @property
    def optional_rules(self) -> tuple[str, ...]:
        return self.data.optional_rules

    @property
    def switches(self) -> Mapping[str, Switch]:
        """All documented readings of this title's rules."""
        return {**title_rules(self.name).switches, **self.play_switches}

    @property
    def route_switches(self) -> Mapping[str, str]:
        """The chosen readings that concern routes."""
        known = title_rules(self.name).switches
        return {name: value for name, value in self.chosen.items() if name in known}

    def reading(self, switch: str) -> str:
        """The reading of a rule that this game follows."""
        return self.chosen.get(switch, self.switches[switch].default)


TITLES: dict[str, str] = {
    "1861": "engine.titles.t1861:title",
    "1867": "engine.titles.t1867:title",
    "1856": "engine.titles.t1856:title",
    "18Rhl": "engine.titles.t18rhl:title",
}
"""Where each title's factory is: `module:function`, called with (player count, optional rules)."""


def load_game_title(
    name: str, players: int, optional_rules: tuple[str, ...], switches: Mapping[str, str] | None = None
) -> Title:
    """The title of this name for so many players; raises GameFileError if the engine does not have it."""
    for known, path in TITLES.items():
        if known.lower() == name.lower():
            module, _, function = path.partition(":")
            factory: Callable[[int, tuple[str, ...]], Title] = getattr(import_module(module), function)
            return with_switches(factory(players, optional_rules), switches or {})
    raise GameFileError(f"unknown title {name!r}; the engine plays {', '.join(TITLES)}")


def with_switches(title: Title, switches: Mapping[str, str]) -> Title:
    """The title under these readings of its rules; raises GameFileError for what it does not have."""
    if not isinstance(switches, Mapping):
        raise GameFileError(f"settings.switches: must be an object of names and values, not {switches!r}")
    for name, value in switches.items():
        switch = title.switches.get(name)
        if switch is None:
            known = ", ".join(sorted(title.switches)) or "none"
            raise GameFileError(f"settings.switches.{name}: {title.name} has no such switch; it has {known}")
        if value not in switch.values:
            wanted = ", ".join(switch.values)
            raise GameFileError(f"settings.switches.{name}: must be one of {wanted}, not {value!r}")
    return replace(title, chosen=dict(switches)) if switches else title

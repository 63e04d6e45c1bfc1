"""State that only 1856 has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.core.corporation import Corporation, Player
from engine.core.state import Stateful
from engine.core.trains import Train

if TYPE_CHECKING:
    from engine.game import Game

BRIDGE = "NFSBC"
TUNNEL = "SCFTC"
PORT = "GLSC"
STATION = "WSRC"
NATIONAL = "CGR"


@dataclass(frozen=True, slots=True)
class Right:
    """A right that corporations may buy: `marker` is the icon on `stock_hex` that stands for one right still
    to sell.
    """

    name: str
    company: str
    marker: str
    stock_hex: str
    hexes: tuple[str, ...]
    amount: int = 10
    cost: int = 50


RIGHTS = (
    Right("Tunnel Token", TUNNEL, "tunnel", "A14", ("B13",)),
    Right("Bridge Token", BRIDGE, "bridge", "P19", ("P17", "P19")),
)


@dataclass(frozen=True, slots=True)
class CanadaNumbers:
    """Numbers of the title. `destinations`: corporation -> (start hex, goal hexes)."""

    destinations: Mapping[str, tuple[str, tuple[str, ...]]]
    unlimited_rights: bool
    best_trains: tuple[str, ...] = ("8", "D")
    national_tokens: int = 10
    national_token_price: int = 100
    train_price: int = 1100
    trade_in_price: int = 750

    @staticmethod
    def of(game: Game) -> CanadaNumbers:
        numbers = game.title.extra
        assert isinstance(numbers, CanadaNumbers)
        return numbers


class CanadaState(Stateful):
    """`national`: the CGR. `required`: percent sold that a corporation needs to operate for the first time.

    `capitalization`: kind of the corporations that are started now. `connected`: corporations that reached
    their destination. `rights`: names of the rights a corporation has, in order. `port_owner`: who may earn
    the port bonus. Formation of the CGR: `trigger` (president who bought the first 6), `candidates` with
    unpaid loans, `merged` in order, their players' and the market's percent, their last prices. `formed`;
    `discarding`: it may still discard freely; `has_been_permanent`: it has owned a permanent train;
    `half_presidency`: its president holds only half of his certificate; `borrowed`: train to give back.
    """

    __slots__ = (
        "borrowed", "candidates", "capitalization", "connected", "discarding", "formed", "half_presidency",
        "has_been_permanent", "market_percent", "merged", "merged_prices", "national", "player_percent",
        "port_owner", "required", "rights", "trigger",
    )  # fmt: skip
    national: Corporation
    required: int
    capitalization: str
    connected: frozenset[Corporation]
    rights: dict[Corporation, tuple[str, ...]]
    port_owner: Corporation | None
    trigger: Player | None
    candidates: tuple[Corporation, ...]
    merged: tuple[Corporation, ...]
    merged_prices: tuple[int, ...]
    player_percent: dict[Player, int]
    market_percent: int
    formed: bool
    discarding: bool
    has_been_permanent: bool
    half_presidency: bool
    borrowed: Train | None

    def __init__(self, game: Game) -> None:
        super().__init__(game.journal)
        self.national = next(c for c in game.corporations if c.id == NATIONAL)
        self.required = 20
        self.capitalization = "escrow"
        self.connected = frozenset()
        self.rights = {}
        self.port_owner = None
        self.trigger = None
        self.candidates = self.merged = ()
        self.merged_prices = ()
        self.player_percent = {}
        self.market_percent = 0
        self.formed = self.discarding = self.has_been_permanent = False
        self.half_presidency = False
        self.borrowed = None

    @property
    def false_president(self) -> Player | None:
        """Who must complete the president's certificate; the duty goes with it if he sells it."""
        owner = self.national.owner
        return owner if self.half_presidency and isinstance(owner, Player) else None

    def is_national(self, entity: object) -> bool:
        return entity is self.national


def canada(game: Game) -> CanadaState:
    """The game's 1856 state."""
    state = game.state
    assert isinstance(state, CanadaState)
    return state

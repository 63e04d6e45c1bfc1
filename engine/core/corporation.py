"""Corporations (minors and nationals too), their tokens, and players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.core.shares import Share, ShareHolder
from engine.core.state import Journal, Stateful

if TYPE_CHECKING:
    from engine.board.hexes import City
    from engine.core.company import Company
    from engine.core.market import Cell
    from engine.core.trains import Train


class Token(Stateful):
    """A station token: on the charter (`city` is None) or in a city. `kind` is `normal` or `neutral`."""

    __slots__ = ("city", "corporation", "kind", "price")
    corporation: Corporation
    price: int
    kind: str
    city: City | None

    def __init__(self, journal: Journal, corporation: Corporation, price: int, kind: str = "normal") -> None:
        super().__init__(journal)
        self.corporation = corporation
        self.price = price
        self.kind = kind
        self.city = None

    @property
    def used(self) -> bool:
        return self.city is not None


class Owner(ShareHolder):
    """A player or corporation: has money, shares and private companies."""

    __slots__ = ("cash", "companies")
    cash: int
    companies: tuple[Company, ...]

    def __init__(self, journal: Journal, holder_id: int | str, name: str, cash: int = 0) -> None:
        super().__init__(journal, holder_id, name)
        self.cash = cash
        self.companies = ()


class Player(Owner):
    """A player. `passed` is his mark in the current round.

    `program`: his standing instruction; `program_since`: number of actions before it.
    """

    __slots__ = ("bankrupt", "passed", "program", "program_since")
    bankrupt: bool
    passed: bool
    program: Any
    program_since: int

    def __init__(self, journal: Journal, player_id: int | str, name: str, cash: int) -> None:
        super().__init__(journal, player_id, name, cash)
        self.bankrupt = False
        self.passed = False
        self.program = None
        self.program_since = 0


class Corporation(Owner):
    """A corporation, minor or national.

    `kind`: `minor`, `major`, `national` or `corporation`. `started`: its president's certificate was sold.
    `floated`, `operated`: once true, true until it is reset. `holdings`: percent transacted per holder, which
    decides presidencies. `certificates`: all of them by index. `capitalization`: `full`, `incremental` or
    `escrow`.
    """

    __slots__ = (
        "capitalization", "certificates", "closed", "escrow", "float_percent", "floated", "holding_limit",
        "holdings", "home_city", "home_hexes", "kind", "loans", "market_price_only", "operated", "owner",
        "par", "president_percent", "price", "share_percent", "spec", "started", "tokens", "trains",
    )  # fmt: skip
    aside = frozenset({"spec"})
    id: str
    kind: str
    owner: ShareHolder | None
    started: bool
    floated: bool
    operated: bool
    closed: bool
    price: Cell | None
    par: Cell | None
    tokens: tuple[Token, ...]
    trains: tuple[Train, ...]
    loans: tuple[int, ...]
    certificates: tuple[Share, ...]
    holdings: dict[ShareHolder, int]
    capitalization: str
    escrow: int
    float_percent: int
    holding_limit: int
    market_price_only: bool
    share_percent: int
    president_percent: int
    home_hexes: tuple[str, ...]
    home_city: int | None
    spec: CorporationSpec

    def __init__(self, journal: Journal, spec: CorporationSpec) -> None:
        super().__init__(journal, spec.id, spec.name)
        self.spec = spec
        self.kind = spec.kind
        self.closed = False
        self.home_hexes = spec.home_hexes
        self.home_city = spec.home_city
        self.holding_limit = spec.holding_limit
        self.float_percent = spec.float_percent
        self.market_price_only = spec.market_price_only
        self.capitalization = spec.capitalization
        self.trains = ()
        self.loans = ()
        self.certificates = ()
        self.reset_charter()

    def reset_charter(self) -> None:
        """The state of a corporation that never started: tokens and shares, no price, owner or history."""
        spec = self.spec
        self.owner = None
        self.started = self.floated = self.operated = False
        self.price = self.par = None
        self.escrow = 0
        self.tokens = tuple([Token(self.journal, self, price) for price in spec.tokens])
        sizes = spec.shares
        self.president_percent = sizes[0] if sizes else 0
        self.share_percent = (sizes[1] if len(sizes) > 1 else sizes[0] // 2) if sizes else 10
        certificates = [
            Share(self.journal, self, index, percent, index == 0) for index, percent in enumerate(sizes)
        ]
        for certificate in certificates:
            certificate.holder = self
        self.certificates = tuple(certificates)
        self.shares = {**self.shares, self: self.certificates}
        self.holdings = {self: sum(sizes)}

    @property
    def total_shares(self) -> int:
        return 100 // self.share_percent

    @property
    def treasury(self) -> tuple[Share, ...]:
        """Own certificates still with the corporation."""
        return self.shares_of(self)

    def unit_price(self, holder: ShareHolder) -> int:
        """Price of a share bought from `holder`: par from the corporation itself, else the current price."""
        cell = self.price if self.market_price_only or holder is not self else self.par
        return cell.price if cell is not None else 0

    @property
    def placed_tokens(self) -> tuple[Token, ...]:
        return tuple([token for token in self.tokens if token.city is not None])

    @property
    def next_token(self) -> Token | None:
        return next((token for token in self.tokens if token.city is None and token.kind == "normal"), None)


class CorporationSpec:
    """What is printed on a charter; immutable and shared by all games."""

    __slots__ = (
        "capitalization", "float_percent", "holding_limit", "home_city", "home_hexes", "id", "kind",
        "market_price_only", "name", "shares", "tokens",
    )  # fmt: skip

    def __init__(
        self,
        facts: dict[str, Any],
        *,
        capitalization: str,
        holding_limit: int = 60,
        float_percent: int = 60,
        kind: str = "corporation",
    ) -> None:
        self.id: str = facts["sym"]
        self.name: str = facts.get("name", self.id)
        self.kind: str = facts.get("type", kind)
        self.tokens: tuple[int, ...] = tuple(facts.get("tokens", ()))
        self.shares: tuple[int, ...] = tuple(facts.get("shares", (20, 10, 10, 10, 10, 10, 10, 10, 10)))
        home = facts.get("coordinates")
        self.home_hexes: tuple[str, ...] = (
            () if home is None else (home,) if isinstance(home, str) else tuple(home)
        )
        self.home_city: int | None = facts.get("city")
        self.float_percent: int = facts.get("float_percent", float_percent)
        self.holding_limit: int = facts.get("max_ownership_percent", holding_limit)
        self.market_price_only: bool = bool(facts.get("always_market_price", False))
        self.capitalization = capitalization

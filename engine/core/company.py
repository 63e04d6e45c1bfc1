"""Private companies and what they can do (rules: common 3.6)."""

from __future__ import annotations

from typing import Any

from engine.core.corporation import Owner
from engine.core.state import Journal, Stateful


class Ability(Stateful):
    """A power of a company or corporation.

    `kind`: `blocks_hexes`, `tile_lay`, `teleport`, `token`, `hex_bonus`, `shares`, `assign_hexes` ...
    `owner_kind`: `player`, `corporation` or None (any). `when`: moments at which it may be used; empty means
    always on. `count`: uses left, None for no limit. `facts`: everything else that is printed, immutable.
    """

    __slots__ = ("count", "facts", "hexes", "kind", "owner_kind", "tiles", "when")
    kind: str
    owner_kind: str | None
    when: tuple[str, ...]
    count: int | None
    hexes: tuple[str, ...]
    tiles: tuple[str, ...]
    facts: Any
    aside = frozenset({"facts"})

    def __init__(self, journal: Journal, facts: dict[str, Any]) -> None:
        super().__init__(journal)
        self.kind = facts["type"]
        self.owner_kind = facts.get("owner_type")
        when = facts.get("when", ())
        self.when = (when,) if isinstance(when, str) else tuple(when)
        self.count = facts.get("count")
        self.hexes = tuple(facts.get("hexes", ()))
        self.tiles = tuple(facts.get("tiles", ()))
        self.facts = _Facts(facts)


class _Facts:
    """Printed details of an ability; read-only."""

    __slots__ = ("_table",)

    def __init__(self, table: dict[str, Any]) -> None:
        self._table = table

    def get(self, name: str, default: Any = None) -> Any:
        return self._table.get(name, default)


class Company(Stateful):
    """A private company. `discount` is what its opening price lies below its value."""

    __slots__ = (
        "abilities",
        "closed",
        "discount",
        "id",
        "max_price",
        "min_price",
        "name",
        "owner",
        "revenue",
        "value",
    )
    id: str
    name: str
    value: int
    revenue: int
    discount: int
    min_price: int
    max_price: int
    owner: Owner | None
    closed: bool
    abilities: tuple[Ability, ...]

    def __init__(self, journal: Journal, facts: dict[str, Any]) -> None:
        super().__init__(journal)
        self.id = facts["sym"]
        self.name = facts.get("name", self.id)
        self.value = facts["value"]
        self.revenue = facts.get("revenue", 0)
        self.discount = facts.get("discount", 0)
        self.min_price = -(-self.value // 2)
        self.max_price = 2 * self.value
        self.owner = None
        self.closed = False
        self.abilities = tuple([Ability(journal, ability) for ability in facts.get("abilities", ())])

    @property
    def asking_price(self) -> int:
        """The least that an opening bid may be."""
        return self.value - self.discount

    def ability(self, kind: str) -> Ability | None:
        """Its first ability of this kind that its owner's kind allows and that is not used up."""
        return next(
            (ability for ability in self.abilities if ability.kind == kind and self.usable(ability)), None
        )

    def usable(self, ability: Ability) -> bool:
        """Is the owner of the right kind, and is a use left? An unowned company counts as a player's."""
        if self.closed or ability.count == 0:
            return False
        if ability.owner_kind is None:
            return True
        owner_kind = "corporation" if self.owner is not None and hasattr(self.owner, "tokens") else "player"
        return ability.owner_kind == owner_kind

    def __repr__(self) -> str:
        return f"<Company {self.id}>"


def transfer_company(company: Company, owner: Owner | None) -> None:
    """Gives the company to a new owner (None: to nobody)."""
    old = company.owner
    if old is not None:
        old.companies = tuple([other for other in old.companies if other is not company])
    company.owner = owner
    if owner is not None:
        owner.companies = (*owner.companies, company)


def close_company(company: Company) -> None:
    """The company leaves the game."""
    transfer_company(company, None)
    company.closed = True

"""Certificates, who holds them, and bundles of them (rules: common 4.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.core.state import Journal, Stateful

if TYPE_CHECKING:
    from engine.core.corporation import Corporation


class Share(Stateful):
    """One certificate. `weight` is what it counts toward the certificate limit."""

    __slots__ = ("corporation", "holder", "id", "index", "percent", "president", "purchasable", "weight")
    id: str
    corporation: Corporation
    index: int
    percent: int
    president: bool
    holder: ShareHolder
    purchasable: bool
    weight: float

    def __init__(
        self, journal: Journal, corporation: Corporation, index: int, percent: int, president: bool
    ) -> None:
        super().__init__(journal)
        self.corporation = corporation
        self.index = index
        self.id = f"{corporation.id}_{index}"
        self.percent = percent
        self.president = president
        self.purchasable = True
        self.weight = 1

    def __repr__(self) -> str:
        return f"<Share {self.id}>"


class ShareHolder(Stateful):
    """Players, corporations and the market: certificates by corporation, in order of arrival."""

    __slots__ = ("id", "name", "shares")
    id: int | str
    name: str
    shares: dict[Corporation, tuple[Share, ...]]

    def __init__(self, journal: Journal, holder_id: int | str, name: str) -> None:
        super().__init__(journal)
        self.id = holder_id
        self.name = name
        self.shares = {}

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id}>"

    def shares_of(self, corporation: Corporation) -> tuple[Share, ...]:
        return self.shares.get(corporation, ())

    def percent_of(self, corporation: Corporation) -> int:
        return sum(share.percent for share in self.shares.get(corporation, ()))

    def share_count(self, corporation: Corporation) -> float:
        """Number of shares held: percent held divided by the corporation's share size."""
        return self.percent_of(corporation) / corporation.share_percent


class Market(ShareHolder):
    """The bank pool of sold shares."""

    __slots__ = ()

    def __init__(self, journal: Journal) -> None:
        super().__init__(journal, "market", "the market")


def move_share(share: Share, holder: ShareHolder) -> None:
    """Takes the certificate out of its holder's list and appends it to the new holder's."""
    old = share.holder
    corporation = share.corporation
    left = tuple([other for other in old.shares[corporation] if other is not share])
    old.shares = {**old.shares, corporation: left}
    holder.shares = {**holder.shares, corporation: (*holder.shares_of(corporation), share)}
    share.holder = holder


@dataclass(frozen=True, slots=True)
class Bundle:
    """Certificates of one corporation and holder that change hands together.

    `percent` is smaller than the sum of the certificates when part of a president's certificate is sold.
    """

    corporation: Corporation
    holder: ShareHolder
    shares: tuple[Share, ...]
    percent: int

    @classmethod
    def of(cls, *shares: Share, percent: int | None = None) -> Bundle:
        """A bundle of these certificates, all of one corporation and holder."""
        total = sum(share.percent for share in shares) if percent is None else percent
        return cls(shares[0].corporation, shares[0].holder, shares, total)

    @property
    def full_percent(self) -> int:
        return sum(share.percent for share in self.shares)

    @property
    def partial(self) -> bool:
        return self.percent != self.full_percent

    @property
    def president_share(self) -> Share | None:
        return next((share for share in self.shares if share.president), None)

    def cost_at(self, unit_price: int) -> int:
        """Price of the bundle when a share of the corporation's share size costs `unit_price`, rounded up."""
        return -(-unit_price * self.percent // self.corporation.share_percent)

    @property
    def price(self) -> int:
        """What the bundle costs now (rules: common 4.3)."""
        return self.cost_at(self.corporation.unit_price(self.holder))

    def cost_of(self, share: Share) -> int:
        """What one of its certificates costs now."""
        unit = self.corporation.unit_price(self.holder)
        return -(-unit * share.percent // self.corporation.share_percent)

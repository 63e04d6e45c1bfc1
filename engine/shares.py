"""Buying, selling, and changes of president (rules: common 4.5 to 4.7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.corporation import Corporation, Owner, Player
from engine.core.shares import Bundle, Share, ShareHolder, move_share

if TYPE_CHECKING:
    from engine.game import Game


def buy(
    game: Game,
    buyer: Owner,
    bundle: Bundle,
    *,
    free: bool = False,
    price: int | None = None,
    keep_president: bool = False,
) -> None:
    """The bundle goes to the buyer and is paid for; starts and floats the corporation where that follows."""
    corporation = bundle.corporation
    if bundle.president_share is not None or isinstance(corporation.owner, Player):
        corporation.started = True
    cost = 0 if free else bundle.price if price is None else price
    if cost:
        game.title.shares.take_payment(game, bundle, buyer, cost)
    transfer(game, bundle, buyer, keep_president=keep_president)
    float_if_sold(game, corporation)


def float_if_sold(game: Game, corporation: Corporation) -> None:
    """Floats the corporation as soon as enough is sold; once floated it stays so."""
    if not corporation.floated and game.title.shares.reaches_float(game, corporation):
        corporation.floated = True
        game.title.shares.on_float(game, corporation)


def sell(game: Game, bundle: Bundle, *, keep_president: bool = False) -> None:
    """The holder sells to the market at the present price; the price moves afterwards."""
    seller = bundle.holder
    corporation = bundle.corporation
    was_president = corporation.owner is seller
    price = bundle.price
    if isinstance(seller, Owner):
        game.pay(game.bank, seller, price)
    transfer(game, bundle, game.market, keep_president=keep_president)
    steps = game.title.shares.sale_steps(game, bundle, was_president)
    game.title.movement.move(game.stock_market, corporation, "down", steps)


def transfer(game: Game, bundle: Bundle, to: ShareHolder, *, keep_president: bool = False) -> None:
    """Moves the certificates and settles the presidency. No money moves."""
    corporation = bundle.corporation
    giver = bundle.holder
    previous = corporation.owner
    book(corporation, giver, to, bundle.percent)
    for share in bundle.shares:
        move_share(share, to)
    if keep_president:
        return
    president = _new_president(game, corporation, previous)
    if president is None:
        return
    corporation.owner = president
    if to is president and previous is giver and bundle.president_share is not None and not bundle.partial:
        return
    former: ShareHolder | None = previous
    if former is None and giver is corporation and bundle.president_share is None:
        former = corporation
    if giver is president or former is None:
        return
    certificate = bundle.president_share or next(
        (share for share in former.shares_of(corporation) if share.president), None
    )
    if certificate is None:
        return
    swap_to = former if former.percent_of(corporation) >= certificate.percent else game.market
    exchange_presidency(game, certificate, president, swap_to)
    if bundle.partial:
        return_partial(game, bundle, game.market, giver)


def book(corporation: Corporation, giver: ShareHolder, taker: ShareHolder, percent: int) -> None:
    """Keeps the corporation's table of percent transacted."""
    table = dict(corporation.holdings)
    table[giver] = table.get(giver, 0) - percent
    table[taker] = table.get(taker, 0) + percent
    corporation.holdings = table


def hand_over(share: Share, to: ShareHolder) -> None:
    """Moves one certificate without money and without a look at the presidency."""
    book(share.corporation, share.holder, to, share.percent)
    move_share(share, to)


def _new_president(game: Game, corporation: Corporation, previous: ShareHolder | None) -> Player | None:
    """The player who takes over now; None when the presidency stays (ties keep the president)."""
    held = {
        holder: percent
        for holder, percent in corporation.holdings.items()
        if isinstance(holder, Player) and percent > 0
    }
    most = max(held.values(), default=0)
    leaders = [player for player, percent in held.items() if percent == most]
    if previous in leaders:
        return None
    if previous is None:
        for player in leaders:
            if any(share.president for share in player.shares_of(corporation)):
                return player
    able = [player for player in leaders if player.percent_of(corporation) >= corporation.president_percent]
    if not able:
        return None
    return min(able, key=lambda player: seats_after(game, previous, player))


def seats_after(game: Game, former: ShareHolder | None, player: Player) -> int:
    """How many seats to the left of `former` the player sits, bankrupt players left out; 0 if nobody was
    president.
    """
    seats = [other for other in game.players if not other.bankrupt]
    if not isinstance(former, Player) or former not in seats or player not in seats:
        return 0
    start = seats.index(former)
    return (seats.index(player) - start) % len(seats) or len(seats)


def exchange_presidency(game: Game, certificate: Share, president: Player, swap_to: ShareHolder) -> None:
    """The new president hands ordinary certificates to `swap_to` and receives the president's one.

    Both are worth the same, so the table of percent transacted stays as it is.
    """
    corporation = certificate.corporation
    own = president.shares_of(corporation)
    handed = [own[index] for index in game.title.shares.swap_shares(game, president, corporation)]
    for share in handed:
        move_share(share, swap_to)
    move_share(certificate, president)


def return_partial(game: Game, bundle: Bundle, source: ShareHolder, seller: ShareHolder) -> None:
    """After half of a president's certificate was sold, the seller takes back the source's first
    certificates.
    """
    corporation = bundle.corporation
    difference = bundle.full_percent - bundle.percent
    while difference > 0:
        share = source.shares_of(corporation)[0]
        difference -= share.percent
        move_share(share, seller)


def bundles(holder: ShareHolder, corporation: Corporation) -> list[Bundle]:
    """All bundles on offer (common 4.6): prefixes of ordinary certificates first and the president's last,
    and with the president's certificate also the same certificates for less percent.
    """
    ordered = sorted(holder.shares_of(corporation), key=lambda share: (share.president, share.percent))
    found: list[Bundle] = []
    for count in range(1, len(ordered) + 1):
        chosen = tuple(ordered[:count])
        full = Bundle.of(*chosen)
        found.append(full)
        if full.president_share is not None:
            president = full.president_share.percent
            step = corporation.share_percent
            found += [
                Bundle.of(*chosen, percent=full.percent - less) for less in range(step, president, step)
            ]
    return found

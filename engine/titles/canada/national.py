"""Formation of the Canadian Government Railway (rules: 1856 section 18)."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from engine.board.hexes import City
from engine.closing import close_corporation
from engine.core.corporation import Corporation, Player, Token
from engine.core.market import Cell
from engine.core.shares import Share
from engine.core.trains import Train, attach
from engine.errors import RuleError
from engine.shares import hand_over
from engine.titles.canada.destinations import remove_markers
from engine.titles.canada.loans import LOAN, give_back
from engine.titles.canada.powers import grant_right, has_right, return_marker
from engine.titles.canada.state import RIGHTS, CanadaNumbers, canada

if TYPE_CHECKING:
    from engine.game import Game
    from engine.titles.canada.round import CanadaOperatingRound

MOST_SHARES = 20
SPLIT_ABOVE = 10
SPLIT_INDICES = range(20, 30)
LIMITS_AFTER = {
    11: {3: 28, 4: 22, 5: 18, 6: 15},
    10: {3: 25, 4: 20, 5: 16, 6: 14},
    9: {3: 22, 4: 18, 5: 15, 6: 12},
    8: {3: 20, 4: 16, 5: 13, 6: 11},
    7: {3: 18, 4: 14, 5: 11, 6: 10},
    6: {3: 15, 4: 12, 5: 10, 6: 8},
    5: {3: 13, 4: 10, 5: 8, 6: 7},
    4: {3: 10, 4: 8, 5: 7, 6: 6},
}


def permanent(train: Train) -> bool:
    """Will it never rust?"""
    return train.kind.rusts_on is None


def owns_permanent(game: Game) -> None:
    """The national has got a permanent train: from now on it pays and its price moves like others' (19.6)."""
    canada(game).has_been_permanent = True
    game.stock_market.pinned = frozenset()


# -- who must decide -----------------------------------------------------------------------------------------


def begin(game: Game, train: Train) -> None:
    """The first 6 was bought: treasuries repay what they can, and who still has loans must decide (18.1,
    18.2).
    """
    state = canada(game)
    buyer = train.owner
    state.trigger = buyer.owner if buyer is not None and isinstance(buyer.owner, Player) else None
    for corporation in game.corporations:
        count = min(len(corporation.loans), corporation.cash // LOAN)
        if corporation.floated and count:
            game.pay(corporation, game.bank, LOAN * count)
            give_back(game, corporation, count)
    order = players_in_order(game)
    debtors = [c for c in game.corporations if c.floated and c.loans]
    entities = game.round.entities
    state.candidates = tuple(
        sorted(debtors, key=lambda c: (order.index(cast(Player, c.owner)), entities.index(c)))
    )


def players_in_order(game: Game) -> list[Player]:
    """All players, starting with the president whose corporation bought the first 6."""
    trigger = canada(game).trigger
    start = game.players.index(trigger) if trigger is not None else 0
    return [*game.players[start:], *game.players[:start]]


def unpaid(corporation: Corporation) -> int:
    """What the president must add to save the corporation."""
    return LOAN * len(corporation.loans) - corporation.cash


def save(game: Game) -> None:
    """The first candidate's debt is paid by its whole treasury and by its president."""
    state = canada(game)
    corporation = state.candidates[0]
    president = cast(Player, corporation.owner)
    owed = unpaid(corporation)
    if president.cash < owed:
        raise RuleError(
            f"{president.name} has {president.cash} and cannot pay the {owed} that {corporation.name} owes"
        )
    game.pay(corporation, game.bank, corporation.cash)
    game.pay(president, game.bank, owed)
    give_back(game, corporation, len(corporation.loans))
    state.candidates = state.candidates[1:]
    finish_if_settled(game)


def merge(game: Game, corporation: Corporation) -> None:
    """The corporation's property goes to the national; what its owners had is noted (18.3)."""
    state = canada(game)
    national = state.national
    for train in corporation.trains:
        if permanent(train):
            owns_permanent(game)
        attach(train, national)
    game.pay(corporation, national, corporation.cash)
    give_back(game, corporation, len(corporation.loans))
    for right in RIGHTS:
        if has_right(game, corporation, right):
            if has_right(game, national, right):
                return_marker(game, right)
            else:
                grant_right(game, national, right)
    remove_markers(game, corporation)
    clear_slots(game, corporation)
    percent = dict(state.player_percent)
    for holder, held in corporation.holdings.items():
        if isinstance(holder, Player) and held:
            percent[holder] = percent.get(holder, 0) + held
    state.player_percent = percent
    state.market_percent = state.market_percent + corporation.holdings.get(game.market, 0)
    price = corporation.price
    state.merged_prices = (*state.merged_prices, price.price if price is not None else 0)
    state.merged = (*state.merged, corporation)
    state.candidates = tuple([other for other in state.candidates if other is not corporation])
    finish_if_settled(game)


def clear_slots(game: Game, corporation: Corporation) -> None:
    """Frees the slots of its tokens; the tokens still tell where they stood."""
    for token in corporation.tokens:
        city = token.city
        if city is not None:
            city.slots = tuple([None if other is token else other for other in city.slots])
            city.extra = tuple([other for other in city.extra if other is not token])
            city.drop_reservations([corporation])
    game.board.touch()


def finish_if_settled(game: Game) -> None:
    """After the last decision the national forms, or never will."""
    state = canada(game)
    if state.candidates:
        return
    if not state.merged:
        state.national.closed = True
        return
    form(game)


# -- the national forms --------------------------------------------------------------------------------------


def form(game: Game) -> None:
    """Price, shares, tokens; the merged corporations leave; the national may operate in this round."""
    state = canada(game)
    national = state.national
    national.floated = national.started = True
    game.stock_market.set_par(national, start_cell(game, state.merged_prices))
    exchange_shares(game)
    exchange_tokens(game)
    for corporation in state.merged:
        close_corporation(game, corporation)
    take_place(game)
    state.discarding = True
    state.formed = True
    left = min(max(LIMITS_AFTER), max(min(LIMITS_AFTER), len(game.corporations)))
    game.certificate_limit = LIMITS_AFTER[left][len(game.players)]


def start_price(prices: tuple[int, ...]) -> int:
    """Average without the lowest of more than two, on the steps of the market's top row (18.4)."""
    counted = sorted(prices)[1:] if len(prices) > 2 else list(prices)
    average = sum(counted) // (5 * len(counted)) * 5
    if average < 105:
        return 100
    if average <= 115:
        return 110
    rest = average % 25
    return average - rest if 2 * rest < 25 else average - rest + 25


def start_cell(game: Game, prices: tuple[int, ...]) -> Cell:
    wanted = start_price(prices)
    return next(cell for cell in game.stock_market.rows[0] if cell is not None and cell.price == wanted)


def exchange_shares(game: Game) -> None:
    """One share for 20 percent held in merged corporations, odd shares to the market (18.5)."""
    state = canada(game)
    national = state.national
    order = [player for player in players_in_order(game) if player in state.player_percent]
    left, market = MOST_SHARES, state.market_percent
    most, president = 0, None
    for player in order:
        count = min(state.player_percent[player] // 20, left)
        market += state.player_percent[player] % 20
        left -= count
        if count > most:
            most, president = count, player
    for_market = min(market // 20, left)
    if MOST_SHARES - (left - for_market) > SPLIT_ABOVE:
        split_shares(national)
    given = 1
    for player in order:
        count = state.player_percent[player] // 20
        if player is president:
            count -= give_presidency(game, player, half=most == 1)
        while count > 0 and given < MOST_SHARES - 1:
            hand_over(national.treasury[-1], player)
            count -= 1
            given += 1
    for share in national.treasury[len(national.treasury) - for_market :] if for_market else ():
        hand_over(share, game.market)


def give_presidency(game: Game, player: Player, *, half: bool) -> int:
    """The president's certificate for two shares, or half of it for one (18.6); returns how many shares it is
    worth.
    """
    state = canada(game)
    national = state.national
    certificate = national.certificates[0]
    national.owner = player
    if half:
        set_president_percent(national, certificate.percent // 2)
        national.holdings = {
            **national.holdings, national: national.holdings[national] - national.share_percent
        }  # fmt: skip
        state.half_presidency = True
    hand_over(certificate, player)
    return 1 if half else 2


def set_president_percent(corporation: Corporation, percent: int) -> None:
    """Changes what the president's certificate is worth."""
    corporation.certificates[0].percent = percent
    corporation.president_percent = percent


def split_shares(national: Corporation) -> None:
    """Ten more certificates; all are 5 percent and count half, the president's 10 and counts one."""
    for share in national.certificates[1:]:
        share.percent = 5
        share.weight = 0.5
    set_president_percent(national, 10)
    national.share_percent = 5
    more = []
    for index in SPLIT_INDICES:
        share = Share(national.journal, national, index, 5, False)
        share.weight = 0.5
        share.holder = national
        more.append(share)
    national.certificates = (*national.certificates, *more)
    national.shares = {**national.shares, national: (*national.treasury, *more)}


# -- tokens --------------------------------------------------------------------------------------------------


def exchange_tokens(game: Game) -> None:
    """Homes first, then the other tokens outside home hexes; too many of them leave decisions (18.7)."""
    state, numbers = canada(game), CanadaNumbers.of(game)
    national = state.national
    homes = [replace_token(game, corporation.tokens[0]) for corporation in state.merged]
    home_hexes = [city.hex for city in homes]
    for corporation in state.merged:
        for token in corporation.tokens:
            if token.city is None or token.city.hex in home_hexes:
                continue
            drop_duplicates(game, corporation, homes)
            replace_token(game, token)
    groups: dict[object, tuple[Token, ...]] = {}
    for token in national.tokens:
        if token.city is not None:
            groups[token.city.hex] = (*groups.get(token.city.hex, ()), token)
    round_ = cast("CanadaOperatingRound", game.round)
    round_.duplicates = tuple([group for group in groups.values() if len(group) > 1])
    kept = max(len(homes), numbers.national_tokens)
    owned = len(national.tokens)
    if owned - len(round_.duplicates) > kept:
        round_.excess = owned - kept
        round_.excess_hexes = tuple(
            [token.city.hex for token in national.tokens if token.city and token.city.hex not in home_hexes]
        )
    spare = max(kept - owned + len(round_.duplicates), 0)
    more = [Token(national.journal, national, numbers.national_token_price) for _ in range(spare)]
    national.tokens = (*national.tokens, *more)


def replace_token(game: Game, old: Token) -> City:
    """Puts a token of the national where the old one stood; free of charge if it must be placed again."""
    national = canada(game).national
    city = old.city
    assert city is not None
    token = Token(national.journal, national, 0)
    national.tokens = (*national.tokens, token)
    old.city = None
    game.board.put_token(token, city)
    return city


def drop_duplicates(game: Game, corporation: Corporation, homes: list[City]) -> None:
    """Where another merged corporation stood in the same city, only one token stays."""
    cities = [token.city for token in corporation.tokens if token.city is not None]
    for token in canada(game).national.tokens:
        if token.city in cities and token.city not in homes:
            destroy_token(game, token)


def destroy_token(game: Game, token: Token) -> None:
    """The token leaves the game."""
    corporation = token.corporation
    game.board.lift_token(token)
    corporation.tokens = tuple([other for other in corporation.tokens if other is not token])


def take_place(game: Game) -> None:
    """The national operates after the buyer if none of the merged corporations has had its turn (18.10)."""
    state = canada(game)
    entities = game.round.entities
    buyer = game.depot.train("6-0").owner
    if buyer is None or buyer not in entities:
        return
    position = entities.index(buyer)
    if position < min(entities.index(corporation) for corporation in state.merged):
        game.round.entities = (*entities[: position + 1], state.national, *entities[position + 1 :])

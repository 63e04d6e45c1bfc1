"""1867: The Railways of Canada."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.board.hexes import Hex
from engine.core.corporation import Corporation, Token
from engine.policies.track import Lay
from engine.title import EndRules, EndTrigger, Title
from engine.titles.family1861 import title as shared
from engine.titles.family1861.rules import (
    FamilyMovement,
    FamilyShares,
    FamilyTitleRules,
    FamilyTokens,
    FamilyTrack,
    FamilyTrains,
    hexes_with_room,
    unconnected,
)
from engine.titles.family1861.state import FamilyState, family
from optimizer.titles.loader import load_title

if TYPE_CHECKING:
    from engine.game import Game

LAYS = (Lay(), Lay(cost=20, upgrade="first", other_hex=True))
NATIONAL_HOME = "F16"
NEUTRAL_CITIES = (("D2", 0), ("L12", -1))


def homes(game: Game, corporation: Corporation) -> list[Hex]:
    """Minors: any city with room and without tokens. Majors: hexes without normal tokens, unconnected if any
    (22.7).
    """
    if corporation.kind == "minor":
        return hexes_with_room(game, corporation)
    rules = game.title.tokens
    found = [
        hex_
        for hex_ in game.board.hexes.values()
        if any(rules.fits(game, city, corporation) for city in hex_.cities)
        and not any(token.kind == "normal" for city in hex_.cities for token in city.tokens)
    ]
    return unconnected(found) or found


def take_assets(game: Game, corporation: Corporation) -> None:
    """Cash goes to the bank; privates close and trains leave with the corporation."""
    game.pay(corporation, game.bank, corporation.cash)


def plan_last_set(game: Game, trigger: EndTrigger) -> None:
    """Phase 8: the running set is finished, then one more stock round and a set of three (22.5)."""
    game.final_operating_rounds = 3
    if game.final_turn is None:
        game.final_turn = game.turn + 1


def setup(game: Game, green: tuple[str, ...]) -> None:
    shared.setup(game, green)
    state = family(game)
    national = state.national
    neutral = []
    for hex_id, index in NEUTRAL_CITIES:
        token = Token(game.journal, national, 0, "neutral")
        game.board.put_token(token, game.board.hex(hex_id).cities[index])
        neutral.append(token)
    state.neutral = tuple(neutral)
    game.board.put_token(national.tokens[0], game.board.hex(NATIONAL_HOME).cities[0])


def title(players: int, optional_rules: tuple[str, ...]) -> Title:
    """1867 for so many players; optional rule `grid_market`."""
    data = load_title("1867", optional_rules)
    raw = data.raw
    constants = raw["constants"]
    return Title(
        name="1867",
        data=data,
        starting_cash={int(n): cash for n, cash in raw["starting_cash"].items()},
        certificate_limit={int(n): limit for n, limit in raw["cert_limit"].items()},
        corporation_specs=shared.specs(data),
        shares=FamilyShares(),
        track=FamilyTrack(lays=LAYS, most_exits_in_cities=True, stubs_bind=True),
        tokens=FamilyTokens(),
        trains=FamilyTrains(),
        end=EndRules(
            triggers=(shared.BANK_BROKEN, shared.LAST_PHASE),
            priority=shared.END_PRIORITY,
            plan_last_set=plan_last_set,
            settle=shared.settle,
        ),
        movement=FamilyMovement(),
        opening_round=shared.opening_round,
        next_round=shared.next_round,
        operating_order=shared.operating_order,
        score=shared.score,
        setup=lambda game: setup(game, tuple(constants["GREEN_CORPORATIONS"])),
        make_state=lambda game: FamilyState(game, tuple(constants["NATIONAL_RESERVATIONS"])),
        events=shared.EVENTS,
        # the grid is the one printed for 1861
        market_rows=load_title("1861").raw["market"] if "grid_market" in optional_rules else None,
        loan_supply=72,
        extra=FamilyTitleRules(
            loan_steps=2, take_assets=take_assets, homes=homes, first_minor=None, national_operates=False
        ),
        company_prices=lambda company: (1, company.value),
    )

"""1861: The Railways of the Russian Empire."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.board.hexes import Hex
from engine.core.corporation import Corporation
from engine.policies.track import Lay
from engine.title import EndRules, EndTrigger, Title
from engine.titles.family1861 import title as shared
from engine.titles.family1861.nationalization import transfer_assets
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


def homes(game: Game, corporation: Corporation) -> list[Hex]:
    """Unconnected hexes with room and without tokens."""
    return unconnected(hexes_with_room(game, corporation))


def take_assets(game: Game, corporation: Corporation) -> None:
    """Privates, trains and cash go to the national; loans stay behind and are lost."""
    loans = corporation.loans
    corporation.loans = ()
    transfer_assets(game, corporation, family(game).national)
    corporation.loans = loans


def plan_last_set(game: Game, trigger: EndTrigger) -> None:
    """Phase 8 in the first round of a set lengthens that set, later the next one; both have three rounds
    (8.3).
    """
    if trigger.reason != "final_phase":
        return
    game.final_operating_rounds = 3
    if game.round.number == 1:
        game.operating_rounds = 3
        game.final_turn = game.turn
    elif game.final_turn is None:
        game.final_turn = game.turn + 1


def title(players: int, optional_rules: tuple[str, ...]) -> Title:
    """1861 for so many players; optional rule `column_market`."""
    data = load_title("1861", optional_rules)
    raw = data.raw
    constants = raw["constants"]
    return Title(
        name="1861",
        data=data,
        starting_cash={int(n): cash for n, cash in raw["starting_cash"].items()},
        certificate_limit={int(n): limit for n, limit in raw["cert_limit"].items()},
        corporation_specs=shared.specs(data),
        shares=FamilyShares(),
        track=FamilyTrack(lays=LAYS, most_exits_in_cities=True),
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
        setup=lambda game: shared.setup(game, tuple(constants["GREEN_CORPORATIONS"])),
        make_state=lambda game: FamilyState(game, tuple(constants["NATIONAL_RESERVATIONS"])),
        events=shared.EVENTS,
        loan_supply=172,
        extra=FamilyTitleRules(
            loan_steps=1, take_assets=take_assets, homes=homes, first_minor="N", national_operates=True
        ),
        company_prices=lambda company: (1, company.value),
    )

"""What trains set off in 1861 and 1867 (rules: 1861 section 16)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.board.hexes import Hex
from engine.core.company import close_company, transfer_company
from engine.core.corporation import Player
from engine.core.trains import Train
from engine.titles.family1861.nationalization import nationalize
from engine.titles.family1861.state import family

if TYPE_CHECKING:
    from engine.game import Game


def release_phase_three(game: Game, train: Train) -> None:
    """First 3: blocked hexes are free, neutral tokens leave, all further corporations come into play."""
    state = family(game)
    close_company(state.hidden)
    for token in state.neutral:
        game.board.lift_token(token)
    game.corporations = (*game.corporations, *state.future)
    state.future = ()


def raise_trainless_check(game: Game, train: Train) -> None:
    """First 4, 6, 8: who is trainless must be asked once the purchase is complete."""
    family(game).check_due = True


def check_trainless(game: Game) -> None:
    """The trainless check, if raised: minors go at once, majors must decide (1861 16.2)."""
    state = family(game)
    if not state.check_due:
        return
    trainless = [c for c in game.corporations if c.operated and not c.trains]
    majors = []
    state.trainless = ()
    for corporation in game.in_market_order(trainless):
        if corporation.kind == "major":
            majors.append(corporation)
            state.trainless = tuple(majors)
        else:
            nationalize(game, corporation)
    state.trainless = tuple(game.in_market_order(majors))
    state.check_due = False


def close_unstarted_minors(game: Game, train: Train) -> None:
    """First 5: minors without an owner are out, their reservations are cut."""
    gone = [c for c in game.corporations if c.kind == "minor" and not isinstance(c.owner, Player)]
    game.corporations = tuple([c for c in game.corporations if c not in gone])
    for city in game.board.cities():
        city.drop_reservations(gone)
    game.board.touch()


def take_privates(game: Game, train: Train) -> None:
    """First 6: the national takes all privates, their owners get face value from the bank."""
    state = family(game)
    for company in game.companies:
        owner = company.owner
        if owner is None or owner is state.national or company.closed:
            continue
        game.pay(game.bank, owner, company.value)
        transfer_company(company, state.national)


def nationalize_minors(game: Game, train: Train) -> None:
    """First 8: all minors in operating order."""
    minors = [c for c in game.corporations if c.kind == "minor"]
    rest = tuple([c for c in game.corporations if c.kind != "minor"])
    for corporation in game.in_market_order(minors):
        nationalize(game, corporation)
    game.corporations = tuple([c for c in game.corporations if c in rest or c.kind != "minor"])


def place_gray_tile_token(game: Game, hex_: Hex) -> None:
    """The gray capital gives the national a token there, unless it has one (1861 14.2)."""
    state = family(game)
    token = state.national.next_token
    if not state.claims or token is None or any(city.has_token_of(state.national) for city in hex_.cities):
        return
    state.claims = tuple([claim for claim in state.claims if claim != hex_.id])
    game.board.put_token(token, hex_.cities[0])

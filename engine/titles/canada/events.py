"""What the purchase of trains sets off in 1856 (rules: 1856 section 17)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.closing import close_in_close_cells
from engine.core.company import close_company
from engine.core.corporation import Player
from engine.core.trains import Train
from engine.titles.canada import national
from engine.titles.canada.destinations import remove_markers
from engine.titles.canada.powers import return_marker
from engine.titles.canada.state import RIGHTS, canada

if TYPE_CHECKING:
    from engine.game import Game

PORT_ICON = "port"


def raise_requirement(game: Game, train: Train) -> None:
    """The last train of a kind: more must be sold before a first operation."""
    state = canada(game)
    state.required = state.required + 10


def end_escrow(game: Game, train: Train) -> None:
    """New corporations are incremental; the destinations of those not started no longer matter."""
    canada(game).capitalization = "incremental"
    for corporation in game.corporations:
        if not corporation.started:
            remove_markers(game, corporation)


def begin_full(game: Game, train: Train) -> None:
    """New corporations are fully capitalized."""
    canada(game).capitalization = "full"


def close_companies(game: Game, train: Train) -> None:
    """All companies close; rights that came with companies still in players' hands go on sale."""
    for right in RIGHTS:
        if isinstance(game.company(right.company).owner, Player):
            return_marker(game, right)
    for company in game.companies:
        if not company.closed:
            close_company(company)


def remove_port(game: Game, train: Train) -> None:
    """The port marker and the port symbols leave the map."""
    canada(game).port_owner = None
    for hex_ in game.board.hexes.values():
        hex_.assignments = ()
        if any(icon.name == PORT_ICON for icon in hex_.icons):
            hex_.icons = tuple([icon for icon in hex_.icons if icon.name != PORT_ICON])


def close_worthless(game: Game) -> None:
    """Listener: corporations at price 0 close, and the certificate limit is that of the first table again
    (2.1).
    """
    before = len(game.corporations)
    close_in_close_cells(game)
    if len(game.corporations) < before:
        game.certificate_limit = game.title.certificate_limit[len(game.players)]


EVENTS = {
    "change_float": raise_requirement,
    "no_more_escrow_corps": end_escrow,
    "no_more_incremental_corps": begin_full,
    "close_companies": close_companies,
    "nationalization": national.begin,
    "remove_tokens": remove_port,
}

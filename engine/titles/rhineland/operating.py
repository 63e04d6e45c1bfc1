"""Steps of an operating turn (rules: 18rhl sections 7 to 11 and 13)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from engine.actions import Action, DestinationConnection
from engine.board.hexes import City, Hex, Piece
from engine.board.network import Walker
from engine.core.corporation import Corporation, Player
from engine.core.shares import ShareHolder
from engine.errors import RuleError
from engine.legal import Choice
from engine.steps.base import Entity, Step
from engine.steps.dividend import Dividend
from engine.steps.token import Token
from engine.steps.track import Track
from engine.titles.rhineland.powers import after_lay
from engine.titles.rhineland.rules import RHE
from engine.titles.rhineland.state import AACHEN, COLOGNE, DUREN, in_receivership, rhineland

if TYPE_CHECKING:
    from engine.game import Game


class RhinelandTrackStep(Track):
    """No tile after a station and none in receivership."""

    __slots__ = ()

    def actions(self, entity: Entity) -> Sequence[str]:
        if self.turn.tokened or (isinstance(entity, Corporation) and in_receivership(entity)):
            return ()
        return super().actions(entity)

    def lay(self, corporation: Corporation, hex_: Hex, piece: Piece, rotation: int, price: int) -> None:
        super().lay(corporation, hex_, piece, rotation, price)
        owner = corporation.owner
        after_lay(self, hex_, owner if isinstance(owner, Player) else None)


class LinkCheck(Step):
    """After the track of every turn: once Köln, Düren and Aachen are linked the bank pays its debt (13)."""

    __slots__ = ()
    name = "rhe_bonus_check"

    def actions(self, entity: Entity) -> Sequence[str]:
        if entity is not self.round.current:
            return ()
        return ("destination_connection",) if rhineland(self.game).link_owed else ()

    def do_destination_connection(self, action: DestinationConnection) -> None:
        """A file is believed; in play the answer must be true."""
        game, state = self.game, rhineland(self.game)
        if action.corporations not in ([], [RHE]):
            raise RuleError(f"the link pays {RHE} only, not {', '.join(action.corporations)}")
        if game.strict and not game.recorded and bool(action.corporations) is not linked(game):
            raise RuleError(f"Köln, Düren and Aachen are {'not ' if action.corporations else ''}linked")
        if action.corporations:
            game.pay(game.bank, game.corporation(RHE), state.link_owed)
            state.link_owed = 0
        self.finish()

    def report(self, entity: Entity) -> Action:
        found = [RHE] if linked(self.game) else []
        return DestinationConnection(entity=entity.id, entity_type="corporation", corporations=found)

    def auto_actions(self, entity: Entity) -> list[Action]:
        return [self.report(entity)]

    def choices(self, entity: Entity) -> Iterator[Choice]:
        action = self.report(entity)
        yield Choice("destination_connection", True, action)


def linked(game: Game) -> bool:
    """Can corporations that have operated walk from Aachen to Düren and from Köln's first city to Düren?"""
    return all(_reaches_duren(game, hex_id) for hex_id in (AACHEN, COLOGNE))


def _reaches_duren(game: Game, hex_id: str) -> bool:
    goal = (game.board.hex(DUREN), 0)
    start = (game.board.hex(hex_id), 0)
    for corporation in game.corporations:
        if not corporation.operated:
            continue
        walker = Walker([start], partial(_stops, game, corporation))
        if goal in walker.network().nodes:
            return True
    return False


def _stops(game: Game, corporation: Corporation, city: City) -> bool:
    return game.title.tokens.blocks(game, city, corporation)


class RhinelandToken(Token):
    """Corporations in receivership place no stations."""

    __slots__ = ()

    def actions(self, entity: Entity) -> Sequence[str]:
        if isinstance(entity, Corporation) and in_receivership(entity):
            return ()
        return super().actions(entity)


class RhinelandDividend(Dividend):
    """All or nothing; in receivership nothing is paid out (10)."""

    __slots__ = ()

    def actions(self, entity: Entity) -> Sequence[str]:
        if isinstance(entity, Corporation) and in_receivership(entity):
            return ()
        return super().actions(entity)

    def own_share_source(self, corporation: Corporation) -> ShareHolder:
        """Shares in the market pay nobody; a full-capital corporation holds none itself."""
        return corporation

    def price_move(self, corporation: Corporation, paid: int) -> str | None:
        if paid == 0:
            return "left"
        price = corporation.price.price if corporation.price is not None else 0
        return "right" if paid >= price else None

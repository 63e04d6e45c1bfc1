"""What privates can do in an operating turn: tiles, and stations that follow (rules: 18rhl section 6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from engine.actions import LayTile, Pass, PlaceToken
from engine.board.face import face
from engine.board.hexes import Hex, Piece
from engine.core.company import Ability, Company, close_company
from engine.core.corporation import Corporation, Player
from engine.errors import RuleError
from engine.legal import Choice
from engine.steps.base import Entity, Step
from engine.titles.rhineland.round import RhinelandOperatingRound
from engine.titles.rhineland.rules import RATINGEN_COMPANY
from engine.titles.rhineland.state import METROPOLISES, OSTERATH_HEX, OSTERATH_TILE
from engine.tokens import named_city, place
from optimizer.model.tile import Tile

TRACK_BLOCKER, OSTERATH, FERRIES = "PWB", "KEO", "Tjt"
NOT_IN_YELLOW_PHASE = frozenset((RATINGEN_COMPANY, OSTERATH, FERRIES))
OSTERATH_ROTATION = 1
FERRY_SIGN = "trajekt"


def after_lay(step: Step, hex_: Hex, player: Player | None) -> None:
    """If their owner's corporation lays it, a tile on E12 closes the ATB, one on E14 ends the PWB's block.

    The sign of the ferry goes with the ferry.
    """
    if hex_.id in METROPOLISES and not any(track.narrow for track in hex_.face.tracks):
        hex_.icons = tuple([icon for icon in hex_.icons if icon.name != FERRY_SIGN])
    for company in step.game.companies:
        blocker = company.ability("blocks_hexes")
        if blocker is None or company.owner is not player or hex_.id not in blocker.hexes:
            continue
        if company.id == RATINGEN_COMPANY:
            close_company(company)
        elif company.id == TRACK_BLOCKER:
            blocker.count = 0


class PowerTrack(Step):
    """A private's tile, at any time of its owner's corporation's turn until that buys a station or train."""

    __slots__ = ()
    name = "special_track"
    blocks = False

    @property
    def turn(self) -> RhinelandOperatingRound:
        return cast(RhinelandOperatingRound, self.round)

    def operator(self, company: Company) -> Corporation | None:
        """The corporation on turn, if the private serves it."""
        corporation = self.round.current
        if not isinstance(corporation, Corporation) or not isinstance(company.owner, Player):
            return None
        return corporation if corporation.owner is company.owner else None

    def power(self, company: Company) -> Ability | None:
        """The private's tile power, if it may be used now."""
        turn = self.turn
        if self.operator(company) is None or turn.tokened or turn.bought:
            return None
        if self.game.phase.name == "2" and company.id in NOT_IN_YELLOW_PHASE:
            return None
        if company.id == FERRIES and turn.station_pending:
            return None
        return company.ability("tile_lay") or company.ability("teleport")

    def actions(self, entity: Entity) -> Sequence[str]:
        return ("lay_tile",) if isinstance(entity, Company) and self.power(entity) is not None else ()

    # -- laying ---------------------------------------------------------------------------------------------

    def do_lay_tile(self, action: LayTile) -> None:
        company = self.game.company(str(action.entity))
        power, corporation = self.power(company), self.operator(company)
        assert power is not None
        assert corporation is not None
        hex_ = self.game.board.hex(action.hex)
        piece = self.game.board.piece(action.tile)
        self.check(company, power, hex_, piece, action.rotation)
        self.game.board.lay(hex_, piece, action.rotation)
        if self.game.strict and company.id == RATINGEN_COMPANY and not self.reached(corporation, hex_):
            raise RuleError(f"{corporation.name} does not reach the tile on {hex_.id}")
        power.count = 0
        turn = self.turn
        turn.laid_hexes = (*turn.laid_hexes, hex_)
        player = company.owner
        after_lay(self, hex_, player if isinstance(player, Player) else None)
        if power.kind == "teleport":
            if self.game.title.reading("teleport_counts") == "engine":
                turn.lays = turn.lays + 1
            self.offer_station(corporation, company, hex_)
        elif company.id == RATINGEN_COMPANY and not company.closed:
            close_company(company)

    def offer_station(self, corporation: Corporation, company: Company, hex_: Hex) -> None:
        """A station may follow where the corporation has none yet and has one left."""
        own = any(city.has_token_of(corporation) for city in hex_.cities)
        if corporation.next_token is not None and not own:
            self.turn.station_pending = (hex_, company.id == OSTERATH)

    def check(self, company: Company, power: Ability, hex_: Hex, piece: Piece, rotation: int) -> None:
        """Raises RuleError unless the private may lay this tile here."""
        if not 0 <= rotation <= 5:
            raise RuleError(f"a rotation is a number from 0 to 5, not {rotation}")
        if piece not in self.game.board.stock:
            raise RuleError(f"tile {piece.id} is not in the stock")
        if hex_.id not in power.hexes or piece.name not in power.tiles:
            raise RuleError(f"{company.name} cannot lay tile {piece.name} on {hex_.id}")
        blocker = self.game.title.track.blocked(self.game, hex_, company)
        if self.game.strict and blocker is not None:
            raise RuleError(f"{hex_.id} is blocked by {blocker.name}")
        if not self.replaces(company, hex_, piece.tile):
            raise RuleError(f"tile {piece.name} cannot replace {hex_.piece.name} on {hex_.id}")
        if self.game.strict and not self.fits(company, hex_, piece.tile, rotation):
            raise RuleError(f"tile {piece.name} does not fit {hex_.id} in rotation {rotation}")

    def replaces(self, company: Company, hex_: Hex, tile: Tile) -> bool:
        """May the tile lie here? The KEO's always, the ATB's (and in files all) if colour and track fit."""
        if tile.name == OSTERATH_TILE:
            return hex_.id == OSTERATH_HEX and hex_.piece.name != OSTERATH_TILE
        game = self.game
        if company.id == FERRIES and hex_.face.color != "yellow":
            return False
        by = company if company.id == RATINGEN_COMPANY or not game.strict else self.round.current
        in_play = tile.color in game.phase.colors or not game.strict
        return in_play and game.title.track.may_replace(game, hex_, tile, by)

    def fits(self, company: Company, hex_: Hex, tile: Tile, rotation: int) -> bool:
        if tile.name == OSTERATH_TILE:
            return rotation == OSTERATH_ROTATION
        return self.game.title.track.fits(self.game, hex_, face(tile, rotation))

    def reached(self, corporation: Corporation, hex_: Hex) -> bool:
        return self.game.walker(corporation).reaches(hex_, hex_.face.tracks)

    def reaches_with(self, corporation: Corporation, hex_: Hex, piece: Piece, rotation: int) -> bool:
        """Would the corporation reach the tile once it lies there?"""
        mark = self.game.journal.mark()
        try:
            self.game.board.lay(hex_, piece, rotation)
            return self.reached(corporation, hex_)
        finally:
            self.game.journal.rollback(mark)

    # -- listing --------------------------------------------------------------------------------------------

    def choices(self, entity: Entity) -> Iterator[Choice]:
        if not isinstance(entity, Company):
            return
        power, corporation = self.power(entity), self.operator(entity)
        if power is None or corporation is None:
            return
        for hex_id in power.hexes:
            hex_ = self.game.board.hex(hex_id)
            if self.game.title.track.blocked(self.game, hex_, entity) is not None:
                continue
            for number in power.tiles:
                piece = self.game.board.in_stock(number)
                if piece is None or not self.replaces(entity, hex_, piece.tile):
                    continue
                for rotation in range(6):
                    if not self.fits(entity, hex_, piece.tile, rotation):
                        continue
                    if entity.id == RATINGEN_COMPANY and not self.reaches_with(
                        corporation, hex_, piece, rotation
                    ):
                        continue
                    action = LayTile(
                        entity=entity.id, entity_type="company", hex=hex_id, tile=piece.id, rotation=rotation
                    )
                    yield Choice("tile_lay_by", [hex_id, number, rotation], action, by=entity.id)


class PowerToken(Step):
    """The station that may follow a tile of the KEO or the Tjt, at once or never."""

    __slots__ = ()
    name = "special_token"

    @property
    def turn(self) -> RhinelandOperatingRound:
        return cast(RhinelandOperatingRound, self.round)

    def active(self) -> bool:
        return self.turn.station_pending is not None

    def actions(self, entity: Entity) -> Sequence[str]:
        return ("place_token", "pass") if self.active() and entity is self.round.current else ()

    def do_place_token(self, action: PlaceToken) -> None:
        assert self.turn.station_pending is not None
        hex_, free = self.turn.station_pending
        corporation = self.corporation_of(action)
        city = named_city(self.game, action, corporation)
        token = corporation.next_token
        if token is None or city.hex is not hex_:
            raise RuleError(
                f"the station that follows the tile must be placed on {hex_.id}, not on {city.hex.id}"
            )
        place(
            self.game,
            token,
            city,
            0 if free else self.game.title.tokens.price(self.game, corporation, token, city),
        )
        self.turn.tokened = True
        self.turn.station_pending = None

    def do_pass(self, action: Pass) -> None:
        self.turn.station_pending = None

    def choices(self, entity: Entity) -> Iterator[Choice]:
        pending = self.turn.station_pending
        if pending is None or not isinstance(entity, Corporation):
            return
        hex_, free = pending
        token = entity.next_token
        rules = self.game.title.tokens
        for city in hex_.cities:
            if token is None or not rules.fits(self.game, city, entity):
                continue
            if free or rules.price(self.game, entity, token, city) <= entity.cash:
                action = PlaceToken(entity=entity.id, entity_type="corporation", city=city.id, slot=0)
                yield Choice("place_token", [hex_.id, city.index], action)

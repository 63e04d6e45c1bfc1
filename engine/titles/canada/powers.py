"""Powers of the private companies, and rights for the bridge and the tunnel (rules: 1856 section 8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, cast

from engine.actions import Assign, LayTile, PlaceToken, SpecialBuy
from engine.board.face import face
from engine.board.hexes import Hex, Piece
from engine.core.company import Ability, Company, close_company
from engine.core.corporation import Corporation, Player
from engine.errors import RuleError
from engine.legal import Choice
from engine.steps.base import Entity, Step
from engine.steps.track import Track
from engine.titles.canada.state import PORT, RIGHTS, STATION, CanadaNumbers, Right, canada
from engine.tokens import ask_for_token, named_city, place
from optimizer.model.tile import Icon

if TYPE_CHECKING:
    from engine.game import Game
    from engine.titles.canada.round import CanadaOperatingRound


class PowerStep(Step):
    """A power that the corporation on turn may use through a company of its own; never waited for."""

    __slots__ = ()
    blocks = False

    @property
    def turn(self) -> CanadaOperatingRound:
        return cast("CanadaOperatingRound", self.round)

    def user(self, entity: Entity) -> Corporation | None:
        """The corporation on turn, if the entity is a company of its own."""
        corporation = self.round.current
        if (
            isinstance(entity, Company)
            and isinstance(corporation, Corporation)
            and entity.owner is corporation
        ):
            return corporation
        return None


class PortMarker(PowerStep):
    """The marker goes onto any port hex, and the company closes (8.4)."""

    __slots__ = ()
    name = "assign"

    def actions(self, entity: Entity) -> Sequence[str]:
        if self.user(entity) is None or cast(Company, entity).ability("assign_hexes") is None:
            return ()
        return ("assign",)

    def do_assign(self, action: Assign) -> None:
        company = self.game.company(str(action.entity))
        hex_ = self.game.board.hex(action.target)
        ability = company.ability("assign_hexes")
        if (
            ability is None
            or action.target_type != "hex"
            or (self.game.strict and hex_.id not in ability.hexes)
        ):
            raise RuleError(f"{company.name} puts its marker onto a port hex, not {action.target}")
        hex_.assignments = (*hex_.assignments, (company.id, str(self.round.current.id)))
        close_company(company)

    def choices(self, entity: Entity) -> Iterator[Choice]:
        if not isinstance(entity, Company):
            return
        ability = entity.ability("assign_hexes")
        for hex_id in ability.hexes if ability is not None else ():
            action = Assign(entity=entity.id, entity_type="company", target=hex_id, target_type="hex")
            yield Choice("assign", [entity.id, hex_id], action)


class PrivateTrack(PowerStep):
    """Tiles laid by a company's power during its owner's track step, connected or not (8.2, 8.3)."""

    __slots__ = ()
    name = "special_track"

    def actions(self, entity: Entity) -> Sequence[str]:
        if self.user(entity) is None or cast(Company, entity).ability("tile_lay") is None:
            return ()
        return ("lay_tile",) if isinstance(self.round.active_step(), Track) else ()

    def may_lay(self, ability: Ability) -> bool:
        """A power that uses up the turn's own lay needs that lay."""
        return not ability.facts.get("consume_tile_lay") or self.turn.lays == 0

    def do_lay_tile(self, action: LayTile) -> None:
        company = self.game.company(str(action.entity))
        corporation = self.round.current
        ability = company.ability("tile_lay")
        hex_, piece = self.game.board.hex(action.hex), self.game.board.piece(action.tile)
        if ability is None or not self.may_lay(ability):
            raise RuleError(f"{corporation.name} has laid its tile of this turn")
        if self.game.strict or piece not in self.game.board.stock:
            self.check(company, ability, hex_, piece, action.rotation)
        for token in self.game.board.lay(hex_, piece, action.rotation):
            ask_for_token(self.game, corporation, token, [hex_])
        if ability.facts.get("consume_tile_lay"):
            self.turn.lays = self.turn.lays + 1
        ability.count = (ability.count or 1) - 1
        if company.id == STATION:
            self.turn.station_used = True

    def check(self, company: Company, ability: Ability, hex_: Hex, piece: Piece, rotation: int) -> None:
        if piece not in self.game.board.stock:
            raise RuleError(f"tile {piece.id} is not in the stock")
        if hex_.id not in ability.hexes or piece.name not in ability.tiles:
            tiles = ", ".join(ability.tiles)
            raise RuleError(f"{company.name} lays {tiles} on {', '.join(ability.hexes)} only")
        if not 0 <= rotation <= 5:
            raise RuleError(f"a rotation is a number from 0 to 5, not {rotation}")
        if not self.possible(company, hex_, piece, rotation):
            raise RuleError(f"tile {piece.name} does not fit {hex_.id} in rotation {rotation}")

    def possible(self, company: Company, hex_: Hex, piece: Piece, rotation: int) -> bool:
        rules = self.game.title.track
        return (
            piece.tile.color in self.game.phase.colors
            and rules.may_replace(self.game, hex_, piece.tile, company)
            and rules.fits(self.game, hex_, face(piece.tile, rotation))
        )

    def choices(self, entity: Entity) -> Iterator[Choice]:
        ability = entity.ability("tile_lay") if isinstance(entity, Company) else None
        if ability is None or not isinstance(entity, Company) or not self.may_lay(ability):
            return
        for hex_id in ability.hexes:
            hex_ = self.game.board.hex(hex_id)
            for name in ability.tiles:
                piece = self.game.board.in_stock(name)
                for rotation in range(6) if piece is not None else ():
                    if piece is not None and self.possible(entity, hex_, piece, rotation):
                        action = LayTile(
                            entity=entity.id,
                            entity_type="company",
                            hex=hex_id,
                            tile=piece.id,
                            rotation=rotation,
                        )
                        yield Choice("tile_lay_by", [hex_id, name, rotation], action, by=entity.id)


class PrivateToken(PowerStep):
    """The owner of the station company places its next token in Kitchener, free and unconnected (8.2)."""

    __slots__ = ()
    name = "special_token"

    def actions(self, entity: Entity) -> Sequence[str]:
        corporation = self.user(entity)
        if corporation is None or cast(Company, entity).ability("token") is None or self.turn.tokened:
            return ()
        if corporation not in self.turn.past_track or corporation in self.turn.interest_charged:
            return ()
        if corporation.next_token is None or self.waits_for_city(corporation):
            return ()
        return ("place_token",)

    def waits_for_city(self, corporation: Corporation) -> bool:
        """Was a token of its own lifted by a tile? That one must be placed first."""
        return any(token.corporation is corporation for _, token, _ in self.round.pending_tokens)

    def do_place_token(self, action: PlaceToken) -> None:
        company = self.game.company(str(action.entity))
        ability = company.ability("token")
        corporation = self.round.current
        city = named_city(self.game, action, corporation)
        token = corporation.next_token
        if ability is None or city.hex.id not in ability.hexes:
            raise RuleError(f"{company.name} places a token on I12 only, not on {city.hex.id}")
        place(self.game, token, city, 0)
        token.price = 0
        ability.count = 0
        self.turn.tokened = True
        self.turn.station_used = True

    def choices(self, entity: Entity) -> Iterator[Choice]:
        corporation = self.round.current
        ability = entity.ability("token") if isinstance(entity, Company) else None
        for hex_id in ability.hexes if ability is not None else ():
            for city in self.game.board.hex(hex_id).cities:
                if self.game.title.tokens.fits(self.game, city, corporation):
                    action = PlaceToken(entity=entity.id, entity_type="company", city=city.id, slot=0)
                    yield Choice("place_token_by", [hex_id, city.index], action, by=str(entity.id))


class BuyRight(PowerStep):
    """Rights for the bridge and the tunnel are for sale once no player owns the company any more (8.5)."""

    __slots__ = ()
    name = "special_buy"

    def buyable(self, corporation: Corporation) -> list[Right]:
        return [right for right in RIGHTS if self.may_buy(corporation, right)]

    def may_buy(self, corporation: Corporation, right: Right) -> bool:
        company = self.game.company(right.company)
        return (
            not isinstance(company.owner, Player)
            and rights_left(self.game, right) > 0
            and not has_right(self.game, corporation, right)
            and corporation.cash >= right.cost
        )

    def actions(self, entity: Entity) -> Sequence[str]:
        if entity is not self.round.current or not isinstance(entity, Corporation):
            return ()
        return ("special_buy",) if self.buyable(entity) else ()

    def do_special_buy(self, action: SpecialBuy) -> None:
        corporation = self.corporation_of(action)
        right = next((right for right in RIGHTS if right.name == action.description), None)
        if right is None or action.cost != right.cost:
            names = " or ".join(f"{right.name} at {right.cost}" for right in RIGHTS)
            raise RuleError(f"what can be bought is {names}, not {action.description} at {action.cost}")
        if not self.may_buy(corporation, right):
            raise RuleError(f"{corporation.name} cannot buy a {right.name}")
        company = self.game.company(right.company)
        seller = company.owner if isinstance(company.owner, Corporation) else self.game.bank
        self.game.pay(corporation, seller, right.cost)
        if not CanadaNumbers.of(self.game).unlimited_rights:
            take_marker(self.game, right)
        grant_right(self.game, corporation, right)

    def choices(self, entity: Entity) -> Iterator[Choice]:
        if isinstance(entity, Corporation):
            for right in self.buyable(entity):
                action = SpecialBuy(
                    entity=entity.id, entity_type="corporation", description=right.name, cost=right.cost
                )
                yield Choice("special_buy", right.name, action)


def has_right(game: Game, corporation: Corporation, right: Right) -> bool:
    return right.name in canada(game).rights.get(corporation, ())


def grant_right(game: Game, corporation: Corporation, right: Right) -> None:
    state = canada(game)
    state.rights = {**state.rights, corporation: (*state.rights.get(corporation, ()), right.name)}


def rights_left(game: Game, right: Right) -> int:
    """How many of these rights can still be sold: their markers lie on the map."""
    return sum(1 for icon in game.board.hex(right.stock_hex).icons if icon.name == right.marker)


def take_marker(game: Game, right: Right) -> None:
    hex_ = game.board.hex(right.stock_hex)
    icons = list(hex_.icons)
    icons.remove(next(icon for icon in icons if icon.name == right.marker))
    hex_.icons = tuple(icons)


def return_marker(game: Game, right: Right) -> None:
    """One more right for sale by the bank."""
    if not CanadaNumbers.of(game).unlimited_rights:
        hex_ = game.board.hex(right.stock_hex)
        hex_.icons = (*hex_.icons, Icon(right.marker))


def company_sold(game: Game, corporation: Corporation, company: Company) -> None:
    """What a company brings to the corporation that buys it: a right, or the claim to the port bonus."""
    for right in RIGHTS:
        if right.company == company.id:
            grant_right(game, corporation, right)
    if company.id == PORT:
        canada(game).port_owner = corporation

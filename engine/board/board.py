"""The whole map: set-up, the stock of tiles, and replacing one tile by another (rules: common 6.2, 6.9,
6.11).
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from engine.board.face import Face, face
from engine.board.hexes import City, Hex, Piece
from engine.board.upgrades import city_map
from engine.core.state import Journal, Stateful
from engine.errors import RuleError, UnknownNameError
from optimizer.model.grid import neighbors_of, parse_coordinate
from optimizer.titles.loader import UNLIMITED, TitleData

if TYPE_CHECKING:
    from engine.core.corporation import Corporation, Token

CLOSED_COLORS = frozenset({"blue", "gray", "red"})
_versions = itertools.count(1)


class Board(Stateful):
    """Hexes, physical tiles and the stock.

    `version` changes with everything that connectivity depends on; a value is never used twice, not even
    after undo, so results may be remembered under it.
    """

    __slots__ = ("flat", "hexes", "pieces", "stock", "version")
    hexes: dict[str, Hex]
    pieces: dict[str, Piece]
    stock: tuple[Piece, ...]
    flat: bool
    version: int
    aside = frozenset({"version"})

    def __init__(self, journal: Journal, data: TitleData) -> None:
        super().__init__(journal)
        self.flat = data.layout == "flat"
        pieces: dict[str, Piece] = {}
        hexes: dict[str, Hex] = {}
        for hex_id, row in data.raw["hexes"].items():
            printed = Piece(journal, row["tile_id"], data.board.printed[hex_id], preprinted=True)
            letter, row_number = parse_coordinate(hex_id)
            x, y = (letter, row_number - 1) if self.flat else (row_number - 1, letter)
            hexes[hex_id] = Hex(journal, hex_id, x, y, printed, row.get("location"))
            pieces[printed.id] = printed
        stock: list[Piece] = []
        for number, tile in data.tiles.items():
            count = data.tile_counts[number]
            unlimited = count == UNLIMITED
            stock += [
                Piece(journal, f"{number}-{index}", tile, unlimited=unlimited)
                for index in range(1 if unlimited else count)
            ]
        pieces.update((piece.id, piece) for piece in stock)
        self.hexes = hexes
        self.pieces = pieces
        self.stock = tuple(stock)
        around = neighbors_of(hexes, data.layout)
        for hex_ in hexes.values():
            hex_.neighbors = tuple([hexes.get(around[hex_.id].get(side, "")) for side in range(6)])
        for hex_ in hexes.values():
            hex_.passable = tuple([self._passable(hex_, side) for side in range(6)])
        self.touch()

    @staticmethod
    def _passable(hex_: Hex, side: int) -> Hex | None:
        other = hex_.neighbors[side]
        if other is None:
            return None
        if any(border.side == side and border.kind == "impassable" for border in hex_.borders):
            return None
        if other.face.color in CLOSED_COLORS and (side + 3) % 6 not in other.face.exits:
            return None
        return other

    def touch(self) -> None:
        """To be called after any change of tiles, tokens or reservations."""
        self.version = next(_versions)

    def hex(self, hex_id: str) -> Hex:
        found = self.hexes.get(hex_id)
        if found is None:
            raise UnknownNameError(f"the map has no hex {hex_id!r}")
        return found

    def piece(self, piece_id: str) -> Piece:
        found = self.pieces.get(piece_id)
        if found is None:
            raise UnknownNameError(f"there is no tile {piece_id!r}")
        return found

    def city(self, city_id: str) -> City:
        """The city on the map that an action names: `<tile id>-<part>`."""
        piece_id, _, part = city_id.rpartition("-")
        for city in self.piece(piece_id).cities:
            if city.hex.piece is city.piece and str(city.definition.part) == part:
                return city
        raise UnknownNameError(f"there is no city {city_id!r} on the map")

    def cities(self) -> list[City]:
        """All cities on the map, in order of hexes."""
        return [city for hex_ in self.hexes.values() for city in hex_.piece.cities]

    def in_stock(self, number: str) -> Piece | None:
        """The piece of this number that a client would name: the first in the stock."""
        return next((piece for piece in self.stock if piece.tile.name == number), None)

    # -- replacing tiles -------------------------------------------------------------------------------------

    def lay(self, hex_: Hex, piece: Piece, rotation: int) -> list[Token]:
        """Puts the piece on the hex in place of what lies there.

        Cities are mapped and tokens, reservations, borders, icons and future labels move along. Returns
        tokens that were taken up because the old cities had no track and the new tile has several cities:
        each of them must be placed again by choice.
        """
        old = hex_.piece
        if piece not in self.stock:
            raise RuleError(f"tile {piece.id} is not in the stock")
        old_face, old_cities = old.face, old.cities
        self._swap_stock(old, piece)
        piece.turn(rotation)
        hex_.piece = piece
        hex_.make_cities()
        new_face = piece.face
        lifted = self._move_cities(old_face, old_cities, new_face, piece.cities)
        old.cities = ()
        hex_.icons = (
            *piece.tile.icons,
            *[icon for icon in hex_.icons if icon.sticky and icon not in piece.tile.icons],
        )
        if hex_.future_label is not None and hex_.future_label[1] == new_face.color:
            hex_.future_label = None
        if old_face.color in CLOSED_COLORS:
            self._open_sides(hex_, new_face)
        self.touch()
        return lifted

    def _swap_stock(self, old: Piece, piece: Piece) -> None:
        stock = [other for other in self.stock if other is not piece]
        if piece.unlimited:
            number = piece.tile.name
            last = max(
                int(other.id.rpartition("-")[2])
                for other in self.pieces.values()
                if other.tile.name == number
            )
            copy = Piece(self.journal, f"{number}-{last + 1}", piece.tile, unlimited=True)
            stock.append(copy)
            self.pieces = {**self.pieces, copy.id: copy}
        if not old.preprinted:
            old.turn(0)
            stock.append(old)
        self.stock = tuple(stock)

    @staticmethod
    def _open_sides(hex_: Hex, new_face: Face) -> None:
        """A tile laid over a closed colour opens the sides toward which it has exits, both ways."""
        for side in new_face.exits:
            other = hex_.neighbors[side]
            if other is None or any(b.side == side and b.kind == "impassable" for b in hex_.borders):
                continue
            back = (side + 3) % 6
            hex_.passable = tuple([other if s == side else h for s, h in enumerate(hex_.passable)])
            other.passable = tuple([hex_ if s == back else h for s, h in enumerate(other.passable)])

    def _move_cities(
        self, old_face: Face, old: tuple[City, ...], new_face: Face, new: tuple[City, ...]
    ) -> list[Token]:
        if not old:
            return []
        lifted: list[Token] = []
        no_track = not any(old_face.groups[city.stop] for city in old)
        choose = no_track and len(new) > 1 and bool(new_face.tracks) and not old_face.tracks
        mapping = city_map(old_face, new_face)
        for target_index, target in enumerate(new):
            sources = [city for city, goal in zip(old, mapping, strict=True) if goal == target_index]
            joined = tuple([entry for city in sources for entry in city.reservations])
            target.reservations = joined
            for city in sources:
                for token in city.tokens:
                    if choose:
                        token.city = None
                        lifted.append(token)
                    else:
                        self._reseat(token, target)
        for city, goal in zip(old, mapping, strict=True):
            if goal is None and city.tokens:
                raise RuleError(
                    f"tokens on {city.hex.id} would have no city on tile {new[0].piece.name if new else ''}"
                )
        return lifted

    @staticmethod
    def _reseat(token: Token, city: City) -> None:
        slot = city.slot_for(token.corporation)
        if slot is None:
            slot = next((index for index, other in enumerate(city.slots) if other is None), None)
        token.city = city
        if slot is None:
            city.extra = (*city.extra, token)
        else:
            city.slots = tuple([token if index == slot else other for index, other in enumerate(city.slots)])

    # -- tokens ----------------------------------------------------------------------------------------------

    def put_token(self, token: Token, city: City, slot: int | None = None) -> None:
        """Puts a token into a city without any test: given slot, else the slot of `City.slot_for`, else
        beyond the slots.

        Uses up the corporation's reservation in the city and on the hex.
        """
        corporation = token.corporation
        if slot is None:
            slot = city.slot_for(corporation)
        token.city = city
        if slot is None:
            city.extra = (*city.extra, token)
        else:
            city.slots = tuple([token if index == slot else other for index, other in enumerate(city.slots)])
        city.release(corporation)
        hex_ = city.hex
        if corporation in hex_.reservations:
            hex_.reservations = tuple([other for other in hex_.reservations if other is not corporation])
        self.touch()

    def lift_token(self, token: Token) -> None:
        """Takes a token off the map; its slot is left empty."""
        city = token.city
        if city is None:
            return
        city.slots = tuple([None if other is token else other for other in city.slots])
        if token in city.extra:
            city.extra = tuple([other for other in city.extra if other is not token])
        token.city = None
        self.touch()

    def forget(self, corporation: Corporation) -> None:
        """Removes all reservations of a corporation from the map."""
        for hex_ in self.hexes.values():
            if corporation in hex_.reservations:
                hex_.reservations = tuple([other for other in hex_.reservations if other is not corporation])
            for city in hex_.piece.cities:
                city.drop_reservations([corporation])
        self.touch()

    def pay_borders(self, hex_: Hex, new_face: Face) -> int:
        """Sum of the borders with a cost that `new_face` on `hex_` completes; removes them on both sides."""
        total = 0
        for border in hex_.borders:
            if self.border_completed(hex_, border.side, new_face) and border.cost:
                total += border.cost
                self._drop_border(hex_, border.side)
                other = hex_.neighbors[border.side]
                if other is not None:
                    self._drop_border(other, (border.side + 3) % 6)
        return total

    @staticmethod
    def border_completed(hex_: Hex, side: int, new_face: Face) -> bool:
        other = hex_.neighbors[side]
        return side in new_face.exits and other is not None and (side + 3) % 6 in other.face.exits

    @staticmethod
    def _drop_border(hex_: Hex, side: int) -> None:
        hex_.borders = tuple([border for border in hex_.borders if not (border.side == side and border.cost)])


def rotated(piece: Piece, rotation: int) -> Face:
    """The face that the piece would show at this rotation."""
    return face(piece.tile, rotation)

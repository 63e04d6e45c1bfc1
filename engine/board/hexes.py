"""The map in play: hexes, pieces (physical tiles), cities and their slots (rules: common 6.1 to 6.3, 6.8)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from engine.board.face import Face, face
from engine.core.state import Journal, Stateful
from optimizer.model.tile import Border, Icon, Stop, Tile

if TYPE_CHECKING:
    from engine.core.corporation import Corporation, Token


class Piece(Stateful):
    """A physical tile: in the stock, or on a hex with its rotation. `id` is `number-index`
    (or `hex-index`), `face` its definition as it lies."""

    __slots__ = ("cities", "face", "id", "preprinted", "tile", "unlimited")
    id: str
    tile: Tile
    face: Face
    preprinted: bool
    unlimited: bool
    cities: tuple[City, ...]

    def __init__(
        self,
        journal: Journal,
        piece_id: str,
        tile: Tile,
        *,
        preprinted: bool = False,
        unlimited: bool = False,
    ) -> None:
        super().__init__(journal)
        self.id = piece_id
        self.tile = tile
        self.face = face(tile, 0)
        self.preprinted = preprinted
        self.unlimited = unlimited
        self.cities = ()

    @property
    def name(self) -> str:
        return self.tile.name

    @property
    def rotation(self) -> int:
        return self.face.rotation

    def turn(self, rotation: int) -> None:
        """Turns the piece to a rotation."""
        self.face = face(self.tile, rotation)

    def __repr__(self) -> str:
        return f"<Piece {self.id}>"


class City(Stateful):
    """A city on the map. `slots`, `reservations`: aligned; `extra`: tokens beyond the slots.

    `index` counts the tile's cities, `stop` its stops, `part` all its parts (as in city ids).
    """

    __slots__ = ("extra", "hex", "index", "piece", "reservations", "slots", "stop")
    hex: Hex
    piece: Piece
    index: int
    stop: int
    slots: tuple[Token | None, ...]
    reservations: tuple[Corporation | None, ...]
    extra: tuple[Token, ...]

    def __init__(self, journal: Journal, hex_: Hex, piece: Piece, index: int, stop: int) -> None:
        super().__init__(journal)
        self.hex = hex_
        self.piece = piece
        self.index = index
        self.stop = stop
        self.slots = (None,) * piece.tile.stops[stop].slots
        self.reservations = ()
        self.extra = ()

    @property
    def id(self) -> str:
        return f"{self.piece.id}-{self.piece.tile.stops[self.stop].part}"

    @property
    def definition(self) -> Stop:
        return self.piece.tile.stops[self.stop]

    @property
    def tokens(self) -> list[Token]:
        """All tokens here, slot order first."""
        return [token for token in self.slots if token is not None] + list(self.extra)

    def has_token_of(self, corporation: Corporation) -> bool:
        return any(token is not None and token.corporation is corporation for token in self.slots) or any(
            token.corporation is corporation for token in self.extra
        )

    def reservation_at(self, slot: int) -> Corporation | None:
        return self.reservations[slot] if slot < len(self.reservations) else None

    def slot_for(self, corporation: Corporation) -> int | None:
        """Its reserved slot if that is empty, else the first empty unreserved slot (common 6.8)."""
        if corporation in self.reservations:
            slot = self.reservations.index(corporation)
            if slot < len(self.slots) and self.slots[slot] is None:
                return slot
        for slot, token in enumerate(self.slots):
            if token is None and self.reservation_at(slot) is None:
                return slot
        return None

    def reserve(self, corporation: Corporation) -> bool:
        """Reserves the first free unreserved slot; False if there is none."""
        for slot, token in enumerate(self.slots):
            if token is None and self.reservation_at(slot) is None:
                entries = list(self.reservations) + [None] * (slot + 1 - len(self.reservations))
                entries[slot] = corporation
                self.reservations = tuple(entries)
                return True
        return False

    def release(self, corporation: Corporation) -> None:
        """Blanks its reservations; the others keep their places."""
        if corporation in self.reservations:
            self.reservations = tuple(
                [None if entry is corporation else entry for entry in self.reservations]
            )

    def drop_reservations(self, corporations: Iterable[Corporation]) -> None:
        """Cuts these reservations out; later entries move up."""
        gone = list(corporations)
        if any(entry in gone for entry in self.reservations):
            self.reservations = tuple([entry for entry in self.reservations if entry not in gone])

    def __repr__(self) -> str:
        return f"<City {self.id} on {self.hex.id}>"


class Hex(Stateful):
    """A hex of the map. `neighbors[e]`: the hex beyond side e; `passable[e]`: the same where track may
    connect.
    """

    __slots__ = (
        "assignments", "borders", "future_label", "icons", "id", "location", "neighbors", "passable", "piece",
        "reservations", "x", "y",
    )  # fmt: skip
    id: str
    x: int
    y: int
    location: str | None
    piece: Piece
    neighbors: tuple[Hex | None, ...]
    passable: tuple[Hex | None, ...]
    borders: tuple[Border, ...]
    icons: tuple[Icon, ...]
    future_label: tuple[str, str] | None
    reservations: tuple[Corporation, ...]
    assignments: tuple[tuple[str, str], ...]

    def __init__(
        self, journal: Journal, hex_id: str, x: int, y: int, piece: Piece, location: str | None
    ) -> None:
        super().__init__(journal)
        self.id = hex_id
        self.x = x
        self.y = y
        self.location = location
        self.piece = piece
        self.neighbors = self.passable = (None,) * 6
        self.borders = piece.tile.borders
        self.icons = piece.tile.icons
        self.future_label = piece.tile.future_label
        self.reservations = ()
        self.assignments = ()
        self.make_cities()

    def make_cities(self) -> None:
        """Fresh cities for the piece that now lies here."""
        piece = self.piece
        stops = piece.face.city_stops
        piece.cities = tuple(
            [City(self.journal, self, piece, index, stop) for index, stop in enumerate(stops)]
        )

    @property
    def face(self) -> Face:
        return self.piece.face

    @property
    def cities(self) -> tuple[City, ...]:
        return self.piece.cities

    def city_at(self, stop: int) -> City | None:
        """The city that is stop number `stop` of the tile."""
        return next((city for city in self.piece.cities if city.stop == stop), None)

    def distance(self, other: Hex, flat: bool) -> int:
        """As the crow flies, in hexes (common 6.1)."""
        dx, dy = abs(self.x - other.x), abs(self.y - other.y)
        if not flat:
            dx, dy = dy, dx
        return dx + max(0, (dy - dx) // 2)

    def __repr__(self) -> str:
        return f"<Hex {self.id} {self.piece.id}>"

"""The operating round of 18Rhl (rules: 18rhl section 7)."""

from __future__ import annotations

from engine.board.hexes import Hex
from engine.core.corporation import Corporation
from engine.rounds.operating import OperatingRound
from engine.titles.rhineland.setup import TWO_HOMES, second_home
from engine.titles.rhineland.state import in_receivership
from engine.tokens import place_home

EAST_BANK = frozenset(("CME", "DEE"))
RIVER_HOMES = frozenset(("CME", "DEE", "RhE"))
YELLOW_CITIES, GREEN_CITIES = 3, 2


class RhinelandOperatingRound(OperatingRound):
    """`station_pending`: where the corporation on turn may place a station after a private's tile; free?"""

    __slots__ = ("station_pending",)
    station_pending: tuple[Hex, bool] | None

    def clear_turn(self) -> None:
        super().clear_turn()
        self.station_pending = None

    def before_operating(self, corporation: Corporation) -> None:
        """Home stations are placed in the first turn (7.2)."""
        if corporation.tokens[0].used:
            return
        if corporation.id in RIVER_HOMES:
            place_in_metropolis(corporation, self, corporation.home_hexes[0], corporation.home_city or 0)
        else:
            place_home(self.game, corporation)
        if corporation.id == TWO_HOMES:
            place_in_metropolis(corporation, self, *second_home(self.game))

    def keeps_turn(self, corporation: Corporation) -> bool:
        """Anybody may run the trains of a corporation in receivership."""
        return super().keeps_turn(corporation) or in_receivership(corporation)


def place_in_metropolis(
    corporation: Corporation, turn: OperatingRound, hex_id: str, yellow_city: int
) -> None:
    """Which city it is depends on the colour of the tile; in green on the bank."""
    cities = turn.game.board.hex(hex_id).cities
    if len(cities) == YELLOW_CITIES:
        index = yellow_city
    else:
        index = 1 if len(cities) == GREEN_CITIES and corporation.id in EAST_BANK else 0
    token = corporation.next_token
    if token is not None:
        turn.game.board.put_token(token, cities[index])

"""Laying and upgrading tiles (rules: common 6.5 to 6.10)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from engine.actions import LayTile
from engine.board.face import Face, face
from engine.board.face import Track as TrackPiece
from engine.board.hexes import Hex, Piece
from engine.board.upgrades import city_map
from engine.core.corporation import Corporation
from engine.errors import RuleError
from engine.legal import Choice
from engine.policies.track import Lay
from engine.rounds.operating import OperatingRound
from engine.steps.base import Entity, Step
from engine.tokens import ask_for_token


class Track(Step):
    """The corporation on turn lays its tiles."""

    __slots__ = ()
    name = "track"

    @property
    def turn(self) -> OperatingRound:
        return cast(OperatingRound, self.round)

    def next_lay(self, corporation: Corporation) -> Lay | None:
        return self.game.title.track.next_lay(self.game, corporation, self.turn.lays)

    def may_lay(self, corporation: Corporation) -> bool:
        """Is another lay allowed and its own price affordable? Whether a place exists is not asked (common
        6.10).
        """
        lay = self.next_lay(corporation)
        return (
            lay is not None
            and bool(corporation.tokens)
            and self.game.title.track.money(self.game, corporation) >= lay.cost
        )

    def actions(self, entity: Entity) -> Sequence[str]:
        if entity is not self.round.current or not isinstance(entity, Corporation):
            return ()
        return ("lay_tile", "pass") if self.may_lay(entity) else ()

    # -- laying ----------------------------------------------------------------------------------------------

    def do_lay_tile(self, action: LayTile) -> None:
        corporation = self.corporation_of(action)
        hex_ = self.game.board.hex(action.hex)
        piece = self.game.board.piece(action.tile)
        lay = self.next_lay(corporation)
        if lay is None:
            raise RuleError(f"{corporation.name} has laid all its tiles of this turn")
        self.check_turn(lay, hex_)
        upgrade = hex_.face.color != "white"
        self.check_lay(corporation, hex_, piece, action.rotation)
        self.lay(corporation, hex_, piece, action.rotation, lay.cost)
        turn = self.turn
        turn.lays = turn.lays + 1
        turn.upgraded = turn.upgraded or upgrade
        turn.laid_hexes = (*turn.laid_hexes, hex_)
        if not self.may_lay(corporation):
            self.finish()

    def check_turn(self, lay: Lay, hex_: Hex) -> None:
        """Is this kind of lay still allowed this turn, and here?"""
        if hex_.face.color != "white" and (
            lay.upgrade == "never" or (lay.upgrade == "first" and self.turn.upgraded)
        ):
            raise RuleError("no upgrade may be made now: one was made before in this turn")
        if lay.other_hex and hex_ in self.turn.laid_hexes:
            raise RuleError(f"{hex_.id} already got a tile this turn")

    def check_lay(self, corporation: Corporation, hex_: Hex, piece: Piece, rotation: int) -> None:
        """Raises RuleError unless the tile may be laid; a trusting game checks what the reference checks."""
        game, rules = self.game, self.game.title.track
        if not 0 <= rotation <= 5:
            raise RuleError(f"a rotation is a number from 0 to 5, not {rotation}")
        if piece not in game.board.stock:
            raise RuleError(f"tile {piece.id} is not in the stock")
        if not rules.may_replace(game, hex_, piece.tile, corporation):
            raise RuleError(f"tile {piece.name} cannot replace {hex_.piece.name} on {hex_.id}")
        if not game.strict:
            return
        blocker = rules.blocked(game, hex_, corporation)
        if blocker is not None:
            raise RuleError(f"{hex_.id} is blocked by {blocker.name}")
        if piece.tile.color not in game.phase.colors:
            raise RuleError(f"{piece.tile.color} tiles are not in play in phase {game.phase.name}")
        new = face(piece.tile, rotation)
        if not rules.fits(game, hex_, new):
            raise RuleError(f"tile {piece.name} does not fit {hex_.id} in rotation {rotation}")
        sides = game.network(corporation).sides.get(hex_, set())
        if not new.exits & sides:
            raise RuleError(f"{corporation.name} does not reach any exit of tile {piece.name} on {hex_.id}")
        if rules.most_exits_in_cities and hex_.face.city_stops:
            best = max((len(other.exits) for other, _ in self.fitting(corporation, hex_)), default=0)
            if len(new.exits) < best:
                raise RuleError(f"on {hex_.id} a tile with {best} exits must be chosen")
        if not self.uses_new_track(corporation, hex_, new):
            raise RuleError(f"tile {piece.name} on {hex_.id} would give {corporation.name} no new track")

    def lay(self, corporation: Corporation, hex_: Hex, piece: Piece, rotation: int, price: int) -> None:
        """Lays the tile and pays for it."""
        game = self.game
        new = face(piece.tile, rotation)
        cost = game.title.track.terrain_cost(game, hex_, new) + price
        lifted = game.board.lay(hex_, piece, rotation)
        cost += game.board.pay_borders(hex_, new)
        self.pay(corporation, cost)
        for token in lifted:
            ask_for_token(game, corporation, token, [hex_])

    def pay(self, corporation: Corporation, cost: int) -> None:
        self.game.pay(corporation, self.game.bank, cost)

    # -- listing ---------------------------------------------------------------------------------------------

    def fitting(self, corporation: Corporation, hex_: Hex) -> list[tuple[Face, int]]:
        """(face, rotation) of every tile that fits the hex and is reached, new track and money aside."""
        game, rules = self.game, self.game.title.track
        sides = game.network(corporation).sides.get(hex_)
        if not sides:
            return []
        found: list[tuple[Face, int]] = []
        for tile in rules.candidates(game, hex_):
            if not rules.may_replace(game, hex_, tile, corporation):
                continue
            for rotation in range(6):
                new = face(tile, rotation)
                if new.exits & sides and rules.fits(game, hex_, new):
                    found.append((new, rotation))
        return found

    def uses_new_track(self, corporation: Corporation, hex_: Hex, new: Face) -> bool:
        """The new-track restriction (common 6.7). Where the present network does not tell, the tile is laid
        on trial.
        """
        game = self.game
        useful = game.title.track.useful_tracks(game, hex_.face, new)
        if not useful:
            return useful is None
        answer = self.reach_without_trial(corporation, hex_, new, useful)
        if answer is not None:
            return answer
        piece = game.board.in_stock(new.name)
        if piece is None:
            return False
        mark = game.journal.mark()
        try:
            game.board.lay(hex_, piece, new.rotation)
            return game.walker(corporation).reaches(hex_, useful)
        finally:
            game.journal.rollback(mark)

    def reach_without_trial(
        self, corporation: Corporation, hex_: Hex, new: Face, useful: tuple[TrackPiece, ...]
    ) -> bool | None:
        """Would one of these tracks of the new tile be reached? None where only a trial can tell.

        A side that some walk reaches without having left the hex by a side of the track stays reached, as all
        old track is kept; a track that meets neither a reached side nor a reached stop is not reached.
        """
        network = self.game.network(corporation)
        old = hex_.face
        own = {city.index for city in hex_.cities if city.has_token_of(corporation)}
        if own:
            targets = {
                new.city_stops[t] for i, t in enumerate(city_map(old, new)) if i in own and t is not None
            }
            if any(stop in targets for track in useful for stop in track.stops):
                return True
        same_stops = len(old.stops) == len(new.stops)  # else a walk may meet a merged city twice
        if same_stops:
            kept = [old.tracks[index] for index in network.tracks.get(hex_, ())]
            if any(new.covers(track, old, piece) for track in useful for piece in kept):
                return True
        entries = network.entries.get(hex_, {})
        for track in useful:
            for side in track.sides:
                for left in entries.get(side, ()):
                    if not left or (same_stops and not left.intersection(track.sides)):
                        return True
        if any((hex_, side) in network.inbound for track in useful for side in track.sides):
            return None
        return None if any(track.stops for track in useful) else False

    def choices(self, entity: Entity) -> Iterator[Choice]:
        if not isinstance(entity, Corporation) or entity is not self.round.current:
            return
        lay = self.next_lay(entity)
        if lay is None:
            return
        game, rules = self.game, self.game.title.track
        money = rules.money(game, entity)
        for hex_ in list(game.network(entity).sides):
            if rules.blocked(game, hex_, entity) is not None:
                continue
            try:
                self.check_turn(lay, hex_)
            except RuleError:
                continue
            fitting = self.fitting(entity, hex_)
            if rules.most_exits_in_cities and hex_.face.city_stops and fitting:
                best = max(len(new.exits) for new, _ in fitting)
                fitting = [(new, rotation) for new, rotation in fitting if len(new.exits) == best]
            for new, rotation in fitting:
                if rules.cost(game, hex_, new) + lay.cost <= money and self.uses_new_track(entity, hex_, new):
                    piece = game.board.in_stock(new.name)
                    assert piece is not None
                    action = LayTile(
                        entity=entity.id,
                        entity_type="corporation",
                        hex=hex_.id,
                        tile=piece.id,
                        rotation=rotation,
                    )
                    yield Choice("tile_lay", [hex_.id, new.name, rotation], action)

"""The merger round: conversion and merging of minors (rules: 1861 section 12)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

from engine import shares
from engine.actions import Action, Convert, Pass, ProgramMergerPass
from engine.actions import Merge as MergeAction
from engine.closing import close_corporation
from engine.core.corporation import Corporation, Player, Token
from engine.core.market import Cell
from engine.core.shares import Bundle
from engine.errors import RuleError
from engine.legal import Choice
from engine.programs import disable
from engine.rounds.base import Round
from engine.steps.base import Entity, Step
from engine.titles.family1861.nationalization import transfer_assets
from engine.titles.family1861.rules import MERGER_PAR

LARGEST_MERGER = 10
LARGEST_OF_ONE_PLAYER = 6
TOKENS_AFTER_MERGER = 2
LAST_TOKEN_PRICE = 40


class MergerRound(Round):
    """All floated minors in operating order, one turn each.

    `converted`: the new major whose shares are being dealt. `made`: all new majors of the round. `dealing`:
    players asked to buy, `repeating`: those who may buy more than once. `merged`: was the last one made by a
    merger? `reducing`: the major that has too many tokens, with the merged minors.
    """

    __slots__ = ("converted", "dealing", "made", "merged", "reducing", "repeating")
    short_name = "MR"
    long_name = "Merger Round"
    converted: Corporation | None
    made: tuple[Corporation, ...]
    dealing: tuple[Player, ...]
    repeating: tuple[Player, ...]
    merged: bool
    reducing: tuple[Corporation, ...]

    def begin_round(self) -> None:
        self.converted = None
        self.made = ()
        self.dealing = ()
        self.repeating = ()
        self.merged = False
        self.reducing = ()

    def select_entities(self) -> Sequence[Corporation]:
        game = self.game
        return game.in_market_order(c for c in game.corporations if c.floated and c.kind == "minor")

    def start(self) -> None:
        self.skip_steps()
        if self.finished():
            self.next_entity()

    def after_process(self, action: Action) -> None:
        if action.free or self.active_step() is not None:
            return
        self.converted = None
        for player in self.game.players:
            player.passed = False
        self.next_entity()

    def next_entity(self) -> None:
        while True:
            if self.entities:
                self.next_index()
            if self.index == 0:
                return
            self.reset_steps()
            self.skip_steps()
            if not self.finished():
                return

    def replace(self, index: int, corporation: Corporation) -> None:
        self.entities = tuple([corporation if i == index else other for i, other in enumerate(self.entities)])


class Merge(Step):
    """Convert, merge or pass.

    `converting`: the minor waits for the major that it becomes. `merging`: minors chosen so far. `choosing`:
    the choice is closed and a major must be named; where none can be, `pass` gives the whole selection up
    (the public engine has no way on but undo).
    """

    __slots__ = ("choosing", "converting", "merging")
    name = "merge"
    converting: Corporation | None
    merging: tuple[Corporation, ...]
    choosing: bool

    def begin_turn(self) -> None:
        self.converting = None
        self.merging = ()
        self.choosing = False

    @property
    def deal(self) -> MergerRound:
        return cast(MergerRound, self.round)

    def actions(self, entity: Entity) -> Sequence[str]:
        if (
            entity is not self.current()
            or not isinstance(entity, Corporation)
            or self.deal.converted is not None
        ):
            return ()
        if self.converting is not None:
            return ("merge",)
        if self.choosing:
            return ("merge",) if self.may_complete() else ("pass",)
        if not self.merging and self.may_convert(entity):
            return ("merge", "convert", "pass")
        return ("merge", "pass")

    @staticmethod
    def may_convert(corporation: Corporation) -> bool:
        return (
            corporation.kind == "minor"
            and corporation.price is not None
            and "convert_range" in corporation.price.types
        )

    def candidates(self, corporation: Corporation) -> list[Corporation]:
        """Minors that may join: connected to a chosen one, and not too many of one player."""
        chosen = self.merging or (corporation,)
        if len(chosen) == LARGEST_MERGER:
            return []
        owners = [minor.owner for minor in chosen]
        full = {owner for owner in owners if owners.count(owner) >= LARGEST_OF_ONE_PLAYER}
        found: dict[Corporation, None] = {}
        for minor in chosen:
            for city in self.game.network(minor).cities():
                for token in city.tokens:
                    other = token.corporation
                    if (
                        other not in chosen
                        and other.kind == "minor"
                        and other.started
                        and other.owner not in full
                    ):
                        found[other] = None
        return list(found)

    def targets(self) -> list[Corporation]:
        """Majors that may still be founded."""
        return [c for c in self.game.corporations if c.kind == "major" and not c.floated]

    # -- actions ---------------------------------------------------------------------------------------------

    def do_convert(self, action: Convert) -> None:
        corporation = self.corporation_of(action)
        if self.game.strict and not self.targets():
            raise RuleError(f"{corporation.name} cannot convert: all majors are in play")
        self.converting = corporation

    def do_merge(self, action: MergeAction) -> None:
        corporation = self.corporation_of(action)
        other = self.game.corporation(action.corporation)
        if self.converting is not None or self.choosing:
            if other not in self.targets():
                raise RuleError(f"{other.name} is not an unstarted major")
            if self.converting is not None:
                self.convert(corporation, other)
            else:
                self.merge(other)
            return
        if (
            other in (self.merging or (corporation,))
            or other.kind != "minor"
            or not other.started
            or other.closed
        ):
            raise RuleError(f"{other.name} cannot be merged")
        if self.game.strict and other not in self.candidates(corporation):
            raise RuleError(f"{other.name} cannot be merged: it is not connected to the chosen minors")
        self.merging = (*(self.merging or (corporation,)), other)
        if not self.candidates(corporation):
            self.choosing = True

    def do_pass(self, action: Pass) -> None:
        if self.choosing:
            self.begin_turn()
        elif self.merging:
            self.choosing = True
        else:
            self.finish()

    def start_cell(self, price: int) -> Cell:
        """The highest cell for majors not above `price`."""
        return next(cell for cell in self.game.stock_market.par_cells(*MERGER_PAR) if cell.price <= price)

    def merger_cell(self) -> Cell:
        """Where the major of the chosen minors starts: lowest plus highest price, from 100 to 200 (1861
        12.4).
        """
        prices = [minor.price.price for minor in self.merging if minor.price is not None]
        return self.start_cell(min(200, max(100, min(prices) + max(prices))))

    def may_complete(self) -> bool:
        """Is a major left, and can an owner of the chosen minors become its president?"""
        owners = [minor.owner for minor in self.merging]
        return bool(self.targets()) and any(
            isinstance(owner, Player) and (owners.count(owner) >= 2 or self.may_buy_presidency(owner))
            for owner in owners
        )

    def may_buy_presidency(self, owner: Player) -> bool:
        """Could he pay for a second share, with room for its certificate? His minor's counts as the first
        one.
        """
        room = self.game.title.shares.certificates(self.game, owner) + 1 <= self.game.certificate_limit
        return room and owner.cash >= self.merger_cell().price

    def convert(self, minor: Corporation, major: Corporation) -> None:
        """The minor becomes the major (1861 12.2)."""
        game, deal = self.game, self.deal
        assert minor.price is not None
        game.stock_market.set_par(major, self.start_cell(minor.price.price))
        owner = minor.owner
        assert isinstance(owner, Player)
        self.converting = None
        shares.buy(game, owner, Bundle.of(major.treasury[0]), free=True)
        self.move_tokens(minor, major)
        transfer_assets(game, minor, major)
        close_corporation(game, minor)
        deal.replace(deal.index, major)
        self.made(major, merged=False)
        president = major.owner
        assert isinstance(president, Player)
        start = game.players.index(president)
        deal.dealing = game.players[start:] + game.players[:start]
        deal.repeating = (owner,)

    def made(self, major: Corporation, *, merged: bool) -> None:
        deal = self.deal
        deal.converted = major
        deal.made = (*deal.made, major)
        deal.merged = merged

    def merge(self, major: Corporation) -> None:
        """The chosen minors become the major (1861 12.4, 12.5)."""
        game, deal = self.game, self.deal
        minors = game.in_market_order(self.merging)
        cell = self.merger_cell()
        owners = [minor.owner for minor in minors]
        players = [player for player in game.players if player in owners]
        start = players.index(cast(Player, owners[0]))
        players = players[start:] + players[:start]
        if not self.may_complete():
            raise RuleError("the merger is impossible: nobody could become president")
        game.stock_market.set_par(major, cell)
        deal.replace(deal.index, major)
        self.choosing = False
        major.started = True
        for minor in minors:
            self.hand_share(cast(Player, minor.owner), major)
            self.remove_duplicates(major)
            self.move_tokens(minor, major)
            transfer_assets(game, minor, major)
            close_corporation(game, minor)
            deal.entities = tuple([other for other in deal.entities if other is not minor])
        if too_many_tokens(major):
            deal.reducing = (major,)
        else:
            complete_charter(major)
        deal.go_to(major)
        self.merging = ()
        self.made(major, merged=True)
        deal.dealing = deal.repeating = tuple(players)

    def hand_share(self, owner: Player, major: Corporation) -> None:
        """A certificate from the end of the treasury, or the president's one for the owner's second minor."""
        first = major.treasury[0]
        if first.president and owner.percent_of(major) == major.share_percent:
            shares.hand_over(owner.shares_of(major)[0], major)
            shares.buy(self.game, owner, Bundle.of(first), free=True)
        else:
            shares.buy(self.game, owner, Bundle.of(major.treasury[-1]), free=True)

    def remove_duplicates(self, major: Corporation) -> None:
        """A token of the major in the same city as one of the merging minors returns to its charter."""
        cities = [token.city for minor in self.merging for token in minor.tokens if token.city is not None]
        for token in major.tokens:
            if token.city is not None and token.city in cities:
                self.game.board.lift_token(token)

    def move_tokens(self, minor: Corporation, major: Corporation) -> None:
        """Each token of the minor is replaced by the major's next one; more are made if needed."""
        for token in minor.tokens:
            city = token.city
            if city is None:
                continue
            fresh = major.next_token
            if fresh is None:
                fresh = Token(major.journal, major, 0)
                major.tokens = (*major.tokens, fresh)
            self.game.board.lift_token(token)
            self.game.board.put_token(fresh, city)

    # -- programs and listing --------------------------------------------------------------------------------

    def auto_actions(self, entity: Entity) -> list[Action]:
        if not isinstance(entity, Corporation) or self.converting is not None or self.choosing:
            return []
        skip: list[Action] = [Pass(entity=entity.id, entity_type="corporation")]
        if not self.merging and not self.may_convert(entity) and not self.candidates(entity):
            return skip
        owner = entity.owner
        program: Any = owner.program if isinstance(owner, Player) else None
        if isinstance(owner, Player) and isinstance(program, ProgramMergerPass):
            others_acted = bool(self.deal.made) and self.game.action_count != owner.program_since
            if "disable_others" in (program.options or []) and others_acted:
                return disable(owner, "Other players have acted and requested to stop")
            if entity.id in program.corporations_by_round.get(self.round.short_name, []):
                return skip
        return []

    def choices(self, entity: Entity) -> Iterator[Choice]:
        if not isinstance(entity, Corporation):
            return
        if self.converting is None and not self.choosing:
            if not self.merging and self.may_convert(entity) and self.targets():
                yield Choice("convert", entity.id, Convert(entity=entity.id, entity_type="corporation"))
            others = self.candidates(entity)
        else:
            others = self.targets() if self.converting is not None or self.may_complete() else []
        for other in others:
            action = MergeAction(entity=entity.id, entity_type="corporation", corporation=other.id)
            yield Choice("merge", other.id, action)


def too_many_tokens(major: Corporation) -> bool:
    """More than two placed, or two on one hex (1861 12.8)."""
    hexes = [token.city.hex for token in major.tokens if token.city is not None]
    return len(set(hexes)) != len(hexes) or len(hexes) > TOKENS_AFTER_MERGER


def complete_charter(major: Corporation) -> None:
    """A third token of price 40 if the charter has another number of tokens."""
    if len(major.tokens) != 3:
        major.tokens = (*major.tokens, Token(major.journal, major, LAST_TOKEN_PRICE))

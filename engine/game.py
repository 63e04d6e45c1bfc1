"""The game: its state, and how actions change it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast

from engine import programs
from engine.actions import Action, EndGame, Message, Redo, Undo, read_action, write_action
from engine.board.board import Board
from engine.board.network import Network, Walker, has_route
from engine.core.company import Company
from engine.core.corporation import Corporation, Player
from engine.core.market import StockMarket
from engine.core.money import Bank, CashHolder, pay
from engine.core.shares import Bundle, Market, Share
from engine.core.state import Journal, Stateful, copy_graph
from engine.core.trains import Depot, Phase, Train, TrainKind
from engine.ending import check_end, end_game, end_round
from engine.errors import GameError, IllegalActionError, RuleError, UnknownNameError
from engine.history import History
from engine.legal import Choice
from engine.planner import LocalPlanner, RoutePlanner
from engine.rng import SetupRandom, game_seed
from engine.rounds.base import Round
from engine.setup import make_entities, reserve_homes
from engine.steps.base import Entity, Step
from engine.title import EndTrigger, Title
from optimizer.model.tile import Tile
from optimizer.solution import Limits, Solution


class Game(Stateful):
    """One game of one title.

    Make one with `engine.load_game` or `engine.new_game`. `apply` executes an action, `undo` takes it back,
    `clone` copies. `strict`: refuse what only the reference's screens refuse too (common 2.5); a trusting
    game accepts recorded files that the reference accepts.
    """

    __slots__ = (
        "_acting", "_active", "_history", "_memory", "_recorded", "action_count", "bank", "board",
        "certificate_limit", "companies", "corporations", "depot", "end_reason", "end_trigger", "entities",
        "file", "final_operating_rounds", "final_turn", "finished", "loans", "market", "operating_rounds",
        "phase_index", "phases", "players", "random", "round", "state", "stock_market", "strict", "title",
        "turn",
    )  # fmt: skip
    aside = frozenset({"file", "random", "title"})
    title: Title
    action_count: int
    file: Mapping[str, Any]
    strict: bool
    players: tuple[Player, ...]
    bank: Bank
    market: Market
    stock_market: StockMarket
    corporations: tuple[Corporation, ...]
    companies: tuple[Company, ...]
    entities: dict[tuple[str, int | str], Entity]
    depot: Depot
    phases: tuple[Phase, ...]
    phase_index: int
    board: Board
    loans: tuple[int, ...]
    round: Round
    turn: int
    operating_rounds: int
    final_operating_rounds: int | None
    final_turn: int | None
    finished: bool
    end_trigger: EndTrigger | None
    end_reason: str | None
    certificate_limit: int
    random: Any
    state: Any
    _acting: Step | None
    _active: Step | None
    _history: History
    _memory: dict[tuple[Any, ...], Any]
    _recorded: bool

    def __init__(
        self,
        title: Title,
        players: Sequence[tuple[int | str, str]],
        file: Mapping[str, Any],
        *,
        strict: bool = True,
    ) -> None:
        journal = Journal()
        super().__init__(journal)
        object.__setattr__(self, "_memory", {})
        object.__setattr__(self, "_history", History())
        object.__setattr__(self, "_active", None)
        object.__setattr__(self, "_acting", None)
        self.title = title
        self.file = file
        self.strict = strict
        make_entities(self, players)
        settings = file.get("settings") or {}
        self.random = SetupRandom(game_seed(settings.get("seed"), file.get("id")))
        self.turn = 1
        self.action_count = 0
        self.finished = False
        self.end_trigger = self.end_reason = None
        self.final_operating_rounds = self.final_turn = None
        self.state = title.make_state(self)
        title.setup(self)
        self.operating_rounds = self.phase.operating_rounds
        reserve_homes(self)
        self.round = title.opening_round(self)
        self.round.start()
        journal.entries.clear()

    # -- looking things up -----------------------------------------------------------------------------------

    @property
    def phase(self) -> Phase:
        return self.phases[self.phase_index]

    def player(self, player_id: int | str) -> Player:
        return cast(Player, self._entity("player", player_id, Player))

    def corporation(self, corporation_id: str) -> Corporation:
        return cast(Corporation, self._entity("corporation", corporation_id, Corporation))

    def company(self, company_id: str) -> Company:
        return cast(Company, self._entity("company", company_id, Company))

    def _entity(self, kind: str, entity_id: int | str, cls: type[Any]) -> Any:
        entity = self.entities.get((kind, entity_id))
        if not isinstance(entity, cls):
            raise UnknownNameError(f"there is no {kind} {entity_id!r}")
        return entity

    def entity_of(self, action: Action) -> Entity:
        """Who acts; raises UnknownNameError."""
        entity = self.entities.get((action.entity_type, action.entity))
        if entity is None:
            raise UnknownNameError(f"there is no {action.entity_type} {action.entity!r}")
        return entity

    def share(self, share_id: str) -> Share:
        """The certificate that an action names."""
        corporation_id = share_id.rpartition("_")[0]
        for certificate in self.corporation(corporation_id).certificates:
            if certificate.id == share_id:
                return certificate
        raise UnknownNameError(f"there is no share {share_id!r}")

    def bundle(self, share_ids: Sequence[str], percent: int | None) -> Bundle:
        """The certificates that an action names: one holder, one corporation, each once."""
        shares = [self.share(share_id) for share_id in share_ids]
        if not shares:
            raise RuleError("a bundle needs at least one share")
        first = shares[0]
        if any(s.corporation is not first.corporation or s.holder is not first.holder for s in shares):
            raise RuleError("the shares of a bundle must be of one corporation and one holder")
        if len(set(share_ids)) != len(share_ids):
            raise RuleError("a bundle names a share twice")
        bundle = Bundle.of(*shares, percent=percent)
        if bundle.partial:
            # worth less than its certificates only by a part of the president's one
            president, step = bundle.president_share, bundle.corporation.share_percent
            less = bundle.full_percent - bundle.percent
            if president is None or not 0 < less < president.percent or less % step:
                raise RuleError(f"{bundle.percent} percent cannot be made of these certificates")
        return bundle

    def pay(self, payer: CashHolder, payee: CashHolder, amount: int) -> None:
        """Moves money; raises RuleError when the payer lacks it."""
        pay(payer, payee, amount)

    def in_market_order(self, corporations: Iterable[Corporation]) -> list[Corporation]:
        """Operating order (common 4.8): price, column (further right first), row, arrival, name."""

        def key(corporation: Corporation) -> tuple[Any, ...]:
            cell = corporation.price
            if cell is None:
                return (0, 0, 0, 0, corporation.id)
            position = self.stock_market.queue_position(corporation)
            return (-cell.price, -cell.column, cell.row, position, corporation.id)

        return sorted(corporations, key=key)

    def train_available(self, kind: TrainKind) -> bool:
        """Has the phase come from which this further kind is on sale?"""
        names = [phase.name for phase in self.phases]
        return kind.available_on in names and names.index(str(kind.available_on)) <= self.phase_index

    def depot_trains(self) -> list[Train]:
        """What the bank sells now: upcoming and discarded."""
        return self.depot.for_sale(self.train_available)

    # -- connectivity ----------------------------------------------------------------------------------------

    def walker(self, corporation: Corporation) -> Walker:
        starts = []
        for token in corporation.tokens:
            city = token.city
            if city is not None and token.kind == "normal":
                starts.append((city.hex, city.stop))
        rules = self.title.tokens
        return Walker(starts, lambda city: rules.blocks(self, city, corporation))

    def network(self, corporation: Corporation) -> Network:
        """What the corporation reaches (common 7.3); remembered until the map changes."""
        return cast(Network, self.cached("network", corporation, lambda: self.walker(corporation).network()))

    def has_route(self, corporation: Corporation) -> bool:
        """Is one of its tokens joined by track to another stop (common 7.4)?"""
        return bool(self.cached("route", corporation, lambda: has_route(self.walker(corporation))))

    def tiles_in_play(self) -> tuple[Tile, ...]:
        """Kinds of tile that are in stock and of a colour in play, in the order of the stock."""
        key = ("tiles", self.board.version, self.phase_index)
        if key not in self._memory:
            tiles = dict.fromkeys(piece.tile for piece in self.board.stock)
            self._memory[key] = tuple([tile for tile in tiles if tile.color in self.phase.colors])
        return cast(tuple[Tile, ...], self._memory[key])

    def cached(self, name: str, corporation: Corporation, compute: Callable[[], Any]) -> Any:
        """A value that depends only on the map, its tokens and the blocking rule; computed once per state of
        the map.
        """
        key = (name, corporation, self.board.version, self.title.tokens.blocking_key(self))
        memory = self._memory
        if key not in memory:
            if len(memory) > 4000:
                memory.clear()
            memory[key] = compute()
        return memory[key]

    # -- actions ---------------------------------------------------------------------------------------------

    def apply(self, action: Action | Mapping[str, Any], *, recorded: bool = False) -> Action:
        """Executes one action (with its auto actions); returns it with its id.

        In play, what follows by itself is executed too and appended to its `auto_actions`, and routes are
        judged and priced by the evaluator. A `recorded` action of a file brings its auto actions and revenues
        along. Raises IllegalActionError or another GameError and leaves the game as it was.
        """
        if not isinstance(action, Action):
            action = read_action(action)
        if isinstance(action, Undo):
            return self._history.undo(self, action)
        if isinstance(action, Redo):
            return self._history.redo(self, action)
        mark = self.journal.mark()
        current = action
        object.__setattr__(self, "_recorded", recorded)
        try:
            self.action_count = self.action_count + 1
            self._execute(action)
            for current in action.auto_actions:
                self._execute(current)
            current = action
            if not recorded:
                self._run_automatic(action)
        except RuleError as error:
            step = self._active
            self.journal.rollback(mark)
            name = step.name if isinstance(step, Step) else None
            raise IllegalActionError(write_action(current), name, str(error)) from error
        except GameError:
            self.journal.rollback(mark)
            raise
        if action.id is None:
            action.id = self._history.next_id()
        self._history.record(write_action(action), mark)
        return action

    @property
    def recorded(self) -> bool:
        """Is the action that is being executed one of a file (and so believed in what is costly to test)?"""
        return bool(getattr(self, "_recorded", False))

    def note_entry(self, entry: Mapping[str, Any]) -> None:
        """Keeps an entry of a file that is not executed, such as an undo and what it undid."""
        self._history.note(dict(entry))

    def execute_recorded(self, action: Action) -> None:
        """Executes an action with its auto actions, outside of history and without making it safe to fail."""
        object.__setattr__(self, "_recorded", True)
        self.action_count = self.action_count + 1
        self._execute(action)
        for follow in action.auto_actions:
            self._execute(follow)

    def note_step(self, step: Step | None) -> None:
        """Remembers which step is processing, for error messages."""
        object.__setattr__(self, "_active", step)

    def acting_step(self, round_: Round) -> Step | None:
        """The active step as first asked for during this action (see `Round.acting_entity`)."""
        if self._acting is None:
            object.__setattr__(self, "_acting", round_.active_step())
        return self._acting

    def forget_acting_step(self) -> None:
        object.__setattr__(self, "_acting", None)

    def _execute(self, action: Action) -> None:
        self.note_step(None)
        if self.finished and not isinstance(action, Message):
            raise RuleError("the game is over")
        self.round.process(action)
        for listener in self.title.listeners:
            listener(self)
        check_end(self)
        while not self.finished and self.round.finished():
            end_round(self)

    def _run_automatic(self, action: Action) -> None:
        for _ in range(1000):
            step = self.round.active_step()
            if self.finished or step is None:
                return
            entity = step.current()
            if entity is None:
                return
            follow = step.auto_actions(entity)
            if not follow:
                return
            for item in follow:
                self._execute(item)
                action.auto_actions.append(item)
        raise RuleError("automatic actions do not come to an end")

    def process_free(self, action: Action) -> None:
        """Messages, programs and the end of the game by agreement: possible at any time."""
        if isinstance(action, EndGame):
            if action.entity_type == "company":
                raise RuleError("a company cannot end the game")
            self.end_game("manually_ended")
        elif not isinstance(action, Message):
            programs.enable(self, action)

    def end_game(self, reason: str) -> None:
        """The game is over."""
        end_game(self, reason)

    # -- undo, redo, copies ----------------------------------------------------------------------------------

    @property
    def log(self) -> list[dict[str, Any]]:
        """All actions so far in public JSON, undone ones and undos included."""
        return self._history.entries

    def undo(self) -> None:
        """Takes back the last live action that is not a message (with its auto actions)."""
        player = self.players[0]
        self.apply(Undo(entity=player.id, entity_type="player"))

    def redo(self) -> None:
        """Brings back what the last undo took away."""
        player = self.players[0]
        self.apply(Redo(entity=player.id, entity_type="player"))

    def clone(self) -> Game:
        """An independent copy in the same state; takes a few milliseconds. Its undo goes back to the copy's
        start.
        """
        twin = copy_graph(self)
        object.__setattr__(twin, "_memory", {})
        object.__setattr__(twin, "_history", self._history.copy())
        object.__setattr__(twin, "_active", None)
        object.__setattr__(twin, "_acting", None)
        return twin

    # -- what may be done ------------------------------------------------------------------------------------

    @property
    def active_step(self) -> Step | None:
        return None if self.finished else self.round.active_step()

    @property
    def active_entity(self) -> Entity | None:
        """Whose decision is waited for."""
        step = self.active_step
        return step.current() if step is not None else None

    def best_routes(
        self,
        planner: RoutePlanner | None = None,
        *,
        fixed: Sequence[Mapping[str, Any]] = (),
        limits: Limits | None = None,
    ) -> Solution:
        """The proven best routes for the corporation that must run its trains now.

        `fixed`: routes in the form of a `run_routes` action that are kept; the other trains get the best of
        what is left. Raises RuleError if nobody is to run now, ValueError if the fixed routes are illegal.
        """
        from engine.operating import position, routes_of

        entity = self.active_entity
        if not isinstance(entity, Corporation) or "run_routes" not in self.offered_actions():
            raise RuleError("nobody is to run trains now")
        chosen = planner if planner is not None else LocalPlanner()
        return chosen.best_routes(position(self, entity), fixed=routes_of(fixed), limits=limits)

    def offered_actions(self) -> set[str]:
        """Types of action that whoever is on turn may take now."""
        step, entity = self.active_step, self.active_entity
        return set(step.actions(entity)) if step is not None and entity is not None else set()

    def legal_actions(self) -> list[Choice]:
        """Everything that may be done now, undo, programs and messages left out."""
        from engine.listing import legal_choices

        return legal_choices(self)

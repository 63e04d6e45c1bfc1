"""`rheingold.v1.GameEngine`: games over gRPC, in the public format of 18xx.games.

The optimizer's server knows nothing of the engine: `rheingold serve` hands it `plugin`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, TypeVar

from google.protobuf.message import Message
from rheingold.v1 import game_service_pb2 as pb

from engine.actions import write_action
from engine.core.corporation import Corporation
from engine.errors import GameError, GameFileError, RuleError
from engine.errors import IllegalActionError as RefusedError
from engine.game import Game
from engine.game_store import BusyGameError, GameStore, KeptGame, UnknownHandleError, replay
from engine.legal import Choice, census
from engine.listing import legal_choices
from engine.liveness import live_flags
from engine.operating import position, run_action
from engine.replay import save_game, start_game
from engine.service_requests import MAX_ACTIONS, file_fault, new_game_file, parse_all, recorded_file
from engine.trace import snapshot
from optimizer.model.data import Fault
from optimizer.service.admission import Waiter
from optimizer.service.call import Call
from optimizer.service.config import ConfigError
from optimizer.service.convert.request import limits_from, routes_from
from optimizer.service.convert.solution import solution_message
from optimizer.service.decode import decoder
from optimizer.service.errors import (
    BadRequestError,
    CancelledCallError,
    GameConflictError,
    IllegalActionError,
    QueueFullError,
    UnknownGameError,
)
from optimizer.service.handlers import Registration, Runtime, unary

SERVICE = pb.DESCRIPTOR.services_by_name["GameEngine"].full_name

# So many are carried out at once; more wait their turn as searches do.
FEW_ACTIONS = 20

# The recorded games of people have at most 0.3 MB; talk, undos and redos could fill the memory.
MAX_GAME_BYTES = 8 << 20

M = TypeVar("M", bound=Message)


def plugin(runtime: Runtime) -> Registration:
    """The service, for the optimizer's server."""
    return GameEngine(runtime).registration()


class GameEngine:
    """The methods, over one store of games."""

    def __init__(self, runtime: Runtime) -> None:
        config = runtime.config
        self._runtime = runtime
        self._solver = runtime.solver
        try:
            self._store = GameStore(
                config.games_folder, config.max_games, config.game_idle_seconds, config.queue
            )
        except OSError as error:
            raise ConfigError(f"--games-folder: {config.games_folder}: {error.strerror}") from error

    def registration(self) -> Registration:
        """The service for the server."""
        return Registration(
            SERVICE,
            {
                "CreateGame": self._method("CreateGame", pb.CreateGameRequest, self._create),
                "LoadGame": self._method("LoadGame", pb.LoadGameRequest, self._load),
                "ApplyActions": self._method("ApplyActions", pb.ApplyActionsRequest, self._apply),
                "UndoActions": self._method("UndoActions", pb.UndoActionsRequest, self._undo),
                "ListLegalActions": self._method("ListLegalActions", pb.ListLegalActionsRequest, self._list),
                "GetState": self._method("GetState", pb.GetStateRequest, self._state),
                "BestRoutes": self._method("BestRoutes", pb.BestRoutesRequest, self._best),
                "ExportGame": self._method("ExportGame", pb.ExportGameRequest, self._export),
                "CloseGame": self._method("CloseGame", pb.CloseGameRequest, self._close),
            },
        )

    def _method(self, name: str, kind: type[M], action: Callable[[M, Call], Message]) -> Any:
        document = "game_json" if name == "LoadGame" else ""

        def guarded(request: M, call: Call) -> Message:
            try:
                return action(request, call)
            except UnknownHandleError as error:
                raise UnknownGameError(f"there is no game {error.args[0][:40]!r} (any more)") from error
            except BusyGameError as error:
                if call.ended:
                    raise CancelledCallError("the call was cancelled") from error
                raise QueueFullError(1.0) from error
            except GameFileError as error:
                raise BadRequestError([file_fault(error, document)]) from error
            except GameError as error:
                raise IllegalActionError(str(error)) from error

        return unary(self._runtime, name, decoder(kind), guarded)

    @contextmanager
    def _working(self, call: Call, long: bool = True) -> Iterator[None]:
        """Holds one of the server's slots for what takes long, as a search does."""
        if not long:
            yield
            return
        waiter = Waiter()
        call.on_end(waiter.cancel)
        try:
            with self._solver.admission.slot(waiter, call.deadline):
                yield
        finally:
            call.forget(waiter.cancel)

    def _open(self, handle: str, call: Call) -> AbstractContextManager[KeptGame]:
        """The game for the length of a `with` block; the client waits for others as long as it is there."""
        return self._store.open(handle, lambda: not call.ended)

    def _create(self, request: pb.CreateGameRequest, call: Call) -> pb.CreateGameResponse:
        file = new_game_file(request, call.request_id)
        kept = self._store.add(start_game(file))
        return pb.CreateGameResponse(status=_status(kept))

    def _load(self, request: pb.LoadGameRequest, call: Call) -> pb.LoadGameResponse:
        file = recorded_file(request)
        with self._working(call):
            kept = self._store.add(replay(file), len(request.game_json))
        return pb.LoadGameResponse(status=_status(kept))

    def _apply(self, request: pb.ApplyActionsRequest, call: Call) -> pb.ApplyActionsResponse:
        if not 1 <= len(request.actions_json) <= MAX_ACTIONS:
            raise BadRequestError([Fault("actions_json", f"must be 1 to {MAX_ACTIONS} actions")])
        actions = parse_all(request.actions_json, "actions_json")
        size = sum(map(len, request.actions_json))
        with self._open(request.game_id, call) as kept, self._working(call, len(actions) > FEW_ACTIONS):
            now = _count(kept.game)
            if request.HasField("expected_actions") and request.expected_actions != now:
                raise GameConflictError(f"{now} actions count in the game, not {request.expected_actions}")
            _check_room(kept, len(actions), size)
            for number, action in enumerate(actions):
                try:
                    kept.game.apply(action)
                except GameFileError as error:
                    kept.restore()
                    raise BadRequestError([Fault(f"actions_json[{number}]", str(error))]) from error
                except Exception as error:
                    # A single refused action leaves the game as it was; what else happened may not.
                    if number or not isinstance(error, GameError):
                        kept.restore()
                    raise
            kept.changed = True
            kept.size += size
            return pb.ApplyActionsResponse(status=_status(kept))

    def _undo(self, request: pb.UndoActionsRequest, call: Call) -> pb.UndoActionsResponse:
        count = request.count or 1
        with self._open(request.game_id, call) as kept, self._working(call, count > FEW_ACTIONS):
            if not 1 <= count <= max(1, _count(kept.game)):
                raise BadRequestError([Fault("count", f"must be 1 to {_count(kept.game)}, not {count}")])
            _check_room(kept, count)
            for number in range(count):
                try:
                    kept.game.undo()
                except RefusedError:
                    if number:
                        kept.restore()
                    raise
            kept.changed = True
            return pb.UndoActionsResponse(status=_status(kept))

    def _list(self, request: pb.ListLegalActionsRequest, call: Call) -> pb.ListLegalActionsResponse:
        with self._open(request.game_id, call) as kept, self._working(call):
            choices = legal_choices(kept.game)
            return pb.ListLegalActionsResponse(
                status=_status(kept),
                legal_json=json.dumps(census(choices)),
                choices=[_choice(choice) for choice in choices],
            )

    def _state(self, request: pb.GetStateRequest, call: Call) -> pb.GetStateResponse:
        with self._open(request.game_id, call) as kept:
            return pb.GetStateResponse(status=_status(kept), state_json=json.dumps(snapshot(kept.game)))

    def _best(self, request: pb.BestRoutesRequest, call: Call) -> pb.BestRoutesResponse:
        config = self._runtime.config
        faults: list[Fault] = []
        limits = limits_from(request.limits, config, faults)
        fixed = routes_from(request.fixed, config.max_trains, faults, "fixed")
        if faults:
            raise BadRequestError(faults)
        with self._open(request.game_id, call) as kept:
            entity = kept.game.active_entity
            if not isinstance(entity, Corporation) or "run_routes" not in kept.game.offered_actions():
                raise RuleError("nobody is to run trains now")
            asked, status = position(kept.game, entity), _status(kept)
        # The game is free again while the search runs.
        solution = self._solver.best(asked, limits, fixed, call)
        return pb.BestRoutesResponse(
            status=status,
            solution=solution_message(solution, asked.company),
            action_json=json.dumps(write_action(run_action(entity, solution))),
        )

    def _export(self, request: pb.ExportGameRequest, call: Call) -> pb.ExportGameResponse:
        with self._open(request.game_id, call) as kept:
            return pb.ExportGameResponse(game_json=json.dumps(save_game(kept.game)))

    def _close(self, request: pb.CloseGameRequest, call: Call) -> pb.CloseGameResponse:
        self._store.remove(request.game_id, lambda: not call.ended)
        return pb.CloseGameResponse()


def _count(game: Game) -> int:
    return sum(live_flags(game.log))


def _check_room(kept: KeptGame, actions: int, size: int = 0) -> None:
    """Raises IllegalActionError if the game would have more actions than LoadGame takes, or be too large."""
    have = len(kept.game.log)
    if have + actions > MAX_ACTIONS:
        raise IllegalActionError(f"a game has at most {MAX_ACTIONS} actions, undos included; it has {have}")
    if kept.size + size > MAX_GAME_BYTES:
        raise IllegalActionError(f"a game takes at most {MAX_GAME_BYTES} bytes; it has about {kept.size}")


def _status(kept: KeptGame) -> pb.GameStatus:
    game = kept.game
    entity = game.active_entity
    return pb.GameStatus(
        game_id=kept.handle,
        title=game.title.name,
        actions=_count(game),
        round=f"{game.round.short_name} {game.turn}.{game.round.number}",
        active=[str(entity.id)] if entity is not None else [],
        phase=game.phase.name,
        finished=game.finished,
        switches={name: game.title.reading(name) for name in game.title.switches},
    )


def _choice(choice: Choice) -> pb.LegalChoice:
    return pb.LegalChoice(
        kind=choice.kind,
        action_json=json.dumps(write_action(choice.action)),
        highest_price=choice.highest,
        price_step=choice.increment,
    )

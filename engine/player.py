"""A player who chooses at random among the legal actions: a test, a demo, and a source of positions."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.actions import Action, Bid
from engine.core.corporation import Corporation
from engine.errors import GameError
from engine.game import Game
from engine.legal import Choice
from engine.operating import run_action
from engine.planner import LocalPlanner, RoutePlanner
from engine.replay import start_game
from engine.rng import seating
from optimizer.solution import Limits

# How likely each kind of action is tried before passing; what is not named has weight 1.
WEIGHTS = {
    "pass": 0.35,
    "par": 4.0,
    "buy_shares": 5.0,
    "sell_shares": 0.2,
    "buy_train": 6.0,
    "buy_company": 0.3,
    "merge": 1.5,
    "convert": 1.5,
    "bankrupt": 1.0,
    "discard_train": 1.0,
    "bid": 1.0,
    "take_loan": 0.3,
    "dividend": 1.0,
}
HIGHEST_BID = 3  # times the face value
ROUTE_LIMITS = Limits(nodes=20_000)


class RandomPlayer:
    """Plays a game to its end by `seed`. Kinds of action are drawn by weight, then one of that kind.

    `weights` replaces single ones of the title's and of `WEIGHTS`; a key `kind:item` weighs one choice of a
    kind (`dividend:withhold`). Routes are the best ones found within a small limit of search, so that games
    move on.
    """

    def __init__(
        self, seed: int, planner: RoutePlanner | None = None, weights: Mapping[str, float] | None = None
    ) -> None:
        self.source = random.Random(seed)
        self.weights = dict(weights or {})
        self.planner = planner if planner is not None else LocalPlanner()

    def choose(self, game: Game) -> Action:
        """One legal action of whoever is on turn; raises GameError if there is none."""
        choices = game.legal_actions()
        if not choices:
            raise GameError("nobody can do anything, but the game is not over")
        choices = [choice for choice in choices if not is_overbid(game, choice)] or choices
        kinds = list(dict.fromkeys(choice.kind for choice in choices))
        weights = [self.weight(game, kind, 1.0) for kind in kinds]
        kind = self.source.choices(kinds, weights)[0]
        choice = self.one_of(game, [choice for choice in choices if choice.kind == kind])
        if kind == "run_routes":
            return self.routes(game, choice)
        return self.low_price(choice) if kind == "bid" else choice.pick(self.source)

    def weight(self, game: Game, key: str, default: float) -> float:
        """The weight of a kind or of a choice: his own, the title's, the usual one."""
        for table in (self.weights, game.title.random_weights, WEIGHTS):
            if key in table:
                return table[key]
        return default

    def one_of(self, game: Game, pool: list[Choice]) -> Choice:
        """One of the choices of a kind, by the weights of their items."""
        weights = [self.weight(game, f"{choice.kind}:{choice.item}", 1.0) for choice in pool]
        if len(set(weights)) == 1:
            return self.source.choice(pool)
        return self.source.choices(pool, weights)[0]

    def low_price(self, choice: Choice) -> Action:
        """Bids stay near the minimum, or nobody would have money left for companies."""
        if choice.highest is None:
            return choice.action
        lowest: int = getattr(choice.action, "price")  # noqa: B009
        most = min(choice.highest, lowest + 8 * choice.increment)
        steps = (most - lowest) // choice.increment
        price = lowest + choice.increment * min(self.source.randint(0, steps), self.source.randint(0, steps))
        return next(action for action in choice.actions() if getattr(action, "price") == price)  # noqa: B009

    def routes(self, game: Game, choice: Choice) -> Action:
        """The best routes found within the limit."""
        corporation = game.active_entity
        assert isinstance(corporation, Corporation)
        solution = game.best_routes(self.planner, limits=ROUTE_LIMITS)
        return run_action(corporation, solution)

    def play(self, game: Game, most: int = 20_000, after: Callable[[Game], None] | None = None) -> None:
        """Plays until the game is over; `after` is called after every action."""
        for _ in range(most):
            if game.finished:
                return
            game.apply(self.choose(game))
            if after is not None:
                after(game)
        raise GameError(f"the game is not over after {most} actions")


def is_overbid(game: Game, choice: Choice) -> bool:
    """A bid far above the face value of a private company.

    Without this limit a player may put his income into one bid for ever, and the auction never ends.
    """
    action = choice.action
    if not isinstance(action, Bid) or action.company is None:
        return False
    return action.price > HIGHEST_BID * game.company(action.company).value


def new_file(
    title: str,
    players: int,
    seed: int,
    optional_rules: Sequence[str] = (),
    switches: Mapping[str, str] | None = None,
    *,
    shuffle: bool = False,
) -> dict[str, Any]:
    """A new game file with players numbered from 1.

    `switches`: documented readings of rules by name. `shuffle`: seat the players as the site would by the
    seed.
    """
    settings: dict[str, Any] = {"seed": seed, "optional_rules": list(optional_rules)}
    if switches:
        settings["switches"] = dict(switches)
    ids = list(range(1, players + 1))
    order = seating(ids, settings) if shuffle else ids
    return {
        "id": seed,
        "title": title,
        "players": [{"id": number, "name": f"Player {number}"} for number in order],
        "settings": settings,
        "actions": [],
    }


def new_game(
    title: str,
    players: int,
    seed: int,
    optional_rules: Sequence[str] = (),
    switches: Mapping[str, str] | None = None,
    *,
    shuffle: bool = False,
) -> Game:
    """A new game before its first action (see `new_file`)."""
    return start_game(new_file(title, players, seed, optional_rules, switches, shuffle=shuffle))

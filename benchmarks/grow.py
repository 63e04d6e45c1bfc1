"""Grow hard positions: a map full of late track, many stations, long trains.

    python -m benchmarks.grow --title 1856 --seed 3 --trains D D D

The map grows as in play, but without players: on a game's board tiles are laid and replaced, colour by
colour, from the title's stock and by its rules, each where it joins most of the track around it, until
nothing more fits. Then stations are placed at random. The same arguments give the same position.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from engine.board.face import Face, face
from engine.board.hexes import City, Hex, Piece
from engine.core.corporation import Corporation, Token
from engine.errors import GameError
from engine.game import Game
from engine.operating import position_data
from engine.player import new_game
from engine.title import TITLES
from optimizer.model.data import PositionData, TrainData
from optimizer.model.json_io import write_position

PLAYERS = 4
JOINED, OPEN, CUT, SPURNED = 3.0, 0.6, -2.0, -1.0  # what an exit is worth, by what lies across the side
NOISE = 1.5


@dataclass(frozen=True)
class Recipe:
    """What to grow. ``phase`` and ``company`` are chosen where not given; ``stations``: of the company;
    ``crowd``: share of the other slots that other companies fill; ``steps``: tiles laid at most;
    ``plenty``: tiles never run out.
    """

    title: str
    seed: int
    trains: Sequence[str]
    phase: str = ""
    company: str = ""
    stations: int = 5
    crowd: float = 0.3
    steps: int = 1000
    plenty: bool = False
    optional_rules: Sequence[str] = field(default=())
    name: str = ""


def grow(recipe: Recipe) -> PositionData:
    """Return the position that the recipe gives. Raises ValueError or GameError for unknown names."""
    source = random.Random(f"{recipe.title}/{recipe.seed}")
    game = new_game(recipe.title, PLAYERS, recipe.seed, recipe.optional_rules)
    names = [phase.name for phase in game.phases]
    if recipe.phase and recipe.phase not in names:
        raise ValueError(f"{recipe.title} has no phase {recipe.phase!r}; it has {', '.join(names)}")
    game.phase_index = names.index(recipe.phase) if recipe.phase else len(names) - 1
    if recipe.plenty:
        for piece in game.board.stock:
            piece.unlimited = True
    _grow_map(game, source, recipe.steps)
    company = _company(game, recipe, source)
    _place_stations(game, company, recipe, source)
    data = position_data(game, company)
    data.id = recipe.name or f"grown-{recipe.title.lower()}-{recipe.seed}"
    data.trains = [TrainData(id=f"{name}-{number}", name=name) for number, name in enumerate(recipe.trains)]
    return data


def _grow_map(game: Game, source: random.Random, steps: int) -> None:
    left = steps
    for corporation in _corporations(game):
        game.board.forget(corporation)
    while left > 0:
        hexes = list(game.board.hexes.values())
        source.shuffle(hexes)
        before = left
        for hex_ in hexes:
            found = _best_lay(game, hex_, source) if left > 0 else None
            if found is not None:
                piece, rotation = found
                game.board.lay(hex_, piece, rotation)
                left -= 1
        if left == before:
            return


def _best_lay(game: Game, hex_: Hex, source: random.Random) -> tuple[Piece, int] | None:
    """Return the tile and rotation that join best, or None if nothing fits or joins anything."""
    best: tuple[float, Piece, int] | None = None
    for piece, rotation, new in _lays(game, hex_):
        score = _score(hex_, new) + NOISE * source.random()
        if best is None or score > best[0]:
            best = (score, piece, rotation)
    if best is None or best[0] <= 0:
        return None
    return best[1], best[2]


def _lays(game: Game, hex_: Hex) -> Iterator[tuple[Piece, int, Face]]:
    rules = game.title.track
    maker = game.corporations[0]
    for tile in rules.candidates(game, hex_):
        if not tile.exits or not rules.may_replace(game, hex_, tile, maker):
            continue
        piece = game.board.in_stock(tile.name)
        for rotation in range(6):
            new = face(tile, rotation)
            if piece is not None and rules.fits(game, hex_, new):
                yield piece, rotation, new


def _score(hex_: Hex, new: Face) -> float:
    """Judge a lay by the sides of the hex: exits that meet track, that may meet some, that are cut off."""
    score = 0.0
    for side, other in enumerate(hex_.passable):
        if other is None:
            continue
        met = (side + 3) % 6 in other.face.exits
        if side in new.exits:
            closed = bool(other.face.exits) and other.face.color in ("red", "gray", "brown")
            score += JOINED if met else CUT if closed else OPEN
        elif met:
            score += SPURNED
    if not any((side + 3) % 6 in other.face.exits for side, other in _across(hex_, new)) and not new.stops:
        return -1.0
    return score


def _across(hex_: Hex, new: Face) -> Iterator[tuple[int, Hex]]:
    for side in sorted(new.exits):
        other = hex_.passable[side]
        if other is not None:
            yield side, other


def _company(game: Game, recipe: Recipe, source: random.Random) -> Corporation:
    if recipe.company:
        return game.corporation(recipe.company)
    return source.choice([corporation for corporation in _corporations(game) if corporation.kind != "minor"])


def _corporations(game: Game) -> list[Corporation]:
    """Return all corporations, those that enter the game later too."""
    return [entity for entity in game.entities.values() if isinstance(entity, Corporation)]


def _place_stations(game: Game, company: Corporation, recipe: Recipe, source: random.Random) -> None:
    cities = [city for city in game.board.cities() if city.hex.face.groups[city.stop]]
    source.shuffle(cities)
    left = recipe.stations
    for city in cities:
        if left and _put(game, company, city):
            left -= 1
    others = [other for other in _corporations(game) if other is not company]
    for city in cities:
        for _ in city.slots:
            if source.random() < recipe.crowd:
                _put(game, source.choice(others), city)


def _put(game: Game, corporation: Corporation, city: City) -> bool:
    if not game.title.tokens.fits(game, city, corporation):
        return False
    game.board.put_token(Token(game.journal, corporation, 0), city)
    return True


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Grow hard positions, one JSON line each.")
    parser.add_argument("--title", required=True, choices=list(TITLES))
    parser.add_argument("--seed", type=int, nargs="+", default=[1], help="one position for each seed")
    parser.add_argument("--trains", nargs="+", required=True, metavar="NAME", help="names of the trains")
    parser.add_argument("--phase", default="", help="default: the last")
    parser.add_argument("--company", default="", help="who runs; default: drawn by the seed")
    parser.add_argument("--stations", type=int, default=5, help="of the company")
    parser.add_argument("--crowd", type=float, default=0.3, help="share of the other slots that is taken")
    parser.add_argument("--steps", type=int, default=1000, help="lay at most so many tiles")
    parser.add_argument("--plenty", action="store_true", help="never run out of tiles")
    parser.add_argument("--option", action="append", default=[], help="optional rule of the title")
    given = parser.parse_args()
    for seed in given.seed:
        recipe = Recipe(
            given.title, seed, given.trains, given.phase, given.company, given.stations, given.crowd,
            given.steps, given.plenty, given.option,
        )  # fmt: skip
        try:
            data = grow(recipe)
        except (ValueError, GameError) as error:
            sys.exit(f"error: {error}")
        print(json.dumps(write_position(data), ensure_ascii=False, separators=(",", ":")))


if __name__ == "__main__":
    main()

"""Small maps and titled positions written in a few characters, for tests.

A tile is written as in the rules' tile tables: its stops (``c20`` city, ``c20x2`` with two slots, ``t10``
town, ``o30`` off-board; ``@2`` on the rim at side 2, ``=G`` of group G), then its paths as pairs of ends:
digits are sides, ``A`` ``B`` ``C`` its stops, ``J`` a junction; ``!`` marks terminal track, ``~`` a ferry,
``n`` narrow and ``d`` dual track.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from optimizer.evaluate import Evaluation, evaluate
from optimizer.model.grid import Layout, neighbors_of
from optimizer.model.position import Board, HexState, Position, Route, Token, Train
from optimizer.model.rules import DistanceRow, RouteRules, TrainType
from optimizer.model.tile import STOP_KINDS, End, Path, Revenue, Stop, StopKind, Tile, Track
from optimizer.titles import load_position

_STOP = re.compile(r"([cto])(\d+)(?:x(\d))?(?:@(\w+))?(?:=(\w+))?\Z")
_KINDS: dict[str, StopKind] = {"c": "city", "t": "town", "o": "offboard"}


def tile(name: str, text: str) -> Tile:
    """Read a tile in the notation above."""
    stops: list[Stop] = []
    paths: list[Path] = []
    for word in text.split():
        match = _STOP.match(word)
        if match is None:
            marks = word[2:]
            track: Track = "narrow" if "n" in marks else "dual" if "d" in marks else "broad"
            paths.append(Path(_end(word[0]), _end(word[1]), "!" in marks, "~" in marks, track=track))
            continue
        letter, figure, slots, loc, group = match.groups()
        kind = _KINDS[letter]
        groups = (group,) if group else ()
        count = int(slots or 1) if kind == "city" else 0
        stops.append(Stop(kind, Revenue(int(figure)), count, groups, loc, len(stops)))
    return Tile(name, "yellow", tuple(stops), tuple(paths))


def _end(letter: str) -> End:
    if letter.isdigit():
        return End(side=int(letter))
    return End(junction=0) if letter == "J" else End(stop="ABC".index(letter))


def plain_train(distance: int, name: str = "") -> TrainType:
    """A train that visits and is paid for so many stops of any kind."""
    return TrainType(name or str(distance), (DistanceRow(STOP_KINDS, distance, distance),))


def small(
    tiles: Mapping[str, str],
    *trains: TrainType,
    tokens: str = "",
    rules: RouteRules | None = None,
    layout: Layout = "flat",
) -> Position:
    """Make a position of company ``A``; ``tokens`` as ``F2:A F4.1:B`` (hex, city if not 0, company)."""
    printed = {hex_id: tile(hex_id, text) for hex_id, text in tiles.items()}
    placed: dict[str, list[Token]] = {}
    for word in tokens.split():
        place, company = word.split(":")
        hex_id, _, city = place.partition(".")
        row = placed.setdefault(hex_id, [])
        slot = sum(token.city == int(city or 0) for token in row)
        row.append(Token(int(city or 0), slot, company))
    return Position(
        board=Board(repr(sorted(tiles.items())), layout, neighbors_of(printed, layout), printed),
        company="A",
        trains=tuple(Train(f"{t.name}-{i}", t) for i, t in enumerate(trains or (plain_train(3),))),
        colors=("yellow",),
        hexes=tuple((h, HexState(printed[h], 0, tuple(row))) for h, row in sorted(placed.items())),
        rules=rules or RouteRules(),
    )


def titled(
    title: str, phase: str, company: str, trains: str, tiles: str = "", tokens: str = "", **more: object
) -> Position:
    """Make a position of a title: tiles as ``F9=X922r0``, tokens as ``F9.1:DEE``, trains as ``2 2 3``."""
    hexes: dict[str, dict[str, object]] = {}
    for word in tiles.split():
        hex_id, laid = word.split("=")
        number, rotation = laid.rsplit("r", 1)
        hexes[hex_id] = {"tile": number, "rotation": int(rotation)}
    placed: dict[str, list[dict[str, object]]] = {}
    for word in tokens.split():
        place, owner = word.split(":")
        hex_id, _, city = place.partition(".")
        row = placed.setdefault(hex_id, [])
        slot = sum(token["city"] == int(city or 0) for token in row)
        row.append({"city": int(city or 0), "slot": slot, "company": owner})
    for hex_id, row in placed.items():
        hexes.setdefault(hex_id, {})["tokens"] = row
    names = trains.split()
    owned = [{"id": f"{name}-{names[:i].count(name)}", "name": name} for i, name in enumerate(names)]
    data = {"title": title, "phase": phase, "company": company, "trains": owned, "hexes": hexes, **more}
    return load_position(data)


def routes(*texts: str) -> list[Route]:
    """Write routes as ``2-0: H8-G7-G5 G5-E1``, with the stops after a bar if needed: ``| H8-0 E1-1``."""
    found = []
    for text in texts:
        train, rest = text.split(":")
        chains, _, stops = rest.partition("|")
        named = tuple((s.rsplit("-", 1)[0], int(s.rsplit("-", 1)[1])) for s in stops.split())
        found.append(Route(train.strip(), tuple(tuple(c.split("-")) for c in chains.split()), named))
    return found


def run(position: Position, *texts: str) -> Evaluation:
    """Evaluate routes written as for :func:`routes`."""
    return evaluate(position, routes(*texts))


def rules_broken(verdict: Evaluation) -> Sequence[str]:
    """Return the names of the broken rules, each once, sorted."""
    return sorted({fault.rule for fault in verdict.faults})

"""A whole picture: the map of a position, with routes and legend if there are any."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from optimizer.evaluation.report import Evaluation
from optimizer.model.position import Position
from optimizer.render import svg
from optimizer.render.borders import borders, partition
from optimizer.render.decor import writing
from optimizer.render.geometry import Point
from optimizer.render.legend import least_width, legend, verdict_words
from optimizer.render.options import Options, Symbols
from optimizer.render.parts import empty_stops, extra_slots, ground, tokens, track
from optimizer.render.placing import frame_of, place_hexes
from optimizer.render.routes import route_lines, stop_rings
from optimizer.render.style import style_sheet
from optimizer.render.trains import train_name
from optimizer.solution import Solution

_MARGIN = 8.0


@dataclass(frozen=True)
class Shown:
    """The routes of a picture and how they are to be spoken of."""

    evaluation: Evaluation
    heading: str
    bound: int | None = None
    proven: bool | None = None


@dataclass
class _Hexes:
    """The layers of the map, hex by hex, bottom to top."""

    ground: list[str] = field(default_factory=list)
    track: list[str] = field(default_factory=list)
    stops: list[str] = field(default_factory=list)
    writing: list[str] = field(default_factory=list)


def shown_routes(
    position: Position, solution: Solution | Evaluation | None, heading: str = ""
) -> Shown | None:
    """Return what a picture shows of a solution or of evaluated routes."""
    if solution is None:
        return None
    if isinstance(solution, Evaluation):
        title = heading or f"{position.company}: routes"
        legal = "" if solution.legal else ", not legal"
        return Shown(solution, f"{title} {solution.revenue}{legal}")
    if solution.breakdown is None:
        raise ValueError("the solution has no breakdown: draw evaluate(position, solution.routes) instead")
    title = heading or f"{position.company}: best routes"
    words = verdict_words(solution.revenue, solution.bound, solution.proven)
    return Shown(solution.breakdown, f"{title} {words}", solution.bound, solution.proven)


def touched_hexes(position: Position, evaluation: Evaluation | None) -> set[str]:
    """Return the hexes that routes pass, or those with the company's tokens where there are no routes."""
    touched: set[str] = set()
    for route in evaluation.routes if evaluation else ():
        touched |= {hex_id for hex_id, _ in route.paths}
        touched |= {hex_id for chain in route.connections for hex_id in chain}
        touched |= {stop.hex for stop in route.stops}
    if not touched:
        touched = {
            hex_id
            for hex_id, state in position.hexes
            if any(token.company == position.company for token in state.tokens)
        }
    return touched & set(position.board.printed)


def _with_neighbors(places: Mapping[str, Point], hexes: Iterable[str]) -> set[str]:
    """Return hexes and all that lie next to them, passable or not."""
    centers = [places[hex_id] for hex_id in hexes]
    return {hex_id for hex_id, at in places.items() if any((at - center).length < 190 for center in centers)}


def _fill(places: Mapping[str, Point], wanted: set[str]) -> set[str]:
    """Return a set of hexes without the holes in it: a hex with four neighbours in the set joins it."""
    filled = set(wanted)
    near = {
        hex_id: [other for other, to in places.items() if 0 < (to - at).length < 190]
        for hex_id, at in places.items()
        if hex_id not in filled
    }
    grown = True
    while grown:
        new = {h for h, others in near.items() if h not in filled and sum(o in filled for o in others) >= 4}
        filled |= new
        grown = bool(new)
    return filled


def _drawn_places(position: Position, shown: Shown | None, options: Options) -> dict[str, Point]:
    places = place_hexes(position.board)
    if not options.crop:
        return dict(places)
    core = set(options.crop_to) & set(places) or touched_hexes(position, shown.evaluation if shown else None)
    if not core:
        return dict(places)
    wanted = _fill(places, _with_neighbors(places, core))
    return {hex_id: at for hex_id, at in places.items() if hex_id in wanted}


def hex_markers(position: Position, hex_id: str) -> tuple[str, ...]:
    """Return the markers on a hex: those of its state, or the printed ones; and what was assigned to it."""
    state = position.by_hex.get(hex_id)
    if state is None:
        return tuple(icon.name for icon in position.board.printed[hex_id].icons)
    return (*state.markers, *state.assignments)


def _hex_parts(position: Position, hex_id: str, options: Options) -> tuple[str, str, str, str, str]:
    """Return ground, track, empty stops, writing and tokens of a hex around its centre."""
    layout = position.board.layout
    tile, rotation = position.tile_at(hex_id)
    placed = position.tokens_at(hex_id)
    extra = extra_slots(tile, placed)
    words = writing(
        tile,
        rotation,
        layout,
        hex_id,
        position.board.locations.get(hex_id, ""),
        position.colors if any(stop.revenue.by_color for stop in tile.stops) else (),
        hex_markers(position, hex_id),
        extra,
        options.coordinates,
        options.tile_numbers,
    )
    printed = position.board.printed.get(hex_id)
    base = ground(tile.color, layout) + (partition(printed, layout) if printed and printed.partitions else "")
    return (
        base,
        track(tile, rotation, layout),
        empty_stops(tile, rotation, layout, extra),
        words,
        tokens(tile, rotation, layout, placed, position.title, position.company),
    )


def _plain_layers(position: Position, places: Mapping[str, Point], options: Options) -> _Hexes:
    layers = _Hexes()
    for hex_id, at in places.items():
        base, rails, stops, words, discs = _hex_parts(position, hex_id, options)
        for name, layer, markup in (
            ("ground", layers.ground, base),
            ("track", layers.track, rails),
            ("stops", layers.stops, stops + discs),
            ("writing", layers.writing, words),
        ):
            identity = f"{options.prefix}{name}-{hex_id}"
            layer.append(svg.group([markup], id=identity, data_hex=hex_id, transform=svg.translate(at)))
    return layers


def _shared_layers(
    position: Position, places: Mapping[str, Point], options: Options, symbols: Symbols
) -> _Hexes:
    """As :func:`_plain_layers`, by references: to each hex's parts, and to the layers made of them.

    Two pictures of the same part of the map, such as what was run and what was best, share the layers.
    """
    layers = _Hexes()
    for hex_id, at in places.items():
        base, rails, stops, words, discs = _hex_parts(position, hex_id, options)
        for layer, markup in (
            (layers.ground, base + rails),
            (layers.stops, stops + words),
            (layers.writing, discs),
        ):
            if markup:
                layer.append(symbols.use(markup, at))
    return _Hexes(
        *(
            [symbols.use("".join(layer))] if layer else []
            for layer in (layers.ground, [], layers.stops, layers.writing)
        )
    )


def describe(position: Position, shown: Shown | None) -> tuple[str, str]:
    """Return a picture's title and its description in words, for people who cannot see it."""
    phase = f"phase {position.phase}" if position.phase else ""
    where = f"{position.title} {phase}".strip()
    if shown is None:
        return f"Map {where}".strip(), f"The map before {position.company} runs its trains."
    names = position.board.locations
    routes = [
        f"Train {train_name(position, route.train)} for {route.revenue}: "
        + ", ".join(f"{stop.hex} {names.get(stop.hex, '')}".strip() for stop in route.stops)
        for route in shown.evaluation.routes
    ]
    return f"{where} {shown.heading}".strip(), ". ".join(routes) + "." if routes else "No routes."


def _layer(name: str, parts: Iterable[str], options: Options) -> str:
    identity = None if options.symbols is not None else f"{options.prefix}{name}"
    return svg.group(parts, id=identity, class_=f"layer-{name}")


def _route_layer(position: Position, places: Mapping[str, Point], shown: Shown, options: Options) -> str:
    routes = shown.evaluation.routes
    rings = stop_rings(position, places, routes)
    lines = route_lines(position, places, routes)
    named = options.symbols is None
    parts = []
    # Rings of later routes lie outside those of earlier ones, so they are drawn first.
    for index in reversed(range(len(routes))):
        identity = f"{options.prefix}stops-of-{index}" if named else None
        parts.append(svg.group([rings[index]], id=identity, class_="rings", data_train=routes[index].train))
    for index, markup in enumerate(lines):
        identity = f"{options.prefix}route-{index}" if named else None
        parts.append(svg.group([markup], id=identity, class_="line", data_train=routes[index].train))
    return _layer("routes", parts, options)


def _map(position: Position, places: dict[str, Point], shown: Shown | None, options: Options) -> str:
    edges = borders(position.board, places)
    if options.symbols is None:
        hexes = _plain_layers(position, places, options)
    else:
        hexes = _shared_layers(position, places, options, options.symbols)
        edges = options.symbols.use(edges) if edges else ""
    layers = [
        _layer("ground", hexes.ground, options),
        _layer("borders", [edges], options),
        _layer("track", hexes.track, options),
        _route_layer(position, places, shown, options) if shown else "",
        _layer("stops", hexes.stops, options),
        _layer("writing", hexes.writing, options),
    ]
    return "".join(layers)


def render(
    position: Position, solution: Solution | Evaluation | None = None, options: Options | None = None
) -> str:
    """Return a picture of a position as SVG, with the routes of a solution or an evaluation on it.

    The same arguments give the same bytes. Layers and hexes are groups with stable ids: ``ground``,
    ``borders``, ``track``, ``routes``, ``stops``, ``writing``, ``legend``; in them ``track-F9``,
    ``route-0`` and so on, each after ``options.prefix``. Raises ValueError for a solution without a
    breakdown.
    """
    options = options or Options()
    shown = shown_routes(position, solution, options.heading)
    places = _drawn_places(position, shown, options)
    corner, size = frame_of(places.values(), _MARGIN)
    body = _map(position, places, shown, options)
    width, height = size.x, size.y
    if shown is not None and options.legend:
        unit = 1 / options.scale
        width = max(width, least_width(shown.evaluation, shown.heading, unit))
        markup, more = legend(position, shown.evaluation, shown.heading, width, unit)
        at = Point(corner.x, corner.y + height)
        identity = None if options.symbols is not None else f"{options.prefix}legend"
        body += svg.group([markup], id=identity, class_="layer-legend", transform=svg.translate(at))
        height += more
    return _document(position, shown, options, body, (corner, Point(width, height)))


def _document(
    position: Position, shown: Shown | None, options: Options, body: str, frame: tuple[Point, Point]
) -> str:
    corner, size = frame
    title, description = describe(position, shown)
    view = " ".join(svg.number(value) for value in (corner.x, corner.y, size.x, size.y))
    common: dict[str, str | float | None] = {
        "viewBox": view,
        "width": svg.number(size.x * options.scale),
        "height": svg.number(size.y * options.scale),
        "role": "img",
    }
    if options.symbols is not None:
        return svg.element("svg", body, class_="rheingold", aria_label=f"{title}. {description}", **common)
    names = (f"{options.prefix}title", f"{options.prefix}description")
    head = (
        svg.element("title", svg.escape(title), id=names[0])
        + svg.element("desc", svg.escape(description), id=names[1])
        + svg.element("style", style_sheet())
        + svg.element(
            "rect", class_="paper", **dict(zip(("x", "y", "width", "height"), view.split(" "), strict=True))
        )
    )
    return svg.element(
        "svg",
        head + body,
        xmlns="http://www.w3.org/2000/svg",
        class_="rheingold",
        aria_labelledby=" ".join(names),
        **common,
    )

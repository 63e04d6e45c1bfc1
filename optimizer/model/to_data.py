"""From a :class:`Position` back to the data it is written as."""

from __future__ import annotations

from collections.abc import Iterable

from optimizer.model.data import (
    BonusData,
    BonusLevelData,
    CounterData,
    CustomRuleData,
    DistanceRowData,
    DoublingData,
    EndData,
    FerryRuleData,
    HexBonusData,
    HexData,
    HexSetData,
    HexSideData,
    HexStopData,
    InlineHexData,
    InlineMapData,
    LaneData,
    PathData,
    PositionData,
    RouteRulesData,
    StopData,
    StopSetData,
    TileData,
    TokenData,
    TrainData,
    TrainRuleData,
)
from optimizer.model.position import HexState, Position, Token, Train
from optimizer.model.rules import Bonus, Counter, Doubling, RouteRules, TrainRule
from optimizer.model.tile import End, Path, Stop, Tile


def position_to_data(position: Position) -> PositionData:
    """Return the data of a position: resolving it gives an equal position.

    A titled position is written by its title's names alone, so its ``rules`` are left to the title; the
    rules of a position with its own map are written in full.
    """
    if position.title:
        return _titled(position)
    return PositionData(
        id=position.id,
        phase=position.phase,
        company=position.company,
        trains=[_train(train) for train in position.trains],
        inline=InlineMapData(
            layout=position.board.layout,
            phase_colors=list(position.colors),
            hexes={hex_id: _inline_hex(position, hex_id) for hex_id in position.board.printed},
            rules=None if position.rules == RouteRules() else rules_to_data(position.rules),
        ),
    )


def _titled(position: Position) -> PositionData:
    printed = position.board.printed
    return PositionData(
        id=position.id,
        title=position.title,
        optional_rules=list(position.optional_rules),
        phase=position.phase,
        company=position.company,
        company_kind=position.company_kind,
        privates=list(position.privates),
        hex_bonuses=[HexBonusData(name, list(hexes), amount) for name, hexes, amount in position.hex_bonuses],
        assignments=list(position.assignments),
        counters=dict(position.counters),
        switches=dict(position.switches),
        trains=[TrainData(train.id, train.name) for train in position.trains],
        hexes={hex_id: _hex(state, printed[hex_id]) for hex_id, state in position.hexes},
    )


def _hex(state: HexState, printed: Tile) -> HexData:
    return HexData(
        tile="" if state.tile is printed else state.tile.name,
        rotation=state.rotation,
        tokens=[_token(token) for token in state.tokens],
        markers=list(state.markers),
        assignments=list(state.assignments),
    )


def _token(token: Token) -> TokenData:
    kind = "neutral" if token.neutral else ""
    return TokenData(city=token.city, slot=token.slot, company=token.company, kind=kind)


def _train(train: Train) -> TrainData:
    kind = train.type
    return TrainData(
        id=train.id,
        name=kind.name,
        rows=[DistanceRowData(list(row.nodes), row.visit, row.pay, row.multiplier) for row in kind.rows],
        multiplier=kind.multiplier,
        requires_token=kind.requires_token,
        pay_total=kind.pay_total,
        pay_first=sorted(kind.pay_first),
        pay_needs_token=kind.pay_needs_token,
    )


def _inline_hex(position: Position, hex_id: str) -> InlineHexData:
    tile, rotation = position.tile_at(hex_id)
    own = tile.name == hex_id
    return InlineHexData(
        tile="" if own else tile.name,
        definition=tile_to_data(tile)
        if own and (tile.stops or tile.paths or tile.color != "white")
        else None,
        rotation=rotation,
        neighbors=dict(position.board.neighbors[hex_id]),
        tokens=[_token(token) for token in position.tokens_at(hex_id)],
    )


def tile_to_data(tile: Tile) -> TileData:
    """Return the definition of a tile (what matters for routes)."""
    return TileData(
        color=tile.color,
        stops=[_stop(stop) for stop in tile.stops],
        paths=[_path(path) for path in tile.paths],
        labels=list(tile.labels),
        impassable=[border.side for border in tile.borders if border.kind == "impassable"],
    )


def _stop(stop: Stop) -> StopData:
    return StopData(
        kind=stop.kind,
        revenue=stop.revenue.plain,
        revenue_by_color=dict(stop.revenue.by_color),
        slots=stop.slots if stop.kind == "city" else None,
        groups=list(stop.groups),
        loc=stop.loc or "",
        visit_cost=None if stop.visit_cost == 1 else stop.visit_cost,
    )


def _end(end: End) -> EndData:
    return EndData(*(None if value < 0 else value for value in (end.side, end.stop, end.junction)))


def _path(path: Path) -> PathData:
    lanes = [None if lane == (1, 0) else LaneData(*lane) for lane in (path.lane_a, path.lane_b)]
    track = "" if path.track == "broad" else path.track
    return PathData(_end(path.a), _end(path.b), path.terminal, path.ferry, lanes[0], lanes[1], track)


def rules_to_data(rules: RouteRules) -> RouteRulesData:
    """Return route rules as data."""
    ferry = rules.ferry
    return RouteRulesData(
        train_rules=[_train_rule(rule) for rule in rules.train_rules],
        counters=[_counter(counter) for counter in rules.counters],
        bonuses=[_bonus(bonus) for bonus in rules.bonuses],
        bonuses_need_pay=rules.bonuses_need_pay,
        same_hex_once=rules.same_hex_once,
        stop_sets_once=[
            StopSetData([HexStopData(hex_id, stop) for hex_id, stop in sorted(stops)])
            for stops in rules.stop_sets_once
        ],
        ferry=None if ferry is None else FerryRuleData(ferry.penalty, sorted(ferry.hexes), ferry.crossing),
        neutral_hexes=sorted(rules.neutral_hexes),
        exclusive=sorted(rules.exclusive),
        custom=[CustomRuleData(rule.name, dict(rule.parameters)) for rule in rules.custom],
    )


def _train_rule(rule: TrainRule) -> TrainRuleData:
    return TrainRuleData(
        trains=sorted(rule.trains),
        ends_not=sorted(rule.ends_not),
        some_end_in=sorted(rule.some_end_in),
        closed_hexes=sorted(rule.closed_hexes),
        no_end_hexes=sorted(rule.no_end_hexes),
        worthless_hexes=sorted(rule.worthless_hexes),
        at_most_one=[HexSetData(sorted(hexes)) for hexes in rule.at_most_one],
        ignored=sorted(rule.ignored),
        doublings=[_doubling(doubling) for doubling in rule.doublings],
    )


def _doubling(doubling: Doubling) -> DoublingData:
    one: Iterable[str]
    other: Iterable[str]
    one, other = doubling.opposite_ends or ((), ())
    return DoublingData(
        hexes=sorted(doubling.hexes),
        both_ends_in=sorted(doubling.both_ends_in),
        factor=doubling.factor,
        one_end_in=sorted(one),
        other_end_in=sorted(other),
        note=doubling.note,
    )


def _counter(counter: Counter) -> CounterData:
    entries = [HexSideData(hex_id, side) for hex_id, side in sorted(counter.entries)]
    return CounterData(counter.name, sorted(counter.hexes), entries)


def _bonus(bonus: Bonus) -> BonusData:
    return BonusData(
        name=bonus.name,
        levels=[BonusLevelData(dict(level.needs), level.amount, level.note) for level in bonus.levels],
        per=bonus.per or "",
        per_max=bonus.per_max,
        trains=sorted(bonus.trains),
        but_trains=sorted(bonus.but_trains),
        multiplied=bonus.multiplied,
        scope=bonus.scope,
    )

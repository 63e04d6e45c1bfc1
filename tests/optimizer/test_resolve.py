"""Positions checked and bound to their maps: every fault with its path."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

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
    HexSideData,
    HexStopData,
    InlineHexData,
    InlineMapData,
    LaneData,
    PathData,
    PositionData,
    PositionError,
    RouteRulesData,
    StopData,
    StopSetData,
    TileData,
    TokenData,
    TrainData,
    TrainRuleData,
)
from optimizer.model.read_limits import ReadLimits
from optimizer.model.rules import DistanceRow, RouteRules
from optimizer.titles import resolve


def titled(**fields: Any) -> PositionData:
    """A small sound position of 1861: Moscow and Kaluga, phase 3."""
    given: dict[str, Any] = {
        "title": "1861",
        "company": "MK",
        "phase": "3",
        "trains": [TrainData("3-0", "3"), TrainData("2-1", "2")],
        "hexes": {
            "H8": HexData("637", 1, [TokenData(city=0, company="MK"), TokenData(city=1, company="NW")]),
            "H10": HexData("14", 0, [TokenData(city=0, slot=1, company="MK")]),
        },
    }
    return PositionData(**{**given, **fields})


def faults(data: PositionData, limits: ReadLimits | None = None) -> dict[str, str]:
    """Resolve what cannot be resolved and return its faults by path."""
    with pytest.raises(PositionError) as caught:
        resolve(data, *([limits] if limits else []))
    found = {fault.path: fault.message for fault in caught.value.faults}
    assert len(found) == len(caught.value.faults)
    return found


def test_a_sound_position() -> None:
    position = resolve(titled(id="x"))
    tile, rotation = position.tile_at("H8")
    assert (tile.name, tile.color, rotation) == ("637", "green", 1)
    assert position.tile_at("E1")[0] is position.board.printed["E1"]
    assert [train.id for train in position.trains] == ["3-0", "2-1"]
    assert position.colors == ("yellow", "green")
    assert (position.title, position.company_kind, position.id) == ("1861", "major", "x")
    assert position.hexes == tuple(sorted(position.hexes))


@pytest.mark.parametrize(
    ("fields", "path", "words"),
    [
        ({"title": "1830"}, "title", "known are 1861, 1867, 1856, 18Rhl"),
        ({"title": ""}, "title", "missing"),
        ({"optional_rules": ["column_market", "fast"]}, "optional_rules[1]", "has no optional rule 'fast'"),
        ({"phase": "9"}, "phase", "has no phase '9'; it has 2, 3, 4, 5, 6, 7, 8"),
        ({"phase": ""}, "phase", "missing"),
        ({"company": "XX"}, "company", "has no company 'XX'"),
        ({"company_kind": "minor"}, "company_kind", "MK is a major, not 'minor'"),
        ({"privates": ["TSR", "NFB"]}, "privates[1]", "has no private 'NFB'"),
        ({"privates": ["TSR", "TSR"]}, "privates[1]", "named twice"),
        ({"assignments": ["GLSC"]}, "assignments[0]", "has no assignment"),
        ({"hex_bonuses": [HexBonusData("", ["Z9"], 10)]}, "hex_bonuses[0].hexes[0]", "has no hex 'Z9'"),
        ({"hex_bonuses": [HexBonusData("", ["H8"], -1)]}, "hex_bonuses[0].amount", "0 to 1000"),
        ({"hex_bonuses": [HexBonusData("", [], 10)]}, "hex_bonuses[0].hexes", "missing"),
        # A company owns each right once (1856 section 8.5).
        (
            {"hex_bonuses": [HexBonusData("", ["H8"], 10)] * 2},
            "hex_bonuses[1]",
            "same right as hex_bonuses[0]",
        ),
        ({"counters": {"eastern_ruhr_links": 1}}, "counters[eastern_ruhr_links]", "it has none"),
        ({"switches": {"trajekt": "engine"}}, "switches[trajekt]", "has no switch"),
    ],
)
def test_faulty_fields(fields: dict[str, Any], path: str, words: str) -> None:
    found = faults(titled(**fields))
    assert list(found) == [path]
    assert words in found[path]


@pytest.mark.parametrize(
    ("trains", "path", "words"),
    [
        ([TrainData("3-0", "3"), TrainData("3-0", "3")], "trains[1].id", "also the id of trains[0]"),
        ([TrainData("", "3")], "trains[0].id", "missing"),
        ([TrainData("9-0", "9")], "trains[0].name", "has no train '9'"),
        ([TrainData("x", "")], "trains[0].name", "missing"),
        # In phase 3 no 4-train was bought yet; 2+2 comes with phase 8 (1861 section 7.1).
        ([TrainData("4-0", "4")], "trains[0].name", "no 4-train before phase 4"),
        ([TrainData("2+2-0", "2+2")], "trains[0].name", "no 2+2-train before phase 8"),
        ([TrainData("3-0", "3", distance=9)], "trains[0]", "comes from the title"),
    ],
)
def test_faulty_trains(trains: list[TrainData], path: str, words: str) -> None:
    found = faults(titled(trains=trains))
    assert list(found) == [path]
    assert words in found[path]


def token(company: str = "NW", **place: Any) -> TokenData:
    """A station."""
    return TokenData(company=company, **place)


@pytest.mark.parametrize(
    ("hexes", "path", "words"),
    [
        ({"Z9": HexData()}, "hexes[Z9]", "1861 has no hex 'Z9'"),
        ({"H10": HexData("x57")}, "hexes[H10].tile", "has no tile 'x57'"),
        # Tile 124 is 1867's and 1856's.
        ({"H10": HexData("124")}, "hexes[H10].tile", "has no tile '124'"),
        # 611 is brown; phase 3 has yellow and green.
        ({"H10": HexData("611")}, "hexes[H10].tile", "is brown, but phase 3 has only yellow, green"),
        ({"H10": HexData("14", 7)}, "hexes[H10].rotation", "must be 0 to 5, not 7"),
        ({"H10": HexData("14", -1)}, "hexes[H10].rotation", "must be 0 to 5, not -1"),
        ({"H10": HexData("", 2)}, "hexes[H10].rotation", "must be 0 where no tile was laid"),
        ({"H10": HexData(assignments=["x"])}, "hexes[H10].assignments[0]", "has no assignment 'x'"),
        # Tile 14 has one city with two slots.
        ({"H10": HexData("14", 0, [token(city=0, slot=2)])}, "hexes[H10].tokens[0].slot", "has 2 slots"),
        ({"H10": HexData("14", 0, [token(city=1)])}, "hexes[H10].tokens[0].city", "there is no city 1"),
        ({"H10": HexData("14", 0, [token(stop=1)])}, "hexes[H10].tokens[0].stop", "is no city"),
        ({"H10": HexData("14", 0, [token()])}, "hexes[H10].tokens[0]", "one of the two"),
        ({"H10": HexData("14", 0, [token(city=0, stop=0)])}, "hexes[H10].tokens[0]", "one of the two"),
        ({"H10": HexData("14", 0, [token("XX", city=0)])}, "hexes[H10].tokens[0].company", "has no company"),
        (
            {"H10": HexData("14", 0, [token(city=0, kind="odd")])},
            "hexes[H10].tokens[0].kind",
            "normal or neutral",
        ),
        (
            {"H10": HexData("14", 0, [token(city=0, kind="neutral")])},
            "hexes[H10].tokens[0].kind",
            "only tokens",
        ),
        (
            {"H10": HexData("14", 0, [token("NW", city=0), token("SE", city=0)])},
            "hexes[H10].tokens[1].slot",
            "slot 0 of city 0 is taken by NW",
        ),
        (
            {"H10": HexData("14", 0, [token("NW", city=0), token("NW", city=0, slot=1)])},
            "hexes[H10].tokens[1].company",
            "NW has another token in city 0",
        ),
        # H12 of 1861 has no stop.
        ({"H12": HexData("9", 0, [token(city=0)])}, "hexes[H12].tokens[0].city", "has 0 cities"),
    ],
)
def test_faulty_hexes(hexes: dict[str, HexData], path: str, words: str) -> None:
    found = faults(titled(hexes=hexes))
    assert list(found) == [path]
    assert words in found[path]


def test_all_faults_are_reported_together() -> None:
    data = titled(
        phase="99",
        company="?",
        privates=["?"],
        trains=[TrainData("1", "?"), TrainData("1", "2")],
        hexes={"H10": HexData("14", 9, [token("?", city=5)]), "Z9": HexData()},
        switches={"?": "?"},
    )
    assert list(faults(data)) == [
        "phase",
        "company",
        "privates[0]",
        "switches[?]",
        "trains[0].name",
        "trains[1].id",
        "hexes[H10].rotation",
        "hexes[H10].tokens[0].city",
        "hexes[H10].tokens[0].company",
        "hexes[Z9]",
    ]


def test_a_tile_that_an_optional_rule_takes_away_or_brings() -> None:
    # 18rhl 17: promotion_tiles replaces 932 by 932V.
    for name, rules, known in [("932", [], True), ("932", ["promotion_tiles"], False), ("932V", [], False)]:
        data = PositionData(
            title="18Rhl", company="RhE", phase="8", optional_rules=rules, hexes={"F9": HexData(name)}
        )
        if known:
            assert resolve(data).tile_at("F9")[0].name == name
        else:
            assert "has no tile" in faults(data)["hexes[F9].tile"]


def test_the_orange_tile_comes_in_any_phase() -> None:
    # 18rhl 6.3: 935 is laid in phases 3 and 4; no phase has its colour.
    data = PositionData(title="18Rhl", company="RhE", phase="3", hexes={"E8": HexData("935", 1)})
    assert resolve(data).tile_at("E8")[0].color == "orange"


def test_marker_tokens_are_no_companies() -> None:
    hexes = {"C14": HexData(tokens=[token("S", city=0), token("K", city=1)])}
    assert resolve(PositionData(title="18Rhl", company="RhE", phase="3", hexes=hexes))
    assert "company" in faults(PositionData(title="18Rhl", company="K", phase="3"))


def test_limits_on_counts() -> None:
    limits = ReadLimits(hexes=1, trains=1, tokens_per_hex=1)
    assert list(faults(titled(), limits)) == ["hexes", "trains", "hexes[H8].tokens"]


def test_a_title_and_a_map_of_its_own_are_too_much() -> None:
    data = titled(inline=small_map())
    assert "not both" in faults(data)["title"]


# An inline map: a city A2 with track down to a red off-board A4 (side 0 is the bottom one).


def small_map(**fields: Any) -> InlineMapData:
    """A city on A2 joined to an off-board on A4."""
    city = TileData("yellow", [StopData("city", 20)], [PathData(EndData(edge=0), EndData(stop=0))])
    off = TileData(
        "red",
        [StopData("offboard", revenue_by_color={"yellow": 30, "brown": 50})],
        [PathData(EndData(edge=3), EndData(stop=0))],
    )
    given: dict[str, Any] = {
        "layout": "flat",
        "phase_colors": ["yellow"],
        "hexes": {
            "A2": InlineHexData(definition=city, tokens=[TokenData(stop=0, company="B&O")]),
            "A4": InlineHexData(definition=off),
        },
    }
    return InlineMapData(**{**given, **fields})


def inline(**fields: Any) -> PositionData:
    """A sound position on the small map with a 2-train."""
    given: dict[str, Any] = {
        "company": "B&O",
        "phase": "2",
        "trains": [TrainData("2-0", "2", distance=2)],
        "inline": small_map(),
    }
    return PositionData(**{**given, **fields})


def test_a_sound_inline_position() -> None:
    position = resolve(inline())
    assert position.board.neighbors == {"A2": {0: "A4"}, "A4": {3: "A2"}}
    (train,) = position.trains
    assert train.type.rows == (DistanceRow(("city", "town", "offboard"), 2, 2),)
    assert (position.rules, position.title) == (RouteRules(), "")
    assert [row.company for row in position.tokens_at("A2")] == ["B&O"]


def test_boards_are_equal_only_if_their_maps_are() -> None:
    turned = small_map()
    turned.hexes["A2"].definition.paths[0].a.edge = 5  # type: ignore[union-attr]
    assert resolve(inline()).board == resolve(inline()).board
    assert resolve(inline()).board != resolve(inline(inline=turned)).board


def test_neighbours_follow_from_coordinates_colours_and_walls() -> None:
    # B3 lies at side 5 of A2 and at side 4 of A4: red A4 has no exit there, so B3 does not reach it.
    wall = TileData("yellow", impassable=[2])  # turned by 1: side 3
    hexes = {**small_map().hexes, "B3": InlineHexData(), "A6": InlineHexData(definition=wall, rotation=1)}
    found = resolve(inline(inline=small_map(hexes=hexes))).board.neighbors
    assert found["A2"] == {0: "A4", 5: "B3"}
    assert found["A4"] == {0: "A6", 3: "A2", 4: "B3"}
    assert found["B3"] == {2: "A2"}
    assert found["A6"] == {}


def test_given_neighbours_hold_for_all_hexes() -> None:
    hexes = {**small_map().hexes, "B3": InlineHexData()}
    hexes["A2"].neighbors = {0: "A4"}
    found = resolve(inline(inline=small_map(hexes=hexes))).board.neighbors
    assert found == {"A2": {0: "A4"}, "A4": {}, "B3": {}}


def test_standard_tiles_on_an_inline_map() -> None:
    position = resolve(inline(inline=small_map(hexes={"B3": InlineHexData("57", rotation=1)})))
    tile, rotation = position.tile_at("B3")
    assert (tile.name, rotation, sorted(tile.exits)) == ("57", 1, [0, 3])


Change = Callable[[InlineMapData], Any]


def paths_of(data: InlineMapData) -> list[PathData]:
    """Return the paths of the city's tile."""
    definition = data.hexes["A2"].definition
    assert definition is not None
    return definition.paths


@pytest.mark.parametrize(
    ("change", "path", "words"),
    [
        (lambda m: setattr(m, "layout", "round"), "inline.layout", "flat or pointy"),
        (lambda m: m.phase_colors.clear(), "inline.phase_colors", "missing"),
        (lambda m: m.hexes.clear(), "inline.hexes", "missing"),
        (lambda m: m.hexes.update(aa2=InlineHexData()), "inline.hexes[aa2]", "not a hex coordinate"),
        (lambda m: setattr(m.hexes["A2"], "rotation", 6), "inline.hexes[A2].rotation", "0 to 5"),
        (lambda m: setattr(m.hexes["A2"], "tile", "57"), "inline.hexes[A2]", "not both"),
        (lambda m: m.hexes.update(B3=InlineHexData("X1")), "inline.hexes[B3].tile", "no standard tile"),
        (
            lambda m: setattr(m.hexes["A2"].definition, "color", ""),
            "inline.hexes[A2].definition.color",
            "missing",
        ),
        (
            lambda m: setattr(m.hexes["A2"].definition, "impassable", [0, 6]),
            "inline.hexes[A2].definition.impassable[1]",
            "0 to 5",
        ),
        (
            lambda m: setattr(paths_of(m)[0].b, "stop", 1),
            "inline.hexes[A2].definition.paths[0].b.stop",
            "0 to 0",
        ),
        (
            lambda m: setattr(paths_of(m)[0].b, "edge", 1),
            "inline.hexes[A2].definition.paths[0].b",
            "exactly one of",
        ),
        (
            lambda m: paths_of(m).append(PathData(EndData(edge=2), EndData(edge=2))),
            "inline.hexes[A2].definition.paths[1]",
            "its two ends are the same",
        ),
        (
            lambda m: setattr(paths_of(m)[0], "ferry", True),
            "inline.hexes[A2].definition.paths[0]",
            "joins two stops",
        ),
        (
            lambda m: setattr(paths_of(m)[0], "lane_a", LaneData(2, 2)),
            "inline.hexes[A2].definition.paths[0].lane_a",
            "index < width",
        ),
        (
            lambda m: setattr(m.hexes["A2"], "neighbors", {7: "A4"}),
            "inline.hexes[A2].neighbors[7]",
            "numbered 0 to 5",
        ),
        (
            lambda m: setattr(m.hexes["A2"], "neighbors", {0: "A6"}),
            "inline.hexes[A2].neighbors[0]",
            "not on the map",
        ),
        (
            lambda m: setattr(m.hexes["A2"], "neighbors", {0: "A2"}),
            "inline.hexes[A2].neighbors[0]",
            "no neighbour of itself",
        ),
        (
            lambda m: setattr(m.hexes["A2"].tokens[0], "stop", 1),
            "inline.hexes[A2].tokens[0].stop",
            "is no city",
        ),
        (
            lambda m: setattr(m.hexes["A2"].tokens[0], "slot", 1),
            "inline.hexes[A2].tokens[0].slot",
            "has 1 slot,",
        ),
        (
            lambda m: setattr(m.hexes["A2"].tokens[0], "company", ""),
            "inline.hexes[A2].tokens[0].company",
            "missing",
        ),
        (
            lambda m: setattr(m.hexes["A2"].tokens[0], "kind", "odd"),
            "inline.hexes[A2].tokens[0].kind",
            "normal or neutral",
        ),
    ],
)
def test_faulty_inline_maps(change: Change, path: str, words: str) -> None:
    data = small_map()
    change(data)
    found = faults(inline(inline=data))
    assert list(found) == [path]
    assert words in found[path]


def test_neighbours_that_contradict_each_other() -> None:
    data = small_map(hexes={**small_map().hexes, "B3": InlineHexData()})
    data.hexes["A2"].neighbors = {0: "A4"}
    data.hexes["A4"].neighbors = {3: "B3"}
    found = faults(inline(inline=data))
    assert found["inline.hexes[A2].neighbors[0]"] == "is A4, but across its side 3 A4 has B3"


@pytest.mark.parametrize(
    ("train", "path", "words"),
    [
        (TrainData("2-0", "2"), "trains[0]", "one of the two"),
        (TrainData("2-0", "2", distance=-1), "trains[0].distance", "must be 0 to"),
        (TrainData("2-0", "", distance=2), "trains[0].name", "missing"),
        (TrainData("2-0", "2", rows=[DistanceRowData(["city"], 2, -1)]), "trains[0].rows[0].pay", "0 to"),
        (
            TrainData("2-0", "2", rows=[DistanceRowData(["halt"], 2, 2)]),
            "trains[0].rows[0].nodes[0]",
            "one of",
        ),
        (TrainData("2-0", "2", rows=[DistanceRowData([], 2, 2)]), "trains[0].rows[0].nodes", "missing"),
        (TrainData("2-0", "2", distance=2, multiplier=0), "trains[0].multiplier", "1 to 100"),
        (TrainData("2-0", "2", distance=2, pay_total=-1), "trains[0].pay_total", "0 to"),
        (TrainData("2-0", "2", distance=2, pay_first=["x"]), "trains[0].pay_first[0]", "one of"),
    ],
)
def test_faulty_inline_trains(train: TrainData, path: str, words: str) -> None:
    found = faults(inline(trains=[train]))
    assert list(found) == [path]
    assert words in found[path]


def test_trains_of_one_name_are_of_one_kind() -> None:
    trains = [TrainData("a", "2", distance=2), TrainData("b", "2", distance=3)]
    assert "other rules" in faults(inline(trains=trains))["trains[1].name"]


def test_what_belongs_to_titles_has_no_meaning_on_an_inline_map() -> None:
    data = inline(privates=["X"], hexes={"A2": HexData()}, switches={"a": "b"})
    assert list(faults(data)) == ["privates", "switches", "hexes"]


def full_rules() -> RouteRulesData:
    """Every rule of the vocabulary once, on the small map."""
    return RouteRulesData(
        train_rules=[
            TrainRuleData(
                trains=["2"],
                ends_not=["town"],
                some_end_in=["A4"],
                closed_hexes=["A4"],
                no_end_hexes=["A2"],
                worthless_hexes=["A2"],
                ignored=["town"],
                doublings=[DoublingData(["A2"], ["A4"]), DoublingData(["A2"], [], 3, ["A2"], ["A4"], "x")],
            )
        ],
        counters=[CounterData("n", ["A2", "A4"], [HexSideData("A4", 3)])],
        bonuses=[BonusData("b", [BonusLevelData({"n": 1}, 10, "B")], "n", 2, ["2"], ["3"], True, "company")],
        bonuses_need_pay=False,
        same_hex_once=True,
        stop_sets_once=[StopSetData([HexStopData("A2", 0), HexStopData("A4", 0)])],
        ferry=FerryRuleData(10, ["A2"], "open_bank"),
        neutral_hexes=["A2"],
        exclusive=["stop", "hex", "group"],
    )


def test_the_whole_vocabulary_resolves() -> None:
    rules = resolve(inline(inline=small_map(rules=full_rules()))).rules
    rule = rules.for_train("2")
    assert (rule.ends_not, rule.some_end_in, rule.closed_hexes) == ({"town"}, {"A4"}, {"A4"})
    assert [(d.factor, d.both_ends_in, d.opposite_ends, d.note) for d in rule.doublings] == [
        (2, {"A4"}, None, ""),
        (3, frozenset(), ({"A2"}, {"A4"}), "x"),
    ]
    (bonus,) = rules.bonuses
    assert (bonus.per, bonus.per_max, bonus.multiplied, bonus.scope) == ("n", 2, True, "company")
    assert (bonus.applies_to("2"), bonus.applies_to("3"), bonus.applies_to("4")) == (True, False, False)
    assert rules.counters[0].entries == {("A4", 3)}
    assert rules.stop_sets_once == (frozenset({("A2", 0), ("A4", 0)}),)
    assert rules.ferry is not None
    assert (rules.ferry.penalty, rules.ferry.crossing) == (10, "open_bank")
    assert (rules.exclusive, rules.bonuses_need_pay) == ({"stop", "hex", "group"}, False)


RulesChange = Callable[[RouteRulesData], Any]


@pytest.mark.parametrize(
    ("change", "path", "words"),
    [
        (lambda r: r.neutral_hexes.append("Z9"), "neutral_hexes[1]", "not on the map"),
        (lambda r: r.exclusive.append("track"), "exclusive[3]", "must be one of stop, hex, group"),
        (lambda r: setattr(r.ferry, "crossing", "swim"), "ferry.crossing", "free, open_bank"),
        (lambda r: setattr(r.bonuses[0], "scope", "world"), "bonuses[0].scope", "route, company"),
        (lambda r: setattr(r.bonuses[0], "per", "m"), "bonuses[0].per", "there is no counter 'm'"),
        (lambda r: setattr(r.bonuses[0], "per_max", 0), "bonuses[0].per_max", "1 to"),
        (lambda r: r.bonuses[0].levels.clear(), "bonuses[0].levels", "missing"),
        (lambda r: r.bonuses[0].levels[0].needs.update(m=1), "bonuses[0].levels[0].needs[m]", "no counter"),
        (lambda r: r.bonuses[0].levels[0].needs.update(n=0), "bonuses[0].levels[0].needs[n]", "1 to"),
        (lambda r: setattr(r.bonuses[0].levels[0], "amount", -5), "bonuses[0].levels[0].amount", "0 to"),
        (lambda r: r.bonuses.append(r.bonuses[0]), "bonuses[1].name", "also the name of [0]"),
        (lambda r: setattr(r.bonuses[0], "name", ""), "bonuses[0].name", "missing"),
        (lambda r: setattr(r.counters[0].entries[0], "edge", 6), "counters[0].entries[0].edge", "0 to 5"),
        (lambda r: setattr(r.counters[0].entries[0], "hex", "Q"), "counters[0].entries[0].hex", "not on"),
        (
            lambda r: setattr(r.stop_sets_once[0].stops[0], "stop", 1),
            "stop_sets_once[0].stops[0].stop",
            "1 stop",
        ),
        (
            lambda r: r.train_rules.append(TrainRuleData(trains=[*r.train_rules[0].trains])),
            "train_rules[1].trains[0]",
            "is a rule for",
        ),
        (
            lambda r: r.train_rules.extend((TrainRuleData(), TrainRuleData())),
            "train_rules[2].trains",
            "for all other trains",
        ),
        (lambda r: r.train_rules[0].ends_not.append("halt"), "train_rules[0].ends_not[1]", "must be one of"),
        (
            lambda r: setattr(r.train_rules[0].doublings[0], "factor", 11),
            "train_rules[0].doublings[0].factor",
            "10",
        ),
        (
            lambda r: r.train_rules[0].doublings[1].one_end_in.clear(),
            "train_rules[0].doublings[1]",
            "together",
        ),
        (lambda r: r.custom.append(CustomRuleData("nobody")), "custom[0].name", "no custom rule is named"),
        (lambda r: r.custom.append(CustomRuleData("")), "custom[0].name", "missing"),
    ],
)
def test_faulty_rules(change: RulesChange, path: str, words: str) -> None:
    rules = full_rules()
    change(rules)
    found = faults(inline(inline=small_map(rules=rules)))
    assert list(found) == [f"inline.rules.{path}"]
    assert words in found[f"inline.rules.{path}"]


def test_company_bonuses_are_few() -> None:
    rules = full_rules()
    levels = [BonusLevelData({"n": 1}, 10)]
    rules.bonuses = [BonusData(f"b{i}", levels, scope="company") for i in range(9)]
    assert "at most 8" in faults(inline(inline=small_map(rules=rules)))["inline.rules.bonuses"]

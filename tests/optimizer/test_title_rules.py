"""Route rules that titles resolve for a company, phase and choice of rules."""

from __future__ import annotations

from typing import Any

import pytest

from optimizer.model.data import HexBonusData, HexData, PositionData, TokenData, TrainData
from optimizer.model.position import Position
from optimizer.model.rules import RouteRules
from optimizer.titles import TITLES, resolve


def position(title: str, company: str, phase: str, **fields: Any) -> Position:
    """Resolve a position of a title."""
    trains = [TrainData(f"{name}-0", name) for name in fields.pop("train_names", ())]
    return resolve(PositionData(title=title, company=company, phase=phase, trains=trains, **fields))


def rules(title: str, company: str, phase: str, **fields: Any) -> RouteRules:
    """Resolve a position of a title and return its rules."""
    return position(title, company, phase, **fields).rules


def bonus(found: RouteRules, name: str) -> Any:
    """Return a bonus by name."""
    return next(row for row in found.bonuses if row.name == name)


def counter(found: RouteRules, name: str) -> Any:
    """Return a counter by name."""
    return next(row for row in found.counters if row.name == name)


def station(company: str, city: int = 0, slot: int = 0) -> TokenData:
    """Return a station."""
    return TokenData(city=city, slot=slot, company=company)


class Test1861:
    """1861 section 11, 1867 section 22.9."""

    @pytest.mark.parametrize(
        # 11.5: n places, cities and off-boards first; of the 5+5E's five, off-boards first.
        ("name", "pay_total", "pay_first", "multiplier"),
        [
            ("2", 2, {"city", "offboard"}, 1),
            ("8", 8, {"city", "offboard"}, 1),
            ("2+2", 2, {"city", "offboard"}, 2),
            ("5+5E", 5, {"offboard"}, 2),
        ],
    )
    @pytest.mark.parametrize("title", ["1861", "1867"])
    def test_trains(
        self, title: str, name: str, pay_total: int, pay_first: set[str], multiplier: int
    ) -> None:
        company = {"1861": "MK", "1867": "CNR"}[title]
        train = position(title, company, "8", train_names=[name]).trains[0].type
        assert (train.pay_total, train.pay_first) == (pay_total, pay_first)
        assert (train.multiplier, train.pay_needs_token, train.requires_token) == (multiplier, True, True)

    def test_two_stops_of_one_hex_are_illegal(self) -> None:
        assert rules("1861", "N", "2").same_hex_once
        assert rules("1867", "CNR", "4").same_hex_once

    def test_capital_bonus(self) -> None:
        # 11.6: 40 times the factor if both H8 and Q3 are paid; 22.9: D2 and one of F16, L12, O7.
        for title, company, capitals, far in [
            ("1861", "N", {"H8"}, {"Q3"}),
            ("1867", "CNR", {"F16", "L12", "O7"}, {"D2"}),
        ]:
            found = rules(title, company, "4")
            capital = bonus(found, "capital")
            (level,) = capital.levels
            sets = [set(counter(found, name).hexes) for name, least in level.needs if least == 1]
            assert sorted(sets, key=len) == sorted((capitals, far), key=len)
            assert (level.amount, capital.multiplied, capital.per, capital.scope) == (40, True, None, "route")
        assert found.bonuses_need_pay

    def test_privates_pay_their_owner(self) -> None:
        # 5.4 and 11.6: MYR and MRR both +10 for H8, WVR +10 for any of the Poland hexes; never multiplied.
        found = rules("1861", "MK", "4", privates=["MRR", "WVR", "TSR", "MYR"])
        assert {row.name for row in found.bonuses} == {"capital", "MRR", "WVR", "MYR"}
        assert counter(found, "WVR").hexes == {"A9", "A11", "A13", "A15"}
        assert counter(found, "MYR").hexes == counter(found, "MRR").hexes == {"H8"}
        for name in ("MRR", "WVR", "MYR"):
            row = bonus(found, name)
            assert (row.levels[0].amount, row.per, row.multiplied) == (10, name, False)

    def test_privates_of_1867(self) -> None:
        found = rules("1867", "CNR", "4", privates=["C&SL", "NFB", "MB", "QB", "SCT"])
        hexes = {name: set(counter(found, name).hexes) for name in ("NFB", "MB", "QB", "SCT")}
        assert hexes == {"NFB": {"F18"}, "MB": {"L12"}, "QB": {"O7"}, "SCT": {"A19", "A17"}}

    def test_neutral_tokens_of_the_national(self) -> None:
        # 22.2: until the first 3-train in D2 and the third city of L12.
        neutral = TokenData(city=0, company="CN", kind="neutral")
        found = position("1867", "BO", "2", hexes={"D2": HexData(tokens=[neutral])})
        assert [token.neutral for token in found.tokens_at("D2")] == [True]


class Test1856:
    """1856 section 12."""

    def test_every_stop_counts_and_pays(self) -> None:
        train = position("1856", "BBG", "3", train_names=["3"]).trains[0].type
        (row,) = train.rows
        assert (set(row.nodes), row.visit, row.pay) == ({"city", "town", "offboard"}, 3, 3)
        assert train.pay_total is None
        assert rules("1856", "BBG", "3") == RouteRules()

    def test_diesel_has_no_limit_that_matters(self) -> None:
        (row,) = position("1856", "BBG", "D", train_names=["D"]).trains[0].type.rows
        assert row.visit > 100

    def test_port(self) -> None:
        # 12.6: +20 once a train if a stop lies in the marked hex, for the company with the marker only.
        marked = {"J17": HexData(assignments=["GLSC"])}
        found = rules("1856", "CV", "4", assignments=["GLSC"], hexes=marked)
        port = bonus(found, "port")
        assert counter(found, "port").hexes == {"J17"}
        assert (port.levels[0].amount, port.per) == (20, None)
        assert rules("1856", "BBG", "4", hexes=marked).bonuses == ()

    def test_bought_rights(self) -> None:
        # 12.6: tunnel B13 and bridge P17 or P19, +10 each.
        bought = [HexBonusData(hexes=["B13"], amount=10), HexBonusData(hexes=["P17", "P19"], amount=10)]
        found = rules("1856", "LPS", "5", hex_bonuses=bought)
        assert [(row.name, row.levels[0].amount) for row in found.bonuses] == [("tunnel", 10), ("bridge", 10)]
        assert counter(found, "bridge").hexes == {"P17", "P19"}

    def test_a_private_brings_its_right_once(self) -> None:
        # 8.5: whoever buys the private owns the right at once; it is not paid twice where both are given.
        alone = rules("1856", "LPS", "3", privates=["SCFTC"])
        assert [row.name for row in alone.bonuses] == ["tunnel"]
        both = rules(
            "1856", "LPS", "3", privates=["SCFTC"], hex_bonuses=[HexBonusData(hexes=["B13"], amount=10)]
        )
        assert both == alone


def rhl(company: str = "RhE", phase: str = "3", **fields: Any) -> RouteRules:
    """Return rules of 18Rhl."""
    return rules("18Rhl", company, phase, **fields)


class Test18Rhl:
    """18rhl sections 9.2, 15 and 19."""

    def test_regular_trains(self) -> None:
        # 15.2: towns are unlimited and free but no ends; one ER stop; not both L11 and L13.
        train = position("18Rhl", "RhE", "3", train_names=["3"]).trains[0].type
        assert [(set(row.nodes), row.visit) for row in train.rows] == [
            ({"city", "offboard"}, 3),
            ({"town"}, 99),
        ]
        assert not train.pay_needs_token
        rule = rhl().for_train("3")
        assert rule.ends_not == {"town"}
        assert set(rule.at_most_one) == {frozenset({"C14", "D15"}), frozenset({"L11", "L13"})}
        assert (rule.closed_hexes, rule.some_end_in, rule.ignored) == (frozenset(),) * 3

    def test_rheingold_express(self) -> None:
        # 15.2.7, 15.5: one end in an RGE hex; no other red hex, the town L9 included, J15 allowed;
        # towns ignored; metropolises doubled between two RGE hexes; the best eight pay.
        train = position("18Rhl", "RhE", "8", train_names=["8"]).trains[0].type
        assert [(set(row.nodes), row.visit, row.pay) for row in train.rows] == [
            ({"city", "offboard"}, 99, 8),
            ({"town"}, 99, 0),
        ]
        rule = rhl(phase="8").for_train("8")
        assert rule.some_end_in == {"A4", "A6", "L11", "L13"}
        assert rule.closed_hexes == {"A14", "B15", "C2", "C14", "D15", "E2", "G2", "J1", "L1", "L9"}
        assert (rule.ignored, rule.ends_not, rule.at_most_one) == ({"town"}, frozenset(), ())
        (doubling,) = rule.doublings
        assert doubling.hexes == {"D9", "F9", "I10"}
        assert (doubling.both_ends_in, doubling.factor) == ({"A4", "A6", "L11", "L13"}, 2)

    def test_out_tokened_off_boards(self) -> None:
        # 15.2.6b: no end in A14, B15 or C2 with a foreign station; E2, G2, J15 don't have this rule.
        hexes = {name: HexData(tokens=[station("ADR")]) for name in ("A14", "C2", "E2", "G2", "J15")}
        hexes["B15"] = HexData(tokens=[station("RhE")])
        assert rhl(hexes=hexes).for_train("3").no_end_hexes == {"A14", "C2"}
        assert rhl("ADR", hexes=hexes).for_train("3").no_end_hexes == {"B15"}
        assert rhl(hexes=hexes).for_train("8").no_end_hexes == frozenset()

    def test_out_token_zero(self) -> None:
        hexes = {"C2": HexData(tokens=[station("ADR")])}
        rule = rhl(hexes=hexes, switches={"out_token": "zero"}).for_train("3")
        assert (rule.no_end_hexes, rule.worthless_hexes) == (frozenset(), {"C2"})

    @pytest.mark.parametrize(("phase", "amount"), [("2", 20), ("4", 20), ("5", 40), ("8", 40)])
    def test_montan(self, phase: str, amount: int) -> None:
        # 15.4: 20 or, from phase 5, 40; twice that for two and two.
        montan = bonus(rhl(phase=phase), "Montan")
        assert [(dict(level.needs), level.amount) for level in montan.levels] == [
            ({"coal": 1, "steel": 1}, amount),
            ({"coal": 2, "steel": 2}, 2 * amount),
        ]
        assert not montan.applies_to("8")
        assert montan.applies_to("6")

    def test_coal_and_steel(self) -> None:
        # Printed markers: K on D7 and S on J15; the variable ones lie on the map. Entries by 15.4.
        hexes = {"J3": HexData(markers=["K"]), "D9": HexData(markers=["S"]), "D7": HexData(markers=["K"])}
        found = rhl(hexes=hexes)
        coal, steel = counter(found, "coal"), counter(found, "steel")
        assert (coal.hexes, coal.entries) == ({"D7", "J3"}, {("C14", 1), ("D15", 0)})
        assert (steel.hexes, steel.entries) == ({"J15", "D9"}, {("C14", 0), ("D15", 1)})

    def test_links_as_told_or_as_laid(self) -> None:
        # 14: links are the exits C12-4, D13-3, D13-4, E14-3. D13 with 202r4 (exits 0 and 2 before the
        # turn, so 4 and 0) opens one, E14 with 9r0 (0 and 3) another: example 11 pays 20 for both.
        hexes = {"D13": HexData("202", 4), "E14": HexData("9", 0)}
        links = bonus(rhl(hexes=hexes), "Eastern Ruhr")
        assert (links.levels[0].amount, dict(links.levels[0].needs)) == (20, {"eastern_ruhr": 1})
        told = rhl(hexes=hexes, counters={"eastern_ruhr_links": 4})
        assert bonus(told, "Eastern Ruhr").levels[0].amount == 40
        assert bonus(rhl(), "Eastern Ruhr").levels[0].amount == 0

    def test_iron_rhine(self) -> None:
        found = rhl()
        (level,) = bonus(found, "Iron Rhine").levels
        assert (level.amount, dict(level.needs)) == (80, {"roermond": 1, "eastern_ruhr": 1})
        assert counter(found, "roermond").hexes == {"G2"}

    def test_ratingen(self) -> None:
        # 15.4: +30 for E12 and steel, in the variant only; 19.8: 40 by the printed rules.
        assert "Ratingen" not in {row.name for row in rhl().bonuses}
        variant = {"optional_rules": ["ratingen_variant"]}
        (level,) = bonus(rhl(**variant), "Ratingen").levels
        assert (level.amount, dict(level.needs)) == (30, {"ratingen": 1, "steel": 1})
        (level,) = bonus(rhl(**variant, switches={"ratingen": "printed"}), "Ratingen").levels
        assert level.amount == 40

    def test_ferries(self) -> None:
        # 15.1: stops of one metropolis that follow each other are merged, whatever joins them; costs 10.
        ferry = rhl(hexes={"F9": HexData("X922")}).ferry
        assert ferry is not None
        assert (ferry.penalty, ferry.hexes, ferry.crossing) == (10, {"D9", "F9", "I10"}, "free")
        designer = rhl(switches={"trajekt": "designer"}).ferry
        assert designer is not None
        assert designer.crossing == "open_bank"

    @pytest.mark.parametrize(
        # 9.2: fewer than three stations: nobody blocks. Three: open to their companies only.
        ("stations", "company", "is_open"),
        [
            ([], "RhE", True),
            ([station("GVE"), station("DEE", 1)], "RhE", True),
            ([station("GVE"), station("DEE", 1), station("BME", 1, 1)], "RhE", False),
            ([station("GVE"), station("DEE", 1), station("BME", 1, 1)], "GVE", True),
        ],
    )
    def test_green_metropolises(self, stations: list[TokenData], company: str, is_open: bool) -> None:
        found = rhl(company, hexes={"F9": HexData("X922", tokens=stations)})
        assert found.neutral_hexes == ({"F9"} if is_open else frozenset())

    def test_yellow_metropolises_block_as_usual(self) -> None:
        assert rhl(hexes={"F9": HexData(tokens=[station("DEE", 1)])}).neutral_hexes == frozenset()

    def test_yellow_bank_once(self) -> None:
        # 19.2: D9 and F9 have their two circles east of the Rhine, I10 west of it (part 0 west: 13).
        chosen = {"yellow_bank_once": "yes"}
        expected = {
            frozenset({("D9", 1), ("D9", 2)}),
            frozenset({("F9", 1), ("F9", 2)}),
            frozenset({("I10", 0), ("I10", 1)}),
        }
        assert rhl().stop_sets_once == ()
        assert set(rhl(switches=chosen).stop_sets_once) == expected
        green = rhl(switches=chosen, hexes={"F9": HexData("X922")})
        assert {hex_id for row in green.stop_sets_once for hex_id, _ in row} == {"D9", "I10"}

    def test_hamburg_berlin_once(self) -> None:
        rule = rhl(switches={"hamburg_berlin_once": "yes"}).for_train("4")
        assert frozenset({"A14", "B15"}) in rule.at_most_one

    def test_doubling_north_to_south_only(self) -> None:
        (doubling,) = rhl(switches={"rge_double_north_south_only": "yes"}).for_train("8").doublings
        assert doubling.opposite_ends == ({"A4", "A6"}, {"L11", "L13"})
        assert doubling.both_ends_in == frozenset()

    def test_no_skipping(self) -> None:
        # 19.6: without skipping the RGE visits eight cities and off-boards at most.
        found = position("18Rhl", "RhE", "8", train_names=["8", "6"], switches={"rge_skip": "none"})
        express, six = (train.type for train in found.trains)
        assert [(row.visit, row.pay) for row in express.rows] == [(8, 8), (99, 0)]
        assert six == position("18Rhl", "RhE", "8", train_names=["6"]).trains[0].type


def test_every_switch_and_its_default_is_documented() -> None:
    for record in TITLES.values():
        for switch in record.switches.values():
            assert len(switch.values) >= 2
            assert switch.about


def test_a_default_given_is_no_switch() -> None:
    assert rhl(switches={"trajekt": "engine"}) == rhl()
    assert position("18Rhl", "RhE", "3", switches={"trajekt": "engine"}).switches == ()

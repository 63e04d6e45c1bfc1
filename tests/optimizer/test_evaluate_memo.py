"""What the evaluator keeps from one evaluation to the next, and its short way when all stops are paid."""

from __future__ import annotations

import dataclasses
import gc
import weakref

from hypothesis import given, settings
from hypothesis import strategies as st

from optimizer.evaluate import evaluate, priced_routes
from optimizer.evaluation.memo import by_identity
from optimizer.evaluation.pay import Payable, choose, pay_all
from optimizer.model.position import Route
from optimizer.model.rules import Bonus, BonusLevel, Counter, DistanceRow, RouteRules, TrainType
from tests.optimizer.test_pay import ROWS, STOPS, bonus_for
from tests.small_maps import plain_train, run, small

LINE = {"F2": "c20 0A", "F4": "t10 0A A3", "F6": "c30 0A A3"}
LIST = "4-0: F2-F4 F4-F6"


class Thing:
    """Something that can be asked whether it still lives."""


def test_answers_are_found_by_identity() -> None:
    asked: list[tuple[object, object]] = []

    @by_identity(8)
    def answer(one: tuple[int, ...], other: int) -> int:
        asked.append((one, other))
        return len(asked)

    first, equal = (1, *[2]), (1, *[2])
    assert [answer(first, 0), answer(first, 0), answer(equal, 0), answer(first, 1)] == [1, 1, 2, 3]
    assert len(asked) == 3


def test_few_answers_are_kept() -> None:
    @by_identity(3)
    def answer(one: Thing, other: int) -> int:
        return other

    things = [Thing() for _ in range(10)]
    living = [weakref.ref(thing) for thing in things]
    for number, thing in enumerate(things):
        assert answer(thing, number) == number
    del things, thing
    gc.collect()
    assert sum(ref() is not None for ref in living) <= 3


def test_a_changed_position_is_evaluated_afresh() -> None:
    position = small(LINE, plain_train(4), tokens="F2:A")
    routes = priced_routes(run(position, LIST))
    assert evaluate(position, routes).revenue == 60
    bonus = Bonus("far", (BonusLevel((("far", 1),), 100, "far"),))
    rules = RouteRules(counters=(Counter("far", frozenset(("F6",))),), bonuses=(bonus,))
    assert evaluate(position.replace(rules=rules), routes).revenue == 160
    assert evaluate(position.replace(rules=RouteRules(same_hex_once=True)), routes).revenue == 60
    (train,) = position.trains
    twice = dataclasses.replace(train, type=dataclasses.replace(train.type, multiplier=2))
    assert evaluate(position.replace(trains=(twice,)), routes).revenue == 120
    dearer = small({**LINE, "F4": "t40 0A A3"}, plain_train(4), tokens="F2:A")
    assert evaluate(dearer, routes).revenue == 90
    foreign = small(LINE, plain_train(4), tokens="F2:B")
    assert [fault.rule for fault in evaluate(foreign, routes).faults] == ["no_token"]


def test_a_route_that_breaks_off_at_a_junction_where_stops_are_linked_is_a_fault() -> None:
    position = small({"F2": "c20 t10 AB AB AJ"}, plain_train(4), tokens="F2:A")
    verdict = evaluate(position, [Route("4-0", (), (), paths=(("F2", 2),))])
    assert {fault.rule for fault in verdict.faults} == {"too_short", "not_joined"}
    assert verdict.routes[0].connections == (("F2",),)


@settings(max_examples=300, deadline=None)
@given(ROWS, STOPS, st.booleans(), st.one_of(st.none(), st.integers(0, 8)))
def test_what_all_stops_pay_is_what_the_choice_finds(
    rows: tuple[DistanceRow, ...], stops: list[Payable], needs_token: bool, total: int | None
) -> None:
    train = TrainType("x", rows, pay_needs_token=needs_token, pay_total=total)
    found = pay_all(train, stops, lambda selection: bonus_for(stops, selection))
    chosen = choose(train, stops, lambda selection: bonus_for(stops, selection))
    assert found is None or found == chosen
    assert found is not None or chosen is None or len(chosen.stops) < len(stops)

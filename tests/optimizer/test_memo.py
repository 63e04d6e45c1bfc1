"""What is kept of rules goes when the rules go."""

from __future__ import annotations

import gc

import pytest

from optimizer.evaluate import evaluate
from optimizer.evaluation import terms
from optimizer.model.memo import MOST_TRAINS, RulesMemo
from optimizer.model.rules import Counter, RouteRules, TrainType
from tests.small_maps import plain_train, small

TILES = {"F2": "c20 0A", "F4": "c30 3A"}


def test_answers_are_kept_by_identity_as_long_as_the_rules_are() -> None:
    asked: list[TrainType] = []

    def make(rules: RouteRules, train: TrainType) -> int:
        asked.append(train)
        return len(asked)

    memo = RulesMemo(make)
    rules, equal, train = RouteRules(), RouteRules(), plain_train(3)
    assert [memo(rules, train), memo(rules, train), memo(equal, train), memo(equal, train)] == [1, 1, 2, 2]
    assert memo(rules, plain_train(3)) == 3
    assert len(memo) == 2
    del equal
    assert len(memo) == 1
    del rules
    assert len(memo) == 0


def test_rules_with_the_identity_of_others_that_are_gone_are_not_taken_for_them() -> None:
    memo = RulesMemo(lambda rules, train: rules.counters[0].name)
    train = plain_train(2)
    assert [memo(RouteRules(counters=(Counter(str(n)),)), train) for n in range(500)] == list(
        map(str, range(500))
    )
    assert len(memo) == 0


def test_few_kinds_of_train_are_kept_for_each_rules() -> None:
    memo = RulesMemo(lambda rules, train: train.name)
    rules = RouteRules()
    trains = [plain_train(2, str(number)) for number in range(3 * MOST_TRAINS)]
    for _ in range(2):
        assert [memo(rules, train) for train in trains] == [train.name for train in trains]
    assert max(len(row) for _, row in memo._kept.values()) <= MOST_TRAINS


def test_nothing_is_left_of_positions_with_rules_of_their_own() -> None:
    pytest.importorskip("optimizer.native.fleet")
    from optimizer.graph.plan import plan_of
    from optimizer.solve import optimize

    gc.collect()
    before = len(plan_of), len(terms._worked_out)
    gc.disable()  # it must not take the collector to forget them
    try:
        for number in range(50):
            rules = RouteRules(counters=(Counter(f"c{number}", frozenset(("F4",))),))
            position = small(TILES, plain_train(2), tokens="F2:A", rules=rules)
            assert evaluate(position, optimize(position).routes).revenue == 50
            assert len(plan_of) == before[0] + 1
            del rules, position
    finally:
        gc.enable()
    assert (len(plan_of), len(terms._worked_out)) == before

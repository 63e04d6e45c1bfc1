"""Speed of replay, of listing legal actions and of the audit: processor time, best of several tries."""

from __future__ import annotations

import statistics
import time

import pytest

from engine import load_game, replay_actions, start_game
from engine.audit import runs
from tests.engine.conftest import recorded

pytestmark = [pytest.mark.cases, pytest.mark.full]

GAMES = ("1861-29683", "1861-bank-breaks-then-final-phase", "1867-21268", "1861-167259")


@pytest.mark.parametrize("name", GAMES)
def test_a_game_of_about_650_actions_replays_in_half_a_second(name: str) -> None:
    file = recorded(name)
    assert len(file["actions"]) > 650
    tries = []
    for _ in range(5):
        begin = time.process_time()
        load_game(file)
        tries.append(time.process_time() - begin)
    assert min(tries) < 0.5


def test_legal_actions_take_20_milliseconds_at_the_median_late_in_the_game() -> None:
    taken = []
    for name in GAMES:
        file = recorded(name)
        game = start_game(file)
        for number, _ in enumerate(replay_actions(game, file)):
            if game.phase_index >= 4 and number % 5 == 0:
                begin = time.process_time()
                game.legal_actions()
                taken.append(time.process_time() - begin)
    assert len(taken) > 100
    assert statistics.median(taken) < 0.02


def test_the_audit_of_a_whole_game_takes_5_seconds() -> None:
    begin = time.process_time()
    found = list(runs(recorded("1861-29683")))
    assert time.process_time() - begin < 5
    assert all(run.best.proven and run.missed >= 0 for run in found)

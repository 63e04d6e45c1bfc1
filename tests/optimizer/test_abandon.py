"""Searches that are stopped answer; searches that are abandoned do not."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

pytest.importorskip("optimizer.native.fleet")

from benchmarks.service_positions import hard
from optimizer import Abandoned, Limits, Position, StopFlag, optimize
from optimizer.model.read_limits import ReadLimits
from optimizer.service.positions import PositionReader


@pytest.fixture(scope="module")
def position() -> Position:
    """A position whose search takes far longer than any of these tests."""
    return PositionReader(ReadLimits()).read(hard())


def after(seconds: float, action: Callable[[], None]) -> threading.Timer:
    timer = threading.Timer(seconds, action)
    timer.start()
    return timer


def test_a_stopped_search_answers(position: Position) -> None:
    stop = StopFlag()
    after(0.2, stop.set)
    found = optimize(position, Limits(time=60), stop=stop)
    assert (found.limit, found.proven) == ("stopped", False)
    assert 0 < found.revenue <= found.bound
    assert stop.is_set()
    assert not stop.is_abandoned()


def test_an_abandoned_search_raises(position: Position) -> None:
    stop = StopFlag()
    after(0.2, stop.abandon)
    start = time.monotonic()
    with pytest.raises(Abandoned):
        optimize(position, Limits(time=60), stop=stop)
    assert time.monotonic() - start < 30  # it would search for 60 seconds
    assert stop.is_set()


def test_what_is_abandoned_before_it_begins_is_not_begun(position: Position) -> None:
    stop = StopFlag()
    stop.abandon()
    with pytest.raises(Abandoned):
        optimize(position, stop=stop)

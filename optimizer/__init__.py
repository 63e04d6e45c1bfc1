"""Proven best train routes for 18xx games.

``optimize`` loads the native search when it is first asked for; everything else is plain Python.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optimizer.evaluate import evaluate
from optimizer.evaluation.report import Evaluation
from optimizer.model.data import Fault, PositionError
from optimizer.model.position import Position, Route, Train
from optimizer.solution import Limits, RouteSet, Solution
from optimizer.titles import load_position, load_positions, loads

if TYPE_CHECKING:
    from optimizer.solve import Abandoned, CheckFailed, StopFlag, optimize

__all__ = [
    "Abandoned",
    "CheckFailed",
    "Evaluation",
    "Fault",
    "Limits",
    "Position",
    "PositionError",
    "Route",
    "RouteSet",
    "Solution",
    "StopFlag",
    "Train",
    "evaluate",
    "load_position",
    "load_positions",
    "loads",
    "optimize",
]

_NATIVE = ("Abandoned", "CheckFailed", "StopFlag", "optimize")


def __getattr__(name: str) -> Any:
    if name not in _NATIVE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from optimizer import solve

    return getattr(solve, name)

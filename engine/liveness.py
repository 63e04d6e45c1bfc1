"""Which entries of a recorded action list are live after its undos and redos (rules: common 2.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.errors import GameFileError


def live_flags(actions: Sequence[Mapping[str, Any]]) -> list[bool]:
    """One flag per entry: True where the entry is executed on replay.

    `undo` and `redo` entries themselves are never live; messages always are.
    """
    live = [False] * len(actions)
    standing: list[int] = []  # live entries that can be undone, oldest first
    undone: list[list[int]] = []
    positions: dict[int, int] = {}
    for position, action in enumerate(actions):
        kind = action.get("type")
        if kind == "undo":
            target = action.get("action_id")
            if target is not None and not isinstance(target, int):
                raise GameFileError(f"action {action.get('id')} (undo): no action has the id {target!r}")
            if target and not positions:
                numbered = [(entry.get("id"), index) for index, entry in enumerate(actions)]
                positions = {number: at for number, at in reversed(numbered) if isinstance(number, int)}
            group = _take(standing, target, positions, action)
            for index in group:
                live[index] = False
            undone.append(group)
        elif kind == "redo":
            if undone:
                group = undone.pop()
                for index in group:
                    live[index] = True
                standing += group
        else:
            live[position] = True
            if kind != "message":
                standing.append(position)
                undone.clear()
    return live


def _take(
    standing: list[int], target: int | None, positions: Mapping[int, int], action: Mapping[str, Any]
) -> list[int]:
    """Takes the entries that an undo undoes off the end of `standing`."""
    if target is None:
        return [standing.pop()] if standing else []
    first = -1
    if target != 0:
        if target not in positions:
            raise GameFileError(f"action {action.get('id')} (undo): no action has the id {target}")
        first = positions[target]
    keep = len(standing)
    while keep and standing[keep - 1] > first:
        keep -= 1
    group = standing[keep:]
    del standing[keep:]
    return group

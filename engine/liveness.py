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
    undone: list[list[int]] = []
    for position, action in enumerate(actions):
        kind = action.get("type")
        if kind == "undo":
            group = _undo_group(actions, live, position, action.get("action_id"))
            for index in group:
                live[index] = False
            undone.append(group)
        elif kind == "redo":
            if undone:
                for index in undone.pop():
                    live[index] = True
        else:
            live[position] = True
            if kind != "message":
                undone.clear()
    return live


def _undo_group(
    actions: Sequence[Mapping[str, Any]], live: list[bool], position: int, target: int | None
) -> list[int]:
    standing = [index for index in range(position) if live[index] and actions[index].get("type") != "message"]
    if target is None:
        return standing[-1:]
    if target == 0:
        return standing
    for index, action in enumerate(actions):
        if action.get("id") == target:
            return [other for other in standing if other > index]
    raise GameFileError(f"action {actions[position].get('id')} (undo): no action has the id {target}")

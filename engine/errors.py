"""Everything that can be wrong with a game file or an action."""

from __future__ import annotations

from typing import Any


class GameError(Exception):
    """Base of all errors of the rules engine. `str(error)` says what is wrong, where, and what would be
    right.
    """


class GameFileError(GameError):
    """The game file itself is broken: a field is missing, has the wrong type, or names something unknown."""


class ActionSyntaxError(GameFileError):
    """An action lacks a field, has a field of the wrong type, or has an unknown type."""


class UnknownNameError(GameFileError):
    """An action names an entity, hex, tile, city, train, share or price cell that this game does not have."""


class RuleError(GameError):
    """An action breaks a rule. Raised by steps; the game adds the action and the step."""


class IllegalActionError(GameError):
    """An action was refused; the game is as it was before it.

    Attributes: `action` (as JSON), `step` (name of the step that refused it, or None), `reason` (the broken
    rule).
    """

    def __init__(self, action: dict[str, Any], step: str | None, reason: str) -> None:
        self.action = action
        self.step = step
        self.reason = reason
        number = action.get("id")
        name = f"action {number}" if number is not None else "action"
        where = f" in step {step}" if step else ""
        who = f"{action.get('entity_type')} {action.get('entity')}"
        super().__init__(f"{name} ({action.get('type')} by {who}) refused{where}: {reason}")

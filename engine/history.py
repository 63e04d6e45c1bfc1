"""The list of actions of a game and how undo and redo walk it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.actions import Action, Redo, Undo, read_action, write_action
from engine.errors import IllegalActionError
from engine.liveness import live_flags

if TYPE_CHECKING:
    from engine.game import Game


class History:
    """`entries`: every action in public JSON. `marks`: (position of a live entry, journal mark before it)."""

    __slots__ = ("base", "entries", "marks")

    def __init__(self) -> None:
        self.entries: list[dict[str, Any]] = []
        self.marks: list[tuple[int, int]] = []
        self.base = 0  # entries before this cannot be undone here: the journal of a copy starts at the copy

    def copy(self) -> History:
        twin = History()
        twin.entries = list(self.entries)
        twin.base = len(self.entries)
        return twin

    def next_id(self) -> int:
        return int(self.entries[-1].get("id") or 0) + 1 if self.entries else 1

    def record(self, entry: dict[str, Any], mark: int) -> None:
        """Appends an executed action."""
        self.marks.append((len(self.entries), mark))
        self.entries.append(entry)

    def note(self, entry: dict[str, Any]) -> None:
        """Appends an entry that is not executed (dead ones of a file)."""
        self.entries.append(entry)

    def undo(self, game: Game, action: Undo) -> Action:
        """Takes back what the action names (common 2.2)."""
        if not any(self.entries[position].get("type") != "message" for position, _ in self.marks):
            raise IllegalActionError(write_action(action), None, "there is nothing to undo")
        return self._append(game, action)

    def redo(self, game: Game, action: Redo) -> Action:
        """Brings back what the last undo took away (common 2.2)."""
        return self._append(game, action)

    def _append(self, game: Game, action: Action) -> Action:
        if action.id is None:
            action.id = self.next_id()
        entries = [*self.entries, write_action(action)]
        flags = live_flags(entries)
        if self.base and flags[: self.base] != live_flags(self.entries)[: self.base]:
            raise IllegalActionError(entries[-1], None, "a copy cannot undo what came before the copy")
        done = {position for position, _ in self.marks}
        part = next((i for i in range(self.base, len(entries)) if flags[i] != (i in done)), None)
        if part is None:
            reason = (
                "nothing to redo" if isinstance(action, Redo) else "nothing that this copy of a game can undo"
            )
            raise IllegalActionError(entries[-1], None, f"there is {reason}")
        self._follow(game, entries, flags, part)
        return action

    def _follow(self, game: Game, entries: list[dict[str, Any]], flags: list[bool], part: int) -> None:
        """Brings the state in line with the live entries: back to where they part, then forward."""
        keep = next((k for k, (position, _) in enumerate(self.marks) if position >= part), len(self.marks))
        if keep < len(self.marks):
            game.journal.rollback(self.marks[keep][1])
            del self.marks[keep:]
        self.entries = entries
        for position in range(part, len(entries)):
            if flags[position]:
                mark = game.journal.mark()
                game.execute_recorded(read_action(entries[position]))
                self.marks.append((position, mark))

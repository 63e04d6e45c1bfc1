"""Collecting what is wrong with a position, with the path of every faulty field."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from optimizer.model.data import Fault, PositionError

Report = Callable[[str, str], None]

_SHOWN = 60


def show(value: object) -> str:
    """Return a value for an error text, cut to a sensible length."""
    try:
        text = repr(value)
    except (RecursionError, ValueError):  # numbers of thousands of digits have no decimal text
        text = f"a {type(value).__name__}"
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."


def choices(names: Iterable[str], limit: int = 30) -> str:
    """Return names as a list for an error text."""
    rows = list(names)
    shown = ", ".join(rows[:limit]) or "none"
    return shown if len(rows) <= limit else f"{shown}, ... ({len(rows)} in all)"


def no_such(owner: str, what: str, name: str, known: Iterable[str]) -> str:
    """Return the text for a name that is missing or not among those known."""
    if not name:
        return f"missing: name a {what} of {owner} out of {choices(known)}"
    return f"{owner} has no {what} {show(name)}; it has {choices(known)}"


class Faults:
    """Faults in the order of their discovery; more than ``limit`` are only counted."""

    def __init__(self, limit: int = 1000) -> None:
        self.found: list[Fault] = []
        self.limit = limit
        self.dropped = 0

    def add(self, path: str, message: str) -> None:
        """Note one fault."""
        if len(self.found) < self.limit:
            self.found.append(Fault(path, message))
        else:
            self.dropped += 1

    def __bool__(self) -> bool:
        return bool(self.found)

    def extend(self, faults: Iterable[Fault]) -> None:
        """Take over faults that lie neither above nor below a field already reported."""
        known = [fault.path for fault in self.found]
        for fault in faults:
            if not any(_related(fault.path, path) for path in known):
                self.add(fault.path, fault.message)

    def raise_if_any(self) -> None:
        """Raise PositionError with everything found."""
        if not self.found:
            return
        faults = list(self.found)
        if self.dropped:
            faults.append(Fault("", f"and {self.dropped} more faults"))
        raise PositionError(faults)


def _related(one: str, other: str) -> bool:
    if len(one) > len(other):
        one, other = other, one
    return other.startswith(one) and (len(one) == len(other) or not one or other[len(one)] in ".[")

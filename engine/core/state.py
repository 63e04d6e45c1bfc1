"""Game state with exact undo and cheap copies.

All mutable state lives in slotted attributes of `Stateful` objects. Assigning such an attribute writes the
old value to the game's `Journal`; rolling the journal back to a mark restores exactly what was there. For
this to be exact the *values* must be immutable: numbers, strings, tuples, frozensets, frozen records, dicts
that are replaced and never changed in place, and references to other `Stateful` objects.
"""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

_MISSING: Any = object()
_assign = object.__setattr__
T = TypeVar("T", bound="Stateful")


class Journal:
    """The undo log of one game: (object, attribute, old value), oldest first."""

    __slots__ = ("entries",)

    def __init__(self) -> None:
        self.entries: list[tuple[Stateful, str, Any]] = []

    def mark(self) -> int:
        """A position that `rollback` can return to."""
        return len(self.entries)

    def rollback(self, mark: int) -> None:
        """Restores every attribute to its value at `mark`."""
        entries = self.entries
        while len(entries) > mark:
            target, name, old = entries.pop()
            _assign(target, name, old)


class Stateful:
    """Base of everything that changes during a game. Subclasses declare `__slots__`.

    `aside`: attributes that a comparison of states leaves out, such as caches and what is never changed.
    """

    __slots__ = ("journal",)
    aside: ClassVar[frozenset[str]] = frozenset()
    journal: Journal

    def __init__(self, journal: Journal) -> None:
        _assign(self, "journal", journal)

    def __setattr__(self, name: str, value: Any) -> None:
        old = getattr(self, name, _MISSING)
        if old is value:
            return
        if old is not _MISSING:
            self.journal.entries.append((self, name, old))
        _assign(self, name, value)


_slots_of: dict[type, tuple[str, ...]] = {}


def fields(cls: type) -> tuple[str, ...]:
    """The journaled attribute names of a Stateful class, base classes first (caches named `_...` are left
    out).
    """
    names = _slots_of.get(cls)
    if names is None:
        found: list[str] = []
        for base in reversed(cls.__mro__):
            slots = base.__dict__.get("__slots__", ())
            found.extend((slots,) if isinstance(slots, str) else slots)
        names = tuple(name for name in found if name != "journal" and not name.startswith("_"))
        _slots_of[cls] = names
    return names


class _Copier:
    def __init__(self) -> None:
        self.journal = Journal()
        self.twins: dict[int, Stateful] = {}
        self.todo: list[tuple[Stateful, Stateful]] = []

    def value(self, value: Any) -> Any:
        if isinstance(value, Stateful):
            return self.twin(value)
        kind = type(value)
        if kind is tuple:
            return tuple([self.value(item) for item in value]) if value else value
        if kind is dict:
            return {self.value(key): self.value(item) for key, item in value.items()}
        if kind is frozenset:
            return frozenset([self.value(item) for item in value])
        return value

    def twin(self, original: Stateful) -> Stateful:
        twin = self.twins.get(id(original))
        if twin is None:
            twin = object.__new__(type(original))
            _assign(twin, "journal", self.journal)
            self.twins[id(original)] = twin
            self.todo.append((original, twin))
        return twin

    def run(self) -> None:
        while self.todo:
            original, twin = self.todo.pop()
            for name in fields(type(original)):
                value = getattr(original, name, _MISSING)
                if value is not _MISSING:
                    _assign(twin, name, self.value(value))


def copy_graph(root: T) -> T:
    """An independent copy of everything reachable from `root`, with an empty journal of its own."""
    copier = _Copier()
    twin = copier.twin(root)
    copier.run()
    return twin  # type: ignore[return-value]


def fingerprint(root: Stateful) -> list[tuple[Any, ...]]:
    """Everything reachable from `root` in comparable form: two equal lists mean equal states.

    Objects are numbered in the order in which they are met, so copies compare equal too.
    """
    numbers: dict[int, int] = {}
    order: list[Stateful] = []

    def encode(value: Any) -> Any:
        if isinstance(value, Stateful):
            number = numbers.get(id(value))
            if number is None:
                number = numbers[id(value)] = len(numbers)
                order.append(value)
            return ("object", number)
        if isinstance(value, tuple | list):
            return tuple([encode(item) for item in value])
        if isinstance(value, dict):
            return tuple([(encode(key), encode(item)) for key, item in value.items()])
        if isinstance(value, frozenset):
            return ("set", *sorted(map(repr, map(encode, value))))
        return value

    encode(root)
    lines: list[tuple[Any, ...]] = []
    position = 0
    while position < len(order):
        item = order[position]
        names = [name for name in fields(type(item)) if name not in item.aside]
        lines.append((type(item).__name__, *[(name, encode(getattr(item, name, None))) for name in names]))
        position += 1
    return lines

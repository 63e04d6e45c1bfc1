"""Reading and writing the position dataclasses as the JSON of their protobuf messages.

One reader and one writer serve all dataclasses of :mod:`optimizer.model.data`: they follow the types
of the fields. Names are accepted in lowerCamelCase and as they are, null means absent, whole numbers
may be written ``3``, ``3.0`` or ``"3"``, as the JSON mapping of proto3 has it.
"""

from __future__ import annotations

import dataclasses
import difflib
import re
import types
from collections.abc import Callable, Hashable, Mapping
from functools import cache
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from optimizer.model.faults import Faults, choices, show
from optimizer.model.read_limits import ReadLimits

T = TypeVar("T")

INT32_MIN, INT32_MAX = -(2**31), 2**31 - 1

_NUMBER = re.compile(r"-?\d{1,12}\Z")


class RepeatedNames(dict[str, Any]):
    """A JSON object in which some names came twice."""

    repeated: list[str]


@dataclasses.dataclass(slots=True)
class Context:
    """Where a reader reports to and what it allows."""

    faults: Faults
    limits: ReadLimits


_Read = Callable[[Any, str, Context], Any]

# What readers return for a value that they reported; the field keeps its default then.
_BAD = object()


def camel_case(name: str) -> str:
    """Return a field's name in JSON: ``pay_total`` is ``payTotal``."""
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)


def _text(value: Any, path: str, context: Context) -> Any:
    if not isinstance(value, str):
        context.faults.add(path, f"must be text, not {show(value)}")
        return _BAD
    if len(value) > context.limits.text:
        context.faults.add(path, f"is too long: at most {context.limits.text} characters")
        return _BAD
    if not value.isascii() and not value.isprintable():
        context.faults.add(path, f"has characters that are not text: {show(value)}")
        return _BAD
    return value


def _number(value: Any, path: str, context: Context) -> Any:
    if type(value) is not int:
        if (isinstance(value, float) and value.is_integer()) or (
            isinstance(value, str) and _NUMBER.match(value)
        ):
            value = int(value)
        else:
            context.faults.add(path, f"must be a whole number, not {show(value)}")
            return _BAD
    if not INT32_MIN <= value <= INT32_MAX:
        context.faults.add(path, f"is out of range: {show(value)}")
        return _BAD
    return value


def _flag(value: Any, path: str, context: Context) -> Any:
    if not isinstance(value, bool):
        context.faults.add(path, f"must be true or false, not {show(value)}")
        return _BAD
    return value


_PLAIN: Mapping[Any, _Read] = {str: _text, int: _number, bool: _flag}
_BLANKS: Mapping[Any, Any] = {str: "", int: 0}


def _list_reader(item: _Read, blank: Any) -> _Read:
    """``blank`` stands in for a faulty item, so that the places of the others stay right."""

    def read(value: Any, path: str, context: Context) -> Any:
        if not isinstance(value, (list, tuple)):
            context.faults.add(path, f"must be a list, not {show(value)}")
            return _BAD
        if len(value) > context.limits.items:
            context.faults.add(path, f"{len(value)} are too many, at most {context.limits.items}")
            return _BAD
        rows = [item(row, f"{path}[{i}]", context) for i, row in enumerate(value)]
        return [blank if row is _BAD else row for row in rows]

    return read


def _map_reader(numbered: bool, item: _Read) -> _Read:
    def read(value: Any, path: str, context: Context) -> Any:
        if not isinstance(value, Mapping):
            context.faults.add(path, f"must be an object, not {show(value)}")
            return _BAD
        if len(value) > context.limits.items:
            context.faults.add(path, f"{len(value)} are too many, at most {context.limits.items}")
            return _BAD
        _check_repeated(value, path, context)
        found: dict[Any, Any] = {}
        for key, row in value.items():
            where = f"{path}[{key if len(str(key)) <= 40 else show(key)}]"
            name = (_number if numbered else _text)(key, where, context)
            item_read = item(row, where, context)
            if name is not _BAD and item_read is not _BAD:
                found[name] = item_read
        return found

    return read


def _check_repeated(value: Mapping[Any, Any], path: str, context: Context) -> None:
    if isinstance(value, RepeatedNames):
        for name in value.repeated:
            context.faults.add(f"{path}.{name}" if path else name, "is given twice")


@dataclasses.dataclass(slots=True)
class _Fields:
    make: Callable[..., Any]
    readers: dict[str, tuple[str, _Read]]  # both spellings to (name, reader)


@cache
def _fields(kind: Hashable) -> _Fields:
    readers: dict[str, tuple[str, _Read]] = {}
    for name, hint in get_type_hints(cast(type, kind)).items():
        entry = (name, _reader(hint))
        readers[name] = readers[camel_case(name)] = entry
    return _Fields(cast(type, kind), readers)


def _reader(hint: Any) -> _Read:
    """Return the reader of a field's type."""
    if hint in _PLAIN:
        return _PLAIN[hint]
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return _reader(next(part for part in arguments if part is not type(None)))
    if origin is list:
        return _list_reader(_reader(arguments[0]), _BLANKS.get(arguments[0], []))
    if origin is dict:
        return _map_reader(arguments[0] is int, _reader(arguments[1]))
    return lambda value, path, context: read_object(hint, value, path, context)


def read_object(kind: type[T], value: Any, path: str, context: Context) -> T:
    """Read a JSON object into a dataclass; what is faulty is reported and keeps its default."""
    fields = _fields(cast(Hashable, kind))
    if not isinstance(value, Mapping):
        context.faults.add(path, f"must be an object, not {show(value)}")
        return kind()
    _check_repeated(value, path, context)
    found: dict[str, Any] = {}
    prefix = f"{path}." if path else ""
    for key, row in value.items():
        entry = fields.readers.get(key)
        if entry is None:
            _unknown(fields, key, prefix, context)
            continue
        name, read = entry
        if row is None:
            continue
        if name in found:
            context.faults.add(f"{prefix}{name}", "is given in both spellings")
            continue
        item = read(row, f"{prefix}{name}", context)
        if item is not _BAD:
            found[name] = item
    made: T = fields.make(**found)
    return made


def _unknown(fields: _Fields, key: Any, prefix: str, context: Context) -> None:
    names = [name for name, (own, _) in fields.readers.items() if name == own]
    text = str(key)
    near = difflib.get_close_matches(text[:40], names, 1)
    hint = f"did you mean {near[0]}?" if near else f"known are {choices(names)}"
    shown = text if len(text) <= 40 else text[:37] + "..."
    context.faults.add(f"{prefix}{shown}", f"unknown field; {hint}")


@cache
def _written(kind: Hashable) -> tuple[tuple[str, str, Any], ...]:
    rows = []
    for item in dataclasses.fields(cast(Any, kind)):
        default = item.default if item.default is not dataclasses.MISSING else None
        rows.append((item.name, camel_case(item.name), default))
    return tuple(rows)


def write_object(value: Any) -> dict[str, Any]:
    """Write a dataclass as a JSON object; fields at their default are left out."""
    row: dict[str, Any] = {}
    for name, key, default in _written(cast(Hashable, type(value))):
        item = getattr(value, name)
        if item is default or item == default or item == [] or item == {}:
            continue
        row[key] = _write(item)
    return row


def _write(value: Any) -> Any:
    if isinstance(value, list):
        return [_write(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _write(item) for key, item in value.items()}
    return write_object(value) if dataclasses.is_dataclass(value) else value

"""Bytes of a request into a message, and the faults that no later reader would see."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from google.protobuf.message import DecodeError, Message
from google.protobuf.unknown_fields import UnknownFieldSet

from optimizer.model.data import Fault
from optimizer.service.errors import BadRequestError, UnsupportedRuleError

M = TypeVar("M", bound=Message)


def decode(kind: type[M], data: bytes) -> M:
    """Read a message.

    Raises BadRequestError if the bytes are no such message. A field that this version does not know
    could change what the request means, so it is refused with UnsupportedRuleError and not ignored.
    """
    message = kind()
    try:
        message.ParseFromString(data)
    except DecodeError as error:
        raise BadRequestError(
            [Fault("", f"the request is not a {kind.DESCRIPTOR.full_name} message")]
        ) from error
    size = message.ByteSize()
    message.DiscardUnknownFields()
    if message.ByteSize() != size:
        _refuse_unknown(kind.FromString(data), "")
    return message


def decoder(kind: type[M]) -> Callable[[bytes], M]:
    """Return :func:`decode` for one kind of message."""
    return partial(decode, kind)


def _refuse_unknown(message: Message, path: str) -> None:
    unknown = UnknownFieldSet(message)
    if len(unknown):
        name = f"field {unknown[0].field_number} of {message.DESCRIPTOR.full_name}"
        raise UnsupportedRuleError(name, path or "request")
    for descriptor, value in message.ListFields():
        if descriptor.message_type is None:
            continue
        here = f"{path}.{descriptor.name}" if path else descriptor.name
        if descriptor.message_type.GetOptions().map_entry:
            if descriptor.message_type.fields_by_name["value"].message_type is not None:
                for key in value:
                    _refuse_unknown(value[key], f"{here}[{key}]")
        elif isinstance(value, Message):
            _refuse_unknown(value, here)
        else:
            for index, item in enumerate(value):
                _refuse_unknown(item, f"{here}[{index}]")

"""A request for routes as it came: its bytes, and the message when somebody needs it.

A server is asked for much the same again and again. What was read before is known by its bytes, and a
request of which everything is known is never decoded.
"""

from __future__ import annotations

from typing import Generic, TypeVar

from google.protobuf.message import Message
from rheingold.v1 import optimizer_service_pb2 as pb

from optimizer.native.wire import request_parts
from optimizer.service.decode import decode
from optimizer.service.positions import HEXES, NAME, Parts

R = TypeVar("R", pb.OptimizeRequest, pb.OptimizeStreamRequest, pb.OptimizeBatchRequest)


def _numbers(kind: type[R]) -> tuple[int, int, int, int]:
    """Return the numbers of fields that :func:`request_parts` wants.

    The position, an item's id (0 if there is none), and a position's name and hexes.
    """
    fields = kind.DESCRIPTOR.fields_by_name
    return fields["position"].number, fields["id"].number if "id" in fields else 0, NAME, HEXES


_NUMBERS: dict[type[Message], tuple[int, int, int, int]] = {
    pb.OptimizeRequest: _numbers(pb.OptimizeRequest),
    pb.OptimizeStreamRequest: _numbers(pb.OptimizeStreamRequest),
    pb.OptimizeBatchRequest: _numbers(pb.OptimizeBatchRequest),
}


class RouteRequest(Generic[R]):
    """A request for routes.

    ``parts``: those of its position; None if they could not be told apart, or if the order of its hexes
    counts. ``rest``: the bytes of what else it says, but for the id of a batch's item.
    """

    __slots__ = ("_message", "data", "kind", "parts", "rest")

    def __init__(self, kind: type[R], data: bytes) -> None:
        self.kind: type[R] = kind
        self._message: R | None = None
        self.data = data
        found = request_parts(data, *_NUMBERS[kind])
        self.parts: Parts | None = None
        self.rest = b""
        if found is not None:
            name, head, entries, self.rest = found
            self.parts = Parts(name, head, entries)

    @property
    def message(self) -> R:
        """The decoded request; raises as :func:`~optimizer.service.decode.decode`."""
        if self._message is None:
            self._message = decode(self.kind, self.data)
        return self._message

"""Names and colours of the trains on a picture."""

from __future__ import annotations

from optimizer.model.position import Position
from optimizer.render.style import route_color


def train_name(position: Position, train_id: str) -> str:
    """Return a train's name; the id where the company has no such train."""
    return next((train.name for train in position.trains if train.id == train_id), train_id)


def train_color(position: Position, train_id: str, otherwise: int) -> str:
    """Return the colour of a train's route: a train keeps it from picture to picture of a position.

    ``otherwise`` numbers the colour for a train that the company has not.
    """
    ids = [train.id for train in position.trains]
    return route_color(ids.index(train_id) if train_id in ids else len(ids) + otherwise)

"""Tiles of the maps that positions bring along, as they were read and checked before.

A client of another title sends its whole map with each position, and little of it changes from one to the
next: most of the time that reading such a position takes went into its tiles. The same tile is the same
object each time, so that what the search works out for it is known, too.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping

from rheingold.v1 import position_pb2 as pb

from optimizer.model.tile import Tile

# About 20 MB; then all are forgotten, and what is in use comes back at once.
MAX_TILES = 5000

# A definition that says more than this is read anew each time: requests must not fill the memory.
MAX_BYTES = 1000


class TileMemory:
    """Sound tiles by hex and definition. All methods may be called from any thread."""

    def __init__(self) -> None:
        self._tiles: dict[tuple[str, bytes], Tile] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._tiles)

    def find(self, hex_id: str, definition: pb.Tile) -> Tile | None:
        """Return the tile of a definition, or None if it is not known."""
        return self._tiles.get((hex_id, definition.SerializeToString(deterministic=True)))

    def keep(self, inline: pb.InlineMap, tiles: Mapping[str, Tile]) -> None:
        """Remember the tiles of a sound map."""
        found: dict[tuple[str, bytes], Tile] = {}
        for hex_id, row in inline.hexes.items():
            if not row.HasField("definition") or row.definition.ByteSize() > MAX_BYTES:
                continue
            key = (hex_id, row.definition.SerializeToString(deterministic=True))
            if key not in self._tiles:
                found[key] = tiles[hex_id]
        if not found or len(found) > MAX_TILES:
            return
        with self._lock:
            if len(self._tiles) + len(found) > MAX_TILES:
                self._tiles.clear()
            self._tiles.update(found)

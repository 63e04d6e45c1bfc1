"""Results of positions seen before, bounded by the memory that they take."""

from __future__ import annotations

import threading
from collections import OrderedDict

# What an entry costs beside its value: digest, two objects' heads, a slot of the table.
OVERHEAD = 300


class ResultCache:
    """Least recently used results, by digest. All methods may be called from any thread."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._entries: OrderedDict[bytes, bytes] = OrderedDict()
        self._bytes = 0

    @property
    def size_bytes(self) -> int:
        """Memory taken, about."""
        return self._bytes

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: bytes) -> bytes | None:
        """Return a result, or None."""
        with self._lock:
            value = self._entries.get(key)
            if value is not None:
                self._entries.move_to_end(key)
            return value

    def put(self, key: bytes, value: bytes) -> None:
        """Keep a result; the least recently used ones go. One larger than the whole cache is not kept."""
        cost = len(value) + OVERHEAD
        if cost > self._max_bytes:
            return
        with self._lock:
            old = self._entries.pop(key, None)
            if old is not None:
                self._bytes -= len(old) + OVERHEAD
            self._entries[key] = value
            self._bytes += cost
            while self._bytes > self._max_bytes:
                _, gone = self._entries.popitem(last=False)
                self._bytes -= len(gone) + OVERHEAD

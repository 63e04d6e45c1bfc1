"""Which distance rows the search can work with: those whose order does not matter.

The search fills rows with fewer kinds first, which is the best that can be done. The rules fill them as they
are listed, kind by kind, those that fewer rows take first (common 8.7).
"""

from __future__ import annotations

from functools import lru_cache

from optimizer.model.rules import DistanceRow, nested
from optimizer.model.tile import STOP_KINDS, StopKind

MOST_ROWS = 8  # as many as the native search has room for


@lru_cache(maxsize=4096)
def why_refused(rows: tuple[DistanceRow, ...]) -> str:
    """Return what is wrong with the rows of a train for the search, or nothing."""
    if len(rows) > MOST_ROWS:
        return f"has {len(rows)} rows of distances; the search has room for {MOST_ROWS}"
    if not nested(rows):
        why = "what such a train may visit and is paid for depends on their order"
        return f"two of its rows share some kinds only; {why}"
    for kind in STOP_KINDS:
        for number, broad in enumerate(rows):
            for narrow in rows[number + 1 :]:
                if _takes_a_place(kind, broad, narrow, rows):
                    one, two = (" and ".join(row.nodes) for row in (broad, narrow))
                    why = "what it may visit depends on that"
                    return f"its row of {one} comes before that of {two}, and {why}: list narrow rows first"
    return ""


def _takes_a_place(
    kind: StopKind, broad: DistanceRow, narrow: DistanceRow, rows: tuple[DistanceRow, ...]
) -> bool:
    """Tell whether stops of a kind fill the broad row, though another kind may still need it.

    Kinds that as many rows take as this one are reckoned as if they came after it.
    """
    if kind not in broad.nodes or kind not in narrow.nodes or not broad.visit or not narrow.visit:
        return False
    others = set(broad.nodes) - set(narrow.nodes)
    return any(_accepting(other, rows) >= _accepting(kind, rows) for other in others)


def _accepting(kind: StopKind, rows: tuple[DistanceRow, ...]) -> int:
    return sum(kind in row.nodes for row in rows)

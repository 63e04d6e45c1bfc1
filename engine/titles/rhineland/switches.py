"""Readings of rules of play only; those of the route rules are the optimizer's (rules: 18rhl section 19)."""

from __future__ import annotations

from collections.abc import Mapping

from optimizer.titles.record import Switch

PLAY_SWITCHES: Mapping[str, Switch] = {
    "teleport_counts": Switch(
        ("engine", "extra"),
        "extra: a tile laid with the KEO or the Tjt is additional whenever it is laid; "
        "engine: only if it is laid after the normal tile (19.7)",
    ),
    "keg_exchange": Switch(
        ("engine", "exact"),
        "exact: a new director of the KEG hands over certificates of exactly 20 percent; "
        "engine: with two doubles and a single he hands over a double and a single (4.4)",
    ),
}

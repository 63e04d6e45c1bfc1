"""The titles: their printed material and route rules, and positions bound to them."""

from optimizer.titles.load import LoadedPosition, load_position, load_positions, loads
from optimizer.titles.loader import TITLE_NAMES, TitleData, UnknownTitle, load_title
from optimizer.titles.record import TitleRules
from optimizer.titles.registry import TITLES, title_rules
from optimizer.titles.resolve import resolve

__all__ = [
    "TITLES",
    "TITLE_NAMES",
    "LoadedPosition",
    "TitleData",
    "TitleRules",
    "UnknownTitle",
    "load_position",
    "load_positions",
    "load_title",
    "loads",
    "resolve",
    "title_rules",
]

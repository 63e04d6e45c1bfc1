"""Getting rules into the registry: from installed packages, or from a name given on the command line."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from optimizer.custom.rule import Rule, RuleError

GROUP = "rheingold.rules"


@cache
def load_installed() -> None:
    """Load the entry points of the group ``rheingold.rules``, once a process.

    Each names a rule (``module:object``) or a module that declares some. RuleError if one cannot be
    loaded: a service should not start with half of its rules.
    """
    for point in sorted(entry_points(group=GROUP), key=lambda one: one.name):
        _load_point(point)


def _load_point(point: EntryPoint) -> None:
    try:
        _take(point.load(), f"entry point {point.name} = {point.value}")
    except (ImportError, AttributeError) as error:
        raise RuleError(f"entry point {point.name} = {point.value} cannot be loaded: {error}") from error


def load_rules(names: Iterable[str]) -> None:
    """Load rules named as ``module:object``, or ``module`` for all that it declares.

    The working directory is looked at too, as ``python -m`` does. RuleError for what cannot be loaded.
    """
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    for name in names:
        module, _, attribute = name.partition(":")
        try:
            found: Any = importlib.import_module(module)
        except RuleError:
            raise
        except Exception as error:  # the module is the rule's author's: whatever it raises is told to them
            kind = "" if isinstance(error, ImportError) else f"{type(error).__name__}: "
            raise RuleError(f"rules {name!r}: module {module!r} cannot be imported: {kind}{error}") from error
        if attribute:
            try:
                found = getattr(found, attribute)
            except AttributeError:
                raise RuleError(f"rules {name!r}: {module} has nothing named {attribute!r}") from None
        _take(found, f"rules {name!r}")


def _take(found: Any, where: str) -> None:
    """Register a rule; a module declares its own when it is imported."""
    if isinstance(found, Rule):
        found.register()
    elif not hasattr(found, "__spec__"):
        raise RuleError(f"{where}: {found!r} is no rule; write @rule(...) above the function")

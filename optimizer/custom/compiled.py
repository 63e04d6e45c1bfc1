"""Compiling rules with Numba to C functions, kept on disk.

For each rule a small module is written to the cache folder: it turns the search's memory into the view that
the rule gets. Its name holds a digest of everything that the machine code depends on, so a changed rule is
compiled again. Nothing here is imported before a position names a rule.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import inspect
import logging
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

from optimizer.custom import view
from optimizer.custom.rule import Helper, Rule, RuleError

log = logging.getLogger(__name__)


class Compiled(NamedTuple):
    """Addresses of a rule's C functions, 0 where there is none; ``keep`` holds them in memory."""

    function: int
    bound: int
    keep: tuple[Any, ...]


_done: dict[str, tuple[Rule, Compiled]] = {}
_lock = threading.RLock()


def cache_folder() -> Path:
    """Return the folder of compiled rules: ``$RHEINGOLD_CACHE``, else ``rheingold`` in the user's cache."""
    named = os.environ.get("RHEINGOLD_CACHE")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "rheingold"


def compiled(rule: Rule) -> Compiled:
    """Return a rule's C functions, compiled at the first use. RuleError if Numba cannot compile them."""
    with _lock:
        known = _done.get(rule.name)
        if known is not None and known[0] == rule:
            return known[1]
        started = time.monotonic()
        if "numba" not in sys.modules:
            _say(f"rule {rule.name}: loading Numba (once a process)")
        made = _compile(rule)
        took = time.monotonic() - started
        log.info("rule %s is ready after %.2f s", rule.name, took)
        _done[rule.name] = (rule, made)
        return made


def _say(message: str) -> None:
    """Tell what a first use waits for: in the log if somebody reads it, else to a terminal's user."""
    if log.isEnabledFor(logging.INFO) and log.hasHandlers():
        log.info("%s", message)
    elif not os.environ.get("RHEINGOLD_QUIET"):
        print(f"rheingold: {message}", file=sys.stderr, flush=True)


def _compile(rule: Rule) -> Compiled:
    function = _entry(rule, rule.function, "value")
    bound = _entry(rule, rule.bound, "bound") if rule.bound is not None else None
    return Compiled(function.address, bound.address if bound is not None else 0, (function, bound))


def _entry(rule: Rule, function: Callable[[Any, Any], int], what: str) -> Any:
    """Compile one function behind its entry."""
    from numba import cfunc, njit
    from numba.core.errors import NumbaError

    source = _entry_source(rule)
    plain = "".join(c if c.isalnum() else "_" for c in rule.name)
    name = f"rule_{plain}_{what}_{_digest(rule, function, source)}"
    file = _write(name, source)
    # Numba looks the module up by name when it loads machine code from its cache.
    module = sys.modules[name] = ModuleType(name)
    module.FUNCTION = njit(_compilable(function))  # type: ignore[attr-defined]
    module.Parameters = rule.parameter_type  # type: ignore[attr-defined]
    module.Counts = rule.counts_type  # type: ignore[attr-defined]
    exec(compile(source, str(file) if file else "<rule>", "exec"), module.__dict__)
    folder = file.parent / "__pycache__" if file else None
    if folder is None or not any(folder.glob(f"{name}.*.nbi")):
        _say(
            f"rule {rule.name}: compiling (once; kept in {file.parent})" if file else f"compiling {rule.name}"
        )
    try:
        return cfunc(_signature(rule), cache=file is not None)(module.__dict__["entry"])
    except NumbaError as error:
        raise RuleError(f"rule {rule.name} cannot be compiled: {error}") from error


def _signature(rule: Rule) -> Any:
    from numba import types

    numbers = types.CPointer(types.int64)  # type: ignore[no-untyped-call]
    if rule.scope == "run":
        return types.int64(types.voidptr, types.int64, types.voidptr, types.int64, numbers)
    return types.int64(numbers, types.voidptr, types.int64, numbers)


_ROUTE = """\
from numba import carray
from optimizer.custom.layout import STOP
from optimizer.custom.view import Counted, Route

def entry(head, stops, size, parameters):
    h = carray(head, (16,))
    p = carray(parameters, (16,))
    counts = Counts({counts})
    seen = {seen}
    return FUNCTION(seen, Parameters({parameters}))
"""

_RUN = """\
from numba import carray
from optimizer.custom.layout import RUN_ROUTE, STOP
from optimizer.custom.view import Run

def entry(routes, count, stops, size, parameters):
    p = carray(parameters, (16,))
    run = Run(carray(routes, (count,), RUN_ROUTE), carray(stops, (size,), STOP))
    return FUNCTION(run, Parameters({parameters}))
"""


def _entry_source(rule: Rule) -> str:
    """Return the text of the entry, which builds the view over the search's memory."""
    parameters = ", ".join(f"p[{i}]" for i in range(max(1, len(rule.parameters))))
    if rule.scope == "run":
        return _RUN.format(parameters=parameters)
    counts = ", ".join(f"h[{view.COUNTS + i}]" for i in range(max(1, len(rule.counters))))
    seen = "Counted(h[0], h[1], counts)"
    if rule.reads == "route":
        seen = "Route(h[0], h[1], h[2], carray(stops, (size,), STOP), counts)"
    return _ROUTE.format(parameters=parameters, counts=counts, seen=seen)


def _digest(rule: Rule, function: Callable[..., Any], source: str) -> str:
    """Return a digest of the function and its module, the view's layout and the compiler."""
    state = hashlib.blake2b(digest_size=10)
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    for part in (
        source,
        sys.version,
        importlib.metadata.version("numba"),
        (tuple(rule.parameters), rule.counters),
        (function.__qualname__, _code(function.__code__), cells),
        _constants(function),
    ):
        state.update(repr(part).encode())
    state.update(Path(view.__file__).read_bytes())
    with contextlib.suppress(OSError, TypeError):  # typed in at a prompt: its code must do
        state.update(Path(inspect.getfile(function)).read_bytes())
    return state.hexdigest()


def _code(code: CodeType) -> tuple[Any, ...]:
    """Return what a function does as plain values, the same in every process."""
    inner = tuple(_code(one) if isinstance(one, CodeType) else one for one in code.co_consts)
    return code.co_firstlineno, code.co_code, code.co_names, inner


def _constants(function: Callable[..., Any]) -> list[tuple[str, Any]]:
    """Return the numbers that a function takes from its module: they are part of its machine code."""
    space = function.__globals__
    names = function.__code__.co_names
    return [(name, space[name]) for name in names if isinstance(space.get(name), (int, tuple))]


def _write(name: str, source: str) -> Path | None:
    """Write the entry's module into the cache; None where there is no place to write."""
    folder = cache_folder()
    file = folder / f"{name}.py"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not file.exists():
            # Written aside and renamed: another process may be doing the same.
            aside = folder / f".{name}.{os.getpid()}"
            aside.write_text(source, encoding="utf-8")
            aside.replace(file)
    except OSError as error:
        log.warning("compiled rules cannot be kept in %s: %s", folder, error)
        return None
    return file


def _compilable(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function with the helpers that it calls compiled too."""
    from numba import njit

    space = function.__globals__
    used = {name: space[name] for name in function.__code__.co_names if isinstance(space.get(name), Helper)}
    if not used:
        return function
    changed = {**space, **{name: njit(_compilable(one.function)) for name, one in used.items()}}
    made = FunctionType(
        function.__code__, changed, function.__name__, function.__defaults__, function.__closure__
    )
    made.__module__ = function.__module__
    return made

"""The option ``--rules``: rules written in Python that positions may name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


def _load(_context: click.Context, _option: click.Parameter, names: tuple[str, ...]) -> None:
    if not names:
        return
    # Imported here: few positions name such rules.
    from optimizer.custom.loading import load_rules
    from optimizer.custom.rule import RuleError

    try:
        load_rules(names)
    except RuleError as error:
        raise click.BadParameter(str(error)) from error


def rules_option(command: F) -> F:
    """Add the option to a command; the rules are registered before it runs."""
    return click.option(
        "--rules",
        multiple=True,
        metavar="MODULE[:OBJECT]",
        expose_value=False,
        callback=_load,
        help="Rules of routes written in Python (docs/custom-rules.md); may be given again.",
    )(command)

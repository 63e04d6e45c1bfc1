"""Rules of routes written in Python and compiled to native code; docs/custom-rules.md is the guide."""

from optimizer.custom.rule import Rule, RuleError, helper, rule
from optimizer.custom.view import (
    CITY,
    FORBIDDEN,
    OFFBOARD,
    TOWN,
    Counted,
    Route,
    Run,
    RunRoute,
    Stop,
    number,
    numbers,
    text,
)

__all__ = [
    "CITY",
    "FORBIDDEN",
    "OFFBOARD",
    "TOWN",
    "Counted",
    "Route",
    "Rule",
    "RuleError",
    "Run",
    "RunRoute",
    "Stop",
    "helper",
    "number",
    "numbers",
    "rule",
    "text",
]

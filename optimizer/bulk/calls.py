"""Calling a rule's C function by its address from compiled code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


@intrinsic
def _call(_context: Any, address: Any, head: Any, rows: Any, size: Any, parameters: Any) -> Any:
    """``int64 f(head, rows, size, parameters)`` at an address; all five given as int64."""
    signature = types.int64(*[types.int64] * 5)

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        word = ir.IntType(64)
        function = ir.FunctionType(word, [word] * 4)
        target = builder.inttoptr(arguments[0], function.as_pointer())
        return builder.call(target, list(arguments[1:]))

    return signature, generate


# As compiled code calls it: without the context that Numba adds.
call_rule = cast("Callable[[int, int, int, int, int], int]", _call)

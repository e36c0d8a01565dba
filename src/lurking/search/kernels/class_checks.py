"""The check of a move for a class of graphs that somebody added, called from compiled functions by its address.

The checks of lurking's own classes are a part of :mod:`lurking.search.kernels.moves`. Another class brings a function
(:class:`~lurking.graphs.classes.ClassRules`), which is compiled here, once in a process. Its address is what compiled
searches get in the place of a code, so that they need not be compiled anew.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, cast

import numba
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic
from numba.np.numpy_support import carray

from lurking._typing import Edges

__all__ = ["address_of_check", "call_check"]

Check = Callable[[Edges, Edges, int, int, bool], bool]

_keep_alive: list[object] = []


@cache
def address_of_check(stays: Check) -> int:
    """Compile the check of a class and return its address in this process."""
    compiled = numba.njit(error_model="numpy")(stays)

    def check(directed: Any, bidirected: Any, d: int, one: int, other: int, shared: int) -> int:
        return int(compiled(carray(directed, (d, d)), carray(bidirected, (d, d)), one, other, shared != 0))

    edges: Any = types.CPointer(types.uint8)  # type: ignore[no-untyped-call]
    signature = types.int64(edges, edges, types.int64, types.int64, types.int64, types.int64)
    function = numba.cfunc(signature)(check)
    _keep_alive.append(function)
    return cast(int, function.address)


def _call_check(
    typing_context: Any, address: Any, directed: Any, bidirected: Any, one: Any, other: Any, shared: Any
) -> Any:
    """Call the check at an address; for compiled functions only."""
    signature = types.boolean(types.int64, directed, bidirected, types.int64, types.int64, types.boolean)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        arrays = [
            context.make_array(kind)(context, builder, value)
            for kind, value in zip(signature.args[1:3], values[1:3], strict=True)
        ]
        d = builder.extract_value(arrays[0].shape, 0)
        word = ir.IntType(64)
        arguments = [*(one.data for one in arrays), d, *values[3:5], builder.zext(values[5], word)]
        function_type = ir.FunctionType(word, [argument.type for argument in arguments])
        function = builder.inttoptr(values[0], function_type.as_pointer())
        return builder.icmp_signed("!=", builder.call(function, arguments), ir.Constant(word, 0))

    return signature, generate


call_check: Callable[..., bool] = intrinsic(_call_check)

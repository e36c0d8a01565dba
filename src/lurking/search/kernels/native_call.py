"""Calls of a compiled function by its address, so that its caller does not contain it.

The reason is that of :mod:`lurking.sem.kernels.fit_call`: what is rarely needed shall neither be compiled with every
search nor change how the rest is optimised. Named tuples of arrays are passed as they are, so no C function has to be
written. An address is valid in one process only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

__all__ = ["address_of", "call_for_flag", "call_for_number"]


def address_of(function: Any, *examples: object) -> int:
    """Return the address of a compiled function for arguments of the types of some examples."""
    signature = tuple(numba.typeof(example) for example in examples)  # type: ignore[no-untyped-call]
    function.compile(signature)
    compiled = function.overloads[signature]
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))


def _caller(result: Any) -> Any:
    """Return a function of compiled code that calls an address with some arguments; it must return that type."""

    def call(typing_context: Any, address: Any, arguments: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            kinds = tuple(signature.args[1])
            unpacked = cgutils.unpack_tuple(builder, values[1])  # type: ignore[no-untyped-call]
            function_type = context.call_conv.get_function_type(result, kinds)
            function = builder.inttoptr(values[0], function_type.as_pointer())
            status, returned = context.call_conv.call_function(builder, function, result, kinds, unpacked)
            with cgutils.if_unlikely(builder, status.is_error):  # type: ignore[no-untyped-call]
                context.call_conv.return_status_propagate(builder, status)
            return returned

        return result(address, arguments), generate

    return intrinsic(call)


call_for_flag: Callable[[int, tuple[object, ...]], bool] = _caller(types.boolean)
"""Call an address with a tuple of arguments; the function returns a bool."""
call_for_number: Callable[[int, tuple[object, ...]], float] = _caller(types.float64)
"""Call an address with a tuple of arguments; the function returns a float."""

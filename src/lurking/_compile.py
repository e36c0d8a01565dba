"""One decorator for compiled kernels, typed, so that a kernel still reads as the Python function it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

import numba

__all__ = ["compiled"]

F = TypeVar("F", bound=Callable[..., object])


def compiled(function: F) -> F:
    """Compile a function of numbers and arrays to machine code, cached on disk after its first call.

    Division by zero gives inf or nan as in NumPy, not an exception; callers check what comes out.
    """
    return cast(F, numba.njit(cache=True, error_model="numpy")(function))

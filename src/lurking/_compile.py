"""Compiled kernels: the decorators, typed, and one word to the user when something has to be compiled.

A kernel still reads as the Python function it is. The machine code is kept on disk beside the source, so only the
first call after an installation or a change has to wait; that wait is announced once, on the logger ``lurking``.
"""

from __future__ import annotations

import gc
import logging
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import event
from numba.core.ccallback import CFunc
from numba.core.sigutils import normalize_signature

__all__ = ["compiled", "compiled_arithmetic", "compiled_pointer", "exact_part", "from_python", "inlined", "part"]

F = TypeVar("F", bound=Callable[..., object])

# Sums may be reordered and products fused into sums, which is worth a factor of two in dot products. The flags that
# let the compiler assume away inf and nan are left out, because callers check for them.
_REORDER_SUMS = {"contract", "reassoc", "nsz", "arcp"}
_ENTRY: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
_PART: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}


def compiled(function: F) -> F:
    """Compile a function of numbers and arrays to machine code, cached on disk after its first call.

    Division by zero gives inf or nan as in NumPy, not an exception; callers check what comes out. Other threads go on
    while it runs, so one process can use all cores.
    """
    return cast(F, _keep_on_disk(numba.njit(**_ENTRY)(function)))


def compiled_arithmetic(function: F) -> F:
    """Compile like :func:`compiled`, and let sums be reordered: for kernels that are mostly products and sums.

    The result can differ from the Python function's in the last digits; it is the same on every call.
    """
    return cast(F, _keep_on_disk(numba.njit(**_ENTRY, fastmath=_REORDER_SUMS)(function)))


def compiled_pointer(signature: Any, function: Callable[..., object]) -> Any:
    """Compile a function that other compiled functions call by its address, ``.address``, or load it from disk."""
    wanted = normalize_signature(signature)  # type: ignore[no-untyped-call]
    made = CFunc(function, wanted, locals={}, options={"error_model": "numpy"})
    _keep_on_disk(made)
    made.compile()
    return made


def _keep_on_disk(made: Any) -> Any:
    """Let numba cache a function on disk, under a stamp of all kernels; without a cache where none can be written."""
    try:
        made.enable_caching()
    except RuntimeError as error:  # numba found no folder that it can write to
        _say_that_nothing_is_kept(str(error))
        return made
    file = getattr(made._cache, "_cache_file", None)
    if file is not None:
        # numba looks at the file of the function alone; what it calls is in other files, and is compiled into it.
        file._source_stamp = (file._source_stamp, _stamp_of_kernels())
    return made


@cache
def _say_that_nothing_is_kept(why: str) -> None:
    logging.getLogger("lurking").warning(
        "The compiled kernels cannot be kept (%s), so each start compiles them anew; set NUMBA_CACHE_DIR to a folder "
        "that can be written to.",
        why,
    )


@cache
def _stamp_of_kernels() -> tuple[tuple[int, int], ...]:
    """Return when each file with compiled functions was changed, and its size."""
    package = Path(__file__).parent
    files = (*package.glob("*/kernels/*.py"), *package.glob("*/_*kernels.py"), package / "graphs" / "edge_kinds.py")
    return tuple((known.st_mtime_ns, known.st_size) for known in map(Path.stat, sorted(files)))


def inlined(function: F) -> F:
    """Make a part of a compiled function readable on its own: it is copied into its caller before compilation.

    For functions with one or two callers. Compiling a chain of callers optimises the innermost one once per link;
    copying it up does not.
    """
    return cast(F, numba.njit(error_model="numpy", fastmath=_REORDER_SUMS, inline="always")(function))


def part(function: F) -> F:
    """Compile a part of a larger kernel, for compiled callers only; sums may be reordered.

    Nothing is made for calls from Python and nothing is kept on disk (the kernel is), which shortens compilation.
    """
    return cast(F, numba.njit(**_PART, fastmath=_REORDER_SUMS)(function))


def exact_part(function: F) -> F:
    """Compile like :func:`part`, with sums in the order in which they are written, as :func:`compiled` has them."""
    return cast(F, numba.njit(**_PART)(function))


def from_python(function: F) -> F:
    """Return an :func:`exact_part` as a function that Python can call, cached on disk like an entry of its own."""
    return compiled(cast(Any, function).py_func)  # type: ignore[no-any-return]


_FUNCTIONS = 87  # that a first search compiles
_RARELY = (100_000, 50, 100)


class _Announcer(event.Listener):
    """Says, once per process, that kernels of this package are being compiled, and then which share of them is.

    The share is a record of the level DEBUG with the attribute ``share``. While anything is compiled, garbage is
    collected rarely: the compiler makes millions of objects that live to its end, and looking through them again and
    again takes a fifth of its time.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running = self._done = 0
        self._threshold = gc.get_threshold()

    def on_start(self, started: event.Event) -> None:
        with self._lock:
            if self._running == 0:
                self._threshold = gc.get_threshold()
                gc.set_threshold(*_RARELY)
            self._running += 1
            first = self._done == 0 and _is_ours(started)
            self._done += first
        if first:
            logging.getLogger("lurking").warning(
                "Compiling the numerical kernels, once per installation; this takes about a minute."
            )

    def on_end(self, ended: event.Event) -> None:
        """Tell how much is compiled."""
        with self._lock:
            self._running -= 1
            if self._running == 0:
                gc.set_threshold(*self._threshold)
            self._done += _is_ours(ended)
            share = min(1.0, self._done / _FUNCTIONS)
        logging.getLogger("lurking").debug("Compiling the numerical kernels", extra={"share": share})


def _is_ours(compilation: event.Event) -> bool:
    module: str = compilation.data["dispatcher"].py_func.__module__
    return module.split(".", maxsplit=1)[0] == "lurking"


# The event is sent only when machine code is made, not when it is loaded from disk.
_ANNOUNCER = _Announcer()
event.register("numba:compile", _ANNOUNCER)  # type: ignore[no-untyped-call]

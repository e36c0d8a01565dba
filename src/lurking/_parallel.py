"""Parallel work that can be left at any time without noise.

An interrupt from the keyboard reaches every process of a terminal. The process that hands out the work decides what it
means; its workers must not print tracebacks of their own, and joblib need not warn that some work was given up.
"""

from __future__ import annotations

import signal
import threading
import warnings
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["left_quietly", "workers_ignoring_sigint"]

Results = Generator[Any, None, None]


@contextmanager
def left_quietly(results: Results) -> Iterator[Results]:
    """Close what ``joblib.Parallel`` returned as a generator when the block ends, without joblib's warning."""
    try:
        yield results
    finally:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", ".*cancelled|.*successfully executed", UserWarning)
            results.close()


@contextmanager
def workers_ignoring_sigint() -> Iterator[None]:
    """Let processes that are started in the block ignore interrupts, from their first moment on.

    A new process inherits what is ignored where it was started. So this one ignores interrupts too, while the block
    lasts: it should be short. (To hold them back in place of ignoring them is not enough: the trackers of shared
    resources that Python starts on the way let them through again.) Outside the main thread nothing is changed.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)

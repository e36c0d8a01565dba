"""Parallel work that can be left at any time without noise.

An interrupt from the keyboard reaches every process of a terminal. The process that hands out the work decides what it
means; its workers must not print tracebacks of their own, and joblib need not warn that some work was given up.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import warnings
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["left_quietly", "n_workers", "workers_ignoring_sigint"]

Results = Generator[Any, None, None]


def n_workers(n_jobs: int | None) -> int:
    """Return how many workers a number of jobs means: for None what ``joblib.parallel_config`` says, or 1.

    Once joblib is imported, it decides. Before that nobody can have configured it, and it is not imported only to count
    the cores that this process may use.
    """
    if "joblib" in sys.modules:
        import joblib

        return int(joblib.effective_n_jobs(n_jobs))
    if n_jobs is None or n_jobs > 0:
        return n_jobs or 1
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, cores + 1 + n_jobs)


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

"""Run a piece of work in a child process that the system ends when it has used its processor time."""

from __future__ import annotations

import ctypes
import multiprocessing
import resource
import signal
import sys
import traceback
import warnings
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import TypeVar

__all__ = ["OutOfTimeError", "within"]

Result = TypeVar("Result")


class OutOfTimeError(Exception):
    """The work took more processor time than it was allowed."""


def within(seconds: float, work: Callable[[], Result]) -> Result:
    """Return what ``work()`` returns, computed in a copy of this process.

    The copy has all that was imported and compiled here. Compiled loops cannot be interrupted by an exception, so the
    limit is one of the operating system.

    Raises
    ------
    OutOfTimeError
        If the work took more than so many seconds of processor time.
    RuntimeError
        If the work failed (its traceback is printed), or its process was ended by something else.
    """
    fork = multiprocessing.get_context("fork")
    receiver, sender = fork.Pipe(duplex=False)
    process = fork.Process(target=_send, args=(work, sender, max(1, round(seconds))), daemon=True)
    with warnings.catch_warnings():
        # The only other threads are those of linear algebra, which is idle here.
        warnings.filterwarnings("ignore", ".*fork", DeprecationWarning)
        process.start()
    sender.close()
    try:
        failure, result = receiver.recv()
    except EOFError:
        process.join()
        if process.exitcode == -signal.SIGXCPU:
            raise OutOfTimeError(f"stopped after {seconds:g} seconds of processor time") from None
        raise RuntimeError(f"The process of the work ended with code {process.exitcode}.") from None
    finally:
        receiver.close()
    process.join()
    if failure:
        raise RuntimeError(failure)
    return result  # type: ignore[no-any-return]


def _send(work: Callable[[], object], sender: Connection, seconds: int) -> None:
    if sys.platform == "linux":
        end_with_parent = 1
        ctypes.CDLL(None).prctl(end_with_parent, signal.SIGKILL)
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 10))
    try:
        sender.send(("", work()))
    except Exception as error:  # whatever it is, the parent raises it
        traceback.print_exc()
        sender.send(("".join(traceback.format_exception_only(error)).strip(), None))

"""Ctrl-C during a search or a bootstrap: stop, and return what there is so far.

An interrupt can come anywhere, also where the search cannot return what it has. So the first one only sets a
flag; the search is stopped by a :class:`KeyboardInterrupt` at its next report of progress, where it returns what it
has. A second Ctrl-C stops at once, without an answer.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from lurking.cli.console import ProgressBar

__all__ = ["StoppableProgress", "stoppable"]


class StoppableProgress:
    """Progress that ends the search after a Ctrl-C."""

    def __init__(self, bar: ProgressBar, keeps_best: bool, what_is_kept: str) -> None:
        self._bar, self._keeps_best, self._what = bar, keeps_best, what_is_kept
        self._asked = self._finishing = False

    def __call__(self, share: float, words: str) -> None:
        """Show the share that is done, or stop if the user asked for it."""
        if self._asked and not self._finishing:
            self._finishing = True
            raise KeyboardInterrupt
        self._bar(share, words)

    def interrupt(self, signal_number: int, frame: FrameType | None) -> None:
        """Note the first Ctrl-C; stop at once at the second one."""
        if self._asked or not self._keeps_best:
            raise KeyboardInterrupt
        self._asked = True
        self._bar.say(f"Stopping at {self._what}; Ctrl-C again to stop without an answer.")


@contextmanager
def stoppable(
    bar: ProgressBar, *, keeps_best: bool, what_is_kept: str = "the best graph so far"
) -> Iterator[StoppableProgress]:
    """Let a search be stopped by Ctrl-C; outside the main thread nothing changes.

    A search that has nothing to show before its end (``keeps_best`` is False) is stopped by the first one at once.
    """
    progress = StoppableProgress(bar, keeps_best, what_is_kept)
    if threading.current_thread() is not threading.main_thread():
        yield progress
        return
    before = signal.signal(signal.SIGINT, progress.interrupt)
    try:
        yield progress
    finally:
        signal.signal(signal.SIGINT, before)

"""Where words go: answers to stdout, progress to stderr, nothing if the user asked for silence."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn

__all__ = ["ProgressBar", "answer_console", "progress_bar"]


def answer_console() -> Console:
    """Return the console for answers; it does not interpret names as markup or highlight numbers."""
    return Console(highlight=False, markup=False, emoji=False, soft_wrap=False)


class ProgressBar:
    """A bar on stderr with a few words on what is being done now.

    It can be handed to the library as ``progress``. The library's one-time compilation, which it announces through
    logging, takes the place of the words until the next step. Where stderr is not a terminal there is no bar, and the
    compilation is announced in a plain line.
    """

    def __init__(self, bar: Progress | None, console: Console) -> None:
        self._bar, self._console = bar, console
        self._task = None if bar is None else bar.add_task("starting", total=None)

    def __call__(self, share: float, words: str) -> None:
        """Show what share of the work is done."""
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=min(share, 1.0), total=1.0, description=words)

    def step(self, words: str) -> None:
        """Show what is being done, without a known share."""
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, description=words)

    def announce(self, words: str) -> None:
        """Show a notice of the library: as what is being done now, or where there is no bar as a line."""
        if self._bar is None:
            self.say(words)
        else:
            self.step(words.split(";", maxsplit=1)[0].rstrip("."))

    def compiled(self, share: float) -> None:
        """Show which share of the kernels is compiled."""
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=share, total=1.0)

    def say(self, words: str) -> None:
        """Write a line that stays."""
        self._console.print(words, style="yellow", soft_wrap=True)


class _Silent(ProgressBar):
    def __init__(self) -> None:
        super().__init__(None, Console(stderr=True))

    def say(self, words: str) -> None:
        """Say nothing."""


class _Announcement(logging.Handler):
    """Shows what the library logs as a part of the progress."""

    def __init__(self, bar: ProgressBar) -> None:
        super().__init__(logging.DEBUG)
        self._shown, self._once = bar, threading.Lock()

    def emit(self, record: logging.LogRecord) -> None:
        with self._once:
            share: float | None = getattr(record, "share", None)
            if share is not None:
                self._shown.compiled(share)
            elif record.name == "lurking":  # the compilation, which is over before long
                self._shown.announce(record.getMessage())
            else:
                self._shown.say(record.getMessage())


@contextmanager
def progress_bar(quiet: bool) -> Iterator[ProgressBar]:
    """Show a bar while something runs; it is gone when it ends."""
    logger = logging.getLogger("lurking")
    console = Console(stderr=True, highlight=False, markup=False, emoji=False)
    bar: ProgressBar
    shown = None
    if quiet:
        bar = _Silent()
    elif not console.is_terminal:
        bar = ProgressBar(None, console)
    else:
        columns = (
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=30),
            TaskProgressColumn(),
            TimeElapsedColumn(),
        )
        shown = Progress(*columns, console=console, transient=True)
        shown.start()
        bar = ProgressBar(shown, console)
    handler = _Announcement(bar)
    propagated, logger.propagate = logger.propagate, False
    level = logger.level
    logger.setLevel(logging.DEBUG)
    logger.addHandler(handler)
    try:
        yield bar
    finally:
        logger.removeHandler(handler)
        logger.propagate = propagated
        logger.setLevel(level)
        if shown is not None:
            shown.stop()

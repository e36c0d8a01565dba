"""The command on a real terminal of its own."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

COMMAND = [sys.executable, "-m", "lurking.cli"]


@contextmanager
def on_terminal(
    *arguments: str, cwd: Path, stdout: IO[bytes] | None = None
) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Start ``lurking`` with stderr, and unless a file is given stdout, on a terminal; it is gone at the end."""
    import pty  # Windows has none, and other modules import COMMAND from here

    terminal, other_end = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        cwd=cwd,
        stdout=other_end if stdout is None else stdout,
        stderr=other_end,
        env=os.environ | {"TERM": "xterm", "COLUMNS": "100"},
    )
    os.close(other_end)
    try:
        yield process, terminal
    finally:
        process.kill()
        process.wait()
        os.close(terminal)


def read_until(terminal: int, words: bytes | None, seconds: float) -> bytes:
    """Read from a terminal until some words appear, or until nobody writes to it any more."""
    shown, deadline = b"", time.monotonic() + seconds
    while words is None or words not in shown:
        assert time.monotonic() < deadline, shown[-2000:]
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                shown += os.read(terminal, 65536)
            except OSError:  # the other end is closed
                assert words is None, shown[-2000:]
                break
    return shown

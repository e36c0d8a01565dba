"""The command ``lurking``: from a table to an answer, without writing Python.

Each command is one small file here; it reads, calls the library, and shows. No mathematics lives in this layer.

Exit codes: 0 done; 1 the data or a file cannot be used, or the user stopped it; 2 the command line itself is wrong.
Every error is one sentence on stderr.
"""

from lurking.cli.group import main

__all__ = ["main"]

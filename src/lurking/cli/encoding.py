"""Answers where not every letter can be written: an old Windows console, or a pipe in another encoding.

Reports use a real minus sign, arrows and lines. Where the encoding has no such letter the nearest one in ASCII is
written, so that a minus never becomes a question mark.

>>> "−0.5 ± 0.1 – η".encode("cp1252", errors=NEAREST_LETTER).decode("cp1252")
'-0.5 ± 0.1 – ?'
"""

from __future__ import annotations

import codecs
import io
import sys

__all__ = ["NEAREST_LETTER", "write_what_can_be_written"]

NEAREST_LETTER = "lurking.nearest_letter"
"""The name of the way to write letters that an encoding does not have."""

_NEAREST = str.maketrans(
    {
        "−": "-",
        "–": "-",
        "—": "-",
        "…": "...",
        "×": "x",
        "±": "+-",
        "·": "-",
        "•": "*",
        "→": "->",
        "←": "<-",
        "↔": "<->",
        "∘": "o",
        "≤": "<=",
        "≥": ">=",
        "⊥": "_||_",
        "∅": "{}",
        "λ": "lambda",
        "μ": "mu",
        "χ": "chi",
        "²": "^2",
        "‘": "'",
        "’": "'",
        "“": '"',
        "”": '"',
        "━": "-",
        "─": "-",
        "│": "|",
        "█": "#",
        **dict.fromkeys("▁▂▃", "."),
        **dict.fromkeys("▄▅▆▇", "+"),
    }
)


def _nearest_letter(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letters = error.object[error.start : error.end].translate(_NEAREST)
    return "".join(letter if letter.isascii() else "?" for letter in letters), error.end


codecs.register_error(NEAREST_LETTER, _nearest_letter)


def write_what_can_be_written() -> None:
    """Make stdout and stderr replace the letters that they cannot write, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=NEAREST_LETTER)

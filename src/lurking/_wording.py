"""Words for numbers."""

from __future__ import annotations

__all__ = ["counted"]


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, which takes an s unless there is one.

    Examples
    --------
    >>> counted(1, "row"), counted(7466, "row")
    ('1 row', '7,466 rows')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"

"""How long work tells what it is doing, without knowing who listens."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

__all__ = ["Progress", "silent"]

Progress: TypeAlias = Callable[[float, str], None]
"""Called now and then with the share of the work that is done, from 0 to 1, and a few words on what is done now."""


def silent(share: float, doing: str) -> None:
    """Do nothing with the progress."""

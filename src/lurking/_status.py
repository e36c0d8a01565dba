"""How a computation ended: the base of all statuses."""

from __future__ import annotations

from enum import Enum

__all__ = ["Status"]


class Status(Enum):
    """How a computation ended; the value of each member is the sentence ``status.message``."""

    @property
    def message(self) -> str:
        """What the status means and what to do next."""
        message: str = self.value
        return message

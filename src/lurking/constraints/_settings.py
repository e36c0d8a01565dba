"""The settings of a constraint as compiled code wants them."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Settings"]


class Settings(NamedTuple):
    """Which constraint, and how it adds up walks."""

    code: int  # the constraint's compiled_code
    exponential: bool
    directed_factor: float = 1.0  # the c of (I + cA)^d
    bidirected_factor: float = 2.0
    tanh_scale: float = 1.0
    only_nonzero: bool = False  # derivatives by zero weights are not needed

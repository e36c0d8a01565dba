"""Checks of the numbers that the simulators take, each with its one sentence."""

from __future__ import annotations

import math
from numbers import Integral, Real

from lurking._errors import ParameterError

__all__ = ["check_count", "check_number"]


def check_count(value: object, name: str, at_least: int) -> int:
    """Return a whole number that is large enough, or say what is wrong with it."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < at_least:
        raise ParameterError(f"The {name!r} parameter must be a whole number of at least {at_least}. Got {value!r}.")
    return int(value)


def check_number(value: object, name: str, low: float, high: float) -> float:
    """Return a number inside a closed range, or say what is wrong with it; NaN is inside no range."""
    number = float(value) if isinstance(value, Real) and not isinstance(value, bool) else math.nan
    if not low <= number <= high:
        raise ParameterError(f"The {name!r} parameter must be a number from {low:g} to {high:g}. Got {value!r}.")
    return number

"""Checks of arguments, for every callable; what is wrong is said in one sentence.

>>> check_count("n_runs", 0, owner="Search")
Traceback (most recent call last):
    ...
lurking.errors.ParameterError: The 'n_runs' parameter of Search must be an int in the range [1, inf). Got 0 instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, nan
from numbers import Integral, Real

from lurking._errors import ParameterError
from lurking._wording import mention

__all__ = ["check_callable", "check_choice", "check_count", "check_n_jobs", "check_number", "check_positive", "refused"]


def check_count(name: str, value: object, *, at_least: int = 1, owner: str | None = None) -> int:
    """Return a whole number that is large enough; those of NumPy are fine."""
    if not _is_integer(value) or not value >= at_least:  # type: ignore[operator]
        raise refused(name, f"an int in the range [{at_least}, inf)", value, owner)
    return int(value)  # type: ignore[call-overload, no-any-return]


def check_number(name: str, value: object, low: float, high: float, owner: str | None = None) -> float:
    """Return a number inside a closed range; NaN is inside no range."""
    number = _as_float(value)
    if not low <= number <= high:
        raise refused(name, f"a float in the range [{low:g}, {high:g}]", value, owner)
    return number


def check_positive(name: str, value: object, owner: str | None = None) -> float:
    """Return a positive, finite number."""
    number = _as_float(value)
    if not 0 < number < inf:
        raise refused(name, "a float in the range (0, inf)", value, owner)
    return number


def check_choice(name: str, value: object, choices: Sequence[object], owner: str | None = None) -> None:
    """Refuse a value that is not one of the choices, which are texts or None."""
    if not any(value is choice or (isinstance(value, str) and value == choice) for choice in choices):
        raise refused(name, f"one of {', '.join(map(repr, choices))}", value, owner)


def check_n_jobs(value: object, owner: str | None = None) -> None:
    """Refuse a number of jobs that joblib would not understand."""
    if value is not None and (not _is_integer(value) or value == 0):
        raise refused("n_jobs", "None, a number from 1 on, or -1 for one on each core", value, owner)


def check_callable(name: str, value: object, owner: str | None = None) -> None:
    """Refuse a value that is neither None nor can be called."""
    if value is not None and not callable(value):
        raise refused(name, "None or a function", value, owner)


def _is_integer(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _as_float(value: object) -> float:
    return float(value) if not isinstance(value, bool) and isinstance(value, Real) else nan


def refused(name: str, expected: str, value: object, owner: str | None) -> ParameterError:
    """Return the error that says what an argument must be."""
    of = "" if owner is None else f" of {owner}"
    said = mention("parameter", f"The {name!r} parameter{of}", name) + f" must be {expected}. Got {value!r} instead."
    return ParameterError(said, parameter=name, value=value)

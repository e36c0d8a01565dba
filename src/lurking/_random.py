"""One way to turn a seed into random numbers, used by everything that draws any.

A function that takes ``random_state`` calls :func:`generator` once and, if it hands out work, gives every piece its own
child from :func:`children`. The children do not depend on who computes them or when, so the answer is the same for
any number of workers.
"""

from __future__ import annotations

import operator
from typing import SupportsIndex

import numpy as np

from lurking._errors import ParameterError
from lurking._typing import RandomState

__all__ = ["children", "generator"]


def generator(random_state: RandomState) -> np.random.Generator:
    """Return the generator that a ``random_state`` stands for.

    Parameters
    ----------
    random_state : int, numpy.random.Generator, numpy.random.SeedSequence or None
        A non-negative whole number gives the same numbers every time; a Generator is used as it is, and moves on; a
        SeedSequence seeds a new one; None takes fresh entropy from the system, so that every call differs.

    Examples
    --------
    >>> generator(7).integers(100) == generator(7).integers(100)
    np.True_
    """
    if isinstance(random_state, np.random.Generator):
        return random_state
    if random_state is None or isinstance(random_state, np.random.SeedSequence):
        return np.random.default_rng(random_state)
    if isinstance(random_state, SupportsIndex) and not isinstance(random_state, bool | np.bool_):  # type: ignore[redundant-expr]
        seed = operator.index(random_state)
        if seed >= 0:
            return np.random.default_rng(seed)
    raise ParameterError(
        "The random_state must be a whole number from 0 up, a numpy.random.Generator, a numpy.random.SeedSequence "
        f"or None. Got {random_state!r} instead."
    )


def children(random_state: RandomState, n_children: int) -> list[np.random.Generator]:
    """Return independent generators, one for each piece of work.

    Examples
    --------
    >>> first, second = children(7, 2)
    >>> first.integers(10**6) == second.integers(10**6)
    np.False_
    """
    return generator(random_state).spawn(n_children)

"""Compiled partial correlations; the theory is in :mod:`lurking.baselines.independence`."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from lurking._compile import compiled
from lurking._typing import FloatArray, IntArray

__all__ = ["partial_correlation", "weakest_dependence"]

Flags = NDArray[np.uint8]


@compiled
def partial_correlation(
    correlation: FloatArray, one: int, other: int, given: IntArray, n_given: int, factor: FloatArray
) -> float:
    """Return the correlation of two variables given the first ``n_given`` of ``given``, by a Cholesky factor.

    With the two variables last, the factor's last row holds the residual of the second one, split into the part along
    the residual of the first and the rest. ``factor`` is scratch of shape (d, d).
    """
    size = n_given + 2
    for row in range(size):
        i = given[row] if row < n_given else (one if row == n_given else other)
        for column in range(row + 1):
            j = given[column] if column < n_given else (one if column == n_given else other)
            value = correlation[i, j]
            for k in range(column):
                value -= factor[row, k] * factor[column, k]
            factor[row, column] = math.sqrt(value) if row == column else value / factor[column, column]
    along, rest = factor[n_given + 1, n_given], factor[n_given + 1, n_given + 1]
    correlated: float = along / math.sqrt(along * along + rest * rest)
    return correlated


@compiled
def weakest_dependence(
    correlation: FloatArray, one: int, other: int, candidates: IntArray, size: int, critical: float,
    best: IntArray, union: Flags,
) -> float:  # fmt: skip
    """Look at all sets of a given size among the candidates, and find the one that leaves the weakest dependence.

    Parameters
    ----------
    correlation : ndarray of float, shape (d, d)
        The correlation matrix.
    one, other : int
        The two variables; neither is a candidate.
    candidates : ndarray of int64
        What may be conditioned on.
    size : int
        The size of the sets.
    critical : float
        Partial correlations below it, in absolute value, count as independence.
    best : ndarray of int64
        Afterwards its first ``size`` entries are the set with the smallest absolute partial correlation.
    union : ndarray of uint8, shape (d,)
        The members of all sets that leave less than ``critical`` are marked here.

    Returns
    -------
    weakest : float
        The smallest absolute partial correlation, infinity if there is no set of this size.
    """
    n = candidates.shape[0]
    weakest = np.inf
    if size > n:
        return weakest
    factor = np.empty((size + 2, size + 2))
    places = np.arange(size)
    given = np.empty(size, dtype=np.int64)
    while True:
        for k in range(size):
            given[k] = candidates[places[k]]
        strength = abs(partial_correlation(correlation, one, other, given, size, factor))
        if strength < critical:
            for k in range(size):
                union[given[k]] = 1
        if strength < weakest:
            weakest = strength
            for k in range(size):
                best[k] = given[k]
        last = size - 1  # the next set in lexicographic order
        while last >= 0 and places[last] == n - size + last:
            last -= 1
        if last < 0:
            return weakest
        places[last] += 1
        for k in range(last + 1, size):
            places[k] = places[k - 1] + 1

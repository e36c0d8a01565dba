r"""Independence in Gaussian data: Fisher's z, the separating sets it finds, and what counts as a pair not adjacent.

For Gaussian variables x and y are independent given a set Z exactly if their partial correlation :math:`\rho` is zero.
With the sample value r, :math:`\sqrt{n - |Z| - 3}\,\operatorname{artanh}(r)` is close to standard normal if
:math:`\rho = 0` (Fisher 1924), so at level α independence is rejected if

.. math:: |r| \ge \tanh\!\left(\frac{\Phi^{-1}(1 - α/2)}{\sqrt{n - |Z| - 3}}\right).

A larger α keeps more edges.

Constraint-based methods ask which pairs *some* set separates. Among many sets that do, the one with the smallest
``abs(r)`` is remembered here. That choice does not depend on the order of the variables; "the first one found" does.

>>> chain = Moments([[1.0, 0.8, 0.64], [0.8, 1.0, 0.8], [0.64, 0.8, 1.0]], 500)
>>> test = FisherZ(chain, alpha=0.05)
>>> test.independent(0, 2), test.independent(0, 2, [1])
(False, True)
>>> test.separating_set(0, 2, [1], size=1).given
frozenset({1})
"""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import NamedTuple

import numpy as np
from scipy.stats import norm

from lurking.baselines._separation_kernels import partial_correlation, weakest_dependence
from lurking.data import Moments

__all__ = ["FisherZ", "Separation"]


class Separation(NamedTuple):
    """A set that separates two variables in the data."""

    given: frozenset[int]
    """The set with the weakest remaining dependence."""
    union: frozenset[int]
    """Everything in any of the separating sets that were looked at together with it."""
    strength: float
    """The absolute partial correlation given ``given``."""


class FisherZ:
    """Fisher's z test of partial correlations at one level.

    Parameters
    ----------
    moments : Moments
        The data.
    alpha : float
        The level of each test.

    Attributes
    ----------
    n_tests : int
        The number of tests so far.
    quantile : float
        The value of |z| from which on independence is rejected.
    """

    def __init__(self, moments: Moments, alpha: float) -> None:
        self.n_tests = 0
        self._correlation = moments.correlation
        self._n_samples = moments.n_samples
        self.quantile = float(norm.isf(alpha / 2.0))

    def critical(self, size: int) -> float:
        """Return the absolute partial correlation, given ``size`` variables, from which on independence is rejected.

        With no degrees of freedom left nothing can be rejected, and nothing be shown: 0 says "never independent".
        """
        freedom = self._n_samples - size - 3
        return math.tanh(self.quantile / math.sqrt(freedom)) if freedom > 0 else 0.0

    def independent(self, one: int, other: int, given: Collection[int] = ()) -> bool:
        """Tell whether independence given a set is not rejected."""
        size = len(given)
        self.n_tests += 1
        members = np.fromiter(sorted(given), dtype=np.int64, count=size)
        scratch = np.empty((size + 2, size + 2))
        return abs(partial_correlation(self._correlation, one, other, members, size, scratch)) < self.critical(size)

    def smallest_statistic(
        self, one: int, other: int, candidates: Collection[int], max_size: int | None = None
    ) -> float:
        """Return the smallest |z| of two variables given any set of candidates (up to a size).

        Sets that leave no degrees of freedom are not looked at.
        """
        members = np.fromiter(sorted(candidates), dtype=np.int64, count=len(candidates))
        best, union = np.empty(len(members), dtype=np.int64), np.zeros(len(self._correlation), dtype=np.uint8)
        smallest = math.inf
        for size in range(1 + (len(members) if max_size is None else min(max_size, len(members)))):
            freedom = self._n_samples - size - 3
            if freedom > 0:
                self.n_tests += math.comb(len(members), size)
                strength = weakest_dependence(self._correlation, one, other, members, size, 0.0, best, union)
                smallest = min(smallest, math.sqrt(freedom) * math.atanh(strength))
        return smallest

    def separating_set(self, one: int, other: int, candidates: Collection[int], size: int) -> Separation | None:
        """Return the set of a given size among the candidates that separates best, or None if none separates."""
        members = np.fromiter(sorted(candidates), dtype=np.int64, count=len(candidates))
        self.n_tests += math.comb(len(members), size)
        best = np.empty(size, dtype=np.int64)
        union = np.zeros(len(self._correlation), dtype=np.uint8)
        critical = self.critical(size)
        strength = weakest_dependence(self._correlation, one, other, members, size, critical, best, union)
        if strength >= critical:
            return None
        return Separation(frozenset(best.tolist()), frozenset(np.flatnonzero(union).tolist()), strength)

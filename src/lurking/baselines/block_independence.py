r"""Independence of variables of several columns: a likelihood-ratio test for FCI on tables with nominal columns.

Under the degenerate Gaussian model (Andrews, Ramsey and Cooper 2019) a nominal variable is its indicator columns, taken
as Gaussian (:mod:`lurking.data.nominal`). Two variables of p and q columns are independent given a set Z of variables
exactly if all pq partial covariances are zero. With S the sample correlations of the columns and

.. math:: \Lambda = \frac{|S_{xyZ}|\,|S_Z|}{|S_{xZ}|\,|S_{yZ}|},

:math:`-m \ln\Lambda` is then close to chi-square with pq degrees of freedom; Bartlett's (1938) factor
:math:`m = n - 1 - c_Z - (p + q + 1)/2`, :math:`c_Z` being the number of columns of Z, makes it closer. With p = q = 1,
:math:`1 - \Lambda` is the squared partial correlation.

>>> from lurking.graphs import Grouping
>>> from lurking.data import Moments
>>> columns = Moments([[1.0, 0.3, 0.2], [0.3, 1.0, -0.4], [0.2, -0.4, 1.0]], 100, ["dose", "red", "blue"])
>>> test = BlockIndependence(GroupedMoments(columns, Grouping(("dose", "colour"), (("dose",), ("red", "blue")))), 0.05)
>>> test.independent(0, 1)
False

References
----------
B. Andrews, J. Ramsey and G. Cooper (2019), Learning high-dimensional directed acyclic graphs with mixed data-types,
Proceedings of Machine Learning Research 104. M. Bartlett (1938), Further aspects of the theory of multiple regression,
Mathematical Proceedings of the Cambridge Philosophical Society 34.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import combinations
from math import exp, inf, sqrt

import numpy as np
from scipy.stats import chi2

from lurking.baselines.independence import Separation
from lurking.data import GroupedMoments

__all__ = ["BlockIndependence"]


class BlockIndependence:
    """The likelihood-ratio test at one level.

    Parameters
    ----------
    moments : GroupedMoments
        The data.
    alpha : float
        The level of each test.

    Attributes
    ----------
    n_tests : int
        The number of tests so far.
    """

    def __init__(self, moments: GroupedMoments, alpha: float) -> None:
        self.n_tests = 0
        self._correlation = moments.whitened()[0]
        self._columns = [np.arange(len(self._correlation))[moments.grouping.places(v)] for v in range(len(moments))]
        self._n_samples = moments.n_samples
        self._limits = {
            size: float(chi2.isf(alpha, size)) for size in {p * q for p in moments.sizes for q in moments.sizes}
        }
        self._log_dets: dict[frozenset[int], float] = {}

    def independent(self, one: int, other: int, given: Collection[int] = ()) -> bool:
        """Tell whether independence given a set is not rejected."""
        return self._strength(one, other, frozenset(given))[1]

    def separating_set(self, one: int, other: int, candidates: Collection[int], size: int) -> Separation | None:
        """Return the set of a given size among the candidates that separates best, or None if none separates."""
        best: Separation | None = None
        union: frozenset[int] = frozenset()
        for given in map(frozenset, combinations(sorted(candidates), size)):
            strength, separates = self._strength(one, other, given)
            if separates:
                union |= given
                if best is None or strength < best.strength:
                    best = Separation(given, union, strength)
        return None if best is None else best._replace(union=union)

    def _strength(self, one: int, other: int, given: frozenset[int]) -> tuple[float, bool]:
        """Return the strength of the dependence, from 0 to 1, and whether independence is not rejected."""
        self.n_tests += 1
        p, q = len(self._columns[one]), len(self._columns[other])
        freedom = self._n_samples - 1 - sum(len(self._columns[v]) for v in given) - (p + q + 1) / 2
        if freedom <= 0:  # with no degrees of freedom left nothing can be shown
            return 1.0, False
        log_ratio = (
            self._log_det(given | {one, other})
            + self._log_det(given)
            - self._log_det(given | {one})
            - self._log_det(given | {other})
        )
        return sqrt(max(0.0, 1.0 - exp(min(log_ratio, 0.0)))), -freedom * log_ratio < self._limits[p * q]

    def _log_det(self, variables: frozenset[int]) -> float:
        """Return the logarithm of the determinant of the correlations of all columns of some variables."""
        if variables not in self._log_dets:
            sign, value = 1.0, 0.0
            if variables:
                columns = np.concatenate([self._columns[v] for v in sorted(variables)])
                sign, value = np.linalg.slogdet(self._correlation[np.ix_(columns, columns)])
            self._log_dets[variables] = float(value) if sign > 0.0 else -inf
        return self._log_dets[variables]

r"""The range of a causal effect over all graphs that fit equally well.

Data choose at best an equivalence class of graphs (:mod:`lurking.graphs.model_equivalence`); all its members have the
same maximum of the likelihood and imply the same covariances there. They can differ in their effects. The smallest and
the largest total effect over the class say what the data, and not the choice of one graph, have decided. This is the
idea of IDA (Maathuis, Kalisch and Bühlmann 2009) for graphs with bidirected edges and Verma constraints.

The members are not fitted one by one: their coefficients are computed from the common covariance matrix, one linear
system for each vertex (:mod:`lurking.graphs.generic_point`).

::

    A -> B -> C -> D,  B <-> D        equivalent: the same with A <-> B. So A on B may be no effect at all,
                                      but B on D is one in both graphs, with the same strength.

>>> from lurking.sem import LinearSEM
>>> graph = ADMG.parse("A -> B -> C -> D; B <-> D")
>>> coef = [[0, 1, 0, 0], [0, 0, 0.5, 0], [0, 0, 0, 2], [0, 0, 0, 0]]
>>> model = LinearSEM(graph, coef, [[1, 0, 0, 0], [0, 1, 0, 0.5], [0, 0, 1, 0], [0, 0.5, 0, 1]])
>>> ranges = effect_ranges(Moments(model.implied_cov(), 1000, graph.names), graph)
>>> print(ranges.of("A", "B"), ranges.of("B", "D"), sep="\n")
A on B: from 0.000 to 1.000 over 2 equivalent graphs
B on D: 1.000 in all 2 equivalent graphs

References
----------
M. Maathuis, M. Kalisch and P. Bühlmann (2009). Estimating high-dimensional intervention effects from observational
data. Annals of Statistics 37.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lurking._errors import UnknownVertexError
from lurking._typing import FloatArray
from lurking.data import Moments
from lurking.graphs import ADMG, equivalence_class
from lurking.sem.ricf import ricf

__all__ = ["EffectRange", "EffectRanges", "effect_ranges"]

_SAME = 1e-6
"""Effects that differ by less than this, in units of standard deviations, are the same."""

_ILL_CONDITIONED = 1e10
"""A member whose linear systems have a larger condition number than this does not determine its effects."""

_SPURIOUS = 1e-5
"""A member with a larger error correlation than this where it has no edge does not determine its effects either."""


@dataclass(frozen=True)
class EffectRange:
    """The total effect of one variable on another over all equivalent graphs.

    Attributes
    ----------
    cause, effect : str
        The two variables.
    low, high : float
        The smallest and the largest total effect; infinite if an equivalent graph does not determine it.
    n_graphs : int
        The number of equivalent graphs.
    share_causal : float
        The share of them in which a directed path leads from cause to effect.
    """

    cause: str
    effect: str
    low: float
    high: float
    n_graphs: int
    share_causal: float

    @property
    def decided(self) -> bool:
        """Whether all equivalent graphs have the same total effect."""
        return self.low == self.high

    def __str__(self) -> str:
        if self.decided:
            return f"{self.cause} on {self.effect}: {self.low:.3f} in all {self.n_graphs} equivalent graphs"
        return (
            f"{self.cause} on {self.effect}: from {self.low:.3f} to {self.high:.3f} "
            f"over {self.n_graphs} equivalent graphs"
        )


@dataclass(frozen=True, eq=False)
class EffectRanges:
    """The ranges of all total effects over an equivalence class.

    Attributes
    ----------
    names : tuple of str
        The variables.
    low, high : ndarray, shape (d, d)
        The smallest and the largest total effect of i on j. Read-only.
    share_causal : ndarray, shape (d, d)
        The share of the equivalent graphs with a directed path from i to j. Read-only.
    n_graphs : int
        The number of equivalent graphs.
    """

    names: tuple[str, ...]
    low: FloatArray
    high: FloatArray
    share_causal: FloatArray
    n_graphs: int

    def of(self, cause: str, effect: str) -> EffectRange:
        """Return the range of one effect."""
        for name in (cause, effect):
            if name not in self.names:
                raise UnknownVertexError(name, self.names)
        i, j = self.names.index(cause), self.names.index(effect)
        share = float(self.share_causal[i, j])
        return EffectRange(cause, effect, float(self.low[i, j]), float(self.high[i, j]), self.n_graphs, share)


def effect_ranges(moments: Moments, admg: ADMG, *, limit: int = 100_000) -> EffectRanges:
    """Return the smallest and largest total effects over all graphs with the same linear Gaussian model.

    All of them imply the same covariances at the maximum of the likelihood, so the data give no reason to prefer one.

    Parameters
    ----------
    moments : Moments
        The data.
    admg : ADMG
        A bow-free graph on the same variables.
    limit : int, default 100,000
        As in :func:`~lurking.graphs.equivalence_class`.

    Returns
    -------
    ranges : EffectRanges
        Estimates alone; the sampling error of each is that of :func:`causal_effects` in the graph in question.

    Raises
    ------
    GraphError
        If the class is too large to be listed.
    """
    fit = ricf(moments, admg)
    cov = fit.implied_cov()
    scales = np.sqrt(np.diag(cov))
    units = scales / scales[:, None]  # a total effect is in units of the effect per unit of the cause
    members = equivalence_class(fit.admg, limit=limit).members
    effects = np.array([_total_effects(cov / np.outer(scales, scales), member) for member in members])
    low, high = effects.min(axis=0), effects.max(axis=0)
    unknown = np.isnan(effects).any(axis=0)
    same = high - low < _SAME
    middle = (low + high) / 2
    low, high = np.where(same, middle, low), np.where(same, middle, high)
    causal = np.array([[[e in below for e in m.names] for below in map(m.descendants, m.names)] for m in members])
    share = np.where(np.eye(len(cov), dtype=bool), 0.0, causal.mean(axis=0))
    matrices = (np.where(unknown, -np.inf, low * units), np.where(unknown, np.inf, high * units), share)
    for matrix in matrices:
        matrix.flags.writeable = False
    return EffectRanges(fit.admg.names, *matrices, n_graphs=len(members))


def _total_effects(correlation: FloatArray, admg: ADMG) -> FloatArray:
    """Return the total effects of a bow-free graph that a correlation matrix belongs to; nan if not determined there.

    The coefficients of each vertex solve one linear system: its error is uncorrelated with those of its parents
    (:mod:`lurking.graphs.generic_point`).
    """
    d = len(correlation)
    coef = np.zeros((d, d))
    errors = correlation.copy()  # errors[v] = covariances of the error of v with the variables
    for name in admg.topological_order():
        v = admg.index(name)
        parents = np.flatnonzero(admg.directed[:, v])
        if not parents.size:
            continue
        system = errors[np.ix_(parents, parents)]
        if np.linalg.cond(system) > _ILL_CONDITIONED:
            return np.full((d, d), np.nan)
        coef[parents, v] = np.linalg.solve(system, errors[parents, v])
        errors[v] = correlation[v] - coef[parents, v] @ correlation[parents]
    residual = np.eye(d) - coef
    error_cov = residual.T @ correlation @ residual
    spread = np.sqrt(np.diag(error_cov))
    spurious = np.abs(error_cov / np.outer(spread, spread))[~admg.bidirected & ~np.eye(d, dtype=bool)]
    if spurious.size and spurious.max() > _SPURIOUS:
        return np.full((d, d), np.nan)
    effects: FloatArray = np.linalg.inv(residual) - np.eye(d)
    return effects

"""Where the fit of a district starts.

The likelihood of a graph that fits badly can have several maxima, and then the start decides. Measured on the paper's
simulation with 10 variables, 150 graphs of each kind and eight or more starts: the first start below leads to the
best known maximum for 98 % of the graphs that are three edges away from the truth and for 88 % of random graphs (nearly
always if it came near its maximum within 6 steps). So the others are tried only when it took longer, and the best of
them counts: then it is 100 % and 98 %.

==============  ==============================  =====================================================
start           slopes                          covariances of errors
==============  ==============================  =====================================================
REGRESSIONS     regression on the parents       none
RESIDUALS       regression on the parents       those of the residuals, where there is an edge
INDEPENDENCE    none                            none
CORRELATIONS    none                            the correlations, where there is an edge
WARM            those of a similar graph        those of a similar graph
==============  ==============================  =====================================================

The regressions are RICF updates in which the siblings are left out. Covariances with zeros put in need not be positive
definite; the fit shrinks them until they are.
"""

from __future__ import annotations

from lurking._compile import part
from lurking._typing import FloatArray
from lurking.sem.kernels.district import (
    CHANGED,
    FIRST_PARENT,
    FIRST_SIBLING,
    MEMBERS,
    PARENT,
    SIBLING,
    TRIAL_B,
    TRIAL_OMEGA,
    VARIABLE,
    VARIABLES,
    DistrictWork,
    S,
)

__all__ = [
    "CORRELATIONS",
    "INDEPENDENCE",
    "REGRESSIONS",
    "RESIDUALS",
    "WARM",
    "correlate_errors",
    "independence_start",
    "shrink_covariances",
    "warm_start",
]

REGRESSIONS, RESIDUALS, INDEPENDENCE, CORRELATIONS, WARM = range(5)


@part
def independence_start(work: DistrictWork) -> None:
    """Put on trial slopes of zero and independent errors."""
    m, v = work.size[MEMBERS], work.size[VARIABLES]
    slopes, omega = work.matrix[TRIAL_B], work.matrix[TRIAL_OMEGA]
    for i in range(m):
        for p in range(v):
            slopes[i, p] = 0.0
        for j in range(m):
            omega[i, j] = 0.0
        omega[i, i] = 1.0


@part
def correlate_errors(work: DistrictWork) -> None:
    """Give the errors of siblings, on trial, the covariances that the residuals of the slopes on trial have."""
    m, v = work.size[MEMBERS], work.size[VARIABLES]
    first, parent, sibling = work.lists[FIRST_PARENT], work.lists[PARENT], work.lists[SIBLING]
    correlation, slopes, omega = work.matrix[S], work.matrix[TRIAL_B], work.matrix[TRIAL_OMEGA]
    for i in range(m):
        for k in range(work.lists[FIRST_SIBLING, i], work.lists[FIRST_SIBLING, i + 1]):
            j = sibling[k]
            for p in range(v):
                weight = -slopes[i, p] if p != i else 1.0
                if weight != 0.0:
                    covariance = correlation[p, j]
                    for t in range(first[j], first[j + 1]):
                        covariance -= slopes[j, parent[t]] * correlation[p, parent[t]]
                    omega[i, j] += weight * covariance


@part
def shrink_covariances(work: DistrictWork) -> None:
    """Bring the covariances on trial nearer to zero."""
    m, omega = work.size[MEMBERS], work.matrix[TRIAL_OMEGA]
    for i in range(m):
        for j in range(m):
            if i != j:
                omega[i, j] *= 0.7


@part
def warm_start(work: DistrictWork, coef: FloatArray, error_cov: FloatArray) -> None:
    """Put on trial the parameters of another graph (on the correlation scale), cut down to this district's edges.

    Members that gained or lost a parameter are marked in the list CHANGED: fitted parameters are never exactly zero.
    """
    m, v = work.size[MEMBERS], work.size[VARIABLES]
    variable, parent, sibling = work.lists[VARIABLE], work.lists[PARENT], work.lists[SIBLING]
    slopes, omega = work.matrix[TRIAL_B], work.matrix[TRIAL_OMEGA]
    for i in range(m):
        vertex = variable[i]
        gone = -1  # the variance
        for other in range(coef.shape[0]):
            gone += (coef[other, vertex] != 0.0) + (error_cov[other, vertex] != 0.0)
        fresh = 0
        for p in range(v):
            slopes[i, p] = 0.0
        for k in range(work.lists[FIRST_PARENT, i], work.lists[FIRST_PARENT, i + 1]):
            start = coef[variable[parent[k]], vertex]
            slopes[i, parent[k]] = start
            gone -= 1
            fresh += start == 0.0
        for j in range(m):
            omega[i, j] = 0.0
        omega[i, i] = error_cov[vertex, vertex]
        for k in range(work.lists[FIRST_SIBLING, i], work.lists[FIRST_SIBLING, i + 1]):
            start = error_cov[variable[sibling[k]], vertex]
            omega[i, sibling[k]] = start
            gone -= 1
            fresh += start == 0.0
        work.lists[CHANGED, i] = fresh + abs(gone + fresh)

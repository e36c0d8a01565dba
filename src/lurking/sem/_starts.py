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

Covariances with zeros put in need not be positive definite; they shrink until they are.
"""

from __future__ import annotations

from lurking._compile import compiled_arithmetic
from lurking._typing import FloatArray
from lurking.sem._district import (
    CHANGED,
    FIRST_PARENT,
    FIRST_SIBLING,
    MEMBERS,
    NORMAL,
    PARENT,
    SCRATCH,
    SIBLING,
    SOLUTION,
    TRIAL_B,
    TRIAL_OMEGA,
    VARIABLE,
    VARIABLES,
    VECTORS,
    DistrictWork,
    S,
)
from lurking.sem._linear_algebra import back_substitute, factor, forward_substitute

__all__ = ["CORRELATIONS", "INDEPENDENCE", "REGRESSIONS", "RESIDUALS", "WARM", "cold_start", "warm_start"]

REGRESSIONS, RESIDUALS, INDEPENDENCE, CORRELATIONS, WARM = range(5)


@compiled_arithmetic
def _shrink_to_definite(work: DistrictWork) -> None:
    """Shrink the covariances on trial until they are positive definite with the variances that they go with."""
    m = work.size[MEMBERS]
    omega, scratch = work.matrix[TRIAL_OMEGA], work.matrix[SCRATCH]
    share = 1.0
    while True:
        for i in range(m):
            for j in range(i):
                scratch[i, j] = omega[i, j] * share
            scratch[i, i] = omega[i, i]
        if factor(scratch, m):
            break
        share = share * 0.8 if share > 0.1 else 0.0
    if share < 1.0:
        share *= 0.9  # not on the edge of the cone
        for i in range(m):
            for j in range(m):
                if i != j:
                    omega[i, j] *= share


@compiled_arithmetic
def cold_start(work: DistrictWork, start: int) -> bool:
    """Put on trial one of the starts that need no other graph; tell if all regressions were regular.

    A member whose parents are collinear starts with slopes of zero.
    """
    m, v = work.size[MEMBERS], work.size[VARIABLES]
    parent, sibling = work.lists[PARENT], work.lists[SIBLING]
    correlation, slopes, omega = work.matrix[S], work.matrix[TRIAL_B], work.matrix[TRIAL_OMEGA]
    normal, solution = work.matrix[NORMAL], work.matrix[VECTORS, SOLUTION]
    regular = True
    for i in range(m):
        for p in range(v):
            slopes[i, p] = 0.0
        for j in range(m):
            omega[i, j] = 0.0
        omega[i, i] = correlation[i, i]
        first = work.lists[FIRST_PARENT, i]
        count = work.lists[FIRST_PARENT, i + 1] - first
        if count == 0 or start in (INDEPENDENCE, CORRELATIONS):
            continue
        for k in range(count):
            p = parent[first + k]
            for t in range(k + 1):
                normal[k, t] = correlation[p, parent[first + t]]
            normal[count, k] = correlation[p, i]
        variance = -1.0
        if factor(normal, count):
            forward_substitute(normal, count, count)
            variance = correlation[i, i]
            for k in range(count):
                variance -= normal[count, k] ** 2
        if not variance > 0.0:
            regular = False
            continue
        back_substitute(normal, count, count, solution)
        for k in range(count):
            slopes[i, parent[first + k]] = solution[k]
        omega[i, i] = variance
    if start in (RESIDUALS, CORRELATIONS):
        for i in range(m):
            for k in range(work.lists[FIRST_SIBLING, i], work.lists[FIRST_SIBLING, i + 1]):
                j = sibling[k]
                for p in range(v):  # the covariance of the two errors
                    weight = -slopes[i, p] if p != i else 1.0
                    if weight != 0.0:
                        covariance = correlation[p, j]
                        for t in range(work.lists[FIRST_PARENT, j], work.lists[FIRST_PARENT, j + 1]):
                            covariance -= slopes[j, parent[t]] * correlation[p, parent[t]]
                        omega[i, j] += weight * covariance
        _shrink_to_definite(work)
    return regular


@compiled_arithmetic
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
    _shrink_to_definite(work)

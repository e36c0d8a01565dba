r"""One district of a graph as a small dense minimisation problem: the likelihood, and where its parts are stored.

The variables of a bow-free ADMG fall into districts. Let :math:`\varepsilon_i = X_i - \sum_{p \in pa(i)} B_{pi} X_p` be
the errors and :math:`\Omega` the covariance matrix of those of the m members of a district. Then minus twice the
log-likelihood is, up to a constant, n times the sum over districts of

.. math:: F(B, \Omega) = \ln\det\Omega + \operatorname{tr}(\Omega^{-1} E), \qquad E = (I - B)^\top S (I - B),

where only the columns of B that belong to the members appear. Parents outside the district are regressors.

A district is copied out of the graph into a :class:`DistrictWork`: variables are renumbered, the members first, then
the parents that are not members. Matrices with one row per member are stored so that inner loops run along rows:

=============  =========  =====================================================================
name           shape      holds
=============  =========  =====================================================================
S              v x v      correlations of members and parents
B              m x v      ``B[i, p]``: the coefficient of p in the equation of member i
OMEGA          m x m      covariance of the errors
K              m x m      its inverse
W              m x v      ``W[i, p]``: covariance of the error of i with variable p, (I - B)'S
U              m x v      K W
KE             m x m      K E
G              m x m      K E K
=============  =========  =====================================================================

The derivatives are those of the matrix fractional function: ``dF/dB[i, p] = -2 U[i, p]``, ``dF/dOmega = K - G``.
A term on the error variances in raw units can be added to F (:mod:`lurking.sem.kernels.own_noise`).

All matrices are planes of one array, all lists of numbers rows of another: a kernel then takes six arguments and not
forty, which is what its compilation time depends on.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lurking._compile import part
from lurking._typing import Edges, FloatArray, IntArray

__all__ = [
    "DistrictWork",
    "copy_parameters",
    "load_district",
    "new_district_work",
]

# planes of DistrictWork.matrix; the parameters come three times: accepted, on trial, and kept from an earlier fit
B, OMEGA, TRIAL_B, TRIAL_OMEGA, KEPT_B, KEPT_OMEGA, S, K, W, U, KE, G, SCRATCH, NORMAL, VECTORS = range(15)
N_PLANES, N_UNITS, N_VECTORS = 15, 3, 5
ACCEPTED, TRIAL, KEPT = slice(B, OMEGA + 1), slice(TRIAL_B, TRIAL_OMEGA + 1), slice(KEPT_B, KEPT_OMEGA + 1)
# rows of the plane VECTORS. The first three are those of ``units``, for each variable in raw units: logarithm of its
# variance, standard deviation, and the standard deviation of what all other variables leave unexplained
LOG_VARIANCE, DEVIATION, LEAST, SOLUTION, COLUMN = range(5)
# rows of DistrictWork.lists: the parents of member i are PARENT[FIRST_PARENT[i] : FIRST_PARENT[i + 1]], the siblings
# likewise; the free entries of Omega are (EDGE_ROW, EDGE_COLUMN), bidirected edges first, then the diagonal
VARIABLE, LOCAL, FIRST_PARENT, PARENT, FIRST_SIBLING, SIBLING, EDGE_ROW, EDGE_COLUMN, CHANGED = range(9)
N_LISTS = 9
# entries of DistrictWork.size
MEMBERS, VARIABLES, COEFFICIENTS, ENTRIES = range(4)

_MOST_NEWTON_PARAMETERS = 900  # above, the Hessian costs more than it brings


class DistrictWork(NamedTuple):
    """Arrays for the fit of one district, allocated once and used for every district of a search."""

    size: IntArray
    """Number of members, of variables, of coefficients, of free entries of Omega."""
    lists: IntArray
    """Lists of vertex numbers, one per row."""
    matrix: FloatArray
    """The matrices of the problem, one per plane."""
    hessian: FloatArray
    """Lower triangle of the Hessian and, in one more row, minus the gradient."""
    step: FloatArray
    """Newton step: coefficients, then entries of Omega."""
    prior: FloatArray
    """Strength 1/(n tau²) and centre of similar noise; strength 0: not assumed."""


def new_district_work(d: int) -> DistrictWork:
    """Allocate the arrays for districts of a graph with d variables."""
    parameters = d * (d + 1) // 2
    newton = min(parameters, _MOST_NEWTON_PARAMETERS)
    return DistrictWork(
        size=np.zeros(4, dtype=np.int64),
        lists=np.zeros((N_LISTS, d * d + 1), dtype=np.int64),
        matrix=np.zeros((N_PLANES, d + N_VECTORS, d)),
        hessian=np.zeros((newton + 1, newton)),
        step=np.zeros(parameters),
        prior=np.zeros(2),
    )


@part
def load_district(
    work: DistrictWork,
    correlation: FloatArray,
    units: FloatArray,
    directed: Edges,
    bidirected: Edges,
    members: IntArray,
    m: int,
) -> None:
    """Copy the structure and the correlations of the district of the given members."""
    d = correlation.shape[0]
    variable, local, row, column = (
        work.lists[VARIABLE],
        work.lists[LOCAL],
        work.lists[EDGE_ROW],
        work.lists[EDGE_COLUMN],
    )
    for vertex in range(d):
        local[vertex] = -1
    for i in range(m):
        variable[i] = members[i]
        local[members[i]] = i
    v = m
    parents = siblings = edges = 0
    for i in range(m):
        vertex = members[i]
        work.lists[FIRST_PARENT, i] = parents
        work.lists[FIRST_SIBLING, i] = siblings
        for other in range(d):
            if directed[other, vertex]:
                if local[other] < 0:
                    variable[v] = other
                    local[other] = v
                    v += 1
                work.lists[PARENT, parents] = local[other]
                parents += 1
            elif bidirected[other, vertex]:
                j = local[other]
                work.lists[SIBLING, siblings] = j
                siblings += 1
                if i < j:
                    row[edges] = i
                    column[edges] = j
                    edges += 1
    work.lists[FIRST_PARENT, m] = parents
    work.lists[FIRST_SIBLING, m] = siblings
    for i in range(m):
        row[edges + i] = i
        column[edges + i] = i
    work.size[MEMBERS] = m
    work.size[VARIABLES] = v
    work.size[COEFFICIENTS] = parents
    work.size[ENTRIES] = edges + m
    for p in range(v):
        vertex = variable[p]
        for k in range(N_UNITS):
            work.matrix[VECTORS, k, p] = units[k, vertex]
        for q in range(v):
            work.matrix[S, p, q] = correlation[vertex, variable[q]]


@part
def copy_parameters(work: DistrictWork, source: FloatArray, target: FloatArray) -> None:
    """Copy the parameters between two sets: ``work.matrix[ACCEPTED]``, ``[TRIAL]`` or ``[KEPT]``."""
    m, v = work.size[MEMBERS], work.size[VARIABLES]
    for i in range(m):
        for p in range(v):
            target[0, i, p] = source[0, i, p]
        for j in range(m):
            target[1, i, j] = source[1, i, j]

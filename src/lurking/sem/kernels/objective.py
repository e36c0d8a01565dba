"""What the fit of a district minimises, at given parameters."""

from __future__ import annotations

import numpy as np

from lurking._compile import part
from lurking.sem.kernels.district import (
    FIRST_PARENT,
    KE,
    MEMBERS,
    PARENT,
    SCRATCH,
    TRIAL_B,
    TRIAL_OMEGA,
    VARIABLES,
    DistrictWork,
    K,
    S,
    U,
    W,
)
from lurking.sem.kernels.linear_algebra import factor, invert_factored
from lurking.sem.kernels.own_noise import log_own_variance

__all__ = ["evaluate"]


@part
def evaluate(work: DistrictWork) -> float:
    """Return F, with the term of similar noise, at the trial parameters and fill K, W, U and KE.

    It is inf if Omega is not definite.
    """
    m, v = work.size[MEMBERS], work.size[VARIABLES]
    first, parent = work.lists[FIRST_PARENT], work.lists[PARENT]
    correlation, slopes, omega, scratch = (
        work.matrix[S],
        work.matrix[TRIAL_B],
        work.matrix[TRIAL_OMEGA],
        work.matrix[SCRATCH],
    )
    inverse, w, u, ke = work.matrix[K], work.matrix[W], work.matrix[U], work.matrix[KE]
    for i in range(m):
        for j in range(i + 1):
            scratch[i, j] = omega[i, j]
    if not factor(scratch, m):
        return np.inf
    value = 0.0
    for i in range(m):
        value -= 2.0 * np.log(scratch[i, i])
    invert_factored(scratch, m, inverse)
    for i in range(m):
        for p in range(v):
            w[i, p] = correlation[i, p]
        for k in range(first[i], first[i + 1]):
            q = parent[k]
            slope = slopes[i, q]
            for p in range(v):
                w[i, p] -= slope * correlation[q, p]
    for i in range(m):
        for p in range(v):
            u[i, p] = 0.0
        for j in range(m):
            weight = inverse[i, j]
            for p in range(v):
                u[i, p] += weight * w[j, p]
        for j in range(m):
            total = u[i, j]
            for k in range(first[j], first[j + 1]):
                total -= slopes[j, parent[k]] * u[i, parent[k]]
            ke[i, j] = total
        value += ke[i, i]
    if work.prior[0] > 0.0:
        for i in range(m):
            excess = log_own_variance(work, omega, i) - work.prior[1]
            value += work.prior[0] * excess * excess
    return min(np.inf, value)

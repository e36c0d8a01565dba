r"""One sweep of residual iterative conditional fitting (RICF) over a district.

A sweep (Drton, Eichler and Richardson 2009) visits the members one by one. With everything else fixed, the likelihood
in the coefficients into i, the covariances :math:`\omega_{i,sp(i)}` and the variance of i is a least-squares problem:
regress :math:`X_i` on its parents and on the pseudo-variables
:math:`Z_s = (\Omega_{-i,-i}^{-1} \varepsilon_{-i})_s` of its siblings s. Its solution never lowers the likelihood.
The variance is the residual variance *plus* the part that the siblings explain,
:math:`\omega_{i,sp}^\top (\Omega_{-i,-i}^{-1})_{sp,sp}\, \omega_{i,sp}`.

Here everything is taken from covariances: with K the inverse of Omega, ``A = K - K[:, i] K[i, :] / K[i, i]`` is the
inverse without i (a rank-one downdate), and after the update K is A plus a rank-one term, so a sweep inverts nothing.
"""

from __future__ import annotations

from lurking._compile import part
from lurking.sem.kernels.district import (
    CHANGED,
    COLUMN,
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
    VARIABLES,
    VECTORS,
    DistrictWork,
    K,
    S,
    U,
    W,
)
from lurking.sem.kernels.linear_algebra import back_substitute, factor, forward_substitute

__all__ = ["ALL_MEMBERS", "CHANGED_MEMBERS", "PARENTS_ONLY", "sweep"]

# which members a sweep updates, and how
ALL_MEMBERS, CHANGED_MEMBERS, PARENTS_ONLY = range(3)


@part
def sweep(work: DistrictWork, which: int) -> bool:
    """Maximise over the parameters of each member in turn, on trial; K and W are kept up to date.

    With ``which`` = CHANGED_MEMBERS only the changed members are updated; with PARENTS_ONLY siblings are left out. A
    member whose regression is singular stays as it is. Tells if there was none.
    """
    m, v = work.size[MEMBERS], work.size[VARIABLES]
    parent, sibling, every_first = work.lists[PARENT], work.lists[SIBLING], work.lists[FIRST_PARENT]
    correlation, slopes, omega, inverse = work.matrix[S], work.matrix[TRIAL_B], work.matrix[TRIAL_OMEGA], work.matrix[K]
    w, downdated, aw, normal = work.matrix[W], work.matrix[SCRATCH], work.matrix[U], work.matrix[NORMAL]
    x, column = work.matrix[VECTORS, SOLUTION], work.matrix[VECTORS, COLUMN]
    regular = True
    for i in range(m):
        if which == CHANGED_MEMBERS and not work.lists[CHANGED, i]:
            continue
        first_parent, first_sibling = every_first[i], work.lists[FIRST_SIBLING, i]
        parents = every_first[i + 1] - first_parent
        siblings = work.lists[FIRST_SIBLING, i + 1] - first_sibling if which != PARENTS_ONLY else 0
        q = parents + siblings
        for j in range(m):
            weight = inverse[j, i] / inverse[i, i]
            for t in range(m):
                downdated[j, t] = inverse[j, t] - weight * inverse[i, t]
        for a in range(siblings):  # row a of aw: the covariances of pseudo-variable a with all variables
            s = sibling[first_sibling + a]
            for p in range(v):
                aw[a, p] = 0.0
            for j in range(m):
                if j != i:
                    weight = downdated[s, j]
                    for p in range(v):
                        aw[a, p] += weight * w[j, p]
        for k in range(parents):
            p = parent[first_parent + k]
            for t in range(k + 1):
                normal[k, t] = correlation[p, parent[first_parent + t]]
            for a in range(siblings):
                normal[parents + a, k] = aw[a, p]
            normal[q, k] = correlation[p, i]
        for a in range(siblings):
            for b in range(a + 1):
                normal[parents + a, parents + b] = 0.0
            for j in range(m):
                if j == i:
                    continue
                covariance = aw[a, j]  # of pseudo-variable a with the error of j
                for k in range(every_first[j], every_first[j + 1]):
                    covariance -= slopes[j, parent[k]] * aw[a, parent[k]]
                for b in range(a + 1):
                    normal[parents + a, parents + b] += covariance * downdated[j, sibling[first_sibling + b]]
            normal[q, parents + a] = aw[a, i]
        if not factor(normal, q):
            regular = False
            continue
        forward_substitute(normal, q, q)
        variance = correlation[i, i]
        for k in range(q):
            variance -= normal[q, k] ** 2
        if not variance > 0.0:
            regular = False
            continue
        back_substitute(normal, q, q, x)
        for p in range(v):
            w[i, p] = correlation[i, p]
        for k in range(parents):
            p = parent[first_parent + k]
            slopes[i, p] = x[k]
            for other in range(v):
                w[i, other] -= x[k] * correlation[p, other]
        for j in range(m):
            column[j] = 0.0
        for a in range(siblings):
            s = sibling[first_sibling + a]
            weight = x[parents + a]
            omega[i, s] = weight
            omega[s, i] = weight
            for j in range(m):
                column[j] += weight * downdated[s, j]
        omega[i, i] = variance
        for a in range(siblings):
            omega[i, i] += x[parents + a] * column[sibling[first_sibling + a]]
        column[i] = -1.0
        for j in range(m):
            weight = column[j] / variance
            for t in range(m):
                inverse[j, t] = downdated[j, t] + weight * column[t]
    return regular

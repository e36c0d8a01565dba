r"""Maximum likelihood of one district: RICF sweeps to find the basin, Newton's method to reach its floor.

**A RICF sweep** (Drton, Eichler and Richardson 2009) visits the members one by one. With everything else fixed, the
likelihood in the coefficients into i, the covariances :math:`\omega_{i,sp(i)}` and the variance of i is a least-squares
problem: regress :math:`X_i` on its parents and on the pseudo-variables
:math:`Z_s = (\Omega_{-i,-i}^{-1} \varepsilon_{-i})_s` of its siblings s. Its solution never lowers the likelihood.
The variance is the residual variance *plus* the part that the siblings explain,
:math:`\omega_{i,sp}^\top (\Omega_{-i,-i}^{-1})_{sp,sp}\, \omega_{i,sp}`. Here everything is taken from covariances:
with K the inverse of Omega, ``A = K - K[:, i] K[i, :] / K[i, i]`` is the inverse without i (a rank-one downdate),
and after the update K is A plus a rank-one term, so a sweep inverts nothing.

**A Newton step.** RICF converges linearly, at times slowly. The Hessian of F is cheap (a few products per entry),
and with the direction (dB, dOmega) and ``Y = dB + (I - B) K dOmega`` the second derivative is

.. math:: 2\operatorname{tr}(K Y^\top S Y) - \operatorname{tr}(d\Omega\, K\, d\Omega\, K):

a convex part, because :math:`\operatorname{tr}(\Omega^{-1}E)` is jointly convex in B and Omega, minus that of the
concave logarithm. Where the whole is not positive definite the step uses the convex part alone, which always is, and is
doubled as long as that helps. Either way the step leads downhill, and it is halved until F falls. Hence F falls at
every step, and near the optimum the number of correct digits doubles. Once the steps shrink fast, the Hessian hardly
changes any more: its factors serve again, and a step costs no more than a gradient.

Half the squared Newton decrement, ``g' H^-1 g / 2``, estimates how far F is above its floor; it is the stop rule.

Several optima are possible when the graph fits badly or is not arid; see :mod:`lurking.sem._starts`.
"""

from __future__ import annotations

import numpy as np

from lurking._compile import compiled_arithmetic, inlined
from lurking.sem._district import (
    ACCEPTED,
    CHANGED,
    COEFFICIENTS,
    COLUMN,
    EDGE_COLUMN,
    EDGE_ROW,
    ENTRIES,
    FIRST_PARENT,
    FIRST_SIBLING,
    KE,
    LOG_VARIANCE,
    MEMBERS,
    NORMAL,
    OMEGA,
    PARENT,
    SCRATCH,
    SIBLING,
    SOLUTION,
    TRIAL,
    TRIAL_B,
    TRIAL_OMEGA,
    VARIABLES,
    VECTORS,
    B,
    DistrictWork,
    G,
    K,
    S,
    U,
    W,
    copy_parameters,
    evaluate,
)
from lurking.sem._linear_algebra import back_substitute, factor, forward_substitute

__all__ = ["CONVERGED", "DIVERGED", "HOPELESS", "NEAR_SINGULAR", "OUT_OF_ITERATIONS", "fit_district"]

CONVERGED, OUT_OF_ITERATIONS, DIVERGED, NEAR_SINGULAR, HOPELESS = range(5)

_RUNAWAY = 1e5  # a coefficient between standardised variables beyond this is on its way to infinity
_NEAR = 1e-6  # an error of F that no longer changes where the fit ends
_ROUNDING = 1e-13  # relative error of F
_REUSE = 0.1  # a factored Hessian serves again while the steps that it promises shrink at least like this
_CAUTION = 3.0  # F is taken to fall by no more than this times the estimate


@compiled_arithmetic
def _sweep(work: DistrictWork, only_changed: int) -> None:
    """Maximise over the parameters of each (changed) member in turn, on trial; K and W are kept up to date.

    A member whose regression is singular is left as it is.
    """
    m, v = work.size[MEMBERS], work.size[VARIABLES]
    parent, sibling, every_first = work.lists[PARENT], work.lists[SIBLING], work.lists[FIRST_PARENT]
    correlation, slopes, omega, inverse = work.matrix[S], work.matrix[TRIAL_B], work.matrix[TRIAL_OMEGA], work.matrix[K]
    w, downdated, aw, normal = work.matrix[W], work.matrix[SCRATCH], work.matrix[U], work.matrix[NORMAL]
    x, column = work.matrix[VECTORS, SOLUTION], work.matrix[VECTORS, COLUMN]
    for i in range(m):
        if only_changed and not work.lists[CHANGED, i]:
            continue
        first_parent, first_sibling = every_first[i], work.lists[FIRST_SIBLING, i]
        parents = every_first[i + 1] - first_parent
        siblings = work.lists[FIRST_SIBLING, i + 1] - first_sibling
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
            continue
        forward_substitute(normal, q, q)
        variance = correlation[i, i]
        for k in range(q):
            variance -= normal[q, k] ** 2
        if not variance > 0.0:
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


@compiled_arithmetic
def _fill_gradient(work: DistrictWork) -> None:
    """Write minus the gradient at the trial parameters to the last row of the Newton system."""
    m, coefficients, entries = work.size[MEMBERS], work.size[COEFFICIENTS], work.size[ENTRIES]
    size = coefficients + entries
    first, parent, row, column = (
        work.lists[FIRST_PARENT],
        work.lists[PARENT],
        work.lists[EDGE_ROW],
        work.lists[EDGE_COLUMN],
    )
    inverse, u, ke, H = work.matrix[K], work.matrix[U], work.matrix[KE], work.hessian
    for i in range(m):
        for k in range(first[i], first[i + 1]):
            H[size, k] = 2.0 * u[i, parent[k]]
    for e in range(entries):
        a, b = row[e], column[e]
        slope = -inverse[a, b]
        for j in range(m):
            slope += ke[a, j] * inverse[b, j]
        H[size, coefficients + e] = slope if a == b else 2.0 * slope
    if work.prior[0] > 0.0:
        for i in range(m):
            variance = work.matrix[TRIAL_OMEGA, i, i]
            excess = np.log(variance) + work.matrix[VECTORS, LOG_VARIANCE, i] - work.prior[1]
            H[size, size - m + i] -= 2.0 * work.prior[0] * excess / variance


@compiled_arithmetic
def _fill_hessian(work: DistrictWork, concave: float) -> None:
    """Write the lower triangle of the Hessian at the trial parameters.

    ``concave`` is the share of the concave part that is kept: 1 for the Hessian, 0 for its convex part.
    """
    m, coefficients, entries = work.size[MEMBERS], work.size[COEFFICIENTS], work.size[ENTRIES]
    first, parent, row, column = (
        work.lists[FIRST_PARENT],
        work.lists[PARENT],
        work.lists[EDGE_ROW],
        work.lists[EDGE_COLUMN],
    )
    correlation, inverse, u, ke, g, H = (
        work.matrix[S],
        work.matrix[K],
        work.matrix[U],
        work.matrix[KE],
        work.matrix[G],
        work.hessian,
    )
    for i in range(m):  # 2 K E K - K, or without its concave part
        for j in range(m):
            g[i, j] = -concave * inverse[i, j]
        for t in range(m):
            weight = 2.0 * ke[i, t]
            for j in range(m):
                g[i, j] += weight * inverse[t, j]
    for i in range(m):
        for k in range(first[i], first[i + 1]):
            p = parent[k]
            for j in range(i + 1):
                weight = 2.0 * inverse[i, j]
                for t in range(first[j], min(k + 1, first[j + 1])):
                    H[k, t] = weight * correlation[p, parent[t]]
    for e in range(entries):
        a, b = row[e], column[e]
        scale = 1.0 if a == b else 2.0
        for i in range(m):
            from_a, from_b = scale * inverse[b, i], scale * inverse[a, i]
            for k in range(first[i], first[i + 1]):
                H[coefficients + e, k] = u[a, parent[k]] * from_a + u[b, parent[k]] * from_b
        scale *= 0.5
        for f in range(e + 1):
            c, d = row[f], column[f]
            H[coefficients + e, coefficients + f] = (scale if c != d else 0.5 * scale) * (
                inverse[b, c] * g[a, d] + inverse[b, d] * g[a, c] + inverse[a, c] * g[b, d] + inverse[a, d] * g[b, c]
            )
    if work.prior[0] > 0.0:
        for i in range(m):
            e = coefficients + entries - m + i
            variance = work.matrix[TRIAL_OMEGA, i, i]
            excess = np.log(variance) + work.matrix[VECTORS, LOG_VARIANCE, i] - work.prior[1]
            curvature = 1.0 - excess if concave > 0.0 else max(1.0 - excess, 0.0)
            H[e, e] += 2.0 * work.prior[0] * curvature / (variance * variance)


@inlined
def _newton_direction(work: DistrictWork, reuse: int, before: float) -> tuple[float, int]:
    """Write the Newton step; return half its squared decrement and where its Hessian comes from.

    0: only the convex part was definite; 1: the Hessian of these parameters; 2: the one factored last, which is used
    again if ``reuse`` and if that promises to gain at most a tenth of what was expected of the step ``before``; -1:
    even the convex part is singular.
    """
    size = work.size[COEFFICIENTS] + work.size[ENTRIES]
    error = 0.0
    source = 2
    _fill_gradient(work)
    if reuse:
        forward_substitute(work.hessian, size, size)
        for k in range(size):
            error += 0.5 * work.hessian[size, k] ** 2
    if not reuse or error > _REUSE * before:
        if reuse:
            _fill_gradient(work)
        source = 1
        while True:
            _fill_hessian(work, 1.0 if source == 1 else 0.0)
            if factor(work.hessian, size):
                break
            source -= 1
            if source < 0:
                return np.inf, source
        forward_substitute(work.hessian, size, size)
        error = 0.0
        for k in range(size):
            error += 0.5 * work.hessian[size, k] ** 2
    back_substitute(work.hessian, size, size, work.step)
    return error, source


@compiled_arithmetic
def _move_trial(work: DistrictWork, length: float) -> bool:
    """Put the trial parameters at the accepted ones plus a multiple of the step; tell if they stay in bounds."""
    m, coefficients = work.size[MEMBERS], work.size[COEFFICIENTS]
    parent, row, column = work.lists[PARENT], work.lists[EDGE_ROW], work.lists[EDGE_COLUMN]
    slopes, omega = work.matrix[TRIAL_B], work.matrix[TRIAL_OMEGA]
    bounded = True
    for i in range(m):
        for k in range(work.lists[FIRST_PARENT, i], work.lists[FIRST_PARENT, i + 1]):
            p = parent[k]
            slopes[i, p] = work.matrix[B, i, p] + length * work.step[k]
            bounded &= abs(slopes[i, p]) < _RUNAWAY
    for e in range(work.size[ENTRIES]):
        a, b = row[e], column[e]
        entry = work.matrix[OMEGA, a, b] + length * work.step[coefficients + e]
        omega[a, b] = entry
        omega[b, a] = entry
    return bounded


@inlined
def _newton_step(
    work: DistrictWork, value: float, tolerance: float, hopeless_above: float, reuse: int, before: float
) -> tuple[float, float, int, int]:
    """Take one Newton step from the trial (and accepted) parameters, whose F is ``value``.

    Returns F, the estimate of how far it was above its floor before the step, the status (OUT_OF_ITERATIONS means to go
    on, HOPELESS that F will stay above ``hopeless_above``; no step is taken then), and whether the factored Hessian can
    be used again. The trial parameters, K, W, U and KE are those of the accepted parameters afterwards.
    """
    error, source = _newton_direction(work, reuse, before)
    if source < 0:
        return value, np.inf, NEAR_SINGULAR, 0
    if source > 0 and value - _CAUTION * error > hopeless_above:
        return value, _CAUTION * error, HOPELESS, 0
    close = error < (tolerance if source > 0 else 1e-3 * tolerance)
    length = 1.0
    bounded = True
    while True:
        bounded = _move_trial(work, length)
        trial = evaluate(work)
        if trial <= value - 1e-4 * length * error or length < 1e-6 or close:
            break
        length *= 0.5
    while source == 0 and length >= 1.0 and not close:
        _move_trial(work, 2.0 * length)
        further = evaluate(work)
        if not further < trial:
            bounded = _move_trial(work, length)
            evaluate(work)
            break
        length *= 2.0
        trial = further
    if trial <= value + _ROUNDING * (abs(value) + work.size[MEMBERS]):
        copy_parameters(work, work.matrix[TRIAL], work.matrix[ACCEPTED])
        if close:
            return min(trial, value), error, CONVERGED, 0
        if not bounded:
            return trial, error, DIVERGED, 0
        return trial, error, (OUT_OF_ITERATIONS if length >= 1e-6 else NEAR_SINGULAR), int(source > 0 and length == 1.0)
    copy_parameters(work, work.matrix[ACCEPTED], work.matrix[TRIAL])
    evaluate(work)
    return value, error, (CONVERGED if close else NEAR_SINGULAR), 0


@inlined
def fit_district(
    work: DistrictWork, only_changed: int, sweeps: int, tolerance: float, max_iterations: int, hopeless_above: float
) -> tuple[float, float, int, int, int]:
    """Minimise F over the parameters of the loaded district, from those on trial (:mod:`lurking.sem._starts`).

    ``sweeps`` RICF sweeps come first, over the changed members only if so wanted. ``tolerance`` is the error of F that
    is allowed, as estimated by the Newton decrement before a last step that makes it far smaller. The fit is given up,
    with status HOPELESS, as soon as F seems bound to stay above ``hopeless_above``; the error is then how far it might
    still have fallen.

    Returns F, the estimate of its error, the status, the number of sweeps and steps, and how many of them were needed
    to come near the optimum. The parameters are in the planes B and OMEGA; TRIAL_B, TRIAL_OMEGA, K, W, U and KE agree
    with them.
    """
    value = evaluate(work)
    copy_parameters(work, work.matrix[TRIAL], work.matrix[ACCEPTED])
    newton = work.size[COEFFICIENTS] + work.size[ENTRIES] <= work.hessian.shape[1]
    error, status = np.inf, OUT_OF_ITERATIONS
    iterations = labour = reuse = 0
    while iterations < max_iterations and status == OUT_OF_ITERATIONS:
        iterations += 1
        labour += error > _NEAR
        if newton and iterations > sweeps:
            value, error, status, reuse = _newton_step(work, value, tolerance, hopeless_above, reuse, error)
            continue
        _sweep(work, only_changed)
        trial = evaluate(work)
        if trial <= value:
            error = value - trial
            value = trial
            copy_parameters(work, work.matrix[TRIAL], work.matrix[ACCEPTED])
        else:  # the regressions include no prior, and rounding can undo the last sweep
            error = 0.0
            copy_parameters(work, work.matrix[ACCEPTED], work.matrix[TRIAL])
            evaluate(work)
        if not newton and error < 0.01 * tolerance:
            status = CONVERGED
    return value, error, status, iterations, labour

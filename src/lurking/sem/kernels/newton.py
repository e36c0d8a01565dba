r"""One Newton step for the likelihood of a district.

RICF converges linearly, at times slowly. The Hessian of F is cheap (a few products per entry), and with the direction
(dB, dOmega) and ``Y = dB + (I - B) K dOmega`` the second derivative is

.. math:: 2\operatorname{tr}(K Y^\top S Y) - \operatorname{tr}(d\Omega\, K\, d\Omega\, K):

a convex part, because :math:`\operatorname{tr}(\Omega^{-1}E)` is jointly convex in B and Omega, minus that of the
concave logarithm. Where the whole is not positive definite the step uses the convex part alone, which always is, and is
doubled as long as that helps. Either way the step leads downhill, and it is halved until F falls. Hence F falls at
every step, and near the optimum the number of correct digits doubles. Once the steps shrink fast, the Hessian hardly
changes any more: its factors serve again, and a step costs no more than a gradient.

Half the squared Newton decrement, ``g' H^-1 g / 2``, estimates how far F is above its floor; it is the stop rule.
"""

from __future__ import annotations

import numpy as np

from lurking._compile import inlined, part
from lurking.sem.kernels.district import (
    ACCEPTED,
    COEFFICIENTS,
    EDGE_COLUMN,
    EDGE_ROW,
    ENTRIES,
    FIRST_PARENT,
    KE,
    MEMBERS,
    OMEGA,
    PARENT,
    TRIAL,
    TRIAL_B,
    TRIAL_OMEGA,
    B,
    DistrictWork,
    G,
    K,
    S,
    U,
    copy_parameters,
)
from lurking.sem.kernels.linear_algebra import back_substitute, factor, forward_substitute
from lurking.sem.kernels.objective import evaluate
from lurking.sem.kernels.own_noise import add_noise_curvature, add_noise_descent

__all__ = ["CONVERGED", "DIVERGED", "HOPELESS", "NEAR_SINGULAR", "OUT_OF_ITERATIONS", "newton_step"]

CONVERGED, OUT_OF_ITERATIONS, DIVERGED, NEAR_SINGULAR, HOPELESS = range(5)

_RUNAWAY = 1e5  # a coefficient between standardised variables beyond this is on its way to infinity
_ROUNDING = 1e-13  # relative error of F
_REUSE = 0.1  # a factored Hessian serves again while the steps that it promises shrink at least like this
_CAUTION = 3.0  # F is taken to fall by no more than this times the estimate


@part
def fill_reduced_gradient(work: DistrictWork) -> float:
    """Write y with ``L y = -gradient`` at the trial parameters below the factor L; return half its square.

    That is half the squared Newton decrement: the fall of F that the step promises.
    """
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
        add_noise_descent(work)
    forward_substitute(H, size, size)
    promise = 0.0
    for k in range(size):
        promise += 0.5 * H[size, k] * H[size, k]
    return promise


@part
def fill_hessian(work: DistrictWork, concave: float) -> None:
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
        add_noise_curvature(work, concave)


@part
def move_trial(work: DistrictWork, length: float) -> bool:
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
def newton_step(
    work: DistrictWork, value: float, tolerance: float, hopeless_above: float, reuse: int, before: float
) -> tuple[float, float, int, int]:
    """Take one Newton step from the trial (and accepted) parameters, whose F is ``value``.

    If ``reuse``, the Hessian that was factored last serves again, unless that promises to gain more than a tenth of
    what was expected of the step ``before``.

    Returns F, the estimate of how far it was above its floor before the step, the status (OUT_OF_ITERATIONS means to go
    on, HOPELESS that F will stay above ``hopeless_above``; no step is taken then), and whether the factored Hessian can
    be used again. The trial parameters, K, W, U and KE are those of the accepted parameters afterwards.
    """
    size = work.size[COEFFICIENTS] + work.size[ENTRIES]
    hessian = work.hessian
    definite = True
    while True:
        if not reuse:
            fill_hessian(work, 1.0 if definite else 0.0)
            if not factor(hessian, size):
                if not definite:
                    return value, np.inf, NEAR_SINGULAR, 0
                definite = False
                continue
        error = fill_reduced_gradient(work)
        if not reuse or error <= _REUSE * before:
            break
        reuse = 0
    back_substitute(hessian, size, size, work.step)
    if definite and value - _CAUTION * error > hopeless_above:
        return value, _CAUTION * error, HOPELESS, 0
    close = error < (tolerance if definite else 1e-3 * tolerance)
    slack = _ROUNDING * (abs(value) + work.size[MEMBERS]) if close else 0.0
    best, best_length = np.inf, 0.0
    length, last = 1.0, False
    while True:
        bounded = move_trial(work, length)
        trial = evaluate(work)
        if last:
            break
        if trial < best and trial <= value + slack - (0.0 if close else 1e-4 * length * error):
            best, best_length = trial, length
            if definite or length < 1.0 or close:
                break
            length *= 2.0  # the convex part gives too short a step
        elif best_length > 0.0 or length < 1e-6 or close:
            length, last = best_length, True
        else:
            length *= 0.5
    copy_parameters(work, work.matrix[TRIAL], work.matrix[ACCEPTED])
    value = min(best, value)
    status = OUT_OF_ITERATIONS
    if close:
        status = CONVERGED
    elif best_length == 0.0:
        status = NEAR_SINGULAR
    elif not bounded:
        status = DIVERGED
    return value, error, status, int(definite and best_length == 1.0)

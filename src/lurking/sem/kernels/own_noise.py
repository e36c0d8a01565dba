r"""Similar noise: the error variance of a variable's own, and what it adds to the loss of a district.

An unmeasured common cause of i and j with covariance :math:`\omega_{ij}` adds :math:`|\omega_{ij}|` to the error
variances of both, if it is as strong on the one as on the other. What remains is the variable's own:

.. math:: \phi_i = \omega_{ii} - \sum_{j \leftrightarrow i} |\omega_{ij}|, \qquad
          F_\text{noise} = s \sum_i (\ln \phi_i - \mu)^2,

in raw units, with strength s and centre :math:`\mu`. To keep this smooth, :math:`|x|` is
:math:`\sqrt{x^2 + \epsilon^2} - \epsilon`, and the logarithm goes on as a straight line below a small positive
variance, since strong common causes of unequal strength can leave less than nothing. How small :math:`\epsilon` and
that variance are depends on the data alone: on the variance of each variable that all others leave unexplained.
"""

from __future__ import annotations

import numpy as np

from lurking._compile import part
from lurking._typing import FloatArray
from lurking.sem.kernels.district import (
    COEFFICIENTS,
    DEVIATION,
    EDGE_COLUMN,
    EDGE_ROW,
    ENTRIES,
    FIRST_SIBLING,
    LEAST,
    MEMBERS,
    SCRATCH,
    SIBLING,
    TRIAL_OMEGA,
    VECTORS,
    DistrictWork,
)

__all__ = [
    "add_noise_curvature",
    "add_noise_descent",
    "bend_and_pull",
    "log_own_variance",
    "shared_curvature",
    "shared_slope",
    "shared_variance",
]

_SOFT = 0.05  # epsilon, as a share of the unexplained variance
_FLOOR = 0.1  # where the straight line begins, likewise


@part
def shared_variance(shared: float, limit: float) -> float:
    """Return the absolute value of a covariance, smoothed; ``limit`` is the unexplained deviations' product."""
    soft = _SOFT * limit
    variance: float = np.sqrt(shared * shared + soft * soft) - soft
    return variance


@part
def shared_slope(shared: float, limit: float) -> float:
    """Return the derivative of :func:`shared_variance`."""
    soft = _SOFT * limit
    slope: float = shared / np.sqrt(shared * shared + soft * soft)
    return slope


@part
def shared_curvature(shared: float, limit: float) -> float:
    """Return the second derivative of :func:`shared_variance`."""
    soft = _SOFT * limit
    curvature: float = soft * soft / np.sqrt(shared * shared + soft * soft) ** 3
    return curvature


@part
def _logarithm(own: float, floor: float) -> float:
    """Return the logarithm, below ``floor`` continued as a straight line."""
    logarithm: float = np.log(max(own, floor)) + min(own - floor, 0.0) / floor
    return logarithm


@part
def bend_and_pull(own: float, least: float, strength: float, centre: float) -> tuple[float, float]:
    """Return the second derivative of the term by the own variance of a variable, and minus the first."""
    floor = _FLOOR * least * least
    excess, scale = _logarithm(own, floor) - centre, max(own, floor)
    bend = 2.0 * strength * (1.0 - excess if own > floor else 1.0) / (scale * scale)
    return bend, -2.0 * strength * excess / scale


@part
def _own_variance(work: DistrictWork, omega: FloatArray, i: int) -> float:
    deviation, least = work.matrix[VECTORS, DEVIATION], work.matrix[VECTORS, LEAST]
    own: float = deviation[i] * deviation[i] * omega[i, i]
    for k in range(work.lists[FIRST_SIBLING, i], work.lists[FIRST_SIBLING, i + 1]):
        j = work.lists[SIBLING, k]
        own -= shared_variance(deviation[i] * deviation[j] * omega[i, j], least[i] * least[j])
    return own


@part
def log_own_variance(work: DistrictWork, omega: FloatArray, i: int) -> float:
    """Return the logarithm of the own error variance of member i, in raw units."""
    least: float = work.matrix[VECTORS, LEAST, i]
    return _logarithm(_own_variance(work, omega, i), _FLOOR * least * least)


@part
def _fill_own_slopes(work: DistrictWork) -> FloatArray:
    """Return the derivative of the own variance of i, and of j, by each entry (i, j) of Omega.

    They stand where the step will be, since it is only known later.
    """
    deviation, least = work.matrix[VECTORS, DEVIATION], work.matrix[VECTORS, LEAST]
    slopes = work.step[work.size[COEFFICIENTS] :]
    for e in range(work.size[ENTRIES]):
        i, j = work.lists[EDGE_ROW, e], work.lists[EDGE_COLUMN, e]
        unit = deviation[i] * deviation[j]
        shared = unit * work.matrix[TRIAL_OMEGA, i, j]
        slopes[e] = unit if i == j else -unit * shared_slope(shared, least[i] * least[j])
    return slopes


@part
def add_noise_descent(work: DistrictWork) -> None:
    """Add minus the gradient of the term, at the trial parameters, to that of the loss."""
    coefficients, entries = work.size[COEFFICIENTS], work.size[ENTRIES]
    pull, slopes = work.matrix[SCRATCH, 0], _fill_own_slopes(work)
    for i in range(work.size[MEMBERS]):
        own = _own_variance(work, work.matrix[TRIAL_OMEGA], i)
        _, pull[i] = bend_and_pull(own, work.matrix[VECTORS, LEAST, i], work.prior[0], work.prior[1])
    for e in range(entries):
        i, j = work.lists[EDGE_ROW, e], work.lists[EDGE_COLUMN, e]
        both = pull[i] if i == j else pull[i] + pull[j]
        work.hessian[coefficients + entries, coefficients + e] += both * slopes[e]


@part
def add_noise_curvature(work: DistrictWork, concave: float) -> None:
    """Add the second derivatives of the term to the Hessian; without its concave parts if ``concave`` is 0."""
    coefficients = work.size[COEFFICIENTS]
    row, column = work.lists[EDGE_ROW], work.lists[EDGE_COLUMN]
    deviation, least = work.matrix[VECTORS, DEVIATION], work.matrix[VECTORS, LEAST]
    omega, H = work.matrix[TRIAL_OMEGA], work.hessian
    bend, pull, slopes = work.matrix[SCRATCH, 0], work.matrix[SCRATCH, 1], _fill_own_slopes(work)
    for i in range(work.size[MEMBERS]):
        bend[i], pull[i] = bend_and_pull(_own_variance(work, omega, i), least[i], work.prior[0], work.prior[1])
        if concave <= 0.0:
            bend[i], pull[i] = max(bend[i], 0.0), max(pull[i], 0.0)
    for e in range(work.size[ENTRIES]):
        i, j = row[e], column[e]
        for f in range(e + 1):
            shared = bend[i] if i in (row[f], column[f]) else 0.0
            if i != j and j in (row[f], column[f]):
                shared += bend[j]
            H[coefficients + e, coefficients + f] += shared * slopes[e] * slopes[f]
        if i != j:
            unit = deviation[i] * deviation[j]
            curvature = unit * unit * shared_curvature(unit * omega[i, j], least[i] * least[j])
            H[coefficients + e, coefficients + e] += (pull[i] + pull[j]) * curvature

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
from lurking.sem._district import (
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

__all__ = ["add_noise_curvature", "add_noise_descent", "log_own_variance"]

_SOFT = 0.05  # epsilon, as a share of the unexplained variance
_FLOOR = 0.1  # where the straight line begins, likewise


@part
def _own_variance(work: DistrictWork, omega: FloatArray, i: int) -> float:
    deviation, least = work.matrix[VECTORS, DEVIATION], work.matrix[VECTORS, LEAST]
    own: float = deviation[i] * deviation[i] * omega[i, i]
    for k in range(work.lists[FIRST_SIBLING, i], work.lists[FIRST_SIBLING, i + 1]):
        j = work.lists[SIBLING, k]
        shared, soft = deviation[i] * deviation[j] * omega[i, j], _SOFT * least[i] * least[j]
        own -= np.sqrt(shared * shared + soft * soft) - soft
    return own


@part
def _floor(work: DistrictWork, i: int) -> float:
    """Return the own variance of member i below which the logarithm goes on as a straight line."""
    least: float = work.matrix[VECTORS, LEAST, i]
    return _FLOOR * least * least


@part
def _logarithm(own: float, floor: float) -> float:
    logarithm: float = np.log(max(own, floor)) + min(own - floor, 0.0) / floor
    return logarithm


@part
def log_own_variance(work: DistrictWork, omega: FloatArray, i: int) -> float:
    """Return the logarithm of the own error variance of member i, in raw units."""
    return _logarithm(_own_variance(work, omega, i), _floor(work, i))


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
        shared, soft = unit * work.matrix[TRIAL_OMEGA, i, j], _SOFT * least[i] * least[j]
        slopes[e] = unit if i == j else -unit * shared / np.sqrt(shared * shared + soft * soft)
    return slopes


@part
def add_noise_descent(work: DistrictWork) -> None:
    """Add minus the gradient of the term, at the trial parameters, to that of the loss."""
    coefficients, entries = work.size[COEFFICIENTS], work.size[ENTRIES]
    pull, slopes = work.matrix[SCRATCH, 0], _fill_own_slopes(work)
    for i in range(work.size[MEMBERS]):
        own, floor = _own_variance(work, work.matrix[TRIAL_OMEGA], i), _floor(work, i)
        pull[i] = 2.0 * work.prior[0] * (_logarithm(own, floor) - work.prior[1]) / max(own, floor)
    for e in range(entries):
        i, j = work.lists[EDGE_ROW, e], work.lists[EDGE_COLUMN, e]
        both = pull[i] if i == j else pull[i] + pull[j]
        work.hessian[coefficients + entries, coefficients + e] -= both * slopes[e]


@part
def add_noise_curvature(work: DistrictWork, concave: float) -> None:
    """Add the second derivatives of the term to the Hessian; without its concave parts if ``concave`` is 0."""
    coefficients = work.size[COEFFICIENTS]
    row, column = work.lists[EDGE_ROW], work.lists[EDGE_COLUMN]
    deviation, least = work.matrix[VECTORS, DEVIATION], work.matrix[VECTORS, LEAST]
    omega, H = work.matrix[TRIAL_OMEGA], work.hessian
    bend, pull, slopes = work.matrix[SCRATCH, 0], work.matrix[SCRATCH, 1], _fill_own_slopes(work)
    for i in range(work.size[MEMBERS]):
        own, floor = _own_variance(work, omega, i), _floor(work, i)
        excess, scale = _logarithm(own, floor) - work.prior[1], max(own, floor)
        bend[i] = 2.0 * work.prior[0] * (1.0 - excess if own > floor else 1.0) / (scale * scale)
        pull[i] = -2.0 * work.prior[0] * excess / scale
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
            unit, soft = deviation[i] * deviation[j], _SOFT * least[i] * least[j]
            root = np.sqrt((unit * omega[i, j]) ** 2 + soft * soft)
            H[coefficients + e, coefficients + e] += (pull[i] + pull[j]) * (unit * soft) ** 2 / root**3

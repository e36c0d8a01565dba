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
def log_own_variance(work: DistrictWork, omega: FloatArray, i: int) -> float:
    """Return the logarithm of the own error variance of member i, in raw units."""
    own = _own_variance(work, omega, i)
    floor = _FLOOR * work.matrix[VECTORS, LEAST, i] ** 2
    logarithm: float = np.log(max(own, floor)) + min(own - floor, 0.0) / floor
    return logarithm


@part
def _own_slope(work: DistrictWork, i: int, a: int, b: int) -> float:
    """Return the derivative of the own variance of i by the entry (a, b) of Omega."""
    if i not in (a, b):
        return 0.0
    deviation, least = work.matrix[VECTORS, DEVIATION], work.matrix[VECTORS, LEAST]
    slope: float = deviation[a] * deviation[b]
    if a != b:
        shared, soft = slope * work.matrix[TRIAL_OMEGA, a, b], _SOFT * least[a] * least[b]
        slope *= -shared / np.sqrt(shared * shared + soft * soft)
    return slope


@part
def add_noise_descent(work: DistrictWork) -> None:
    """Add minus the gradient of the term, at the trial parameters, to that of the loss."""
    coefficients, entries = work.size[COEFFICIENTS], work.size[ENTRIES]
    omega = work.matrix[TRIAL_OMEGA]
    for i in range(work.size[MEMBERS]):
        excess = log_own_variance(work, omega, i) - work.prior[1]
        scale = max(_own_variance(work, omega, i), _FLOOR * work.matrix[VECTORS, LEAST, i] ** 2)
        weight = 2.0 * work.prior[0] * excess / scale
        for e in range(entries):
            slope = _own_slope(work, i, work.lists[EDGE_ROW, e], work.lists[EDGE_COLUMN, e])
            work.hessian[coefficients + entries, coefficients + e] -= weight * slope


@part
def add_noise_curvature(work: DistrictWork, concave: float) -> None:
    """Add the second derivatives of the term to the Hessian; without its concave parts if ``concave`` is 0."""
    coefficients, entries = work.size[COEFFICIENTS], work.size[ENTRIES]
    row, column = work.lists[EDGE_ROW], work.lists[EDGE_COLUMN]
    deviation, least = work.matrix[VECTORS, DEVIATION], work.matrix[VECTORS, LEAST]
    omega, H = work.matrix[TRIAL_OMEGA], work.hessian
    for i in range(work.size[MEMBERS]):
        excess = log_own_variance(work, omega, i) - work.prior[1]
        own, floor = _own_variance(work, omega, i), _FLOOR * least[i] ** 2
        scale = max(own, floor)
        weight = 2.0 * work.prior[0] * (1.0 - excess if own > floor else 1.0) / (scale * scale)
        if concave <= 0.0:
            weight = max(weight, 0.0)
        for e in range(entries):
            a, b = row[e], column[e]
            if i not in (a, b):
                continue
            slope = weight * _own_slope(work, i, a, b)
            for f in range(e + 1):
                H[coefficients + e, coefficients + f] += slope * _own_slope(work, i, row[f], column[f])
            if a != b:
                unit = deviation[a] * deviation[b]
                soft = _SOFT * least[a] * least[b]
                root = np.sqrt((unit * omega[a, b]) ** 2 + soft * soft)
                bend = -2.0 * work.prior[0] * excess / scale * unit * unit * soft * soft / root**3
                H[coefficients + e, coefficients + e] += bend if concave > 0.0 else max(bend, 0.0)

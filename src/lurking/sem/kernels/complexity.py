r"""What the parameters of a district cost, compiled; the formulas are explained in :mod:`lurking.sem.criterion`.

Without priors on the parameters each kind of parameter has a price. With them the price is that of Laplace's method,

.. math:: \ln\det(H + P) - \ln\det P + \theta^\top P\,\theta,

where H is the observed information of all n rows at the estimates and P the diagonal matrix of prior precisions on the
correlation scale. Variances are counted by their logarithms, with a flat prior. The likelihood is a sum over districts,
so this is one too. A district of one variable is a regression, whose information is known without a Hessian.
"""

from __future__ import annotations

import numpy as np

from lurking._compile import inlined, part
from lurking._typing import FloatArray
from lurking.sem.kernels.district import (
    ACCEPTED,
    COEFFICIENTS,
    EDGE_COLUMN,
    EDGE_ROW,
    ENTRIES,
    FIRST_PARENT,
    MEMBERS,
    OMEGA,
    PARENT,
    SCRATCH,
    TRIAL,
    B,
    DistrictWork,
    S,
    copy_parameters,
)
from lurking.sem.kernels.linear_algebra import factor
from lurking.sem.kernels.newton import fill_hessian
from lurking.sem.kernels.objective import evaluate

__all__ = [
    "BIDIRECTED_PRICE",
    "COEFFICIENT_PRECISION",
    "COVARIANCE_PRECISION",
    "DIRECTED_PRICE",
    "FURTHER_PRICE",
    "LEAST_COEFFICIENT",
    "LEAST_COVARIANCE",
    "LEAST_VARIANCE",
    "N_PRICES",
    "VARIANCE_PRICE",
    "complexity",
    "least_complexity",
    "log_determinant",
    "price_of_edge",
]

# entries of the prices; a precision of 0 means that there is no prior and that no information is computed
VARIANCE_PRICE, DIRECTED_PRICE, BIDIRECTED_PRICE, COEFFICIENT_PRECISION, COVARIANCE_PRECISION = range(5)
FURTHER_PRICE = 5  # of each parameter but the first of an edge between vertices of several columns
N_PRICES = 6

# Shares of n that the information of a parameter practically never falls below; see benchmarks/screen.py
LEAST_COEFFICIENT, LEAST_COVARIANCE, LEAST_VARIANCE = 0.2, 0.5, 0.2


@part
def price_of_edge(price: float, precision: float, information: float, value: float) -> float:
    """Return what one more parameter costs, given its information when all others are free, and its value."""
    if precision <= 0.0:
        return price
    return float(price + np.log1p(information / precision) + precision * value * value)


@part
def least_complexity(work: DistrictWork, prices: FloatArray, n: float) -> float:
    """Return what the parameters cost at least, whatever the data; without priors that is what they cost."""
    m, coefficients, covariances = (
        work.size[MEMBERS],
        work.size[COEFFICIENTS],
        work.size[ENTRIES] - work.size[MEMBERS],
    )
    variance = prices[VARIANCE_PRICE]
    if prices[COEFFICIENT_PRECISION] > 0.0:
        variance += np.log(LEAST_VARIANCE * n)
    directed = price_of_edge(prices[DIRECTED_PRICE], prices[COEFFICIENT_PRECISION], LEAST_COEFFICIENT * n, 0.0)
    bidirected = price_of_edge(prices[BIDIRECTED_PRICE], prices[COVARIANCE_PRECISION], LEAST_COVARIANCE * n, 0.0)
    return float(m * variance + coefficients * directed + covariances * bidirected)


@part
def log_determinant(factored: FloatArray, size: int) -> float:
    """Return the logarithm of the determinant of a factored matrix."""
    total = 0.0
    for k in range(size):
        total -= 2.0 * np.log(factored[k, k])
    return total


@part
def _information_of_regression(work: DistrictWork, precision: float, n: float) -> float:
    """Return ln det of the information of a district of one variable, the prior's included; inf if it is singular."""
    parents = work.size[COEFFICIENTS]
    correlation, scratch = work.matrix[S], work.matrix[SCRATCH]
    weight = n / work.matrix[OMEGA, 0, 0]
    for i in range(parents):
        for j in range(i + 1):
            scratch[i, j] = weight * correlation[work.lists[PARENT, i], work.lists[PARENT, j]]
        scratch[i, i] += precision
    if not factor(scratch, parents):
        return np.inf
    return float(log_determinant(scratch, parents) + np.log(0.5 * n))


@part
def _information_of_district(work: DistrictWork, prices: FloatArray, n: float) -> float:
    """Return ln det of the information of a district, the prior's included; inf if it is singular."""
    coefficients, entries = work.size[COEFFICIENTS], work.size[ENTRIES]
    size = coefficients + entries
    if size > work.hessian.shape[1]:
        return np.inf
    copy_parameters(work, work.matrix[ACCEPTED], work.matrix[TRIAL])
    if not evaluate(work) < np.inf:
        return np.inf
    row, column, hessian = work.lists[EDGE_ROW], work.lists[EDGE_COLUMN], work.hessian
    concave = 1.0
    while concave >= 0.0:  # where the Hessian is not positive definite its convex part serves
        fill_hessian(work, concave)
        jacobian = 0.0
        for k in range(size):
            for l in range(k + 1):
                hessian[k, l] *= 0.5 * n
            if k < coefficients:
                hessian[k, k] += prices[COEFFICIENT_PRECISION]
            elif row[k - coefficients] == column[k - coefficients]:
                jacobian += 2.0 * np.log(work.matrix[OMEGA, row[k - coefficients], row[k - coefficients]])
            else:
                hessian[k, k] += prices[COVARIANCE_PRECISION]
        if factor(hessian, size):
            return float(log_determinant(hessian, size) + jacobian)
        concave -= 1.0
    return np.inf


@inlined
def complexity(work: DistrictWork, prices: FloatArray, n: float) -> float:
    """Return what the parameters of the loaded district cost at its estimates, those in the planes B and OMEGA.

    If the information cannot be computed they cost the least that they can.
    """
    least = least_complexity(work, prices, n)
    of_coefficient, of_covariance = prices[COEFFICIENT_PRECISION], prices[COVARIANCE_PRECISION]
    if of_coefficient <= 0.0:
        return least
    m, coefficients = work.size[MEMBERS], work.size[COEFFICIENTS]
    covariances = work.size[ENTRIES] - m
    if m == 1:
        information = _information_of_regression(work, of_coefficient, n)
    else:
        information = _information_of_district(work, prices, n)
    if information == np.inf:
        return least
    total = information + m * prices[VARIANCE_PRICE]
    total += coefficients * (prices[DIRECTED_PRICE] - np.log(of_coefficient))
    total += covariances * (prices[BIDIRECTED_PRICE] - np.log(of_covariance))
    for i in range(m):
        for k in range(work.lists[FIRST_PARENT, i], work.lists[FIRST_PARENT, i + 1]):
            slope = work.matrix[B, i, work.lists[PARENT, k]]
            total += of_coefficient * slope * slope
    for e in range(covariances):
        covariance = work.matrix[OMEGA, work.lists[EDGE_ROW, e], work.lists[EDGE_COLUMN, e]]
        total += of_covariance * covariance * covariance
    return float(total)

r"""Ordinal and binary columns as coarse views of Gaussian ones: polychoric and polyserial correlations.

A column with the categories 1, ..., K is taken as a standard Gaussian variable that was cut at thresholds
:math:`\tau_1 < \dots < \tau_{K-1}`; only the category was noted. The thresholds follow from the shares of the
categories. The correlation of two such variables is the one that makes their table of counts most likely (*polychoric*;
*tetrachoric* for two binary columns), that of one of them with a measured column the one that makes the categories
most likely given the measured values (*polyserial*): Olsson (1979), Olsson, Drasgow and Dorans (1982). Both maximise
over one number. Correlations of measured columns are the usual ones.

A category with fewer than five rows says next to nothing about its threshold; it is joined with its neighbour. If only
one category is left, the column is refused.

Put together pair by pair, these correlations need not form a positive definite matrix; if they do not, it is moved to
a nearby one (eigenvalues below 0.001 are lifted to it, and the diagonal is scaled back to 1). The searches take the
result as the correlations of n complete Gaussian rows, but they are less certain than that. The correlation of a
measured column with one that has nothing to do with it and the shares :math:`p_k` has the variance :math:`v / n` with

.. math::

   1 / v = \sum_k \frac{(\varphi(\tau_{k-1}) - \varphi(\tau_k))^2}{p_k},

which is 1.6 for two even halves, 4.5 for 5 % against 95 %, 14 for 1 % against 99 %: a rare category makes edges out of
chance. (For two categories the plain correlation is smaller by the root of v, and as certain as it looks.) The audit
(:mod:`lurking.discovery.audit`) names the columns with a v above 3; a bootstrap shows what is stable.

The probability of a rectangle under a bivariate Gaussian comes from (Plackett 1954)

.. math::

   \Phi_2(h, k; \rho) = \Phi(h)\,\Phi(k) + \frac{1}{2\pi} \int_0^{\arcsin\rho}
   \exp\left(-\frac{h^2 + k^2 - 2hk\sin\theta}{2\cos^2\theta}\right) d\theta

by Gauss-Legendre quadrature, for all thresholds at once.

References
----------
Olsson, U. (1979). Maximum likelihood estimation of the polychoric correlation coefficient. Psychometrika 44, 443-460.
Olsson, U., Drasgow, F. and Dorans, N. J. (1982). The polyserial correlation coefficient. Psychometrika 47, 337-347.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri

from lurking._errors import DataError
from lurking._typing import FloatArray, IntArray

__all__ = [
    "MOST_CATEGORIES",
    "SMALLEST_EIGENVALUE",
    "LatentCovariance",
    "bivariate_cdf",
    "is_discrete",
    "latent_covariance",
    "polychoric",
    "polyserial",
]

MOST_CATEGORIES = 10
"""A column with at most this many distinct values (and three times as many rows) is taken as ordinal."""

SMALLEST_EIGENVALUE = 1e-3
"""Smaller eigenvalues of the correlations are lifted to this."""

_FEWEST_ROWS = 5
_LIMIT = 0.995
_SMALLEST_PROBABILITY = 1e-12
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(48)


def is_discrete(column: FloatArray) -> bool:
    """Tell whether a column has so few distinct values, at most a third of its length, that it is taken as ordinal."""
    n_distinct = len(np.unique(column))
    return n_distinct <= MOST_CATEGORIES and 3 * n_distinct <= len(column)


class LatentCovariance(NamedTuple):
    """The covariances of the Gaussian variables behind a table, and how far they can be trusted."""

    cov: FloatArray
    """Ordinal columns have variance 1; the others keep theirs."""
    inflation: dict[int, float]
    """For each ordinal column, by its number, how many times as uncertain its correlations are (in variance)."""
    smallest_eigenvalue: float
    """Of the correlations as they were put together; those below 0.001 were lifted to it."""


def latent_covariance(
    values: FloatArray,
    names: Sequence[str] | None = None,
    ordinal: Sequence[int] | None = None,
    weights: FloatArray | None = None,
) -> LatentCovariance:
    """Return the covariance matrix of the Gaussian variables behind a table, and which columns are ordinal.

    Parameters
    ----------
    values : ndarray of shape (n, d)
        Complete rows.
    names : sequence of str, optional
        What to call the columns if one cannot be used.
    ordinal : sequence of int, optional
        The ordinal columns; by default those that :func:`is_discrete` takes as such.
    weights : ndarray of shape (n,), optional
        How much each row counts, 1 on average.

    Raises
    ------
    DataError
        If all but a few rows of an ordinal column have the same value.
    """
    d = values.shape[1]
    spread = np.atleast_2d(np.cov(values, rowvar=False, bias=True, aweights=weights))
    correlation = (
        np.atleast_2d(np.corrcoef(values, rowvar=False))
        if weights is None
        else spread / np.sqrt(np.outer(np.diag(spread), np.diag(spread)))
    )
    if ordinal is None:
        ordinal = [j for j in range(d) if is_discrete(values[:, j])]
    codes = {j: _joined(np.unique(values[:, j], return_inverse=True)[1]) for j in ordinal}
    for j, categories in codes.items():
        if not categories.any():
            name = f"column {j}" if names is None else repr(names[j])
            raise DataError(
                f"Fewer than {_FEWEST_ROWS} rows of {name} have another value than the rest, too few to say what it "
                "goes with; leave it out."
            )
        for i in range(d):
            if i == j or (i in codes and i > j):
                continue
            value = (
                polychoric(codes[i], categories, weights)
                if i in codes
                else polyserial(values[:, i], categories, weights)
            )
            correlation[i, j] = correlation[j, i] = value
    own = values.std(axis=0) if weights is None else np.sqrt(np.diag(spread))
    scales = np.where(np.isin(np.arange(d), list(codes)), 1.0, own)
    possible, smallest = _possible_correlation(correlation)
    inflation = {j: _inflation(categories, weights) for j, categories in codes.items()}
    return LatentCovariance(possible * np.outer(scales, scales), inflation, smallest)


def _joined(categories: IntArray) -> IntArray:
    """Join each category that has few rows with its neighbour, and number them anew."""
    counts = np.bincount(categories)
    number = np.zeros(len(counts), dtype=categories.dtype)
    current, rows = 0, 0
    for k, count in enumerate(counts.tolist()):
        if rows >= _FEWEST_ROWS and counts[k:].sum() >= _FEWEST_ROWS:
            current, rows = current + 1, 0
        number[k] = current
        rows += count
    return number[categories]


def _inflation(categories: IntArray, weights: FloatArray | None = None) -> float:
    """Return how many times as uncertain correlations are as those of a measured column, in variance."""
    counts = np.bincount(categories, weights).astype(float)
    heights = np.exp(-0.5 * _thresholds(counts) ** 2) / np.sqrt(2 * np.pi)
    return float(1.0 / (np.diff(heights, prepend=0.0) ** 2 * (counts.sum() / counts)).sum())


def polychoric(one: IntArray, other: IntArray, weights: FloatArray | None = None) -> float:
    """Return the polychoric correlation of two columns of category numbers 0, 1, ...; rows may have weights.

    Examples
    --------
    Two coins that agree in 80 of 100 throws; with even margins the answer is the sine of (0.8 - 0.5)π.

    >>> one, other = np.repeat([0, 0, 1, 1], [40, 10, 10, 40]), np.repeat([0, 1, 0, 1], [40, 10, 10, 40])
    >>> round(polychoric(one, other), 3)
    0.809
    """
    counts = np.zeros((one.max() + 1, other.max() + 1))
    np.add.at(counts, (one, other), 1.0 if weights is None else weights)
    rows, columns = _thresholds(counts.sum(axis=1)), _thresholds(counts.sum(axis=0))

    def minus_loglik(rho: float) -> float:
        grid = np.zeros((len(rows) + 1, len(columns) + 1))  # probabilities below each pair of thresholds
        grid[1:, 1:] = bivariate_cdf(rows[:, None], columns[None, :], rho)
        cells = np.diff(np.diff(grid, axis=0), axis=1)
        return -float((counts * np.log(np.maximum(cells, _SMALLEST_PROBABILITY))).sum())

    return _maximised(minus_loglik)


def polyserial(measured: FloatArray, category: IntArray, weights: FloatArray | None = None) -> float:
    """Return the polyserial correlation of a measured column with a column of category numbers 0, 1, ..."""
    if weights is None:
        z = (measured - measured.mean()) / measured.std()
    else:
        z = measured - np.average(measured, weights=weights)
        z = z / np.sqrt(np.average(z**2, weights=weights))
    thresholds = np.concatenate([[-np.inf], _thresholds(np.bincount(category, weights).astype(float))])
    lower, upper = thresholds[category], thresholds[category + 1]

    def minus_loglik(rho: float) -> float:
        left = np.sqrt(1.0 - rho * rho)
        share = ndtr((upper - rho * z) / left) - ndtr((lower - rho * z) / left)
        logs = np.log(np.maximum(share, _SMALLEST_PROBABILITY))
        return -float(logs.sum() if weights is None else weights @ logs)

    return _maximised(minus_loglik)


def bivariate_cdf(h: FloatArray, k: FloatArray, rho: float) -> FloatArray:
    """Return the probability that two standard Gaussian variables with correlation rho are below h and k.

    Parameters
    ----------
    h, k : ndarray
        Limits, infinity included; they are broadcast against each other.
    rho : float
        In the open interval (-1, 1); accurate to about 1e-8 up to 0.995.

    Examples
    --------
    >>> float(bivariate_cdf(np.array(0.0), np.array(0.0), 0.5).round(12))  # 1/4 + arcsin(rho) / 2π
    0.333333333333
    """
    h, k = np.broadcast_arrays(h, k)
    finite = np.isfinite(h) & np.isfinite(k)
    a, b = np.where(finite, h, 0.0)[..., None], np.where(finite, k, 0.0)[..., None]
    half = np.arcsin(rho) / 2
    theta = half * (_NODES + 1)
    sine = np.sin(theta)
    heights = np.exp(-(a * a + b * b - 2 * a * b * sine) / (2 * (1 - sine * sine)))
    area = (heights * _WEIGHTS).sum(axis=-1) * half / (2 * np.pi)
    result: FloatArray = ndtr(h) * ndtr(k) + np.where(finite, area, 0.0)
    return result


def _thresholds(counts: FloatArray) -> FloatArray:
    """Return the upper thresholds of the categories; that of the last one is infinity."""
    below: FloatArray = ndtri(np.cumsum(counts) / counts.sum())
    below[-1] = np.inf
    return below


def _maximised(minus_loglik: Callable[[float], float]) -> float:
    from scipy.optimize import minimize_scalar

    return float(minimize_scalar(minus_loglik, bounds=(-_LIMIT, _LIMIT), method="bounded", options={"xatol": 1e-8}).x)


def _possible_correlation(correlation: FloatArray) -> tuple[FloatArray, float]:
    """Lift eigenvalues that are too small and rescale to a unit diagonal; also return the smallest as it was.

    A matrix that is fine stays as it is.
    """
    values, vectors = np.linalg.eigh(correlation)
    smallest = float(values[0])
    if smallest >= SMALLEST_EIGENVALUE:
        return correlation, smallest
    lifted = (vectors * np.maximum(values, SMALLEST_EIGENVALUE)) @ vectors.T
    scales = np.sqrt(np.diag(lifted))
    return lifted / np.outer(scales, scales), smallest

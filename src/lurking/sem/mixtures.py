r"""Mixtures of normal distributions and a point mass at 0, many at once: their distribution function and quantiles.

A mixture has components with weights :math:`w_g`, means :math:`m_g` and standard errors :math:`s_g`; those with
:math:`s_g = 0` stand for a value that is exactly 0. With :math:`w_0` the sum of their weights,

.. math:: F(x) = \sum_{s_g > 0} w_g\, \Phi\left(\frac{x - m_g}{s_g}\right) + w_0\, [x \ge 0] .

The quantile at level p is the smallest x with :math:`F(x) \ge p`. It is 0 if the jump at 0 passes p. Otherwise it is
the root of a smooth increasing function between bounds that are known, found for all mixtures at once by Newton steps
that are replaced by halving where they would leave the bounds or do not become shorter.

>>> import numpy as np
>>> weights = np.array([0.5, 0.25, 0.25])
>>> means, errors = np.array([[1.0], [2.0], [0.0]]), np.array([[0.1], [0.1], [0.0]])
>>> quantiles(weights, means, errors, [0.025, 0.2, 0.5, 0.9]).ravel().round(3)
array([0.   , 0.   , 1.   , 2.025])
>>> cumulated(weights, means, errors, np.array([[1.0]]))
array([[0.5]])
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import ndtr, ndtri

from lurking._typing import FloatArray

__all__ = ["cumulated", "density", "quantiles"]

_MOST_STEPS = 200
_EXACT = 1e-12
"""Bounds of a quantile that are so near to each other, in units of the distance they began with, are the quantile."""


def cumulated(weights: FloatArray, means: FloatArray, errors: FloatArray, at: FloatArray) -> FloatArray:
    """Return the distribution functions at given points.

    Parameters
    ----------
    weights : ndarray, shape (g,)
        The weights of the components; they sum to 1.
    means, errors : ndarray, shape (g, k)
        The components of k mixtures.
    at : ndarray, shape (l, k)
        For each mixture l points.

    Returns
    -------
    cumulated : ndarray, shape (l, k)
    """
    exact = errors == 0.0
    spread = np.where(exact, 1.0, errors)
    below = np.stack([np.where(exact, row >= 0.0, ndtr((row - means) / spread)) for row in at])
    total: FloatArray = np.einsum("g,lgk->lk", weights, below)
    return total


def density(weights: FloatArray, means: FloatArray, errors: FloatArray, at: FloatArray) -> FloatArray:
    """Return the densities of the parts that are not exactly 0, parameters as in :func:`cumulated`."""
    spread = np.where(errors == 0.0, np.inf, errors)
    heights = np.stack([np.exp(-(((row - means) / spread) ** 2) / 2.0) / spread for row in at])
    total: FloatArray = np.einsum("g,lgk->lk", weights, heights) / np.sqrt(2.0 * np.pi)
    return total


def quantiles(weights: FloatArray, means: FloatArray, errors: FloatArray, levels: Sequence[float]) -> FloatArray:
    """Return quantiles of mixtures.

    Parameters
    ----------
    weights : ndarray, shape (g,) or (g, k)
        The weights of the components, the same for all mixtures or for each its own; they sum to 1.
    means, errors : ndarray, shape (g, k)
        The components of k mixtures.
    levels : sequence of float
        Between 0 and 1.

    Returns
    -------
    quantiles : ndarray, shape (l, k)
    """
    exact = errors == 0.0
    own = np.broadcast_to(weights[:, None] if weights.ndim == 1 else weights, errors.shape)
    smooth = np.where(exact, 0.0, own)
    spread = np.where(exact, 1.0, errors)
    at_zero = np.where(exact, own, 0.0).sum(axis=0)
    below_zero = (smooth * ndtr(-means / spread)).sum(axis=0)
    found = np.zeros((len(levels), errors.shape[1]))
    for row, level in zip(found, levels, strict=True):
        target = np.where(level <= below_zero, level, level - at_zero)
        active = np.flatnonzero((level <= below_zero) | (level > below_zero + at_zero))
        if active.size:
            part = smooth[:, active], means[:, active], spread[:, active]
            row[active] = _roots(*part, target[active])
    return found


def _roots(weights: FloatArray, means: FloatArray, spread: FloatArray, target: FloatArray) -> FloatArray:
    """Return where the sums of weighted normal distribution functions reach their targets."""
    with_weight = weights > 0.0
    share = target / weights.sum(axis=0)
    ends = means + spread * ndtri(np.clip(share, 1e-15, 1.0 - 1e-15))
    # every component reaches its share at its own quantile, so the mixture does so between the outermost of them
    low = np.where(with_weight, ends, np.inf).min(axis=0)
    high = np.where(with_weight, ends, -np.inf).max(axis=0)
    least = _EXACT * np.maximum(high - low, np.abs(low) + np.abs(high))
    x: FloatArray = (low + high) / 2.0
    moved = high - low
    for _ in range(_MOST_STEPS):
        z = (x - means) / spread
        excess = (weights * ndtr(z)).sum(axis=0) - target
        low, high = np.where(excess < 0.0, x, low), np.where(excess < 0.0, high, x)
        slope = (weights / spread * np.exp(-z * z / 2.0)).sum(axis=0) / np.sqrt(2.0 * np.pi)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            newton = x - excess / slope
        inside = (newton > low) & (newton < high) & (np.abs(newton - x) <= moved / 2.0)
        step: FloatArray = np.where(inside, newton, (low + high) / 2.0)
        moved = np.abs(step - x)
        if (moved <= least).all():
            return step
        x = step
    return x

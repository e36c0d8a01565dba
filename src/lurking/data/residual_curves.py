r"""The most curved relation of a table, as points that can be drawn.

For two columns i and j let :math:`z_j` be the residual of j on all other columns, of variance 1, and :math:`q_i` the
squared normal scores of i without what those other columns explain of them linearly. The squared correlation of
:math:`z_j` and :math:`q_i` is the share of what straight lines leave of j that a parabola in i would explain. With c
the covariance of :math:`z_j` and the squares and r the variance that all columns leave of the squares, it is
:math:`c^2 / (r + c^2)`.

The pair with the largest share is kept: the rows are put in order of i and cut into bins of equally many rows, with the
mean of i, the mean of the residual and its quartiles in each. On a straight relation the means scatter about 0.

>>> rng = np.random.default_rng(0)
>>> x, noise = rng.normal(size=(2, 1000))
>>> curve = strongest_curve(np.column_stack([x, 0.5 * x**2 + noise]), ("x", "y"))
>>> curve.along, curve.of, 0.2 < curve.share < 0.5, len(curve.x)
('x', 'y', True, 40)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lurking._typing import FloatArray
from lurking.data.transforms import rank_quantiles

__all__ = ["ResidualCurve", "strongest_curve"]

_MOST_BINS = 40
_ROWS_IN_A_BIN = 10
_LARGEST_RESIDUAL = 1e-6  # share of variance below which the other variables determine one


@dataclass(frozen=True)
class ResidualCurve:
    """The residual of one column along another, in bins.

    Attributes
    ----------
    along, of : str
        The column on the axis, and the one whose residual is shown.
    share : float
        The share of the residual's variance that a parabola explains.
    x : tuple of float
        The mean of ``along`` in each bin, in its units.
    mean, low, high : tuple of float
        The mean of the residual and its quartiles in each bin, in standard deviations of the residual.
    """

    along: str
    of: str
    share: float
    x: tuple[float, ...]
    mean: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


def strongest_curve(rows: FloatArray, names: Sequence[str]) -> ResidualCurve | None:
    """Return the most curved relation of a table; None if there are too few rows or columns to tell.

    Parameters
    ----------
    rows : ndarray of shape (m, d)
        Rows of the table; those with missing values are left out.
    names : sequence of str
        The columns.
    """
    complete = rows[~np.isnan(rows).any(axis=1)]
    m, d = complete.shape
    if d < 2 or m < 4 * d:
        return None
    scaled = (complete - complete.mean(axis=0)) / complete.std(axis=0)
    precision = np.linalg.pinv(scaled.T @ scaled / m, rcond=_LARGEST_RESIDUAL)
    residuals = scaled @ precision
    residuals /= residuals.std(axis=0)
    squares = rank_quantiles(complete) ** 2
    squares -= squares.mean(axis=0)
    left = (squares - scaled @ (precision @ (scaled.T @ squares / m))).var(axis=0)
    covariances = (squares.T @ residuals / m) ** 2
    curved = left > _LARGEST_RESIDUAL  # squares of two values are a straight line of them
    shares = np.where(curved[:, None], covariances / (np.where(curved, left, 1.0)[:, None] + covariances), -1.0)
    np.fill_diagonal(shares, -1.0)
    if shares.max() < 0.0:
        return None
    i, j = np.unravel_index(int(shares.argmax()), shares.shape)
    return _binned(complete[:, i], residuals[:, j], names[int(i)], names[int(j)], float(shares[i, j]))


def _binned(x: FloatArray, residual: FloatArray, along: str, of: str, share: float) -> ResidualCurve:
    """Cut the rows, in order of x, into bins of about equally many; equal values of x stay together."""
    order = np.argsort(x, kind="stable")
    x, residual = x[order], residual[order]
    n_bins = max(2, min(_MOST_BINS, len(x) // _ROWS_IN_A_BIN))
    starts = np.unique(np.searchsorted(x, x[np.arange(n_bins) * len(x) // n_bins]))
    bins = [(x[a:b], residual[a:b]) for a, b in zip(starts, [*starts[1:], len(x)], strict=True)]

    def of_bins(values: list[float]) -> tuple[float, ...]:
        return tuple(float(f"{value:.5g}") for value in values)

    return ResidualCurve(
        along,
        of,
        round(share, 4),
        of_bins([float(values.mean()) for values, _ in bins]),
        of_bins([float(values.mean()) for _, values in bins]),
        of_bins([float(np.quantile(values, 0.25)) for _, values in bins]),
        of_bins([float(np.quantile(values, 0.75)) for _, values in bins]),
    )

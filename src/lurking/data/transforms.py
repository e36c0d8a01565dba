r"""Margins that are not Gaussian: normal scores.

*Nonparanormal.* A table is nonparanormal if some increasing function of each column makes it Gaussian (Liu, Lafferty
and Wasserman 2009). The functions need not be known: with :math:`\hat F_j` the empirical distribution of column j,

.. math:: f_j(x) = \bar x_j + s_j \, \Phi^{-1}\bigl(\hat F_j(x)\bigr)

does it, up to the mean and the standard deviation, which are kept so that units keep their meaning. Conditional
independences, and so the graph, are the same before and after. Skew and outliers lose their force: only the order of
the values counts. The price is small if the columns were Gaussian all along.

Ranks are counted with ties in the middle and divided by n + 1, so that no value goes to infinity. A column with few
distinct values stays discrete whatever is done to its ranks: see :mod:`lurking.data.latent` for those.

References
----------
Liu, H., Lafferty, J. and Wasserman, L. (2009). The nonparanormal: semiparametric estimation of high dimensional
undirected graphs. Journal of Machine Learning Research 10, 2295-2328.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from lurking._typing import FloatArray, IntArray

__all__ = ["RankTransform", "normal_scores", "rank_quantiles"]

_KNOTS = 4096


def normal_scores(values: FloatArray) -> FloatArray:
    """Replace each column by the Gaussian quantiles of its ranks, at its own mean and standard deviation.

    Parameters
    ----------
    values : ndarray of shape (n, d)
        The table; NaN stays NaN. It is not changed.

    Examples
    --------
    >>> normal_scores(np.array([[1.0], [10.0], [1000.0]])).round(1).ravel().tolist()
    [-237.2, 337.0, 911.2]
    """
    return RankTransform.fitted_to(values).apply(values)


@dataclass(frozen=True)
class RankTransform:
    """The increasing functions that make the columns of one table Gaussian, for use on other tables too.

    Attributes
    ----------
    knots, images : tuple of ndarray
        For each column, values in increasing order (all distinct ones, or 4096 of them) and where they go. Between
        them the function is linear; outside, it is constant.
    """

    knots: tuple[FloatArray, ...]
    images: tuple[FloatArray, ...]

    @classmethod
    def fitted_to(cls, values: FloatArray) -> RankTransform:
        """Return the transform of a table; missing values are left out of the ranks."""
        parts = [_one_column(column[~np.isnan(column)]) for column in values.T]
        return cls(tuple(part[0] for part in parts), tuple(part[1] for part in parts))

    def apply(self, values: FloatArray) -> FloatArray:
        """Return the transformed table; missing values stay missing."""
        result = np.empty(values.shape)
        for j, (knots, images) in enumerate(zip(self.knots, self.images, strict=True)):
            result[:, j] = np.interp(values[:, j], knots, images)
        result[np.isnan(values)] = np.nan
        return result


def rank_quantiles(values: FloatArray) -> FloatArray:
    """Replace each column, without missing values, by the standard Gaussian quantiles of its ranks.

    Parameters
    ----------
    values : ndarray of shape (n, d)
        The table.

    Returns
    -------
    quantiles : ndarray of shape (n, d)
    """
    result = np.empty(values.shape)
    for j, column in enumerate(values.T):
        _, place, counts = np.unique(column, return_inverse=True, return_counts=True)
        result[:, j] = _quantiles(counts)[place]
    return result


def _quantiles(counts: IntArray) -> FloatArray:
    """Return the quantile of each distinct value, from the smallest on, by how often it occurs."""
    ranks = np.cumsum(counts) - (counts - 1) / 2  # equal values share the mean of their ranks
    quantiles: FloatArray = ndtri(ranks / (counts.sum() + 1))
    return quantiles


def _one_column(column: FloatArray) -> tuple[FloatArray, FloatArray]:
    knots, counts = np.unique(column, return_counts=True)
    scores = _quantiles(counts)
    scores -= np.average(scores, weights=counts)
    spread = np.sqrt(np.average(scores**2, weights=counts))
    images = column.mean() + scores * (column.std() / spread if spread > 0 else 0.0)
    if len(knots) > _KNOTS:
        chosen = np.round(np.linspace(0, len(knots) - 1, _KNOTS)).astype(int)
        return knots[chosen], images[chosen]
    return knots, images

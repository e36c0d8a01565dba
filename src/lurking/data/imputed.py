r"""Latent correlations of incomplete rows: multiple imputation.

Polychoric correlations (:mod:`lurking.data.latent`) need pairs of categories, and maximum likelihood over all columns
at once would be an integral of as many dimensions. So the table is completed several times, and the covariances of the
completed tables are averaged (Rubin 1987):

1. the columns become normal scores, those of an ordinal column in the middle of the interval of each category, and mean
   and covariance of these scores are estimated by EM (:mod:`lurking.data.missing`);
2. what is missing is drawn from its distribution given what is there in the same row;
3. a score that was drawn for an ordinal column becomes the category in whose interval it lies; for another column it is
   taken back to a value.

As with EM, the result is right if what is there explains why values are missing (missing at random). The draws have a
seed of their own, so the same table gives the same answer.

References
----------
D. Rubin (1987), Multiple imputation for nonresponse in surveys.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from scipy.special import ndtri

from lurking._typing import BoolMatrix, FloatArray
from lurking.data.latent import LatentCovariance, is_discrete, latent_covariance
from lurking.data.missing import gaussian_em

__all__ = ["imputed_latent_covariance"]

_TABLES = 10
_SEED = 29


def imputed_latent_covariance(
    names: Sequence[str],
    values: FloatArray,
    ordinal: Sequence[int] | None = None,
    weights: FloatArray | None = None,
    *,
    max_iterations: int = 10_000,
) -> LatentCovariance:
    """Return the mean of the latent covariances of completed tables.

    Parameters
    ----------
    names : sequence of str
        The columns.
    values : ndarray of shape (n, d)
        The rows, NaN where a value is missing; at least one value in each.
    ordinal : sequence of int, optional
        The ordinal columns; by default those that :func:`~lurking.data.latent.is_discrete` takes as such.
    weights : ndarray of shape (n,), optional
        How much each row counts, 1 on average.
    max_iterations : int
        The most steps of EM.
    """
    d = values.shape[1]
    if ordinal is None:
        ordinal = [j for j in range(d) if is_discrete(values[~np.isnan(values[:, j]), j])]
    found = [
        latent_covariance(table, names, ordinal, weights)
        for table in _completed(names, values, ordinal, weights, max_iterations)
    ]
    return LatentCovariance(
        np.mean([one.cov for one in found], axis=0),
        {j: float(np.mean([one.inflation[j] for one in found])) for j in found[0].inflation},
        min(one.smallest_eigenvalue for one in found),
    )


def _completed(
    names: Sequence[str],
    values: FloatArray,
    ordinal: Sequence[int],
    weights: FloatArray | None,
    max_iterations: int,
) -> Iterator[FloatArray]:
    """Yield completed tables."""
    scales = [_Scores(column, j in ordinal) for j, column in enumerate(values.T)]
    scores = np.column_stack([scale.of(column) for scale, column in zip(scales, values.T, strict=True)])
    estimate = gaussian_em(names, scores, max_iterations=max_iterations, weights=weights)
    gaps = np.isnan(values)
    kinds, which = np.unique(gaps, axis=0, return_inverse=True)
    rng = np.random.default_rng(_SEED)
    for _ in range(_TABLES):
        table = values.copy()
        for kind, hidden in enumerate(kinds):
            if hidden.any():
                rows = np.flatnonzero(which.ravel() == kind)
                drawn = _drawn(scores[rows], hidden, estimate.mean, estimate.cov, rng)
                for column, j in zip(drawn.T, np.flatnonzero(hidden).tolist(), strict=True):
                    table[rows, j] = scales[j].back(column)
        yield table


def _drawn(
    scores: FloatArray, hidden: BoolMatrix, mean: FloatArray, cov: FloatArray, rng: np.random.Generator
) -> FloatArray:
    """Draw the hidden columns of rows from their distribution given the others."""
    seen = ~hidden
    lift = np.linalg.solve(cov[np.ix_(seen, seen)], cov[np.ix_(seen, hidden)])
    left = cov[np.ix_(hidden, hidden)] - cov[np.ix_(hidden, seen)] @ lift
    factor = np.linalg.cholesky(left + 1e-12 * np.eye(len(left)))
    expected = mean[hidden] + (scores[:, seen] - mean[seen]) @ lift
    drawn: FloatArray = expected + rng.standard_normal(expected.shape) @ factor.T
    return drawn


class _Scores:
    """Normal scores of one column, and the way back.

    An ordinal column has the interval of Gaussian quantiles of each category, and its score is the mean of a Gaussian
    variable there. A score that is drawn has the variance of these means, so it is compared with limits that are scaled
    to it.
    """

    def __init__(self, column: FloatArray, ordinal: bool) -> None:
        there = column[~np.isnan(column)]
        self.levels, counts = np.unique(there, return_counts=True)
        self.ordinal = ordinal
        if ordinal:
            ends = np.concatenate([[0.0], np.cumsum(counts) / len(there)])
            limits = ndtri(ends)
            heights = np.exp(-0.5 * limits**2) / np.sqrt(2.0 * np.pi)
            self.images: FloatArray = (heights[:-1] - heights[1:]) / np.diff(ends)
            self.limits: FloatArray = limits[1:-1] * np.sqrt(float(counts @ self.images**2) / len(there))
        else:
            ranks = np.cumsum(counts) - (counts - 1) / 2.0
            self.images = ndtri(ranks / (len(there) + 1.0))

    def of(self, column: FloatArray) -> FloatArray:
        """Return the scores; NaN stays NaN."""
        found = np.interp(column, self.levels, self.images)
        found[np.isnan(column)] = np.nan
        return found

    def back(self, scores: FloatArray) -> FloatArray:
        """Return values of the column."""
        if self.ordinal:
            taken: FloatArray = self.levels[np.searchsorted(self.limits, scores)]
            return taken
        values: FloatArray = np.interp(scores, self.images, self.levels)
        return values

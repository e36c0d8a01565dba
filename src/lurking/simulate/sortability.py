r"""How far the scale of the data gives the causal order away.

In many simulations the variance grows along the causal order, because every variable adds its own error to what it
inherits. A method can then find the order by sorting the variances, and will fail on data in other units. Two numbers
tell how far a data set can be sorted that way; 0.5 is what guessing gives.

*Varsortability* (Reisach, Seiler and Weichwald 2021) is the share of directed paths along which the variance
increases. *R²-sortability* (Reisach, Tami, Seiler, Chambaz and Weichwald 2023) asks the same of R², the share of a
variable's variance that all the others explain together, :math:`R^2_i = 1 - 1 / (\Sigma_{ii} \, (\Sigma^{-1})_{ii})`.
It does not depend on units, so standardising the data does not remove it.

Paths are counted as in those papers: for every length k from 1 to d - 1, each ordered pair that at least one directed
path of exactly k edges joins counts once,

.. math::
    \frac{\sum_k \sum_{i \to j \in E^k} \mathrm{increasing}(s_i, s_j)}{\sum_k |E^k|} , \qquad
    \mathrm{increasing}(a, b) = 1, \tfrac12, 0 \text{ as } a < b, a = b, a > b ,

with E^k the k-th power of the relation "is a parent of". In an ADMG causes act along directed edges only, so
bidirected edges form no path; they do enter through the covariance.

>>> chain = ADMG.parse("A -> B -> C")
>>> varsortability([[1, 1, 1], [1, 2, 2], [1, 2, 3]], chain)
1.0
>>> round(r2_sortability([[1, 1, 1], [1, 2, 2], [1, 2, 3]], chain), 3)
0.667
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from lurking._errors import DataError
from lurking._typing import FloatArray
from lurking.graphs import ADMG

__all__ = ["r2_sortability", "varsortability"]

_TIE = 1e-9  # relative; standardised columns differ by rounding only


def varsortability(cov: ArrayLike, admg: ADMG) -> float:
    """Return the share of directed paths along which the variance increases.

    Parameters
    ----------
    cov : array-like, shape (d, d)
        A covariance matrix, of a sample or of a model, in the order of the graph's names.
    admg : ADMG
        The true graph.

    Returns
    -------
    share : float
        From 0 to 1; 0.5 if all variances are equal; NaN if the graph has no directed edge. Variances that differ
        by less than one part in a thousand million count as equal.

    Raises
    ------
    DataError
        If the matrix has the wrong shape, or a variance that is not positive.
    """
    return _increasing_share(np.diag(_checked(cov, admg)), admg)


def r2_sortability(cov: ArrayLike, admg: ADMG) -> float:
    """Return the share of directed paths along which R² increases.

    Parameters
    ----------
    cov : array-like, shape (d, d)
        A positive definite covariance matrix, in the order of the graph's names.
    admg : ADMG
        The true graph.

    Returns
    -------
    share : float
        From 0 to 1; NaN if the graph has no directed edge.

    Raises
    ------
    DataError
        If the matrix has the wrong shape or is not positive definite, as the sample covariance of no more rows
        than columns is.
    """
    return _increasing_share(_r_squared(_checked(cov, admg)), admg)


def _r_squared(cov: FloatArray) -> FloatArray:
    """Return the R² of each variable given all others, from the correlations so that units cannot matter."""
    scale = np.sqrt(np.diag(cov))
    values, vectors = np.linalg.eigh(cov / np.outer(scale, scale))
    if values[0] <= len(cov) * np.finfo(np.float64).eps * values[-1]:
        raise DataError(
            "R²-sortability needs a positive definite covariance matrix; use more rows than columns, and drop "
            "columns that are combinations of others."
        )
    explained: FloatArray = 1.0 - 1.0 / (vectors**2 @ (1.0 / values))
    return explained


def _increasing_share(scores: FloatArray, admg: ADMG) -> float:
    parent_of = admg.directed.astype(np.int64)
    rise = scores[None, :] - scores[:, None]
    tie = np.abs(rise) <= _TIE * np.maximum(np.abs(scores)[None, :], np.abs(scores)[:, None])
    credit = np.where(tie, 0.5, rise > 0.0)
    joined = parent_of
    n_paths = earned = 0.0
    while joined.any():
        n_paths += joined.sum()
        earned += float(credit[joined > 0].sum())
        joined = np.minimum(joined @ parent_of, 1)
    return float(earned / n_paths) if n_paths else math.nan


def _checked(cov: ArrayLike, admg: ADMG) -> FloatArray:
    matrix = np.asarray(cov, dtype=np.float64)
    d = len(admg)
    if matrix.shape != (d, d):
        raise DataError(f"The covariance must have shape ({d}, {d}), one row per name. Got {matrix.shape} instead.")
    bad = np.flatnonzero(~(np.diag(matrix) > 0.0))
    if bad.size:
        raise DataError(f"The variance of {admg.names[bad[0]]} must be above 0; drop constant columns.")
    return matrix

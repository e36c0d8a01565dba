r"""Columns that say something about the rows: which rows belong together, and how much each one counts.

**Clusters.** Pupils of one school, visits of one patient: rows with the same value of a column are not independent, and
n of them say less than n. With :math:`z` the residual of each variable on all others and :math:`p_r = z_{ri} z_{rj}`,
centred, the covariance of two residuals is a mean of the :math:`p_r`, and the variance of this mean is

.. math:: \frac{G}{G - 1} \sum_g \Bigl(\sum_{r \in g} p_r\Bigr)^2 \quad\text{instead of}\quad \sum_r p_r^2 .

The ratio, summed over all pairs of variables, is the *design effect*: for clusters of m rows with intra-cluster
correlations :math:`\rho_i, \rho_j` of the residuals it is :math:`1 + (m - 1) \rho_i \rho_j` on average. The scores
count n divided by it. The bootstrap draws whole clusters.

**Weights.** A row with the weight w stands for w units. Means and covariances are weighted, and the number of rows is

.. math:: n = \frac{(\sum_r w_r)^2}{\sum_r w_r^2} ,

which is the number of rows if all weights are equal (Kish 1965). Only the ratios of the weights matter.

>>> rng = np.random.default_rng(0)
>>> school = np.repeat(np.arange(400), 25)
>>> rows = rng.normal(size=(400, 2))[school] + rng.normal(size=(10000, 2))  # intra-cluster correlation 1/2
>>> round(design_effect(rows, school), 1), 1 + 24 * 0.5**2
(6.6, 7.0)

References
----------
L. Kish (1965), Survey sampling. K.-Y. Liang and S. Zeger (1986), Longitudinal data analysis using generalized linear
models, Biometrika 73.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from lurking._errors import DataError, ParameterError, UnknownVertexError
from lurking._typing import FloatArray, IntArray
from lurking._wording import counted
from lurking.data.effective_rows import GAIN, EffectiveRows
from lurking.data.reading import ColumnReport, TableNote

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["RowRoles", "clustered", "design_effect", "effective_number", "taken_aside"]

_FEW_CLUSTERS = 20
_MOST_PRODUCTS = 200_000_000
_LARGEST_RESIDUAL = 1e-6


@dataclass(frozen=True, eq=False)
class RowRoles:
    """What is known about the rows of a table.

    Attributes
    ----------
    clusters : ndarray of int, shape (n,), or None
        The number of the cluster of each row.
    weights : ndarray of shape (n,) or None
        The weights, 1 on average.
    cluster_column, weight_column : str or None
        The columns that said so.
    """

    clusters: IntArray | None = None
    weights: FloatArray | None = None
    cluster_column: str | None = None
    weight_column: str | None = None

    @property
    def reports(self) -> tuple[ColumnReport, ...]:
        """The columns, as they stand among those that are left out."""
        found = []
        if self.cluster_column is not None:
            found.append(ColumnReport(self.cluster_column, "identifier", False, "says which rows belong together"))
        if self.weight_column is not None and self.weight_column != self.cluster_column:
            found.append(ColumnReport(self.weight_column, "continuous", False, "weights of the rows"))
        return tuple(found)

    def notes(self, n_rows: int, effect: float) -> tuple[TableNote, ...]:
        """Return what has to be said: the design effect of the clusters, and what the weights make of the rows."""
        found = []
        if self.clusters is not None and self.cluster_column is not None:
            sizes = np.bincount(self.clusters)
            few = f" {len(sizes)} clusters are few to tell by." if len(sizes) < _FEW_CLUSTERS else ""
            found.append(
                TableNote(
                    "clusters",
                    (self.cluster_column,),
                    effect,
                    f"Rows with the same {self.cluster_column!r} belong together ({len(sizes):,} clusters of "
                    f"{_span(sizes)}): {counted(n_rows, 'row')} count as {max(1, round(n_rows / effect)):,} "
                    "independent ones, before other reasons to count fewer.",
                    f"The design effect is {effect:.2f}; the bootstrap draws whole clusters.{few}",
                )
            )
        if self.weights is not None and self.weight_column is not None:
            found.append(
                TableNote(
                    "weights",
                    (self.weight_column,),
                    effective_number(self.weights),
                    f"Rows are weighted by {self.weight_column!r}: {counted(len(self.weights), 'row')} say as much as "
                    f"{round(effective_number(self.weights)):,} with equal weights.",
                    "Means and covariances are those of the weighted rows.",
                )
            )
        return tuple(found)


def _span(sizes: IntArray) -> str:
    low, high = int(sizes.min()), int(sizes.max())
    return counted(low, "row") if low == high else f"{low:,} to {counted(high, 'row')}"


def taken_aside(table: pd.DataFrame, clusters: str | None, weights: str | None) -> tuple[pd.DataFrame, RowRoles]:
    """Return a table without the columns that are about its rows, and what they say.

    Parameters
    ----------
    table : pandas.DataFrame
        The rows; it is not changed.
    clusters, weights : str or None
        The names of the two columns.

    Raises
    ------
    UnknownVertexError
        If the table has no such column.
    DataError
        If a value is missing, a weight is no number or below 0, or all rows are in one cluster.
    """
    for parameter, name in (("clusters", clusters), ("weights", weights)):
        if name is None:
            continue
        if not isinstance(name, str):
            raise ParameterError(f"The {parameter!r} parameter is the name of a column. Got {name!r} instead.")
        if name not in table.columns:
            raise UnknownVertexError(name, [str(label) for label in table.columns])
    if clusters is not None and clusters == weights:
        raise ParameterError(f"The column {clusters!r} cannot hold both clusters and weights; name two columns.")
    numbers = None if weights is None else _weights(weights, table[weights])
    if numbers is not None and (numbers == 0.0).any():
        table, numbers = table.loc[numbers > 0.0], numbers[numbers > 0.0]
    codes = None if clusters is None else _codes(clusters, table[clusters])
    rest = table.drop(columns=[name for name in (clusters, weights) if name is not None]).reset_index(drop=True)
    if not rest.shape[1]:
        raise DataError("No column is left beside clusters and weights; give a table with others.")
    scaled = None if numbers is None else numbers * (len(numbers) / numbers.sum())
    return rest, RowRoles(codes, scaled, clusters, weights)


def _codes(name: str, column: pd.Series[Any]) -> IntArray:
    import pandas as pd

    missing = int(column.isna().sum())
    if missing:
        raise DataError(
            f"{name!r} says which rows belong together, but is missing in {counted(missing, 'row')}; leave these rows "
            "out, or give each of them a value of its own."
        )
    codes, levels = pd.factorize(column)
    if len(levels) < 2:
        raise DataError(f"{name!r} is the same in every row, so all rows would be one cluster; name another column.")
    return np.asarray(codes, dtype=np.int64)


def _weights(name: str, column: pd.Series[Any]) -> FloatArray:
    import pandas as pd

    numbers = np.asarray(pd.to_numeric(column, errors="coerce").to_numpy(dtype=float, na_value=np.nan))
    odd = ~np.isfinite(numbers) | (numbers < 0.0)
    if odd.any():
        row = int(np.flatnonzero(odd)[0])
        raise DataError(
            f"{name!r} cannot weigh the rows: {counted(int(odd.sum()), 'value')} of it "
            f"{'is' if odd.sum() == 1 else 'are'} missing, negative or no number ({str(column.iloc[row])[:30]!r} in "
            f"row {row}, counted from 0); leave these rows out."
        )
    if not (numbers > 0.0).any():
        raise DataError(f"All weights in {name!r} are 0; give some row a positive one.")
    return numbers


def effective_number(weights: FloatArray) -> float:
    """Return the number of rows with equal weights that say as much.

    Examples
    --------
    >>> effective_number(np.array([1.0, 1.0, 2.0]))
    2.6666666666666665
    """
    return float(weights.sum() ** 2 / (weights**2).sum())


def design_effect(rows: FloatArray, clusters: IntArray, weights: FloatArray | None = None) -> float:
    """Return by what factor rows that belong together raise the variance of covariances, at least 1.

    Parameters
    ----------
    rows : ndarray of shape (n, d)
        The rows; those with missing values (NaN) are left out, unless too few would be left.
    clusters : ndarray of int, shape (n,)
        The number of the cluster of each row.
    weights : ndarray of shape (n,), optional
        Their weights.
    """
    n, d = rows.shape
    complete = ~np.isnan(rows).any(axis=1)
    if complete.sum() < 4 * d:  # then columns stand for their residuals, and what is missing for their means
        means = np.nanmean(rows, axis=0)
        rows, as_they_are = np.where(np.isnan(rows), means, rows), True
    else:
        rows, clusters, as_they_are = rows[complete], clusters[complete], False
        weights = None if weights is None else weights[complete]
    if n * d * d > _MOST_PRODUCTS:  # every k-th cluster says enough
        some = clusters % -(-n * d * d // _MOST_PRODUCTS) == 0
        rows, clusters, weights = rows[some], clusters[some], None if weights is None else weights[some]
    share = np.full(len(rows), 1.0 / len(rows)) if weights is None else weights / weights.sum()
    centred = rows - share @ rows
    scaled = centred / np.sqrt(share @ centred**2)
    if not as_they_are:
        precision = np.linalg.pinv((scaled * share[:, None]).T @ scaled, rcond=_LARGEST_RESIDUAL)
        scaled = scaled @ precision
    order = np.argsort(clusters, kind="stable")
    scaled, share = scaled[order], share[order]
    starts = np.flatnonzero(np.r_[True, np.diff(clusters[order]) > 0])
    if len(starts) < 2 or d < 2:
        return 1.0
    together = apart = 0.0
    for j in range(d - 1):
        products = scaled[:, j + 1 :] * scaled[:, [j]]
        products = (products - share @ products) * share[:, None]
        spread = (share @ scaled[:, j + 1 :] ** 2) * (share @ scaled[:, j] ** 2)
        together += float(((np.add.reduceat(products, starts, axis=0) ** 2).sum(axis=0) / spread).sum())
        apart += float(((products**2).sum(axis=0) / spread).sum())
    return max(1.0, len(starts) / (len(starts) - 1) * together / apart)


def clustered(worth: EffectiveRows, effect: float, least: int) -> EffectiveRows:
    """Return how many rows a table is worth, dependence of rows in clusters included.

    Parameters
    ----------
    worth : EffectiveRows
        What was found without looking at clusters. Dependence of neighbouring rows there may be that of clusters in
        sorted tables, so the larger of the two counts.
    effect : float
        The design effect.
    least : int
        The fewest rows that the scores can count.
    """
    lines = max(worth.curvature, worth.disagreement) / GAIN
    dependence = max(effect, worth.dependence)
    without = max(1.0 / worth.effective - lines, 1.0 / (2.0 * worth.n_rows))  # one divided by what is independent
    effective = round(1.0 / (without * dependence / worth.dependence + lines))
    effective = min(worth.effective, max(effective, min(least, worth.n_rows)))
    return replace(worth, effective=effective, dependence=dependence)

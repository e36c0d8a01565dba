"""From whatever a user has to :class:`Moments`: missing values, transforms, and a sample of rows to look at.

==================  ==============================================================================================
missing             what happens to rows with missing values
==================  ==============================================================================================
``"refuse"``        an error names the columns and the first rows
``"drop"``          they are left out
``"em"``            mean and covariance of maximum likelihood from all rows (:mod:`lurking.data.missing`)
==================  ==============================================================================================

==================  ==============================================================================================
margins             what happens to the columns
==================  ==============================================================================================
None                nothing
``"rank"``          normal scores of the ranks (:mod:`lurking.data.transforms`)
``"latent"``        few distinct values are categories of a Gaussian variable (:mod:`lurking.data.latent`)
==================  ==============================================================================================

With neither, a table is read once, block by block, and never held as a whole. On the way a sample of its rows is kept
for the audit: every k-th row, with k such that at most 20,000 stay.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from lurking._errors import DataError, ParameterError
from lurking._typing import FloatArray
from lurking.data.checks import checked_n_samples, listed
from lurking.data.covariance_files import read_covariance
from lurking.data.latent import latent_covariance
from lurking.data.missing import check_not_infinite, complete_rows, gaussian_em
from lurking.data.moments import Moments
from lurking.data.nominal import GroupedMoments
from lurking.data.transforms import RankTransform

__all__ = ["MARGINS", "MISSING", "Margins", "Missing", "PreparedData", "numbers_of", "opened", "prepare"]

Missing = Literal["refuse", "drop", "em"]
Margins = Literal["rank", "latent"]
MISSING: tuple[Missing, ...] = ("refuse", "drop", "em")
MARGINS: tuple[Margins | None, ...] = (None, "rank", "latent")

_MOST_ROWS = 20_000
_ABOUT_MISSING = "leave these rows out by missing='drop', or use them by missing='em'"


@dataclass(frozen=True)
class PreparedData:
    """Moments, and what is worth knowing about the table behind them.

    Attributes
    ----------
    moments : Moments or GroupedMoments
        What the searches look at.
    rows : ndarray of shape (at most 20000, d) or None
        A sample of the rows as they came, NaN where a value is missing; None if there was no table.
    n_incomplete : int
        Rows of the table in which a value is missing.
    rank_transform : RankTransform or None
        The functions of ``margins="rank"``.
    ordinal : dict of str to float
        The columns that ``margins="latent"`` took as ordinal, and how many times as uncertain their correlations are.
    latent_eigenvalue : float or None
        The smallest eigenvalue of the correlations of ``margins="latent"`` as they were put together pair by pair.
    """

    moments: Any  # AnyMoments; callers know whether their table has nominal columns
    rows: FloatArray | None = None
    n_incomplete: int = 0
    rank_transform: RankTransform | None = None
    ordinal: dict[str, float] = field(default_factory=dict)
    latent_eigenvalue: float | None = None


def prepare(data: object, missing: Missing = "refuse", margins: Margins | None = None) -> PreparedData:
    """Return the moments of a table after taking care of missing values and margins.

    Parameters
    ----------
    data : DataFrame, array of shape (n, d), str, Path, Moments or GroupedMoments
        A table, the path of a CSV, TSV or Parquet file or of a covariance matrix in Tetrad's form (.cov), or moments,
        which are taken as they are.
    missing : {"refuse", "drop", "em"}, default "refuse"
        What to do with missing values.
    margins : {None, "rank", "latent"}, default None
        What to do with margins that are not Gaussian.

    Raises
    ------
    DataError
        If the table cannot be used; the columns are named.
    ParameterError
        If moments are given together with ``margins``, or ``"em"`` with ``"latent"``.

    Examples
    --------
    >>> prepare([[1.0, 2.0], [2.0, np.nan], [3.0, 4.0], [5.0, 4.0]], missing="drop").moments.n_samples
    3
    """
    data = opened(data)
    if isinstance(data, Moments | GroupedMoments):
        if margins is not None:
            raise ParameterError(f"margins={margins!r} needs the table itself, not only its moments; give the table.")
        return PreparedData(data)
    if missing == "refuse" and margins is None:
        return _in_one_pass(data)
    if missing == "em" and margins == "latent":
        raise ParameterError("missing='em' cannot be used with margins='latent'; use missing='drop' or another one.")
    names, values = numbers_of(data, ordered_categories=margins == "latent")
    check_not_infinite(names, values)
    gaps = np.isnan(values)
    n_incomplete = int(gaps.any(axis=1).sum())
    if n_incomplete and missing == "refuse":
        which = [name for name, gaps_of_column in zip(names, gaps.T, strict=True) if gaps_of_column.any()]
        raise DataError(
            f"Values of {listed(which)} are missing in {n_incomplete} of {len(values)} rows; {_ABOUT_MISSING}."
        )
    rows = values[:: -(-len(values) // _MOST_ROWS)] if len(values) else values
    if missing != "em":
        values = complete_rows(names, values)
    checked_n_samples(len(values), len(names))
    rank = RankTransform.fitted_to(values) if margins == "rank" else None
    if rank is not None:
        values = rank.apply(values)
    ordinal: dict[str, float] = {}
    eigenvalue = None
    if margins == "latent":
        _check_no_constant(names, values)
        cov, inflation, eigenvalue = latent_covariance(values, names)
        ordinal = {names[j]: times for j, times in inflation.items()}
        mean = np.where(np.isin(np.arange(len(names)), list(inflation)), 0.0, values.mean(axis=0))
        moments = Moments(cov, len(values), names, mean=mean)
    elif missing == "em" and n_incomplete:
        estimate = gaussian_em(names, values)
        moments = Moments(estimate.cov, estimate.n_samples, names, mean=estimate.mean)
    else:
        moments = Moments.from_table(values, names=names)
    return PreparedData(moments, rows, n_incomplete, rank, ordinal, eigenvalue)


def opened(data: object) -> object:
    """Return the moments in a file with a covariance matrix (.cov); anything else as it is."""
    if isinstance(data, str | Path) and Path(data).suffix.lower() == ".cov":
        return read_covariance(data)
    return data


def numbers_of(data: object, *, ordered_categories: bool = False) -> tuple[tuple[str, ...], FloatArray]:
    """Return the names and all numbers of a table or file, NaN where a value is missing, in a new array.

    Parameters
    ----------
    data : DataFrame, array of shape (n, d), str or Path
        A table, or the path of a file.
    ordered_categories : bool, default False
        Whether ordered categories of pandas are taken as the numbers 0, 1, ... instead of being refused.
    """
    names, blocks = _blocks(_with_codes(data) if ordered_categories else data)
    # the blocks have one row per column of the table
    parts = [np.array(block, dtype=float) for block in blocks]
    values = np.concatenate(parts, axis=1).T if parts else np.empty((0, len(names)))
    return names, np.ascontiguousarray(values)


def _in_one_pass(data: object) -> PreparedData:
    from lurking.data.accumulate import accumulate

    names, blocks = _blocks(data)
    sample = _ThinnedRows(len(names))
    n_samples, mean, cov = accumulate(names, sample.watching(blocks), _ABOUT_MISSING)
    return PreparedData(Moments(cov, n_samples, names, mean=mean), sample.rows())


def _blocks(data: object) -> tuple[tuple[str, ...], Iterator[NDArray[Any]]]:
    if isinstance(data, str | Path):
        from lurking.data.files import file_blocks

        return file_blocks(data)
    from lurking.data.tables import table_blocks

    if issparse(data):
        raise DataError("Sparse tables are not supported, because covariances are dense; give table.toarray().")
    return table_blocks(data)


def _with_codes(data: object) -> object:
    """Replace ordered categories of a pandas data frame by their numbers."""
    import pandas as pd

    if not isinstance(data, pd.DataFrame):
        return data
    table = data.copy(deep=False)
    for position, dtype in enumerate(data.dtypes):
        if isinstance(dtype, pd.CategoricalDtype) and dtype.ordered:
            codes = data.iloc[:, position].cat.codes.astype(float)
            table.isetitem(position, codes.where(codes >= 0).to_numpy())
    return table


def _check_no_constant(names: tuple[str, ...], values: FloatArray) -> None:
    constant = [name for name, column in zip(names, values.T, strict=True) if column.min() == column.max()]
    if constant:
        raise DataError(f"{listed(constant)} never changes, so nothing can be learnt from it; leave it out.")


class _ThinnedRows:
    """Keeps every k-th row of a stream of blocks, k doubling whenever there are twice too many."""

    def __init__(self, n_columns: int) -> None:
        self._n_columns = n_columns
        self._every = 1
        self._seen = 0
        self._parts: list[FloatArray] = []

    def watching(self, blocks: Iterator[NDArray[Any]]) -> Iterator[NDArray[Any]]:
        """Hand the blocks on."""
        for block in blocks:
            first = -self._seen % self._every
            self._parts.append(block[:, first :: self._every].T.astype(float))
            self._seen += block.shape[1]
            while sum(map(len, self._parts)) > 2 * _MOST_ROWS:
                self._every *= 2
                self._parts = [np.concatenate(self._parts)[::2]]
            yield block

    def rows(self) -> FloatArray:
        """Return the rows kept."""
        kept = np.concatenate(self._parts) if self._parts else np.empty((0, self._n_columns))
        return kept if len(kept) <= _MOST_ROWS else kept[::2]

r"""The moments of a table: covariance matrix, number of rows, names.

A linear Gaussian model sees a table of n rows only through its mean and its covariance matrix: they are *sufficient
statistics*. So a table is read once,

.. math:: S = \frac1n \sum_{r=1}^n (x_r - \bar x)(x_r - \bar x)^\top,

and everything after that costs the same for a hundred rows and for a hundred million. The divisor is n, not n - 1:
then the unrestricted maximum-likelihood estimate of the covariance is S itself. The reverse is useful as well: a
covariance matrix from a published table, with its number of rows, is as good as the data.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from lurking._errors import DataError
from lurking._typing import FloatArray
from lurking._wording import counted
from lurking.data.checks import checked_column_names, checked_covariance, checked_mean, checked_n_samples, listed
from lurking.graphs.vertices import NamedVertices

if TYPE_CHECKING:
    from lurking.data.data_file import DataFile

__all__ = ["Moments"]


class Moments(NamedVertices):
    """The covariance matrix of a table, its number of rows and the names of its columns.

    Moments are immutable, their arrays read-only. Two are equal if names (in order), number of rows, covariances and
    means are.

    Parameters
    ----------
    cov : array-like of float, shape (d, d)
        The covariance matrix with divisor n, symmetric positive definite. (Most software divides by n - 1; multiply
        such a matrix by ``(n - 1) / n``.)
    n_samples : int
        The number of rows n that the covariances were computed from, more than d.
    names : sequence of str, optional
        The variables in the order of the rows and columns. By default the column labels if ``cov`` is a data frame,
        otherwise X1, X2, ...
    mean : array-like of float, shape (d,), optional
        The means of the columns. No method of the library needs them; they are kept for prediction and reports.

    Raises
    ------
    DataError
        If the matrix cannot be a covariance matrix, or is singular: constant, repeated and collinear columns are
        named, and the message says what to do.

    See Also
    --------
    Moments.from_table : From a data frame or an array.
    Moments.from_path : From a file.

    Examples
    --------
    >>> m = Moments([[4.0, 1.0], [1.0, 1.0]], n_samples=100, names=["height", "weight"])
    >>> m
    Moments of 2 variables from 100 rows: height, weight
    >>> m.correlation
    array([[1. , 0.5],
           [0.5, 1. ]])
    """

    __slots__ = ("cov", "mean", "n_samples")

    cov: FloatArray
    """Read-only covariance matrix with divisor n."""
    n_samples: int
    """The number of rows."""
    mean: FloatArray | None
    """Read-only means of the columns, or None if they are not known."""

    def __init__(
        self,
        cov: ArrayLike,
        n_samples: int,
        names: Sequence[str] | None = None,
        *,
        mean: ArrayLike | None = None,
    ) -> None:
        if names is None:
            names = getattr(cov, "columns", None)
        if names is None:
            names = [f"X{i + 1}" for i in range(len(np.atleast_1d(np.asarray(cov))))]
        super().__init__(checked_column_names(names))
        rows = checked_n_samples(n_samples, len(self.names))
        means = None if mean is None else checked_mean(mean, len(self.names))
        for attribute, value in (
            ("cov", checked_covariance(cov, self.names)),
            ("n_samples", rows),
            ("mean", means),
        ):
            object.__setattr__(self, attribute, value)

    # ---------------------------------------------------------------------------------------- other ways in

    @classmethod
    def from_table(
        cls, table: object, *, names: Sequence[str] | None = None, columns: Sequence[object] | None = None
    ) -> Moments:
        """Return the moments of a table in memory, in one pass that leaves the table as it is.

        Parameters
        ----------
        table : pandas.DataFrame, polars.DataFrame, polars.LazyFrame, pyarrow.Table or array-like of shape (n, d)
            One row per sample, one column per variable, more rows than columns. Whole numbers and booleans are
            numbers; text, categories and dates are refused.
        names : sequence of str, optional
            Names for the columns of an array, by default X1, X2, ...; a data frame has its own (labels that are not
            text go through ``str``).
        columns : sequence, optional
            The columns to use, in this order; by default all.

        Raises
        ------
        DataError
            If values are missing or infinite, a column is not of numbers, never changes, or is determined by others,
            or there are too few rows. The columns are named, and the message says what to do.

        Notes
        -----
        The cost is one pass, O(n d²). Memory beyond the table itself does not grow with n.

        Examples
        --------
        >>> import pandas as pd
        >>> table = pd.DataFrame({"dose": [1, 2, 3, 4], "ill": [True, False, False, False]})
        >>> m = Moments.from_table(table)
        >>> m.cov
        array([[ 1.25  , -0.375 ],
               [-0.375 ,  0.1875]])
        """
        # pandas and narwhals take longer to import than a covariance matrix takes to check, so they wait until here.
        from lurking.data.accumulate import accumulate
        from lurking.data.tables import table_blocks

        labels, blocks = table_blocks(table, names, columns)
        n_samples, mean, cov = accumulate(labels, blocks)
        return cls(cov, n_samples, labels, mean=mean)

    @classmethod
    def from_path(
        cls,
        path: str | Path | DataFile,
        *,
        columns: Sequence[str] | None = None,
        separator: str | None = None,
        decimal: str | None = None,
    ) -> Moments:
        """Return the moments in a file: of a table, or a covariance matrix.

        What the file holds and how it is written is found by looking at it; the parameters, those of
        :func:`~lurking.data.read_table`, override what was found. A large table is read block by block in one pass, so
        it may be larger than the memory.

        Raises
        ------
        DataError
            As in :meth:`from_table`, and if the file holds neither a table nor a covariance matrix.
        """
        from lurking.data.accumulate import accumulate
        from lurking.data.data_file import DataFile
        from lurking.data.sources import opened

        if not isinstance(path, DataFile):
            path = DataFile(Path(path), None if columns is None else tuple(columns), (), separator, decimal)
        source = opened(path)
        if isinstance(source.moments, Moments):  # a file holds no grouped ones
            return source.moments
        labels, blocks = source.blocks()
        n_samples, mean, cov = accumulate(labels, blocks)
        return cls(cov, n_samples, labels, mean=mean)

    # ------------------------------------------------------------------------------------ how it shows itself

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Moments):
            return NotImplemented
        return self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def _identity(self) -> tuple[tuple[str, ...], int, bytes, bytes | None]:
        return self.names, self.n_samples, self.cov.tobytes(), None if self.mean is None else self.mean.tobytes()

    def __reduce__(self) -> tuple[object, ...]:
        return _unpickle, (self.cov, self.n_samples, self.names, self.mean)

    def __repr__(self) -> str:
        shown = ", ".join(self.names[:8]) + (", ..." if len(self.names) > 8 else "")
        return f"Moments of {counted(len(self.names), 'variable')} from {counted(self.n_samples, 'row')}: {shown}"

    # --------------------------------------------------------------------------------------- parts and forms

    @property
    def n_variables(self) -> int:
        """The number of variables d."""
        return len(self.names)

    @property
    def scales(self) -> FloatArray:
        """The standard deviations of the columns."""
        scales: FloatArray = np.sqrt(np.diag(self.cov))
        return scales

    @property
    def correlation(self) -> FloatArray:
        """The correlation matrix, its diagonal exactly 1."""
        scales = self.scales
        correlation: FloatArray = self.cov / np.outer(scales, scales)
        np.fill_diagonal(correlation, 1.0)
        return correlation

    def standardized(self) -> Moments:
        """Return the moments of the same table with every column at mean 0 and variance 1.

        Examples
        --------
        >>> Moments([[4.0, 1.0], [1.0, 1.0]], 100).standardized().cov
        array([[1. , 0.5],
               [0.5, 1. ]])
        """
        mean = None if self.mean is None else np.zeros(len(self.names))
        return Moments(self.correlation, self.n_samples, self.names, mean=mean)

    def with_n_samples(self, n_samples: int) -> Moments:
        """Return the same moments as if they came from another number of rows.

        Examples
        --------
        >>> Moments([[4.0, 1.0], [1.0, 1.0]], 100, ["A", "B"]).with_n_samples(50)
        Moments of 2 variables from 50 rows: A, B
        """
        return Moments(self.cov, n_samples, self.names, mean=self.mean)

    def subset(self, names: Sequence[str]) -> Moments:
        """Return the moments of some of the columns, in the order given.

        Raises
        ------
        UnknownVertexError
            If a name is not among the columns; near matches are suggested.

        Examples
        --------
        >>> Moments([[4.0, 1.0], [1.0, 1.0]], 100, ["A", "B"]).subset(["B"])
        Moments of 1 variable from 100 rows: B
        """
        rows = [self.index(name) for name in checked_column_names(names)]
        mean = None if self.mean is None else self.mean[rows]
        return Moments(self.cov[np.ix_(rows, rows)], self.n_samples, [self.names[i] for i in rows], mean=mean)

    def reorder(self, names: Sequence[str]) -> Moments:
        """Return the same moments with the columns in another order; every name must be given once.

        Examples
        --------
        >>> Moments([[4.0, 1.0], [1.0, 1.0]], 100, ["A", "B"]).reorder(["B", "A"]).names
        ('B', 'A')
        """
        left_out = [name for name in self.names if name not in checked_column_names(names)]
        if left_out:
            raise DataError(
                f"A new order must name every variable, but lacks {listed(left_out)}; use subset() to drop."
            )
        return self.subset(names)


def _unpickle(cov: FloatArray, n_samples: int, names: tuple[str, ...], mean: FloatArray | None) -> Moments:
    return Moments(cov, n_samples, names, mean=mean)

"""One pass over the blocks of a table: moments, and every k-th row for the audit; for large files also the kinds.

>>> blocks = iter([np.array([[1.0, 2.0, 4.0], [0.0, 1.0, 0.0]])])
>>> n_rows, mean, cov, rows = one_pass(("A", "B"), blocks)
>>> n_rows, rows.shape
(3, (3, 2))
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lurking._typing import FloatArray
from lurking._wording import setting
from lurking.data.reading import ColumnReport, TableNote
from lurking.data.sources import Source

__all__ = ["MOST_ROWS", "Streamed", "columns_of_stream", "one_pass"]

MOST_ROWS = 20_000
"""So many rows are kept for the audit."""

_ABOUT_MISSING = (
    "leave these rows out by " + setting("missing", "drop") + ", or use them by " + setting("missing", "em")
)


def one_pass(
    names: Sequence[str], blocks: Iterator[NDArray[Any]], *, allow_constant: bool = False
) -> tuple[int, FloatArray, FloatArray, FloatArray]:
    """Return the number of rows, means, covariances and a sample of the rows of a table given in blocks.

    Parameters
    ----------
    names : sequence of str
        The columns.
    blocks : iterator of array, shape (d, rows of the block)
        Numbers, one row per column of the table.
    allow_constant : bool, default False
        Whether a column that never changes is no error.
    """
    from lurking.data.accumulate import accumulate

    sample = _ThinnedRows(len(names))
    n_rows, mean, cov = accumulate(names, sample.watching(blocks), _ABOUT_MISSING, allow_constant=allow_constant)
    return n_rows, mean, cov, sample.rows()


@dataclass(frozen=True)
class Streamed:
    """A large table of numbers after one pass.

    Attributes
    ----------
    names : tuple of str
        The columns that can be used.
    n_rows : int
        The number of rows.
    mean, cov, rows : ndarray
        Means, covariances and a sample of the rows of these columns.
    reports : tuple of ColumnReport
        All columns.
    notes : tuple of TableNote
        What was left out.
    """

    names: tuple[str, ...]
    n_rows: int
    mean: FloatArray
    cov: FloatArray
    rows: FloatArray
    reports: tuple[ColumnReport, ...]
    notes: tuple[TableNote, ...]


def columns_of_stream(source: Source) -> Streamed | None:
    """Go through a large file once; return None if a value is missing or no number, because then rows are needed."""
    from lurking.data.kind_notes import notes_on
    from lurking.data.kinds import look_at_numbers

    names = source.table.names
    try:
        n_rows, mean, cov, rows = one_pass(names, _complete_blocks(source), allow_constant=True)
    except _NeedsRowsError:
        return None
    reports = []
    for name, column, variance, average in zip(names, rows.T, np.diag(cov).tolist(), mean.tolist(), strict=True):
        kind, remark = look_at_numbers(name, column)
        if kind == "constant" and variance > 0:
            kind, remark = "continuous", ""  # it changes between the rows that were looked at
        elif variance <= 0:
            kind, remark = "constant", f"every value is {average:.6g}"
        reports.append(ColumnReport(name, kind, kind not in ("constant", "identifier"), remark))
    used = [k for k, report in enumerate(reports) if report.used]
    kept = tuple(names[k] for k in used)
    notes = notes_on(reports, {}, {})
    return Streamed(kept, n_rows, mean[used], cov[np.ix_(used, used)], rows[:, used], tuple(reports), notes)


class _NeedsRowsError(Exception):
    """A value is missing or no number."""


def _complete_blocks(source: Source) -> Iterator[NDArray[Any]]:
    """Hand out the blocks of a file as long as every value is a number."""
    from lurking.data.tables import pandas_blocks

    for chunk in source.table.chunks():
        if not all(isinstance(dtype, np.dtype) and dtype.kind in "biuf" for dtype in chunk.dtypes):
            raise _NeedsRowsError
        for block in pandas_blocks(chunk)[1]:
            if np.isnan(block).any():
                raise _NeedsRowsError
            yield block


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
            while sum(map(len, self._parts)) > 2 * MOST_ROWS:
                self._every *= 2
                self._parts = [np.concatenate(self._parts)[::2]]
            yield block

    def rows(self) -> FloatArray:
        """Return the rows kept."""
        kept = np.concatenate(self._parts) if self._parts else np.empty((0, self._n_columns))
        return kept if len(kept) <= MOST_ROWS else kept[::2]

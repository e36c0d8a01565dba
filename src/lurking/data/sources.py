"""What data can come from: moments, a covariance matrix in a file, a table in a file, a table in memory.

Library and command line read a file in the same way, through :func:`opened`: once, whatever is made of it afterwards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lurking._errors import DataError, ParameterError
from lurking._typing import FloatArray
from lurking.data.covariance_files import covariance_form, read_covariance
from lurking.data.moments import Moments
from lurking.data.nominal import AnyMoments, GroupedMoments
from lurking.data.raw_files import RawFile
from lurking.data.reading import Reading

if TYPE_CHECKING:
    import pandas as pd

    from lurking.data.data_file import DataFile

__all__ = ["Source", "numbers_of", "opened"]


@dataclass(frozen=True, eq=False)
class Source:
    """Data that were opened: moments, or a table in memory or in a file that can be gone through several times.

    Attributes
    ----------
    table : object
        The table in memory, or the file that was looked at; None if there are only moments.
    moments : Moments, GroupedMoments or None
        The moments, given as such or read from a file with a covariance matrix.
    reading : Reading or None
        What was found in a file with a covariance matrix.
    held : DataFrame or None
        The rows in memory, if columns were taken out of the table (:mod:`lurking.data.row_roles`).
    """

    table: Any = None
    moments: AnyMoments | None = None
    reading: Reading | None = None
    held: pd.DataFrame | None = None

    @property
    def is_file(self) -> bool:
        """Whether the table is in a file."""
        from lurking.data.files import TableFile

        return isinstance(self.table, TableFile)

    @property
    def is_large_file(self) -> bool:
        """Whether the table should be read block by block."""
        return self.held is None and self.is_file and bool(self.table.is_large)

    def blocks(self) -> tuple[tuple[str, ...], Iterator[NDArray[Any]]]:
        """Return the names and the blocks of numbers; columns that do not hold numbers are refused."""
        if self.held is not None:
            from lurking.data.tables import pandas_blocks

            return pandas_blocks(self.held)
        if self.is_file:
            return self.table.names, self.table.blocks()
        from lurking.data.tables import table_blocks

        return table_blocks(self.table)

    def frame(self) -> pd.DataFrame:
        """Return the table as a pandas data frame whose labels are texts, each once."""
        if self.held is not None:
            return self.held
        if self.is_file:
            frame: pd.DataFrame = self.table.frame()
            return frame
        from lurking.data.tables import table_frame

        return table_frame(self.table)

    @property
    def marks(self) -> Mapping[str, Counter[str]]:
        """How missing values were written, for each column of a file that was read."""
        return self.table.marks if self.is_file else {}

    @property
    def described(self) -> str:
        """How the file is written."""
        return str(self.table.described) if self.is_file else ""

    @property
    def file_hash(self) -> str | None:
        """The hash of the file."""
        return self.table.raw.hash if self.is_file else None


def opened(data: object) -> Source:
    """Open data: look at a file to tell a table from a covariance matrix.

    Parameters
    ----------
    data : DataFrame, array, str, Path, DataFile, Moments, GroupedMoments or Source
        The data; what was opened already is returned as it is.
    """
    if isinstance(data, Source):
        return data
    if isinstance(data, Moments | GroupedMoments):
        return Source(moments=data)
    from lurking.data.data_file import DataFile

    if isinstance(data, str | Path):
        data = DataFile(Path(data))
    if isinstance(data, DataFile):
        return _opened_file(data)
    from scipy.sparse import issparse

    if issparse(data):
        raise DataError("Sparse tables are not supported, because covariances are dense; give table.toarray().")
    return Source(data)


def _opened_file(file: DataFile) -> Source:
    from lurking.data.files import open_table

    raw = RawFile(file.path)
    says_table = file.separator is not None or file.header is not None
    form = None if says_table and file.n_samples is None else covariance_form(raw)
    if file.n_samples is None and form is None:
        return Source(open_table(file, raw))
    if file.n_samples is not None and (file.separator is not None or file.decimal is not None):
        raise ParameterError(
            f"A separator and a decimal mark are for tables, and {file.path.name!r} is read as a covariance matrix; "
            "drop them, or n_samples."
        )
    moments = read_covariance(file.path, file.n_samples, raw)
    if file.columns is not None or file.drop:
        moments = moments.subset(file.chosen(moments.names)[0])
    described = f"a covariance matrix of {moments.n_variables} variables"
    return Source(None, moments, Reading(described, moments.n_samples, (), raw.hash))


def numbers_of(
    data: object, *, ordered_categories: bool = False, columns: Sequence[str] | None = None
) -> tuple[tuple[str, ...], FloatArray]:
    """Return the names and all numbers of a table or file, NaN where a value is missing, in a new array.

    Parameters
    ----------
    data : DataFrame, array of shape (n, d), str, Path, DataFile or Source
        A table, or the path of a file.
    ordered_categories : bool, default False
        Whether ordered categories of pandas are taken as the numbers 0, 1, ... instead of being refused.
    columns : sequence of str, optional
        The columns to return, in this order.
    """
    source = opened(data)
    if ordered_categories and (source.held is not None or not source.is_file):
        source = Source(_with_codes(source.table if source.held is None else source.held))
    if source.moments is not None:
        raise DataError("Rows are needed here, and a covariance matrix has none; give the table.")
    names, blocks = source.blocks()
    # the blocks have one row per column of the table
    parts = [np.array(block, dtype=float) for block in blocks]
    values = np.concatenate(parts, axis=1).T if parts else np.empty((0, len(names)))
    if columns is not None:
        values, names = values[:, [names.index(name) for name in columns]], tuple(columns)
    return names, np.ascontiguousarray(values)


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

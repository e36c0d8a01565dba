"""Tables in memory as names and blocks of numbers: pandas, NumPy, and all that narwhals knows (polars, pyarrow, ...).

Nothing is copied as a whole and nothing is changed: the columns are checked by their type, then handed out as
float64 blocks of a few thousand rows. Whole numbers and booleans are numbers; text, categories and dates are not, and
the error names the columns. A missing value becomes NaN here and is reported, with its row, by
:mod:`lurking.data.accumulate`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lurking._errors import DataError, ParameterError, UnknownVertexError
from lurking._typing import FloatArray
from lurking._wording import mention, setting
from lurking.data.accumulate import BLOCK_ROWS
from lurking.data.checks import at_most_five, checked_column_names

if TYPE_CHECKING:
    import narwhals.stable.v1 as nw

__all__ = ["Blocks", "array_blocks", "chosen_columns", "frame_blocks", "pandas_blocks", "table_blocks", "table_frame"]

Blocks = Iterator[NDArray[Any]]
"""Numbers, one row per column of the table, a few thousand rows of the table at a time."""

_NUMBERS_AS_OBJECTS = {"integer", "floating", "mixed-integer-float", "boolean", "decimal", "empty"}


def table_blocks(
    table: object, names: Sequence[str] | None = None, columns: Sequence[object] | None = None
) -> tuple[tuple[str, ...], Blocks]:
    """Return the names and the blocks of any table that can be read.

    Parameters
    ----------
    table : pandas.DataFrame, polars.DataFrame, polars.LazyFrame, pyarrow.Table or array-like of shape (n, d)
        One row per sample, one column per variable.
    names : sequence of str, optional
        Names for the columns of an array; a data frame has its own.
    columns : sequence, optional
        The columns to use, in this order; by default all.
    """
    if isinstance(table, pd.DataFrame):
        _refuse_names(names)
        return pandas_blocks(table, columns)
    if isinstance(table, str | bytes):
        raise DataError(f"A table was expected, not the text {table!r:.60}; to read a file use Moments.from_path().")
    import narwhals.stable.v1 as nw

    native: object = nw.from_native(table, pass_through=True)
    if isinstance(native, nw.LazyFrame):
        native = native.collect()
    if isinstance(native, nw.DataFrame):
        _refuse_names(names)
        return frame_blocks(native, columns)
    if isinstance(table, pd.Series | dict | set):
        raise DataError(
            f"A table must be a pandas or polars data frame or a two-dimensional array. Got a {type(table).__name__} "
            "instead; pandas.DataFrame(...) makes a table of it."
        )
    return array_blocks(table, names, columns)


def table_frame(table: object) -> pd.DataFrame:
    """Return any table as a pandas data frame with different texts as labels; columns of numbers are not copied.

    Parameters
    ----------
    table : pandas.DataFrame, polars.DataFrame, polars.LazyFrame, pyarrow.Table or array-like of shape (n, d)
        One row per sample, one column per variable.
    """
    if isinstance(table, pd.DataFrame):
        return table.set_axis(list(checked_column_names(table.columns)), axis=1)
    import narwhals.stable.v1 as nw

    native: object = table if isinstance(table, str | bytes) else nw.from_native(table, pass_through=True)
    if isinstance(native, nw.LazyFrame):
        native = native.collect()
    if isinstance(native, nw.DataFrame):
        columns = {name: _pandas_column(native.get_column(name)) for name in checked_column_names(native.columns)}
        return pd.DataFrame(columns)
    if not (isinstance(table, np.ndarray) and table.ndim == 2 and table.dtype.kind not in "biuf"):
        names, _ = table_blocks(table)  # says what is wrong with it
        array = np.ma.filled(np.ma.asarray(table, dtype=float), np.nan) if np.ma.isMaskedArray(table) else table
        return pd.DataFrame(np.asarray(array), columns=list(names))
    return pd.DataFrame(table, columns=[f"X{k + 1}" for k in range(table.shape[1])])


def _pandas_column(column: nw.Series[Any]) -> pd.Series[Any]:
    import narwhals.stable.v1 as nw

    dtype = column.dtype
    if dtype == nw.Boolean or (dtype.is_integer() and column.null_count()):
        column = column.cast(nw.Float64)
    if dtype.is_numeric() or dtype == nw.Boolean:
        return pd.Series(column.to_numpy())
    if any(dtype == kind for kind in (nw.Categorical, nw.Enum)):
        return pd.Series(column.cast(nw.String).to_list(), dtype=object)
    values = pd.Series(column.to_list(), dtype=object)
    return pd.to_datetime(values) if any(dtype == kind for kind in (nw.Date, nw.Datetime)) else values


def _refuse_names(names: Sequence[str] | None) -> None:
    if names is not None:
        raise ParameterError("The names argument is for arrays; a data frame has its own: rename its columns.")


def chosen_columns(labels: Sequence[object], columns: Sequence[object] | None) -> tuple[tuple[str, ...], list[int]]:
    """Return names and positions of the chosen columns, all of them by default; labels go through ``str``."""
    texts = [str(label) for label in labels]
    if columns is None:
        return checked_column_names(texts), list(range(len(texts)))
    twice = [str(name) for k, name in enumerate(columns) if name in list(columns)[:k]]
    if twice:
        raise DataError(f"The column {twice[0]!r} is chosen twice; name it once.")
    wanted = checked_column_names(columns)
    for name in wanted:
        if name not in texts:
            raise UnknownVertexError(name, texts)
        if texts.count(name) > 1:
            raise DataError(
                f"Each name may occur once, but there are {texts.count(name)} columns {name!r}; rename them."
            )
    return wanted, [texts.index(name) for name in wanted]


# ------------------------------------------------------------------------------------------------------ arrays


def array_blocks(
    table: object, names: Sequence[str] | None = None, columns: Sequence[object] | None = None
) -> tuple[tuple[str, ...], Blocks]:
    """Return the names and the blocks of a two-dimensional array; names are X1, X2, ... unless given."""
    try:
        array = np.asanyarray(table) if np.ma.isMaskedArray(table) else np.asarray(table)
    except ValueError:
        raise DataError("The rows of the table have different lengths; give every row one value per column.") from None
    if array.ndim != 2:
        raise DataError(
            f"A table has two dimensions, rows and columns, but this one has the shape {array.shape}; "
            "a single column is reshaped by table.reshape(-1, 1)."
        )
    d = array.shape[1]
    labels = [f"X{i + 1}" for i in range(d)] if names is None else checked_column_names(names)
    if len(labels) != d:
        raise DataError(f"There must be one name per column, but there are {len(labels)} names and {d} columns.")
    kept, positions = chosen_columns(labels, columns)
    if array.dtype.kind not in "biuf":
        _refuse_columns([_why_refused(pd.Series(array[:, j]), name) for j, name in zip(positions, kept, strict=True)])
    return kept, _array_blocks(array, None if columns is None else positions)


def _array_blocks(array: NDArray[Any], positions: list[int] | None) -> Blocks:
    for start in range(0, len(array), BLOCK_ROWS):
        block = array[start : start + BLOCK_ROWS]
        if positions is not None:
            block = block[:, positions]
        if isinstance(block, np.ma.MaskedArray):
            block = np.ma.filled(block.astype(float), np.nan)
        if block.dtype.kind not in "biuf":
            block = pd.DataFrame(block).to_numpy(dtype=float, na_value=np.nan)
        yield block.T


# ------------------------------------------------------------------------------------------------------ pandas


def pandas_blocks(
    table: pd.DataFrame, columns: Sequence[object] | None = None, *, first_row: int = 0
) -> tuple[tuple[str, ...], Blocks]:
    """Return the names and the blocks of a pandas data frame; ``first_row`` is the number of its first row."""
    names, positions = chosen_columns(list(table.columns), columns)
    series = [table.iloc[:, j] for j in positions]
    _refuse_columns([_why_refused(column, name, first_row) for column, name in zip(series, names, strict=True)])
    return names, _pandas_blocks(series, len(table))


def _pandas_blocks(series: list[pd.Series[Any]], n_rows: int) -> Blocks:
    plain = [column.to_numpy() if isinstance(column.dtype, np.dtype) else None for column in series]
    for start in range(0, n_rows, BLOCK_ROWS):
        rows = slice(start, min(start + BLOCK_ROWS, n_rows))
        block = np.empty((len(series), rows.stop - start))
        for j, (column, values) in enumerate(zip(series, plain, strict=True)):
            if values is not None and values.dtype.kind in "biuf":
                block[j] = values[rows]
            else:
                block[j] = column.iloc[rows].to_numpy(dtype=float, na_value=np.nan)
        yield block


def _why_refused(column: pd.Series[Any], name: str, first_row: int = 0) -> str | None:
    """Return what a column holds instead of numbers, or None if it holds numbers."""
    dtype = column.dtype
    is_type = pd.api.types
    if is_type.is_complex_dtype(dtype):
        return f"{name!r} holds complex numbers"
    if is_type.is_numeric_dtype(dtype) or is_type.is_bool_dtype(dtype):
        return None
    if isinstance(dtype, pd.CategoricalDtype):
        return f"{name!r} holds categories"
    if is_type.is_datetime64_any_dtype(dtype) or is_type.is_timedelta64_dtype(dtype):
        return f"{name!r} holds dates or times"
    kind = pd.api.types.infer_dtype(column, skipna=True)
    if kind in _NUMBERS_AS_OBJECTS:
        return None
    if kind in {"datetime", "datetime64", "date", "time", "timedelta", "timedelta64", "period"}:
        return f"{name!r} holds dates or times"
    odd = pd.to_numeric(column, errors="coerce").isna() & column.notna()
    row = int(np.flatnonzero(odd if odd.any() else column.notna())[0])
    example = column.iloc[row]
    what = "text" if isinstance(example, str | bytes) else f"values of type {type(example).__name__}"
    shown = _shown(example) if isinstance(example, str) else f"{example!r:.40}"
    return f"{name!r} holds {what} ({shown} in row {first_row + row}, counted from 0" + _about_comma(example) + ")"


def _refuse_columns(reasons: Sequence[str | None]) -> None:
    refused = [reason for reason in reasons if reason]
    if refused:
        raise DataError(
            "Only columns of numbers can be used, but "
            + at_most_five(refused)
            + "; leave them out (choose the others with "
            + mention("columns", "columns=[...] in Moments.from_table")
            + "), turn them into numbers, or let "
            + setting("kinds", "auto")
            + " look at them."
        )


# ---------------------------------------------------------------------------------------------------- narwhals


def frame_blocks(table: nw.DataFrame[Any], columns: Sequence[object] | None = None) -> tuple[tuple[str, ...], Blocks]:
    """Return the names and the blocks of a data frame that narwhals has wrapped."""
    names, _ = chosen_columns(table.columns, columns)
    _refuse_columns([_why_refused_by_type(table.get_column(name), name) for name in names])
    return names, _frame_blocks(table, names)


def _frame_blocks(table: nw.DataFrame[Any], names: tuple[str, ...]) -> Blocks:
    import narwhals.stable.v1 as nw

    for start in range(0, len(table), BLOCK_ROWS):
        rows = table[start : start + BLOCK_ROWS]
        block: FloatArray = np.empty((len(names), len(rows)))
        for j, name in enumerate(names):
            column = rows.get_column(name)
            # values beyond 2^53 have no exact float, which some libraries refuse to convert
            values = column if column.dtype == nw.UInt64 and not column.null_count() else column.cast(nw.Float64)
            block[j] = values.to_numpy()
        yield block


def _why_refused_by_type(column: nw.Series[Any], name: str) -> str | None:
    import narwhals.stable.v1 as nw

    dtype = column.dtype
    if dtype.is_numeric() or dtype == nw.Boolean:
        return None
    if any(dtype == kind for kind in (nw.Categorical, nw.Enum)):
        return f"{name!r} holds categories"
    if any(dtype == kind for kind in (nw.Date, nw.Datetime, nw.Duration)):
        return f"{name!r} holds dates or times"
    if dtype == nw.String:
        first = column.drop_nulls().head(1).to_list()  # with narwhals 1.14, [0] would be a scalar of pyarrow
        text = f"{name!r} holds text"
        return text + f" ({_shown(first[0])}" + _about_comma(first[0]) + ")" if first else text
    return f"{name!r} holds values of type {dtype}"


def _shown(value: str) -> str:
    """Return a text in quotes, cut short."""
    return repr(value if len(value) <= 40 else value[:37] + "...")


def _about_comma(value: object) -> str:
    """Return a hint if a value looks like a number with a decimal comma."""
    is_number = isinstance(value, str) and re.fullmatch(r"\s*[-+]?\d+,\d+\s*", value)
    return "; for decimal commas " + mention("decimal", "read the file with decimal=','", ",") if is_number else ""

"""Tables in files: CSV and TSV (also compressed) through pandas, Parquet through pyarrow.

:func:`read_table` returns the whole table; ``file_blocks`` hands it out in blocks, so that
:meth:`~lurking.data.Moments.from_path` needs no more memory for a hundred million rows than for a hundred thousand.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import narwhals.stable.v1 as nw
import pandas as pd

from lurking._errors import DataError
from lurking.data.accumulate import BLOCK_ROWS
from lurking.data.tables import Blocks, chosen_columns, frame_blocks, pandas_blocks

__all__ = ["file_blocks", "read_table"]

SEPARATORS = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
COMPRESSED = {".gz", ".bz2", ".xz", ".zst", ".zip"}
PARQUET = {".parquet", ".pq"}

_OTHER_PROGRAMS = {
    ".arrow": "Arrow",
    ".dta": "Stata",
    ".feather": "Arrow",
    ".h5": "HDF5",
    ".npy": "NumPy",
    ".npz": "NumPy",
    ".ods": "LibreOffice",
    ".pkl": "Python",
    ".rdata": "R",
    ".rds": "R",
    ".sas7bdat": "SAS",
    ".sav": "SPSS",
    ".xls": "Excel",
    ".xlsx": "Excel",
}

_CHUNK_ROWS = 4 * BLOCK_ROWS

T = TypeVar("T")


def read_table(
    path: str | Path, *, columns: Sequence[str] | None = None, separator: str | None = None, decimal: str = "."
) -> pd.DataFrame:
    """Read a CSV, TSV or Parquet file with one row per sample and a header line of names.

    Parameters
    ----------
    path : str or Path
        A file that ends in .csv, .tsv, .tab, .parquet or .pq; text files may also be compressed (.csv.gz, ...).
    columns : sequence of str, optional
        The columns to read, in this order; by default all.
    separator : str, optional
        What separates the values of a text file; by default a comma in .csv and a tab in .tsv and .tab.
    decimal : str, default "."
        The decimal point of a text file; "," in much of Europe.

    Returns
    -------
    table : pandas.DataFrame

    Raises
    ------
    DataError
        If the file is not there, cannot be read as what its name says, or has no usable header.
    """
    path = _existing(Path(path))
    if path.suffix.lower() in PARQUET:
        parquet = _open_parquet(path)
        names, _ = chosen_columns(_parquet_names(parquet), columns)
        frame: pd.DataFrame = parquet.read(columns=list(names)).to_pandas(ignore_metadata=True)
        return frame.reindex(columns=list(names))
    names, positions, options = _text_layout(path, columns, separator, decimal)
    table: pd.DataFrame = _readable(path, lambda: pd.read_csv(path, **options))
    return table.iloc[:, positions].set_axis(list(names), axis=1)


def file_blocks(
    path: str | Path, *, columns: Sequence[str] | None = None, separator: str | None = None, decimal: str = "."
) -> tuple[tuple[str, ...], Blocks]:
    """Return the names and the blocks of a file; the parameters are those of :func:`read_table`."""
    path = _existing(Path(path))
    if path.suffix.lower() in PARQUET:
        parquet = _open_parquet(path)
        names, _ = chosen_columns(_parquet_names(parquet), columns)
        return names, _parquet_blocks(parquet, names)
    names, positions, options = _text_layout(path, columns, separator, decimal)
    return names, _text_blocks(path, names, positions, options)


def _existing(path: Path) -> Path:
    if path.is_dir():
        raise DataError(f"{str(path)!r} is a folder; name the file in it.")
    if not path.exists():
        raise DataError(f"There is no file {str(path)!r}; check the name and the folder.")
    if not path.is_file():
        raise DataError(f"{str(path)!r} is a pipe or a device, which cannot be read twice; save the table in a file.")
    if path.stat().st_size == 0:
        raise DataError(f"The file {str(path)!r} is empty; check how it was written.")
    return path


# -------------------------------------------------------------------------------------------------- text files


def _text_layout(
    path: Path, columns: Sequence[str] | None, separator: str | None, decimal: str
) -> tuple[tuple[str, ...], list[int], dict[str, Any]]:
    """Return the names, where they stand, and how to read the rest, after a look at the header line."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] in COMPRESSED:
        suffixes.pop()
    if separator is None:
        separator = SEPARATORS.get(suffixes[-1] if suffixes else "")
    if separator is None and suffixes and suffixes[-1] in _OTHER_PROGRAMS:
        raise DataError(
            f"{path.name!r} is a file of {_OTHER_PROGRAMS[suffixes[-1]]}; save the table as CSV or Parquet."
        )
    if separator is None:
        known = ", ".join([*SEPARATORS, *sorted(PARQUET)])
        raise DataError(
            f"The format of {path.name!r} is not clear from its name; it must end in one of {known}, or give the "
            "separator, as in separator=','."
        )
    options: dict[str, Any] = {"sep": separator, "decimal": decimal, "encoding": "utf-8-sig", "index_col": False}
    first = _readable(path, lambda: pd.read_csv(path, header=None, nrows=1, dtype=str, **options))
    header = ["" if pd.isna(value) else str(value).strip() for value in first.iloc[0]]
    _check_header(path, header, columns, separator)
    names, positions = chosen_columns(header, columns)
    options |= {"header": 0, "names": range(len(header)), "low_memory": False}
    return names, positions, options


def _check_header(path: Path, header: list[str], columns: Sequence[str] | None, separator: str) -> None:
    if len(header) == 1:
        for other, word in ((";", "semicolons"), ("\t", "tabs"), (",", "commas"), ("|", "bars"), (" ", "spaces")):
            if other != separator and other in header[0]:
                raise DataError(
                    f"The values of {path.name!r} seem to be separated by {word}; give separator={other!r}."
                )
    if all(_is_number(name) for name in header):
        raise DataError(
            f"The first line of {path.name!r} holds numbers ({', '.join(header[:3])}, ...), not names; "
            "add a header line."
        )
    if columns is None and "" in header:
        raise DataError(
            f"Column {header.index('') + 1} of {path.name!r} has no name in the header line; if it only numbers the "
            "rows, write the file without it or choose the others with columns=[...] in Moments.from_path."
        )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _text_blocks(path: Path, names: tuple[str, ...], positions: list[int], options: dict[str, Any]) -> Blocks:
    with _readable(path, lambda: pd.read_csv(path, chunksize=_CHUNK_ROWS, **options)) as reader:
        chunks: Iterator[pd.DataFrame] = iter(reader)
        first_row = 0
        while (chunk := _readable(path, lambda: next(chunks, None))) is not None:
            table = chunk.iloc[:, positions].set_axis(list(names), axis=1)
            yield from pandas_blocks(table, first_row=first_row)[1]
            first_row += len(chunk)


def _readable(path: Path, read: Callable[[], T]) -> T:
    """Return what ``read`` returns, with the reader's own errors turned into sentences about the file."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            return read()
    except UnicodeDecodeError:
        raise DataError(f"{path.name!r} is not text in UTF-8; save it again with that encoding.") from None
    except pd.errors.EmptyDataError:
        raise DataError(f"The file {path.name!r} holds no table; check how it was written.") from None
    except (pd.errors.ParserError, pd.errors.ParserWarning) as error:
        reason = " ".join(str(error).split()).rstrip(".")
        if counts := re.search(r"Expected (\d+) fields in line (\d+), saw (\d+)", reason):
            reason = "line {1} has {2} values, and there are {0} names".format(*counts.groups())
        raise DataError(
            f"{path.name!r} is not a regular table ({reason}); give every row as many values as names."
        ) from None
    except ImportError as error:
        raise DataError(
            f"{path.name!r} needs a package that is not installed ({error.name or error}); install it, or unpack the "
            "file first."
        ) from None
    except (OSError, EOFError) as error:
        raise DataError(f"{path.name!r} cannot be read ({error}); check the file and its permissions.") from None


# ----------------------------------------------------------------------------------------------------- Parquet


def _open_parquet(path: Path) -> Any:
    try:
        pyarrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise DataError(
            f"Reading {path.name!r} needs pyarrow, which is not installed; run pip install 'lurking[parquet]' or save "
            "the table as CSV."
        ) from None
    try:
        return parquet.ParquetFile(path)
    except pyarrow.ArrowInvalid:
        raise DataError(
            f"{path.name!r} is not a Parquet file, though its name says so; check how it was written."
        ) from None


def _parquet_names(parquet: Any) -> list[str]:
    """Return the names of the columns, without those in which pandas keeps its row labels."""
    schema = parquet.schema_arrow
    row_labels = (schema.pandas_metadata or {}).get("index_columns", [])
    return [name for name in schema.names if name not in row_labels]


def _parquet_blocks(parquet: Any, names: tuple[str, ...]) -> Blocks:
    table_from = import_module("pyarrow").Table.from_batches
    for batch in parquet.iter_batches(batch_size=_CHUNK_ROWS, columns=list(names)):
        table = nw.from_native(table_from([batch]), eager_only=True)
        yield from frame_blocks(table, names)[1]

r"""Tables in files: how a file is written is found by looking at it, and every option only overrides what was found.

A :class:`DataFile` is a path with what the user said about it; wherever the library takes a path it takes a
:class:`DataFile` as well. :func:`read_table` returns the whole table; ``TableFile.blocks`` hands it out in blocks,
so that :meth:`~lurking.data.Moments.from_path` needs no more memory for a hundred million rows than for a hundred
thousand.

>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder:
...     path = Path(folder) / "patients.txt"
...     _ = path.write_text("dose\till\n1,5\tyes\n2,0\t*\n4,1\tno\n")
...     file = open_table(path)
...     print(file.described, file.frame().to_numpy().tolist())
tab-separated, decimal commas [[1.5, 'yes'], [2.0, None], [4.1, 'no']]
"""

from __future__ import annotations

import io
import re
import warnings
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from lurking._errors import DataError, ParameterError
from lurking._wording import setting
from lurking.data.accumulate import BLOCK_ROWS
from lurking.data.checks import listed
from lurking.data.data_file import DataFile
from lurking.data.formats import PARQUET, TEXT, format_of, frame_of
from lurking.data.layout import LONGEST_LINE, TextLayout, layout_of
from lurking.data.raw_files import RawFile, decoded, encoding_of, is_text
from lurking.data.tables import Blocks, pandas_blocks
from lurking.data.text_columns import CleanColumn, cleaned

__all__ = ["TableFile", "file_blocks", "open_table", "read_table"]

_CHUNK_ROWS = 4 * BLOCK_ROWS
_HEAD = 2**18

T = TypeVar("T")


def read_table(
    path: str | Path | DataFile,
    *,
    columns: Sequence[str] | None = None,
    separator: str | None = None,
    decimal: str | None = None,
) -> pd.DataFrame:
    """Read a table from a file.

    Parameters
    ----------
    path : str, Path or DataFile
        Text with one row per sample (CSV, TSV, ..., also compressed), Parquet, or a file of Excel, Stata, SPSS, SAS,
        Feather or NumPy.
    columns : sequence of str, optional
        The columns to read, in this order; by default all.
    separator : str, optional
        What separates the values of a text file; by default found by looking.
    decimal : str, optional
        The decimal mark of a text file; by default found by looking.

    Returns
    -------
    table : pandas.DataFrame
        Missing values are NaN in columns of numbers and None in columns of text.

    Raises
    ------
    DataError
        If the file is not there or holds no table.
    """
    file = path if isinstance(path, DataFile) else DataFile(Path(path), _tuple(columns), (), separator, decimal)
    return open_table(file).frame()


def file_blocks(
    path: str | Path | DataFile,
    *,
    columns: Sequence[str] | None = None,
    separator: str | None = None,
    decimal: str | None = None,
) -> tuple[tuple[str, ...], Blocks]:
    """Return the names and the blocks of a file; the parameters are those of :func:`read_table`."""
    file = path if isinstance(path, DataFile) else DataFile(Path(path), _tuple(columns), (), separator, decimal)
    table = open_table(file)
    return table.names, table.blocks()


def open_table(file: str | Path | DataFile, raw: RawFile | None = None) -> TableFile:
    """Look at a file and return the table in it, not read yet.

    Parameters
    ----------
    file : str, Path or DataFile
        The file.
    raw : RawFile, optional
        Its bytes, if they were read already.
    """
    if not isinstance(file, DataFile):
        file = DataFile(Path(file))
    raw = RawFile(file.path) if raw is None else raw
    form = format_of(raw)
    if form == TEXT:
        return _TextTable(file, raw)
    if file.separator is not None or file.decimal is not None:
        raise ParameterError(
            f"A separator and a decimal mark are for tables of text, and {file.path.name!r} is a {form} file; drop "
            "them."
        )
    return _ParquetTable(file, raw) if form == PARQUET else _FrameTable(file, raw, form)


def _tuple(values: Sequence[str] | None) -> tuple[str, ...] | None:
    if isinstance(values, str):
        raise ParameterError(f"columns must be a sequence of names, not the one text {values!r}; put it in a list.")
    return None if values is None else tuple(values)


class TableFile(ABC):
    """A table in a file that was looked at.

    Attributes
    ----------
    file : DataFile
        The file and what the user said.
    raw : RawFile
        Its bytes.
    names : tuple of str
        The columns that are used.
    described : str
        How it is written, in a few words.
    marks : dict of str to Counter of str
        For each column in which values are missing how they are written; complete after the table was read.
    """

    names: tuple[str, ...]
    described: str
    _empty_cells = False  # whether a missing number was an empty cell

    def __init__(self, file: DataFile, raw: RawFile) -> None:
        self.file, self.raw = file, raw
        self.marks: dict[str, Counter[str]] = {}

    @property
    def is_large(self) -> bool:
        """Whether the table should be read block by block."""
        return self.raw.content() is None

    def frame(self) -> pd.DataFrame:
        """Read the whole table."""
        parts = list(self.chunks())
        return pd.concat(parts, ignore_index=True) if len(parts) != 1 else parts[0]

    def blocks(self) -> Blocks:
        """Read the table block by block; a column that does not hold numbers is refused."""
        first_row = 0
        for chunk in self.chunks():
            yield from pandas_blocks(chunk, first_row=first_row)[1]
            first_row += len(chunk)

    @abstractmethod
    def chunks(self) -> Iterator[pd.DataFrame]:
        """Read the table in pieces of a few ten thousand rows, or in one piece if it is small."""

    def _second_look(self, table: pd.DataFrame, decimal: str = ".", thousands: str | None = None) -> pd.DataFrame:
        """Turn columns of text that hold numbers and signs of missing values into numbers."""
        columns: dict[str, Any] = {}
        words: dict[str, tuple[pd.Series[Any], CleanColumn]] = {}
        among_numbers: Counter[str] = Counter()
        for name, (_, column) in zip(self.names, table.items(), strict=True):
            if _is_text(column.dtype):
                clean = cleaned(column, decimal, thousands, self.file.na)
                if clean.is_numeric:
                    among_numbers.update(set(clean.marks))
                    self.marks.setdefault(name, Counter()).update(clean.marks)
                else:
                    words[name] = column, clean
                columns[name] = clean.values
            else:
                numbers = self._told_missing(column)
                if self._empty_cells and (n_missing := int(numbers.isna().sum())):
                    self.marks.setdefault(name, Counter())[""] += n_missing
                columns[name] = numbers
        # what stands for a missing value in two columns of numbers does so among words, too
        common = tuple(mark for mark, count in among_numbers.items() if count > 1)
        for name, (column, seen) in words.items():
            again = any(mark in seen.texts for mark in common)
            clean = cleaned(column, decimal, thousands, (*self.file.na, *common)) if again else seen
            self.marks.setdefault(name, Counter()).update(clean.marks)
            columns[name] = pd.Series(clean.values, table.index, dtype=object)
        return pd.DataFrame(columns, index=table.index, columns=list(self.names))

    def _told_missing(self, column: pd.Series[Any]) -> pd.Series[Any]:
        numbers = [float(text) for text in self.file.na if re.fullmatch(r"[-+]?\d+(\.\d+)?", text)]
        if not numbers or column.dtype.kind not in "iuf":
            return column
        return column.mask(column.isin(numbers))


def _is_text(dtype: Any) -> bool:
    return pd.api.types.is_object_dtype(dtype) or pd.api.types.is_string_dtype(dtype)


# -------------------------------------------------------------------------------------------------- text files


class _TextTable(TableFile):
    """A table written as text."""

    _empty_cells = True

    def __init__(self, file: DataFile, raw: RawFile) -> None:
        super().__init__(file, raw)
        head = raw.head(_HEAD)
        content = raw.content()
        whole = content is not None and len(content) <= _HEAD
        self.encoding = file.encoding or encoding_of(head if content is None else content)
        text = self._decode(head)
        if not is_text(text):
            raise DataError(
                f"{raw.path.name!r} is not text, and not a file of a program that can be read here; save the table as "
                "CSV."
            )
        if not whole and "\n" not in text and "\r" not in text:
            text = self._decode(raw.head(LONGEST_LINE + 1))
        self.layout = self._layout(text, whole)
        self.names, self._positions = file.chosen(self._checked_names())
        self.described = self.layout.described
        if self.encoding not in ("utf-8", "utf-8-sig"):
            self.described += f", encoded in {_ENCODING_WORDS.get(self.encoding, self.encoding)}"
        if raw.packed:
            self.described += f", packed by {raw.packed}"

    def _layout(self, text: str, whole: bool) -> TextLayout:
        said = self.file
        return layout_of(
            text,
            name=self.raw.path.name,
            separator=said.separator,
            decimal=said.decimal,
            thousands=said.thousands,
            header=said.header,
            complete=whole,
        )

    def _checked_names(self) -> list[str]:
        names = self.layout.names
        twice = [name for k, name in enumerate(names) if name in names[:k]]
        if twice and self.file.columns is None:
            raise DataError(
                f"Each name may occur once, but {twice[0]!r} occurs again in the header of {self.raw.path.name!r}; "
                "rename one of the columns."
            )
        return list(names)

    def _decode(self, content: bytes) -> str:
        try:
            return decoded(content, self.encoding).removeprefix("\ufeff")
        except UnicodeError:
            raise DataError(
                f"{self.raw.path.name!r} is not text in {self.encoding.upper()}; save it again with that encoding, or "
                "say which one it has (" + setting("encoding", "latin-1") + ")."
            ) from None

    def chunks(self) -> Iterator[pd.DataFrame]:
        """Read the table in pieces, or in one piece if it is in memory."""
        content = self.raw.content()
        if content is not None:
            text = self._decode(content)
            if "\x00" in text:
                raise DataError(f"There are zero bytes in {self.raw.path.name!r}, so it is damaged; write it again.")
            yield self._as_table(self._readable(lambda: pd.read_csv(io.StringIO(text), **self._options())))
            return
        with self.raw.stream() as stream, self._text_of(stream) as text_stream:
            reader = self._readable(lambda: pd.read_csv(text_stream, chunksize=_CHUNK_ROWS, **self._options()))
            chunks: Iterator[pd.DataFrame] = iter(reader)
            while (chunk := self._readable(lambda: next(chunks, None))) is not None:
                yield self._as_table(chunk)

    @contextmanager
    def _text_of(self, stream: Any) -> Iterator[io.TextIOWrapper]:
        encoding = "latin-1" if self.encoding == "cp1252" else self.encoding
        text = io.TextIOWrapper(stream, encoding=encoding, newline="")
        try:
            yield text
        finally:
            if not text.closed:
                text.detach()

    def _options(self) -> dict[str, Any]:
        layout = self.layout
        return {
            "sep": r"\s+" if layout.separator == " " else layout.separator,
            "decimal": layout.decimal,
            "thousands": layout.thousands,
            "header": None,
            "names": range(layout.n_fields),
            "skiprows": layout.skipped,
            "index_col": False,
            "na_values": [""],
            "keep_default_na": False,
            "skipinitialspace": layout.separator != "\t",
            "low_memory": False,
        }

    def _as_table(self, rows: pd.DataFrame) -> pd.DataFrame:
        positions = [position + self.layout.row_labels for position in self._positions]
        table = rows.iloc[:, positions]
        return self._second_look(table, self.layout.decimal, self.layout.thousands)

    def _readable(self, read: Callable[[], T]) -> T:
        """Return what ``read`` returns, with the reader's own errors turned into sentences about the file."""
        name = self.raw.path.name
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", pd.errors.ParserWarning)
                return read()
        except pd.errors.EmptyDataError:
            return pd.DataFrame(np.empty((0, self.layout.n_fields)))  # type: ignore[return-value]  # a header alone
        except UnicodeError:
            raise DataError(
                f"{name!r} is not text in {self.encoding.upper()}; say which encoding it has ("
                + setting("encoding", "latin-1")
                + ")."
            ) from None
        except (pd.errors.ParserError, pd.errors.ParserWarning, ValueError) as error:
            if isinstance(error, DataError):
                raise
            reason = " ".join(str(error).split()).rstrip(".")
            n_names = len(self.layout.names)
            if counts := re.search(r"Expected (\d+) fields in line (\d+), saw (\d+)", reason):
                reason = f"line {counts[2]} has {counts[3]} values, and there are {n_names} names"
            elif "Length of header or names does not match" in reason:
                reason = f"its rows have more values than there are names, {n_names}"
            elif "inside string" in reason:
                reason = "a quotation mark is opened and never closed"
            raise DataError(
                f"{name!r} is not a regular table ({reason}); give every row as many values as names, or say what "
                "separates them (" + setting("separator", ",") + ")."
            ) from None


_ENCODING_WORDS = {
    "cp1252": "Latin-1",
    "utf-16-le": "UTF-16",
    "utf-16-be": "UTF-16",
    "utf-16": "UTF-16",
    "utf-32": "UTF-32",
}


# --------------------------------------------------------------------------------------------- files of programs


class _FrameTable(TableFile):
    """A table in a file of another program, read as a whole."""

    def __init__(self, file: DataFile, raw: RawFile, form: str) -> None:
        super().__init__(file, raw)
        self._table = frame_of(raw, form)
        self.names, self._positions = file.chosen(list(self._table.columns))
        self.described = f"from {form}{self._table.attrs.get('said', '')}"

    @property
    def is_large(self) -> bool:
        """Whether the table should be read block by block; it is in memory."""
        return False

    def chunks(self) -> Iterator[pd.DataFrame]:
        """Hand out the table."""
        yield self._second_look(self._table.iloc[:, self._positions])


class _ParquetTable(TableFile):
    """A table in a Parquet file."""

    def __init__(self, file: DataFile, raw: RawFile) -> None:
        super().__init__(file, raw)
        self._parquet = _open_parquet(raw)
        self.names, _ = file.chosen(_parquet_names(self._parquet))
        self.described = "from Parquet"
        self._n_numbers = self._parquet.metadata.num_rows * len(self.names)

    @property
    def is_large(self) -> bool:
        """Whether the table should be read block by block."""
        return bool(self._n_numbers > _MOST_NUMBERS)

    def chunks(self) -> Iterator[pd.DataFrame]:
        """Read the table in pieces, or in one piece if it is small."""
        pyarrow = import_module("pyarrow")
        table_from = pyarrow.Table.from_batches
        try:
            if not self.is_large:
                yield self._as_table(self._parquet.read(columns=list(self.names)))
                return
            for batch in self._parquet.iter_batches(batch_size=_CHUNK_ROWS, columns=list(self.names)):
                yield self._as_table(table_from([batch]))
        except (pyarrow.ArrowException, OSError) as error:
            raise DataError(
                f"{self.raw.path.name!r} is a damaged Parquet file ({' '.join(str(error).split())[:100]}); write it "
                "again."
            ) from None

    def _as_table(self, table: Any) -> pd.DataFrame:
        frame: pd.DataFrame = table.to_pandas(ignore_metadata=True).reindex(columns=list(self.names))
        return self._second_look(frame)


_MOST_NUMBERS = 2**24
"""A Parquet file with more values is read block by block."""


def _open_parquet(raw: RawFile) -> Any:
    try:
        pyarrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise DataError(
            f"Reading {raw.path.name!r} needs pyarrow, which is not installed; run pip install 'lurking[parquet]' or "
            "save the table as CSV."
        ) from None
    try:
        file = parquet.ParquetFile(raw.source())
    except (pyarrow.ArrowException, OSError):
        raise DataError(
            f"{raw.path.name!r} is not a Parquet file, though its first bytes say so; check how it was written."
        ) from None
    twice = [name for k, name in enumerate(file.schema_arrow.names) if name in file.schema_arrow.names[:k]]
    if twice:
        raise DataError(f"Each name may occur once, but {listed(twice[:1])} occurs again; rename one of the columns.")
    return file


def _parquet_names(parquet: Any) -> list[str]:
    """Return the names of the columns, without those in which pandas keeps its row labels."""
    schema = parquet.schema_arrow
    row_labels = (schema.pandas_metadata or {}).get("index_columns", [])
    return [name for name in schema.names if name not in row_labels]

r"""Covariance matrices in files: Tetrad's text and CSV.

A published covariance matrix with its number of rows is as good as the data for everything in this library. Two forms
are read:

- **Tetrad's**: an optional line ``/covariance``, the number of rows, a line of names, and the lower triangle, one row a
  line. A full square is taken as well. Lines that begin with ``//`` are comments.
- **CSV or TSV**: a header line of names and a square of numbers, with or without the names once more at the left. Such
  a file does not hold the number of rows; it must be given.

The matrix is taken as it stands, as one with divisor n. If it was made with n - 1, all its entries are larger by the
same factor, which changes neither the graph that is found nor a comparison of two graphs.

>>> from pathlib import Path
>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder:
...     path = Path(folder) / "published.cov"
...     _ = path.write_text("/covariance\n120\nheight weight\n4.0\n1.0 1.0\n")
...     read_covariance(path)
Moments of 2 variables from 120 rows: height, weight
"""

from __future__ import annotations

import csv
import re
from pathlib import Path

import numpy as np

from lurking._errors import DataError
from lurking._typing import FloatArray
from lurking.data.moments import Moments

__all__ = ["read_covariance"]


_SEPARATORS = {".csv": ",", ".tsv": "\t", ".tab": "\t"}


def read_covariance(path: str | Path, n_samples: int | None = None) -> Moments:
    """Read a covariance matrix from a file.

    Parameters
    ----------
    path : str or Path
        A file ending in .csv, .tsv or .tab with a header line of names; any other ending is read as Tetrad's text.
    n_samples : int, optional
        The number of rows that the covariances were computed from. A CSV or TSV needs it; a Tetrad file holds it, and
        the two must not differ.

    Returns
    -------
    moments : Moments

    Raises
    ------
    DataError
        If the file is not there, is not a square or a triangle of numbers, or cannot be a covariance matrix.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise DataError(f"{path.name!r} is not text in UTF-8; save it again with that encoding.") from None
    except OSError as error:
        raise DataError(f"The file {str(path)!r} cannot be read ({error.strerror}); check its path.") from None
    separator = _SEPARATORS.get(path.suffix.lower())
    if separator is None:
        return _tetrad(path, text, n_samples)
    return _square(path, text, separator, n_samples)


def _tetrad(path: Path, text: str, n_samples: int | None) -> Moments:
    lines = [line.strip() for line in text.splitlines()]
    lines = [line for line in lines if line and not line.startswith("//")]
    if lines and lines[0].lower() in ("/covariance", "/correlation"):
        lines = lines[1:]
    if len(lines) < 3 or not re.fullmatch(r"\d+", lines[0]):
        raise DataError(
            f"{path.name!r} is not a covariance matrix in Tetrad's form (the number of rows, a line of names and the "
            "lower triangle); if it is a table, say what separates its values, as in separator=','."
        )
    rows = int(lines[0])
    if n_samples is not None and n_samples != rows:
        raise DataError(f"{path.name!r} says that it comes from {rows} rows, not {n_samples}; drop one of the two.")
    names = _split(lines[1])
    return Moments(_matrix(path, names, [_split(line) for line in lines[2:]]), rows, names)


def _square(path: Path, text: str, separator: str, n_samples: int | None) -> Moments:
    rows = [[cell.strip() for cell in row] for row in csv.reader(text.splitlines(), delimiter=separator)]
    rows = [row for row in rows if any(row)]
    if not rows:
        raise DataError(f"The file {path.name!r} holds no table; check how it was written.")
    if n_samples is None:
        raise DataError(
            f"{path.name!r} does not hold the number of rows that its covariances come from; give n_samples."
        )
    header, body = rows[0], rows[1:]
    labels = [row[0] for row in body]
    if labels == header[1:] and len(header) == len(body) + 1:
        header, body = header[1:], [row[1:] for row in body]
    elif labels == header:  # R writes no name for the column of row names
        body = [row[1:] for row in body]
    elif sorted(labels) in (sorted(header), sorted(header[1:])):
        raise DataError(
            f"The rows of {path.name!r} ({', '.join(labels)}) are not in the order of its columns; put them in it."
        )
    return Moments(_matrix(path, header, body), n_samples, header)


def _matrix(path: Path, names: list[str], rows: list[list[str]]) -> FloatArray:
    """Return the full matrix from its lower triangle or its square."""
    d = len(names)
    lengths = [len([cell for cell in row if cell]) for row in rows]
    if len(rows) != d:
        raise DataError(
            f"{path.name!r} names {d} variables, but has {len(rows)} rows of covariances; give one for each."
        )
    triangle = lengths == list(range(1, d + 1))
    if not triangle and lengths != [d] * d:
        worst = next(k for k, length in enumerate(lengths) if length not in (d, k + 1))
        raise DataError(
            f"The row of {names[worst]!r} in {path.name!r} has {lengths[worst]} numbers; give {worst + 1} (the lower "
            f"triangle) or {d} (the square)."
        )
    matrix = np.zeros((d, d))
    for i, row in enumerate(rows):
        for j, cell in enumerate(row[: i + 1] if triangle else row):
            matrix[i, j] = _number(path, names, i, j, cell)
    return np.tril(matrix) + np.tril(matrix, -1).T if triangle else matrix


def _number(path: Path, names: list[str], i: int, j: int, cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        raise DataError(
            f"The covariance of {names[i]!r} and {names[j]!r} in {path.name!r} is {cell!r}, which is not a number; "
            "correct it."
        ) from None


def _split(line: str) -> list[str]:
    """Split at tabs or commas if there are any, else at spaces."""
    for separator in ("\t", ",", ";"):
        if separator in line:
            return [cell.strip() for cell in line.strip(separator).split(separator)]
    return line.split()

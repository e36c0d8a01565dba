r"""Covariance matrices in files: Tetrad's text and CSV.

A published covariance matrix with its number of rows is as good as the data for everything in this library. Two forms
are read:

- **Tetrad's**: an optional line ``/covariance``, the number of rows, a line of names, and the lower triangle, one row a
  line. A full square is taken as well. Lines that begin with ``//`` are comments.
- **A square**: a header line of names and a square of numbers or its lower triangle, with or without the names once
  more at the left, with any separator. Such a file does not hold the number of rows; it must be given.

Which of the two a file is, or whether it is a table, is told from what stands in it, not from its name
(``looks_like_covariance``): Tetrad's form begins with a number alone on its line, names and a single number; a
square is symmetric, has as many rows as columns, and no correlation beyond 1.

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
from typing import Literal

import numpy as np

from lurking._errors import DataError
from lurking._typing import FloatArray
from lurking._wording import mention
from lurking.data.layout import is_number, layout_of
from lurking.data.moments import Moments
from lurking.data.raw_files import RawFile, decoded, encoding_of, is_text

__all__ = ["covariance_form", "looks_like_covariance", "read_covariance"]

_MOST_LETTERS = 2**24
_HEAD = 2**16
_MOST_VARIABLES = 1000


def looks_like_covariance(head: str) -> bool:
    r"""Tell whether a text begins like a covariance matrix in Tetrad's form.

    Examples
    --------
    >>> looks_like_covariance("120\nheight weight\n4.0\n1.0 1.0\n"), looks_like_covariance("height,weight\n1,2\n")
    (True, False)
    """
    lines = _content(head)
    if lines and lines[0].lower() in ("/covariance", "/correlation"):
        return True
    if len(lines) < 3 or not is_number(lines[0]):
        return False
    names, first = _split(lines[1]), _split(lines[2])
    return not any(map(is_number, names)) and all(map(is_number, first)) and len(first) in (1, len(names))


def covariance_form(raw: RawFile) -> Literal["tetrad", "square"] | None:
    """Return which kind of covariance matrix a file holds, judged by its content; None for a table."""
    content = raw.content()
    if content is None or len(content) > _MOST_LETTERS:
        return None
    head = _text(raw, content[:_HEAD])
    if head is None:
        return None
    if raw.path.suffix.lower() == ".cov" or looks_like_covariance(head):
        return "tetrad"
    text = head if len(content) <= _HEAD else _text(raw, content)
    return "square" if text is not None and _is_square(text) else None


def read_covariance(path: str | Path, n_samples: int | None = None, raw: RawFile | None = None) -> Moments:
    """Read a covariance matrix from a file.

    Parameters
    ----------
    path : str or Path
        The file.
    n_samples : int, optional
        The number of rows that the covariances were computed from. A square needs it; a Tetrad file holds it, and the
        two must not differ.
    raw : RawFile, optional
        The bytes of the file, if they were read already.

    Returns
    -------
    moments : Moments

    Raises
    ------
    DataError
        If the file is not there, is not a square or a triangle of numbers, or cannot be a covariance matrix.
    """
    path = Path(path)
    raw = RawFile(path) if raw is None else raw
    content = raw.content()
    if content is None or len(content) > _MOST_LETTERS:
        raise DataError(f"{path.name!r} is too long for a covariance matrix; leave n_samples out if it is a table.")
    text = _text(raw, content)
    if text is None:
        raise DataError(f"{path.name!r} is not text, so no covariance matrix can be read from it; check the file.")
    if covariance_form(raw) == "tetrad":
        return _tetrad(path, text, n_samples)
    return _square(path, text, n_samples)


def _text(raw: RawFile, content: bytes) -> str | None:
    try:
        text = decoded(content, encoding_of(content)).removeprefix("\ufeff")
    except UnicodeError:
        return None
    return text if is_text(text) else None


def _content(text: str) -> list[str]:
    """Return the lines that are neither empty nor comments."""
    lines = [line.strip() for line in text.splitlines()]
    return [line for line in lines if line and not line.startswith("//")]


def _is_square(text: str) -> bool:
    """Tell whether the text is a header and a symmetric square of numbers that can be a covariance matrix."""
    if text.count("\n") > _MOST_VARIABLES:
        return False
    try:
        rows = _rows(Path("square"), text)
    except (DataError, csv.Error):
        return False
    header, body = _without_labels(rows)
    d = len(header)
    body = [[cell for cell in row if cell] for row in body]
    is_triangle = d > 2 and [len(row) for row in body] == list(range(1, d + 1))
    if (
        d < 2
        or len(body) != d
        or not (is_triangle or all(len(row) == d for row in body))
        or all(map(is_number, header))
    ):
        return False
    if not all(is_number(cell) for row in body for cell in row):
        return False
    matrix = np.zeros((d, d))
    for i, row in enumerate(body):
        matrix[i, : len(row)] = row
        if is_triangle:
            matrix[: i + 1, i] = matrix[i, : i + 1]
    scales = np.sqrt(np.abs(np.diag(matrix)))
    positive = bool((np.diag(matrix) > 0).all()) and bool(np.isfinite(matrix).all())
    with np.errstate(over="ignore", invalid="ignore"):
        return (
            positive
            and bool((np.abs(matrix - matrix.T) <= 1e-8 * np.outer(scales, scales)).all())
            and bool((np.abs(matrix) <= (1 + 1e-6) * np.outer(scales, scales)).all())
        )


def _tetrad(path: Path, text: str, n_samples: int | None) -> Moments:
    lines = _content(text)
    if lines and lines[0].lower() in ("/covariance", "/correlation"):
        lines = lines[1:]
    if len(lines) < 3 or not is_number(lines[0]):
        raise DataError(
            f"{path.name!r} is not a covariance matrix in Tetrad's form (the number of rows, a line of names and the "
            "lower triangle); correct it, or if it is a table, let its name end in .txt or .csv."
        )
    if not re.fullmatch(r"\d+(\.0*)?", lines[0]) or len(lines[0].split(".", maxsplit=1)[0].lstrip("0")) > 15:
        raise DataError(
            f"The first line of {path.name!r} says that it comes from {lines[0][:40]} rows, which cannot be; "
            "correct it."
        )
    rows = int(lines[0].split(".", maxsplit=1)[0])
    if n_samples is not None and n_samples != rows:
        raise DataError(f"{path.name!r} says that it comes from {rows} rows, not {n_samples}; drop one of the two.")
    names = _split(lines[1])
    return Moments(_matrix(path, names, [_split(line) for line in lines[2:]]), rows, names)


def _square(path: Path, text: str, n_samples: int | None) -> Moments:
    rows = _rows(path, text)
    if n_samples is None:
        raise DataError(
            f"{path.name!r} is a covariance matrix, and does not hold the number of rows that its covariances come "
            "from; " + mention("n_samples", "give n_samples") + "."
        )
    header, body = _without_labels(rows)
    labels = [row[0] for row in rows[1:]]
    if body == rows[1:] and sorted(labels) in (sorted(header), sorted(header[1:])):
        raise DataError(
            f"The rows of {path.name!r} ({', '.join(labels)}) are not in the order of its columns; put them in it."
        )
    return Moments(_matrix(path, header, body), n_samples, header)


def _rows(path: Path, text: str) -> list[list[str]]:
    layout = layout_of(text, name=path.name, header=True)
    lines = _content(text)
    split = (
        [line.split() for line in lines]
        if layout.separator == " "
        else list(csv.reader(lines, delimiter=layout.separator, skipinitialspace=True))
    )
    return [row for row in ([cell.strip() for cell in row] for row in split) if any(row)]


def _without_labels(rows: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    """Return header and numbers without the names at the left; the header itself if there are none in its order."""
    header, body = rows[0], rows[1:]
    labels = [row[0] for row in body]
    if labels == header[1:] and len(header) == len(body) + 1:
        return header[1:], [row[1:] for row in body]
    if labels == header:  # R writes no name for the column of row names
        return header, [row[1:] for row in body]
    return header, body


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
        worst = next((k for k, length in enumerate(lengths) if length not in (d, k + 1)), None)
        if worst is None:
            raise DataError(
                f"Some rows of {path.name!r} are those of a triangle and others of a square; write one of them."
            )
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

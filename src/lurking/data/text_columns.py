"""Columns that came as text: numbers among which missing values are written as ``*`` or ``NA``, or words.

Readers of text make a column text as soon as one value in it is no number. Here each such column is looked at once
more: the known signs of a missing value become missing, and if nothing but numbers is left, the column is one of
numbers. What is left besides numbers is counted, so that a message can name it.

>>> column = cleaned(np.array(["1", "*", "2.5", "*"], dtype=object))
>>> column.values.tolist(), dict(column.marks)
([1.0, nan, 2.5, nan], {'*': 2})
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lurking.data.layout import is_number

__all__ = ["MISSING_MARKS", "CleanColumn", "cleaned", "number_in"]

MISSING_MARKS = frozenset(
    {"", "*", "?", ".", "NA", "N/A", "n/a", "n.a.", "NaN", "nan", "-nan", "null", "NULL", "#N/A", "#NA", "<NA>", "\\N"}
)
"""What stands for a missing value in any column."""

_BETWEEN_THOUSANDS = re.compile("['\u2019\u00a0\u202f\u2009]")
_SPACED = re.compile("[-+]?\\d{1,3}(['\u2019\u00a0\u202f\u2009]\\d{3})+([.,]\\d+)?")

_MARKS_AMONG_NUMBERS = MISSING_MARKS | {
    "-",
    "--",
    "—",
    "–",
    "na",
    "..",
    "...",
    "None",
    "none",
    "missing",
    "#VALUE!",
    "#DIV/0!",
}
"""What stands for a missing value if everything else in the column is a number; elsewhere it may be a word."""

_INFINITE = re.compile(r"[-+]?inf(inity)?", re.IGNORECASE)
_MOST_TEXTS = 1000


@dataclass(frozen=True)
class CleanColumn:
    """A column of text after a second look.

    Attributes
    ----------
    values : ndarray of shape (n,)
        Numbers with NaN for missing values if ``is_numeric``; otherwise text (str) with None for missing values.
    is_numeric : bool
        Whether all values are numbers.
    marks : Counter of str
        The signs of missing values, and how often each occurs; an empty cell is the empty text.
    texts : Counter of str
        What is no number, and how often; empty if all are numbers.
    n_numbers : int
        How many values are numbers.
    """

    values: NDArray[Any]
    is_numeric: bool
    marks: Counter[str] = field(default_factory=Counter)
    texts: Counter[str] = field(default_factory=Counter)
    n_numbers: int = 0


def cleaned(
    column: NDArray[Any] | pd.Series[Any], decimal: str = ".", thousands: str | None = None, na: Collection[str] = ()
) -> CleanColumn:
    """Look at a column of text once more.

    Parameters
    ----------
    column : array or pandas.Series of object
        Texts, numbers of Python, None or NaN.
    decimal, thousands : str
        How numbers are written.
    na : collection of str, optional
        More texts that stand for missing values.
    """
    codes, distinct = _factorized(np.asarray(column, dtype=object))
    counts = np.bincount(codes[codes >= 0], minlength=len(distinct)).tolist()
    n_empty = int((codes < 0).sum())
    words = [value.strip() if isinstance(value, str) else value for value in distinct.tolist()]
    numbers = [number_in(value, decimal, thousands) for value in words]
    told = frozenset(na)
    among_numbers = _gaps(words, _MARKS_AMONG_NUMBERS | told)
    is_numeric = all(gap or number is not None for gap, number in zip(among_numbers, numbers, strict=True))
    gaps = among_numbers if is_numeric else _gaps(words, MISSING_MARKS | told)
    marks: Counter[str] = Counter({"": n_empty} if n_empty else {})
    texts: Counter[str] = Counter()
    n_numbers = 0
    for word, count, number, gap in zip(words, counts, numbers, gaps, strict=True):
        if gap:
            marks[word] += count
        elif number is None:
            texts[str(word)] += count
        else:
            n_numbers += count
    if is_numeric:
        table = [np.nan if gap or n is None else n for gap, n in zip(gaps, numbers, strict=True)]
        values = np.array([*table, np.nan])[codes]
    else:
        levels = [None if gap else str(word) for gap, word in zip(gaps, words, strict=True)]
        values = np.array([*levels, None], dtype=object)[codes]
    return CleanColumn(values, is_numeric, marks, texts, n_numbers)


def _factorized(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the number of the distinct value of each cell, -1 where it is missing, and the distinct values."""
    try:
        return pd.factorize(values, use_na_sentinel=True)
    except TypeError:  # lists and the like, as a cell of Arrow may hold
        texts = [value if isinstance(value, str | int | float) or value is None else str(value) for value in values]
        return pd.factorize(np.array(texts, dtype=object), use_na_sentinel=True)


def number_in(value: object, decimal: str = ".", thousands: str | None = None) -> float | None:
    """Return the number that a value is or spells, or None; numbers beyond the range of floats are infinite.

    Examples
    --------
    >>> number_in("1.234,5", ",", "."), number_in("1e-3"), number_in("12 kg")
    (1234.5, 0.001, None)
    """
    if isinstance(value, str):
        text = value.replace(thousands, "") if thousands else value
        text = text.replace("\u2212", "-")  # the sign that typesetters use
        if _SPACED.fullmatch(text):
            text = _BETWEEN_THOUSANDS.sub("", text)
        text = text.replace(decimal, ".") if decimal != "." else text
        if is_number(text) or _INFINITE.fullmatch(text):
            return float(text)
        return None
    if isinstance(value, bool | int | float | np.number | np.bool_):
        try:
            return float(value)
        except OverflowError:
            return float("inf") if value > 0 else float("-inf")
    return None


def _gaps(words: list[Any], marks: frozenset[str]) -> list[bool]:
    return [isinstance(word, str) and word in marks for word in words]

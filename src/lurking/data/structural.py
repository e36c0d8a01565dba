"""Values that are missing because they have no meaning: the months of pregnancy of a man.

A column is named if another one with few levels decides when it is missing: at one of its levels the column is never
there, and elsewhere it nearly always is. Such values do not exist, so no estimate of them means anything; the relation
of the two columns says only which rows were asked.

>>> sex, months = np.array(["f", "m"] * 30, dtype=object), np.where(np.arange(60) % 2, np.nan, 1.0)
>>> [note.message for note in structural_notes({"sex": sex, "months": months})]
["'months' is missing in all 30 rows in which 'sex' is 'm', and in 0 % of the others."]
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lurking._numbers import percent
from lurking.data.reading import TableNote

__all__ = ["structural_notes"]

_FEWEST_ROWS = 10
_MOST_LEVELS = 10
_MOST_MISSING_ELSEWHERE = 0.2
_MOST_COLUMNS = 200  # more are not compared with each other


def structural_notes(columns: Mapping[str, NDArray[Any]]) -> tuple[TableNote, ...]:
    """Return a note on each column that another one switches off.

    Parameters
    ----------
    columns : mapping of str to ndarray of shape (n,)
        Words, None where one is missing, or numbers, NaN where one is missing.
    """
    if len(columns) > _MOST_COLUMNS:
        return ()
    gaps = {name: _gaps(column) for name, column in columns.items()}
    incomplete = [name for name, gap in gaps.items() if gap.sum() >= _FEWEST_ROWS and not gap.all()]
    if not incomplete:
        return ()
    levels = {name: found for name, column in columns.items() if (found := _levels(column, gaps[name])) is not None}
    notes = []
    for name in incomplete:
        for other, (codes, words) in levels.items():
            if other == name:
                continue
            rows = np.bincount(codes[codes >= 0], minlength=len(words))
            missing = np.bincount(codes[(codes >= 0) & gaps[name]], minlength=len(words))
            off = np.flatnonzero((rows >= _FEWEST_ROWS) & (missing == rows))
            if len(off) != 1 or len(words) < 2:
                continue
            level = int(off[0])
            elsewhere = float(gaps[name][codes != level].mean())
            if elsewhere <= _MOST_MISSING_ELSEWHERE:
                notes.append(
                    TableNote(
                        "structural",
                        (name,),
                        float(rows[level]),
                        f"{name!r} is missing in all {rows[level]:,} rows in which {other!r} is {words[level]!r}, and "
                        f"in {percent(elsewhere)} of the others.",
                        f"If it has no meaning there, search the other rows alone, or leave {name!r} out.",
                    )
                )
                break
    return tuple(notes)


def _gaps(column: NDArray[Any]) -> NDArray[np.bool_]:
    if column.dtype == object:
        return np.array([value is None for value in column.tolist()], dtype=bool)
    gaps: NDArray[np.bool_] = np.isnan(column)
    return gaps


def _levels(column: NDArray[Any], gap: NDArray[np.bool_]) -> tuple[NDArray[np.int64], list[str]] | None:
    """Return the number of the level of each row, -1 where it is missing, and the levels; None if they are many."""
    there = column[~gap]
    distinct, codes = np.unique(there.astype(str) if column.dtype == object else there, return_inverse=True)
    if not 1 < len(distinct) <= _MOST_LEVELS:
        return None
    numbers = np.full(len(column), -1, dtype=np.int64)
    numbers[~gap] = codes
    return numbers, [str(one) if column.dtype == object else f"{one:.6g}" for one in distinct.tolist()]

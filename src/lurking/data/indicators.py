r"""A nominal column as several columns of zeros and ones: one variable of the graph, k - 1 columns of numbers.

A column with the levels :math:`l_0, l_1, \dots, l_{k-1}` becomes the indicators :math:`[x = l_1], \dots, [x =
l_{k-1}]`; the most frequent level :math:`l_0` is the reference and has none, because the indicators of all levels add
up to 1. Levels with fewer than ten rows are pooled as "other": a column that is 1 in three rows of a thousand makes
edges out of chance.

A :class:`ColumnGroup` says which columns of numbers belong to which variable. For an ordinary column that is itself.

>>> group, columns = indicators("sex", np.array(["F", "M", "I", "F", None] * 20, dtype=object))
>>> group
ColumnGroup(vertex='sex', columns=('sex=I', 'sex=M'), levels=('F', 'I', 'M'), reference='F', words=())
>>> columns[:5].tolist()
[[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 0.0], [nan, nan]]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lurking._errors import DataError
from lurking._typing import FloatArray
from lurking.data.checks import listed

__all__ = ["FEWEST_ROWS", "OTHER", "ColumnGroup", "indicators", "pooled"]

FEWEST_ROWS = 10
"""Levels with fewer rows are pooled."""

OTHER = "other"


@dataclass(frozen=True)
class ColumnGroup:
    """A variable of the graph, and the columns of numbers that stand for it.

    Attributes
    ----------
    vertex : str
        The variable.
    columns : tuple of str
        The columns of numbers.
    levels : tuple of str
        The levels of a nominal variable, the reference first; empty for a column of numbers.
    reference : str or None
        The level that has no column of its own.
    words : tuple of str
        What the numbers 0, 1, ... of a column of words stand for.
    """

    vertex: str
    columns: tuple[str, ...]
    levels: tuple[str, ...] = ()
    reference: str | None = None
    words: tuple[str, ...] = ()

    def with_columns(self, names: Collection[str]) -> ColumnGroup:
        """Return the group with those of its columns that are among the names."""
        kept = tuple(name for name in self.columns if name in names)
        return self if kept == self.columns else replace(self, columns=kept)

    @property
    def compared_with(self) -> str | None:
        """The level that has no column, or the levels joined by "or"; None for a column of numbers."""
        rest = [level for level in self.levels if f"{self.vertex}={level}" not in self.columns]
        return " or ".join(rest) or None

    @classmethod
    def plain(cls, name: str, words: tuple[str, ...] = ()) -> ColumnGroup:
        """Return the group of an ordinary column."""
        return cls(name, (name,), words=words)

    def values(self, texts: NDArray[Any]) -> FloatArray:
        """Return the columns of a column of words in another table, shape (n, k).

        Parameters
        ----------
        texts : ndarray of shape (n,)
            The words, None where a value is missing. Of a nominal column, a level that was not there before belongs to
            the pool of rare levels, if there is one.

        Raises
        ------
        DataError
            If there is a word that has no place.
        """
        known = self.words or self.levels
        pool = next((level for level in self.levels if level.rstrip("*") == OTHER), None)
        new = sorted({text for text in texts.tolist() if text is not None and text not in known})
        if new and pool is None:
            raise DataError(
                f"{self.vertex!r} has no level {listed(new, 3)} in the table that was searched; leave it out."
            )
        place = {level: float(k) for k, level in enumerate(known)} | dict.fromkeys(
            new, known.index(pool) if pool else 0.0
        )
        codes = np.array([np.nan if text is None else place[text] for text in texts.tolist()])
        if self.words:
            return codes[:, None]
        wanted = [float(self.levels.index(column.removeprefix(f"{self.vertex}="))) for column in self.columns]
        found: FloatArray = np.where(np.isnan(codes)[:, None], np.nan, codes[:, None] == np.array(wanted))
        return found


def pooled(counts: Counter[str]) -> frozenset[str]:
    """Return the levels that are pooled: those with few rows, and with them the next ones until the pool has enough.

    Examples
    --------
    >>> sorted(pooled(Counter(a=500, b=80, c=4, d=3)))
    ['b', 'c', 'd']
    """
    rising = sorted(counts, key=lambda level: (counts[level], level))
    rare = [level for level in rising if counts[level] < FEWEST_ROWS]
    n_rows = sum(counts[level] for level in rare)
    for level in rising[len(rare) :]:
        if not rare or n_rows >= FEWEST_ROWS:
            break
        rare.append(level)
        n_rows += counts[level]
    return frozenset(rare)


def indicators(name: str, texts: NDArray[Any]) -> tuple[ColumnGroup, FloatArray]:
    """Return the group of a nominal column and its indicators.

    Parameters
    ----------
    name : str
        The column.
    texts : ndarray of shape (n,)
        The levels, None where a value is missing.

    Returns
    -------
    group : ColumnGroup
        Its levels after pooling, the most frequent one first.
    columns : ndarray of shape (n, k - 1)
        The indicators, NaN where a value is missing.
    """
    counts = Counter(text for text in texts.tolist() if text is not None)
    rare = pooled(counts)
    pool = OTHER if len(rare) > 1 or OTHER in rare else next(iter(rare), OTHER)
    while pool in counts and pool not in rare:  # a level of its own may be called so
        pool += "*"
    level_of = {level: pool if level in rare else level for level in counts}
    after: Counter[str] = Counter()
    for level, count in counts.items():
        after[level_of[level]] += count
    reference = min(after, key=lambda level: (level == pool, -after[level], level))
    levels = (reference, *sorted(level for level in after if level != reference))
    values = np.array([[np.nan] if text is None else [levels.index(level_of[text])] for text in texts.tolist()])
    columns: FloatArray = np.where(np.isnan(values), np.nan, values == np.arange(1, len(levels)))
    return ColumnGroup(name, tuple(f"{name}={level}" for level in levels[1:]), levels, reference), columns

r"""Mean and covariance of a table in one pass over blocks of its rows.

The textbook formula :math:`\frac1n \sum x x^\top - \bar x \bar x^\top` loses all its digits when the means are large
beside the spread. Here each block of rows is centred at its own mean, which is stable, and two blocks with
:math:`n_a, n_b` rows, means :math:`m_a, m_b` and scatter matrices :math:`C_a, C_b` are joined exactly by

.. math::

    C = C_a + C_b + \frac{n_a n_b}{n_a + n_b} (m_b - m_a)(m_b - m_a)^\top

(Chan, Golub and LeVeque 1983). All values are first shifted by the first row of the table. That makes the means small
numbers, so that their differences keep their digits too, and it makes a column that never changes exactly zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lurking._errors import DataError
from lurking._typing import FloatArray
from lurking._wording import mention
from lurking.data.checks import at_most_five, checked_n_samples, listed

__all__ = ["BLOCK_ROWS", "accumulate"]

BLOCK_ROWS = 16_384
"""Rows that are centred and multiplied at a time; small enough to stay in the processor's cache."""

_ROWS_SHOWN = 3
_ROUNDING = 16 * np.finfo(float).eps
"""A column whose standard deviation is at most this share of its mean holds nothing but rounding errors."""


IN_PANDAS = "drop these rows (in pandas, table.dropna()) or replace these values"
"""What to do about missing values where nothing but the table can be changed."""


def accumulate(
    names: Sequence[str],
    blocks: Iterable[NDArray[Any]],
    about_missing: str = IN_PANDAS,
    *,
    allow_constant: bool = False,
) -> tuple[int, FloatArray, FloatArray]:
    """Return the number of rows, the means and the covariance matrix (divisor n) of a table given in blocks.

    Parameters
    ----------
    names : sequence of str
        The columns, for the error messages.
    blocks : iterable of array, shape (d, rows of the block)
        Numbers, one row per column of the table. The blocks are not changed and not kept.
    about_missing : str
        What to advise if values are missing.
    allow_constant : bool, default False
        Whether a column that never changes is no error.

    Raises
    ------
    DataError
        If a value is missing or infinite, a column never changes, or there are too few rows.
    """
    running = _Running(tuple(names))
    for block in blocks:
        running.add(block)
    return running.result(about_missing, allow_constant)


@dataclass
class _Running:
    names: tuple[str, ...]
    n_rows: int = 0
    shift: FloatArray = field(init=False)
    mean: FloatArray = field(init=False)
    scatter: FloatArray = field(init=False)
    missing: list[_Missing] = field(init=False)

    def __post_init__(self) -> None:
        d = len(self.names)
        self.shift, self.mean, self.scatter = np.zeros(d), np.zeros(d), np.zeros((d, d))
        self.missing = [_Missing() for _ in self.names]

    def add(self, block: NDArray[Any]) -> None:
        """Join one block to what was seen so far."""
        n_new = block.shape[1]
        if not n_new:
            return
        if not self.n_rows:
            first: FloatArray = block[:, 0].astype(float)
            self.shift = np.where(np.isfinite(first), first, 0.0)
        with np.errstate(invalid="ignore", over="ignore"):
            centred = np.subtract(block, self.shift[:, None], dtype=float, casting="same_kind")
            mean = centred.mean(axis=1)
        if np.isfinite(mean).all():
            self._join(centred, mean)
        else:
            self._look_for_missing(block, mean)
        self.n_rows += n_new

    def _join(self, centred: FloatArray, mean: FloatArray) -> None:
        n_new, n_old = centred.shape[1], self.n_rows
        with np.errstate(over="ignore", invalid="ignore"):  # _check_spread looks at what comes out
            centred -= mean[:, None]
            difference = mean - self.mean
            self.scatter += centred @ centred.T
            self.scatter += np.outer(difference, difference) * (n_old * n_new / (n_old + n_new))
            self.mean += difference * (n_new / (n_old + n_new))

    def _look_for_missing(self, block: NDArray[Any], mean: FloatArray) -> None:
        for column, values in enumerate(block):
            rows = np.flatnonzero(~np.isfinite(values))
            self.missing[column].add(rows + self.n_rows, values[rows])
            if not rows.size and not np.isfinite(mean[column]):
                raise DataError(f"The values of {self.names[column]!r} are too large to be added; use larger units.")

    def result(self, about_missing: str, allow_constant: bool) -> tuple[int, FloatArray, FloatArray]:
        """Return rows, means and covariances of all blocks, or say what makes them useless."""
        in_vain = [m.count == self.n_rows > 0 and not m.infinite for m in self.missing]
        empty = [repr(name) for name, nothing in zip(self.names, in_vain, strict=True) if nothing]
        if empty:
            raise DataError(
                f"There is no value at all in {at_most_five(empty)}; choose the others with "
                + mention("columns", "columns=[...] in Moments.from_table")
                + "."
            )
        described = [m.describe(name) for name, m in zip(self.names, self.missing, strict=True) if m.count]
        if described:
            infinite = any(m.infinite for m in self.missing)
            advice = "drop these rows or replace these values" if infinite else about_missing
            raise DataError(f"{at_most_five(described)} (rows counted from 0); " + advice + ".")
        if not allow_constant:
            checked_n_samples(self.n_rows, len(self.names))
        mean, cov = self.shift + self.mean, self.scatter / self.n_rows
        _check_spread(self.names, mean, np.diag(cov), allow_constant)
        return self.n_rows, mean, cov


def _check_spread(names: Sequence[str], mean: FloatArray, variance: FloatArray, allow_constant: bool) -> None:
    too_large = [name for name, v in zip(names, variance, strict=True) if not np.isfinite(v)]
    if too_large:
        raise DataError(f"The values of {listed(too_large)} are too large to be squared; use larger units.")
    constant = np.sqrt(variance) <= _ROUNDING * np.abs(mean)
    if constant.any() and not allow_constant:
        which = np.flatnonzero(constant).tolist()
        values = f"every value is {mean[which[0]]:.6g}" if len(which) == 1 else "one value in every row"
        verb, it = ("never changes", "it") if len(which) == 1 else ("never change", "them")
        raise DataError(
            f"{listed(names[i] for i in which)} {verb} ({values}), so nothing can be learnt from {it}; leave {it} out."
        )


@dataclass
class _Missing:
    """Where one column has values that are not finite numbers."""

    count: int = 0
    infinite: int = 0
    first_rows: list[int] = field(default_factory=list)

    def add(self, rows: NDArray[np.intp], values: NDArray[Any]) -> None:
        self.count += rows.size
        self.infinite += int(np.isinf(values).sum())
        self.first_rows += rows[: _ROWS_SHOWN - len(self.first_rows)].tolist()

    def describe(self, name: str) -> str:
        what = {0: "missing", self.count: "infinite"}.get(self.infinite, "missing or infinite")
        more = f", ... ({self.count} in all)" if self.count > len(self.first_rows) else ""
        plural = "s" if self.count > 1 else ""
        return f"{name!r} is {what} in row{plural} {', '.join(map(str, self.first_rows))}{more}"

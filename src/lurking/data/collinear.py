r"""Columns that are determined by others: the smallest sets, in words, and which columns to leave out.

If a linear combination of columns never changes, :math:`\sum_j v_j x_j = c`, the covariance matrix is singular, and the
vector v lies in its null space. There are infinitely many such combinations as soon as there are two, but only finitely
many *smallest* ones, of which no column can be left out. They are what a person recognises ("Total = A + B"). The
combination with the smallest :math:`\sum_j |v_j| s_j`, given that the column i takes part, is a smallest one (a basic
solution of a linear program); one program for each column finds them.

Which columns are left out does not depend on their order. In a set in which one column is a sum of the others with
positive weights, that is the one (a total beside its parts). Then columns leave that take part in more sets, then those
later in the alphabet. The columns that stay determine all that leave.

>>> rng = np.random.default_rng(0)
>>> parts = rng.normal(size=(50, 2))
>>> table = np.column_stack([parts.sum(axis=1), parts])
>>> found = collinear_sets(np.cov(table.T), ["Total", "A", "B"])
>>> [relation.words for relation in found.relations], found.left_out
(["'Total' = 'A' + 'B'"], ('Total',))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lurking._typing import FloatArray

__all__ = ["AS_GOOD_AS_EXACT", "Collinear", "Relation", "collinear_sets"]

AS_GOOD_AS_EXACT = 1e-8
"""Columns whose correlation matrix has an eigenvalue at or below this are called collinear: a sum written with four or
five digits is beyond it, one with more is not told from an exact one."""

_NEGLIGIBLE = 1e-6
"""Share of the largest standardised coefficient below which a column takes no part."""

_SIMPLE = 1e-5
_MOST_TERMS = 6
_MOST_PROGRAMS = 400


@dataclass(frozen=True)
class Relation:
    """A column as a weighted sum of others.

    Attributes
    ----------
    column : str
        The column that is best left out.
    others : tuple of str
        The columns that determine it.
    coefficients : tuple of float
        Their weights, in the units of the columns.
    """

    column: str
    others: tuple[str, ...]
    coefficients: tuple[float, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns of the relation."""
        return (self.column, *self.others)

    @property
    def words(self) -> str:
        """The relation as an equation, without its constant."""
        if len(self.others) > _MOST_TERMS:
            shown = ", ".join(map(repr, self.others[: _MOST_TERMS - 1]))
            n_more = len(self.others) - _MOST_TERMS + 1
            sizes = {_simple(weight) for weight in self.coefficients}
            weighted = "a weighted" if len(sizes) > 1 else "the" if sizes == {"1"} else f"{sizes.pop()} of the"
            return f"{self.column!r} is {weighted} sum of {shown} and {n_more} more"
        text = ""
        for name, weight in zip(self.others, self.coefficients, strict=True):
            size = _simple(abs(weight))
            term = repr(name) if size == "1" else f"{size} {name!r}"
            sign = "-" if weight < 0 else "+"
            text += f" {sign} {term}" if text else (f"-{term}" if weight < 0 else term)
        return f"{self.column!r} = {text}"


def _simple(weight: float) -> str:
    """Return a number as short as it can be: whole, or a fraction such as 1/3, or with four digits."""
    for below in range(1, 101):
        above = round(weight * below)
        if (below <= 12 or above == 1) and above and abs(weight * below - above) <= _SIMPLE * above:
            return f"{above}" if below == 1 else f"{above}/{below}"
    return f"{weight:.4g}"


@dataclass(frozen=True)
class Collinear:
    """What was found.

    Attributes
    ----------
    relations : tuple of Relation
        The smallest sets, each written for the column that leaves because of it.
    left_out : tuple of str
        The columns that leave, in the order of the table.
    """

    relations: tuple[Relation, ...]
    left_out: tuple[str, ...]


def collinear_sets(cov: FloatArray, names: Sequence[str]) -> Collinear:
    """Find the smallest sets of collinear columns, and the columns to leave out.

    Parameters
    ----------
    cov : ndarray of shape (d, d)
        A covariance matrix; no column is constant.
    names : sequence of str
        Its columns.

    Returns
    -------
    found : Collinear
        Nothing if the columns are far enough from any such relation.
    """
    order = sorted(range(len(names)), key=lambda j: (names[j].casefold(), names[j]))  # not that of the table
    sorted_names = [names[j] for j in order]
    scales = np.sqrt(np.diag(cov))[order]
    correlation = cov[np.ix_(order, order)] / np.outer(scales, scales)
    values, vectors = np.linalg.eigh(correlation)
    null = vectors[:, values <= AS_GOOD_AS_EXACT]
    if not null.shape[1]:
        return Collinear((), ())
    sets = _smallest_sets(null)
    ranks = _ranks(sets, len(order))
    stays = _staying(correlation, ranks)
    leaving = [j for j in range(len(order)) if j not in stays]
    relations = tuple(_relation(correlation, scales, sorted_names, j, stays) for j in leaving)
    out = {sorted_names[j] for j in leaving}
    return Collinear(relations, tuple(name for name in names if name in out))


def _smallest_sets(null: FloatArray) -> list[FloatArray]:
    """Return smallest combinations that never change, in units of standard deviations, one for each column at most."""
    from scipy.optimize import linprog

    involved = np.flatnonzero(np.abs(null).max(axis=1) > 1e-5)[:_MOST_PROGRAMS]
    part = null[involved]
    m, k = part.shape
    found: list[FloatArray] = []
    supports: set[tuple[int, ...]] = set()
    # minimise sum(t) with -t <= part @ w <= t, and (part @ w)_i = 1
    cost = np.concatenate([np.zeros(k), np.ones(m)])
    bounds = [(None, None)] * k + [(0, None)] * m
    above = np.block([[part, -np.eye(m)], [-part, -np.eye(m)]])
    for i in range(m):
        if any(abs(vector[involved[i]]) > 0 for vector in found):
            continue  # a smallest set with this column is known
        fixed = np.concatenate([part[i], np.zeros(m)])[None]
        solved = linprog(cost, above, np.zeros(2 * m), fixed, [1.0], bounds, method="highs")
        if solved.x is None:
            continue
        vector = np.zeros(len(null))
        vector[involved] = part @ solved.x[:k]
        vector[np.abs(vector) <= _NEGLIGIBLE * np.abs(vector).max()] = 0.0
        support = tuple(np.flatnonzero(vector).tolist())
        if support not in supports:
            supports.add(support)
            found.append(vector)
    return found


def _ranks(sets: Sequence[FloatArray], d: int) -> list[int]:
    """Return the columns, those first that should stay: no totals, few sets, early in the alphabet."""
    totals: Counter[int] = Counter()
    takes_part: Counter[int] = Counter()
    for vector in sets:
        members = np.flatnonzero(vector).tolist()
        takes_part.update(members)
        signs = np.sign(vector[members])
        for sign in (1.0, -1.0):
            alone = [j for j, s in zip(members, signs, strict=True) if s == sign]
            if len(alone) == 1 and len(members) > 2:
                totals[alone[0]] += 1
    return sorted(range(d), key=lambda j: (totals[j], takes_part[j], j))


def _staying(correlation: FloatArray, ranks: Sequence[int]) -> list[int]:
    """Take the columns in their order as long as none is determined by those before it."""
    stays: list[int] = []
    for j in ranks:
        tried = [*stays, j]
        if np.linalg.eigvalsh(correlation[np.ix_(tried, tried)])[0] > AS_GOOD_AS_EXACT:
            stays = tried
    return stays


def _relation(
    correlation: FloatArray, scales: FloatArray, names: Sequence[str], j: int, stays: Sequence[int]
) -> Relation:
    """Write one column as a weighted sum of those that stay."""
    others = sorted(stays)
    weights = np.linalg.solve(correlation[np.ix_(others, others)], correlation[others, j])
    large = np.abs(weights) > 1e-4 * np.abs(weights).max()
    members = [other for other, is_large in zip(others, large.tolist(), strict=True) if is_large]
    weights = np.linalg.solve(correlation[np.ix_(members, members)], correlation[members, j])
    coefficients = weights * scales[j] / scales[members]
    return Relation(names[j], tuple(names[m] for m in members), tuple(coefficients.tolist()))

r"""Columns that others determine nearly: groups of near-copies, and columns with the few others that explain them.

*Near-copies* have correlations above 0.99 in size; a group is what such correlations connect. A column is *nearly
determined* if all others explain all but 1 % of its variance (a variance inflation above 100). Those that it needs are
found by leaving others out, one by one, always the one that is missed least, as long as the rest still explain
that much. The columns of which one is computed are then listed, and not those that only accompany them.

>>> rng = np.random.default_rng(0)
>>> parts = rng.normal(size=(500, 3))
>>> table = np.column_stack([parts, parts[:, 0] + parts[:, 1] + 0.05 * rng.normal(size=500)])
>>> [(found.column, found.others) for found in nearly_determined(np.corrcoef(table.T), ("a", "b", "c", "sum"))]
[('sum', ('a', 'b'))]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lurking._typing import FloatArray

__all__ = ["COPY", "UNEXPLAINED", "NearRelation", "near_copies", "nearly_determined"]

COPY = 0.99
"""The correlation, in size, above which two columns are near-copies."""
UNEXPLAINED = 0.01
"""A column of which the others explain all but this share is nearly determined."""

_MOST_COLUMNS = 20


@dataclass(frozen=True)
class NearRelation:
    """A column, the others that nearly determine it, and the share of its variance that they leave."""

    column: str
    others: tuple[str, ...]
    unexplained: float


def near_copies(correlation: FloatArray, names: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the groups of near-copies, each with the column first that resembles the others most."""
    near = np.abs(correlation) > COPY
    if near.sum() == len(near):  # nothing but the diagonal
        return []
    from scipy.sparse.csgraph import connected_components

    n_groups, group = connected_components(near, directed=False)
    found = []
    for number in range(n_groups):
        members = np.flatnonzero(group == number).tolist()
        if len(members) > 1:
            resembles = np.abs(correlation[np.ix_(members, members)]).sum(axis=0).round(12).tolist()
            kept = max(range(len(members)), key=lambda k: (resembles[k], -k))
            found.append((names[members[kept]], *(names[k] for place, k in enumerate(members) if place != kept)))
    return found


def nearly_determined(correlation: FloatArray, names: Sequence[str]) -> list[NearRelation]:
    """Return the columns that others determine nearly, those of which least is left first.

    Each set of columns is listed once: of a sum and its parts, the one of which least is left. Only the
    20 columns of which least is left are looked at: each takes time proportional to the cube of the number of columns.
    """
    precision: FloatArray = np.asarray(np.linalg.inv(correlation), dtype=np.float64)
    left = 1.0 / np.diag(precision)
    found: dict[frozenset[str], NearRelation] = {}
    for j in np.argsort(left, kind="stable").tolist()[:_MOST_COLUMNS]:
        if left[j] >= UNEXPLAINED:
            break
        others, unexplained = _needed(precision, j)
        relation = NearRelation(names[j], tuple(names[k] for k in others), unexplained)
        found.setdefault(frozenset((relation.column, *relation.others)), relation)
    return list(found.values())


def _needed(precision: FloatArray, j: int) -> tuple[list[int], float]:
    """Return the columns without any of which more than a hundredth of column j would be left, and what is left."""
    order = [j, *(k for k in range(len(precision)) if k != j)]
    reduced = precision[np.ix_(order, order)]
    others = order[1:]
    while True:
        # without column k the precision of column j is smaller by reduced[0, k]^2 / reduced[k, k]
        without = 1.0 / (reduced[0, 0] - reduced[0, 1:] ** 2 / np.diag(reduced)[1:])
        k = int(without.argmin()) + 1
        if len(others) == 1 or without[k - 1] >= UNEXPLAINED:
            return others, float(1.0 / reduced[0, 0])
        reduced = reduced - np.outer(reduced[:, k], reduced[k]) / reduced[k, k]
        reduced = np.delete(np.delete(reduced, k, axis=0), k, axis=1)
        del others[k - 1]

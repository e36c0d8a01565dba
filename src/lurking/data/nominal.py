r"""Nominal columns: a table in which some columns hold categories without an order, as moments.

A nominal column with k levels becomes k - 1 *indicator* columns, each 1 in the rows of one level and 0 elsewhere; the
level that has none is the *reference*. Under the degenerate Gaussian model (Andrews, Ramsey and Cooper 2019) the
indicators are taken as Gaussian. Their covariances with other columns then carry all that a linear model can see of the
nominal column: two columns are uncorrelated with every indicator exactly if the means of the one are the same at all
levels of the other.

Which level is the reference does not matter to the search: the indicators of one column are replaced by uncorrelated
columns of variance 1 that span the same space (:meth:`GroupedMoments.whitened`), and everything is invariant to a
rotation of these.

>>> import pandas as pd
>>> table = pd.DataFrame({"dose": [1.0, 2.0, 4.0, 3.0, 2.0], "colour": ["red", "blue", "red", "green", "blue"]})
>>> moments = grouped_moments(table, nominal=["colour"])
>>> moments
GroupedMoments of 2 variables (3 columns) from 5 rows: dose, colour
>>> moments.columns.names
('dose', 'colour=green', 'colour=red')

References
----------
B. Andrews, J. Ramsey and G. Cooper (2019), Learning high-dimensional directed acyclic graphs with mixed data-types,
Proceedings of Machine Learning Research 104.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from lurking._errors import DataError
from lurking._typing import FloatArray
from lurking._wording import counted
from lurking.data.checks import checked_column_names, listed
from lurking.data.moments import Moments
from lurking.graphs.grouping import Grouping
from lurking.graphs.vertices import NamedVertices

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["AnyMoments", "GroupedMoments", "grouped_moments"]

_MOST_LEVELS = 30


class GroupedMoments(NamedVertices):
    """Moments of columns that are grouped into variables: a nominal variable has several columns. Immutable.

    Parameters
    ----------
    columns : Moments
        The moments of all columns.
    grouping : Grouping
        The variables and the columns of each, which together are the columns of the moments.

    Raises
    ------
    DataError
        If the columns of the grouping are not those of the moments.

    See Also
    --------
    grouped_moments : From a table.

    Examples
    --------
    >>> columns = Moments([[1.0, 0.2, 0.1], [0.2, 1.0, -0.4], [0.1, -0.4, 1.0]], 100, ["dose", "red", "blue"])
    >>> grouped = GroupedMoments(columns, Grouping(("dose", "colour"), (("dose",), ("red", "blue"))))
    >>> grouped.n_variables, grouped.sizes
    (2, (1, 2))
    """

    __slots__ = ("columns", "grouping")

    columns: Moments
    """The moments of the columns, in the order of the variables."""
    grouping: Grouping
    """The variables and the columns of each."""

    def __init__(self, columns: Moments, grouping: Grouping) -> None:
        super().__init__(grouping.vertices)
        if set(columns.names) != set(grouping.all_columns):
            raise DataError(
                f"The grouping must have exactly the columns of the moments, {listed(columns.names)}. "
                f"Got {listed(grouping.all_columns)} instead."
            )
        in_order = columns if columns.names == grouping.all_columns else columns.reorder(grouping.all_columns)
        object.__setattr__(self, "columns", in_order)
        object.__setattr__(self, "grouping", grouping)

    @property
    def n_samples(self) -> int:
        """The number of rows."""
        return self.columns.n_samples

    @property
    def n_variables(self) -> int:
        """The number of variables."""
        return len(self.names)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of columns of each variable."""
        return self.grouping.sizes

    @property
    def mean(self) -> FloatArray | None:
        """The means of the columns, or None if they are not known."""
        return self.columns.mean

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GroupedMoments):
            return NotImplemented
        return self.columns == other.columns and self.grouping == other.grouping

    def __hash__(self) -> int:
        return hash((self.columns, self.grouping))

    def __reduce__(self) -> tuple[object, ...]:
        return GroupedMoments, (self.columns, self.grouping)

    def __repr__(self) -> str:
        shown = ", ".join(self.names[:8]) + (", ..." if len(self.names) > 8 else "")
        return (
            f"GroupedMoments of {counted(len(self.names), 'variable')} ({counted(len(self.columns), 'column')}) from "
            f"{counted(self.n_samples, 'row')}: {shown}"
        )

    def with_n_samples(self, n_samples: int) -> GroupedMoments:
        """Return the same moments as if they came from another number of rows, more than there are columns.

        Examples
        --------
        >>> columns = Moments([[4.0, 2.0], [2.0, 2.0]], 100, ["red", "blue"])
        >>> GroupedMoments(columns, Grouping(("colour",), (("red", "blue"),))).with_n_samples(50)
        GroupedMoments of 1 variable (2 columns) from 50 rows: colour
        """
        return GroupedMoments(self.columns.with_n_samples(n_samples), self.grouping)

    def subset(self, names: Sequence[str]) -> GroupedMoments:
        """Return the moments of some of the variables, in the order given."""
        kept = self.grouping.subset([self.names[self.index(name)] for name in checked_column_names(names)])
        return GroupedMoments(self.columns.subset(kept.all_columns), kept)

    def reorder(self, names: Sequence[str]) -> GroupedMoments:
        """Return the same moments with the variables in another order; every name must be given once."""
        left_out = [name for name in self.names if name not in checked_column_names(names)]
        if left_out:
            raise DataError(
                f"A new order must name every variable, but lacks {listed(left_out)}; use subset() to drop."
            )
        return self.subset(names)

    def whitened(self) -> tuple[FloatArray, FloatArray]:
        r"""Return the correlations of columns that are uncorrelated within each variable, and their scales.

        With :math:`S_{VV} = LL^\top` (Cholesky) the columns of V become :math:`L^{-1}x`. The product of their scales,
        the diagonal of L, is the square root of the determinant of :math:`S_{VV}`.

        Examples
        --------
        >>> columns = Moments([[4.0, 2.0], [2.0, 2.0]], 100, ["red", "blue"])
        >>> correlation, scales = GroupedMoments(columns, Grouping(("colour",), (("red", "blue"),))).whitened()
        >>> correlation.round(9), scales
        (array([[1., 0.],
               [0., 1.]]), array([2., 1.]))
        """
        cov = self.columns.cov
        back = np.zeros_like(cov)
        scales = np.empty(len(cov))
        for vertex in range(len(self.names)):
            own = self.grouping.places(vertex)
            factor = np.linalg.cholesky(cov[own, own])
            scales[own] = np.diag(factor)
            back[own, own] = np.linalg.inv(factor)
        correlation = back @ cov @ back.T
        for vertex in range(len(self.names)):
            own = self.grouping.places(vertex)
            correlation[own, own] = np.eye(self.sizes[vertex])
        return (correlation + correlation.T) / 2.0, scales


AnyMoments: TypeAlias = "Moments | GroupedMoments"


def grouped_moments(table: pd.DataFrame, nominal: Collection[str]) -> GroupedMoments:
    """Return the moments of a table with nominal columns.

    Parameters
    ----------
    table : pandas.DataFrame
        One row per sample. Nothing may be missing, and columns that are not nominal must hold numbers.
    nominal : collection of str
        The columns to take as nominal, whatever they hold. The most frequent level of each (of equally frequent ones
        the first) is its reference; the levels are in the order of the categories if the column has categories,
        otherwise sorted.

    Raises
    ------
    DataError
        If a column is not in the table, a nominal column has missing values, fewer than two levels or more than 30, or
        the other columns cannot be used (:meth:`Moments.from_table`).

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"sex": ["f", "m", "f", "f"], "age": [41.0, 30.0, 28.0, 50.0]})
    >>> grouped_moments(table, ["sex"]).columns.names
    ('sex=m', 'age')
    """
    import pandas as pd

    labels = checked_column_names(table.columns)
    unknown = [name for name in nominal if name not in labels]
    if unknown:
        raise DataError(f"There {'is' if len(unknown) == 1 else 'are'} no column {listed(unknown)}; check the names.")
    parts: dict[str, pd.Series] = {}
    columns: list[tuple[str, ...]] = []
    references: list[str | None] = []
    for k, name in enumerate(labels):
        column = table.iloc[:, k]
        own, reference = _indicators(name, column) if name in nominal else ({name: column}, None)
        references.append(reference)
        columns.append(tuple(own))
        parts |= own
    grouping = Grouping(labels, tuple(columns), tuple(references) if any(references) else ())
    return GroupedMoments(Moments.from_table(pd.DataFrame(parts)), grouping)


def _indicators(name: str, column: pd.Series) -> tuple[dict[str, pd.Series], str]:
    """Return the indicator columns of a nominal column, by their names, and the reference level."""
    missing = int(column.isna().sum())
    if missing:
        raise DataError(
            f"{counted(missing, 'value')} of {name!r} {'is' if missing == 1 else 'are'} missing; leave these rows out, "
            "or make them a level."
        )
    counts = column.value_counts(sort=False)
    counts = counts[counts > 0]
    levels = (
        [level for level in column.cat.categories if level in counts]
        if hasattr(column, "cat")
        else sorted(counts.index, key=lambda level: (str(type(level)), level))
    )
    if not 2 <= len(levels) <= _MOST_LEVELS:
        raise DataError(
            f"The nominal column {name!r} has {counted(len(levels), 'level')}, but must have 2 to {_MOST_LEVELS}; "
            f"{'leave it out' if len(levels) < 2 else 'merge rare levels'}."
        )
    reference = max(levels, key=lambda level: int(counts[level]))
    own = {f"{name}={level}": (column == level).astype(float) for level in levels if level != reference}
    return own, str(reference)

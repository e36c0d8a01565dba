r"""Curved effects: each numeric column as a variable of three columns, Legendre polynomials of its mid-ranks.

A linear model sees a cause x of y only through straight lines. With :math:`u \in (-1, 1)` the mid-ranks of x, a step of
:math:`2/n` apart, the columns

.. math:: P_1(u) = u, \qquad P_2(u) = \tfrac12 (3u^2 - 1), \qquad P_3(u) = \tfrac12 (5u^3 - 3u)

are uncorrelated, bounded whatever the shape of x, and make a variable of three columns (:mod:`lurking.data.nominal`).
An edge between two such variables has nine parameters, so weak straight effects are missed that the usual search finds;
a curved one explains what the usual search explains by edges that are not there. Effects are those of the polynomials,
not in the units of the columns.

In a trial (``python -m benchmarks.mixed.curved``, 6 variables) the distance from the true PAG was 1.0 and 1.2 instead
of 4.4 and 5.0 (300 and 1000 rows) where every effect was curved, and 2.2 and 3.4 instead of 0.8 and 2.0 where all were
straight. So this is an option, not the default.

>>> rng = np.random.default_rng(0)
>>> x = rng.normal(size=500)
>>> table = pd.DataFrame({"x": x, "y": x**2 + rng.normal(size=500)})
>>> curved_moments(table)
GroupedMoments of 2 variables (6 columns) from 500 rows: x, y
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from lurking._errors import DataError
from lurking._typing import FloatArray
from lurking.data.moments import Moments
from lurking.data.nominal import GroupedMoments, grouped_moments
from lurking.graphs.grouping import Grouping

__all__ = ["curved_moments"]

_DEGREES = (1, 2, 3)
_FEWEST_VALUES = 10


def curved_moments(table: pd.DataFrame, nominal: Collection[str] = ()) -> GroupedMoments:
    """Return the moments of a table in which numeric columns may have curved effects.

    Parameters
    ----------
    table : pandas.DataFrame
        One row per sample. Nothing may be missing.
    nominal : collection of str
        The columns to take as nominal, as in :func:`grouped_moments`.

    Returns
    -------
    moments : GroupedMoments
        Numeric columns with at least ten different values have three columns, others stay as they are.

    Raises
    ------
    DataError
        If a value is missing, or the table cannot be used.

    Examples
    --------
    >>> table = pd.DataFrame({"dose": np.arange(40.0) ** 2, "sex": ["f", "m"] * 20})
    >>> curved_moments(table, ["sex"]).columns.names
    ('dose', 'dose^2', 'dose^3', 'sex=m')
    """
    plain = grouped_moments(table, nominal)  # says what is wrong with the table
    parts: dict[str, FloatArray | pd.Series] = {}
    columns: list[tuple[str, ...]] = []
    for name, (vertex, own) in zip(table.columns, zip(plain.names, plain.grouping.columns, strict=True), strict=True):
        column = table[name]
        if len(own) == 1 and own[0] == vertex and column.nunique() >= _FEWEST_VALUES:
            ranks = 2.0 * (rankdata(column) - 0.5) / len(table) - 1.0
            made = {
                vertex if k == 1 else f"{vertex}^{k}": np.polynomial.legendre.Legendre.basis(k)(ranks) for k in _DEGREES
            }
            twice = [one for one in made if one != vertex and one in plain.names]
            if twice:
                raise DataError(f"There is a column {twice[0]!r} already; rename it.")
            parts |= made
            columns.append(tuple(made))
        else:
            levels = [one.removeprefix(f"{vertex}=") for one in own]
            single = own == (vertex,)
            parts |= {
                one: column.astype(float) if single else (column.astype(str) == level).astype(float)
                for one, level in zip(own, levels, strict=True)
            }
            columns.append(own)
    grouping = Grouping(plain.names, tuple(columns), plain.grouping.references)
    return GroupedMoments(Moments.from_table(pd.DataFrame(parts)), grouping)

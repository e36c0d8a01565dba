r"""What happens if several variables are set at once, after a search: contrasts, and what rows would have been.

As for one effect (:mod:`lurking.discovery.effects`), every graph of the posterior has an answer of its own, with a
standard error, and the answers are mixed. A *contrast* compares two settings of the same variables:

.. math:: E[Y \mid do(X = 1, Z = 0)] - E[Y \mid do(X = 0, Z = 0)] .

In a linear model it needs neither means nor errors, only the controlled effects
(:mod:`lurking.sem.interventions_in_graphs`). The same sum says what a variable would have been in a row of the data if
others had been set, everything unmeasured being as it was: its value in that row, plus the change from the values that
the row has to those that are set.

A nominal variable is set to one of its levels, by its name, and what changes on one is the share of each level
(:mod:`lurking.discovery.effect_columns`).

>>> from lurking.data import Moments
>>> from lurking.graphs import ADMG
>>> from lurking.search.posterior import weigh
>>> moments = Moments([[1, 0.6, 0.3], [0.6, 1, 0.5], [0.3, 0.5, 1]], 1000, ["A", "B", "C"])
>>> posterior = weigh([(ADMG.parse("A -> B -> C"), 0.0)], 0.0)
>>> contrast(moments, posterior, {"A": 2.0}, {"A": 0.0}).iloc[:, :5].round(2)
  variable  probability  mean   low  high
0        B          1.0   1.2  1.10  1.30
1        C          1.0   0.6  0.52  0.68
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from lurking._errors import DataError, ParameterError, UnknownVertexError
from lurking._typing import BoolMatrix, FloatArray
from lurking.data import AnyMoments
from lurking.discovery.effect_columns import EffectColumns
from lurking.search.posterior import Posterior
from lurking.sem.interventions_in_graphs import GraphInterventions, interventions_in_graphs
from lurking.sem.mixtures import quantiles

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["contrast", "would_have_been"]

_LEVELS = (0.025, 0.25, 0.5, 0.75, 0.975)
_ROWS_AT_ONCE = 2000


def contrast(
    moments: AnyMoments, posterior: Posterior, do: Mapping[str, float | str], against: Mapping[str, float | str]
) -> pd.DataFrame:
    """Return how the means of all other variables differ between two settings of the same variables.

    Returns
    -------
    changes : DataFrame
        A row for each other variable: ``variable``, the ``probability`` that it changes at all, ``mean``, ``low`` and
        ``high`` (95 %), ``median``, ``low_50``, ``high_50``, and ``undetermined`` as for an effect.
    """
    import pandas as pd

    columns = EffectColumns.of(moments)
    first, second = columns.setting("do", do), columns.setting("against", against)
    if set(do) != set(against):
        raise ParameterError(
            f"Both settings must be of the same variables, but do sets {', '.join(map(repr, do))} and against sets "
            f"{', '.join(map(repr, against))}."
        )
    names = columns.causes
    others = [j for j, name in enumerate(names) if name not in first]
    step = np.array([first[name] - second[name] for name in first])
    in_graphs = _in_graphs(columns, posterior, tuple(first))
    means, errors = _changes(in_graphs, np.tile(step, (len(others), 1)), others)
    mixed = _Mixed(posterior.shares, means, errors)
    low, low_50, median, high_50, high = mixed.quantiles()
    return pd.DataFrame(
        {
            "variable": [names[j] for j in others],
            "probability": mixed.probability,
            "mean": mixed.mean,
            "low": low,
            "high": high,
            "median": median,
            "low_50": low_50,
            "high_50": high_50,
            "undetermined": mixed.undetermined,
        }
    )


def would_have_been(
    moments: AnyMoments, posterior: Posterior, table: Any, do: Mapping[str, float | str], outcome: str
) -> pd.DataFrame:
    """Return what a variable would have been in each row of a table if others had been set.

    Returns
    -------
    values : DataFrame
        With the index of the table: ``observed``, ``mean``, ``low`` and ``high`` (95 %) of what it would have been.
    """
    import pandas as pd

    columns = EffectColumns.of(moments)
    setting = columns.setting("do", do)
    if outcome not in columns.variables:
        raise UnknownVertexError(outcome, columns.variables)
    if outcome in do:
        raise ParameterError(f"The outcome {outcome!r} is itself set; name another variable.")
    if outcome not in columns.causes:
        raise ParameterError(f"{outcome!r} has levels, and each row has one of them; contrast() gives their shares.")
    if not isinstance(table, pd.DataFrame):
        raise ParameterError(f"The table must be a pandas DataFrame. Got {type(table).__name__} instead.")
    for name in (*do, outcome):
        if name not in table.columns:
            raise DataError(f"The table has no column {name!r}; give a table with what is set and with the outcome.")
    here = [columns.values_of(name, table[name]) for name in do]
    rows = np.column_stack([*here, table[outcome].to_numpy(dtype=float)])
    if not np.isfinite(rows).all():
        raise DataError(f"A value of {', '.join(map(repr, do))} or {outcome!r} is missing; leave these rows out.")
    steps = np.array(list(setting.values())) - rows[:, :-1]
    in_graphs = _in_graphs(columns, posterior, tuple(setting))
    j = columns.causes.index(outcome)
    parts = []
    for first in range(0, len(rows), _ROWS_AT_ONCE):
        some = steps[first : first + _ROWS_AT_ONCE]
        mixed = _Mixed(posterior.shares, *_changes(in_graphs, some, [j] * len(some)))
        low, _, _, _, high = mixed.quantiles()
        parts.append(np.column_stack([mixed.mean, low, high]))
    changes = np.concatenate(parts) if parts else np.zeros((0, 3))
    observed = rows[:, -1]
    values = {name: observed + changes[:, k] for k, name in enumerate(("mean", "low", "high"))}
    return pd.DataFrame({"observed": observed, **values}, index=table.index)


def _in_graphs(columns: EffectColumns, posterior: Posterior, chosen: tuple[str, ...]) -> GraphInterventions:
    posterior = posterior if posterior.names == columns.variables else posterior.reorder(columns.variables)
    directed, bidirected = columns.graphs(posterior)
    at = [columns.causes.index(name) for name in chosen]
    return interventions_in_graphs(columns.moments, directed, bidirected, at, blocks=columns.grouping is not None)


def _changes(in_graphs: GraphInterventions, steps: FloatArray, outcomes: list[int]) -> tuple[FloatArray, FloatArray]:
    """Return the change of each outcome after its step in every graph, and its standard error: shape (g, k)."""
    change, covariance = in_graphs.change[:, :, outcomes], in_graphs.covariance[:, :, :, outcomes]
    means = np.einsum("ks,gsk->gk", steps, change)
    known: BoolMatrix = np.all(np.isfinite(covariance), axis=(1, 2))
    finite = np.where(known[:, None, None, :], covariance, 0.0)
    squares = np.einsum("ks,kt,gstk->gk", steps, steps, finite, optimize=True)
    return means, np.where(known, np.sqrt(np.maximum(squares, 0.0)), np.inf)


class _Mixed:
    """The mixtures of k changes over the graphs that determine them."""

    def __init__(self, shares: FloatArray, means: FloatArray, errors: FloatArray) -> None:
        determined = np.isfinite(errors)
        weights = shares[:, None] * determined
        total = weights.sum(axis=0)
        if not (total > 0.0).all():
            raise ParameterError("No graph of the posterior determines one of these changes; set other variables.")
        self.weights = weights / total
        self.means, self.errors = means, np.where(determined, errors, 1.0)
        self.undetermined: FloatArray = (shares[:, None] * ~determined).sum(axis=0)

    @property
    def probability(self) -> FloatArray:
        """That there is a change."""
        share: FloatArray = (self.weights * (self.errors > 0.0)).sum(axis=0)
        return np.minimum(share, 1.0)

    @property
    def mean(self) -> FloatArray:
        mean: FloatArray = (self.weights * self.means).sum(axis=0)
        return mean

    def quantiles(self) -> FloatArray:
        return quantiles(self.weights, self.means, self.errors, _LEVELS)

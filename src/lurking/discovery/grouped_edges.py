r"""The edges of a fitted graph in numbers where variables are nominal: an edge has several parameters.

An edge between variables of a and b columns has ab parameters, one for each pair of columns. They are listed, and
summed up by two numbers: Wald's chi-square :math:`\theta^\top \operatorname{Cov}(\hat\theta)^{-1} \theta` of the
hypothesis that all are zero, and the largest singular value of the matrix of parameters between columns that were made
uncorrelated with variance 1 within each variable: the largest standardised effect of any combination of the columns of
the one on any combination of those of the other. For one column each that is the size of the standardised estimate.

>>> import pandas as pd
>>> from lurking.data import grouped_moments
>>> from lurking.graphs import ADMG
>>> from lurking.sem import standard_errors, wide_fit
>>> table = pd.DataFrame({"diet": list("abcabcabc"), "weight": [1.0, 2.0, 4.0, 1.2, 2.5, 3.9, 0.7, 2.2, 4.1]})
>>> moments = grouped_moments(table, ["diet"])
>>> fit = wide_fit(moments, ADMG.parse("diet -> weight"))
>>> edge, = grouped_edge_estimates(moments, fit, standard_errors(moments.columns, fit))
>>> edge.one, edge.arrow, edge.other, edge.df, round(edge.standardized, 2)
('diet', '->', 'weight', 2, 0.99)
>>> [(part.one, round(part.estimate, 2)) for part in edge.by_column]
[('diet=b', 1.27), ('diet=c', 3.03)]
"""

from __future__ import annotations

from math import isfinite
from typing import Literal

import numpy as np

from lurking._typing import FloatArray
from lurking.data import GroupedMoments
from lurking.discovery.analysis_parts import EdgeEstimate
from lurking.discovery.beliefs import Beliefs
from lurking.sem import RICFResult, StandardErrors
from lurking.sem.edge_changes import EdgeChanges

__all__ = ["grouped_edge_estimates"]


def grouped_edge_estimates(
    moments: GroupedMoments,
    fit: RICFResult,
    errors: StandardErrors,
    beliefs: Beliefs | None = None,
    *,
    costs: bool = True,
) -> tuple[EdgeEstimate, ...]:
    """Return each edge between variables with its numbers, the directed edges first.

    Parameters
    ----------
    moments : GroupedMoments
        The data.
    fit : RICFResult
        The wide graph, fitted to their columns.
    errors : StandardErrors
        Its standard errors.
    beliefs : Beliefs, optional
        Posterior probabilities of the variables.
    costs : bool, default True
        Whether to compute what the removal of each edge costs, a fit each.
    """
    names, grouping = moments.names, moments.grouping
    admg = grouping.narrowed(fit.admg)
    probabilities = None if beliefs is None else beliefs.reorder(names)
    changes = EdgeChanges(moments.columns, fit.admg) if costs else None
    place = {(p.kind, p.row, p.column): k for k, p in enumerate(errors.parameters)}

    def estimated(i: int, j: int, directed: bool) -> EdgeEstimate:
        rows, columns = (range(len(fit.names))[grouping.places(v)] for v in (i, j))
        matrix, precision = (fit.coef, errors.coef) if directed else (fit.error_cov, errors.error_cov)
        edge_kind: Literal["directed", "bidirected"] = "directed" if directed else "bidirected"
        kind: Literal["coef", "error_cov"] = "coef" if directed else "error_cov"
        which = [
            place[kind, min(a, b) if not directed else a, max(a, b) if not directed else b]
            for a in rows
            for b in columns
        ]
        parts = tuple(
            EdgeEstimate(fit.names[a], fit.names[b], edge_kind, float(matrix[a, b]), _finite(float(precision[a, b])))
            for a in rows
            for b in columns
        )
        single = len(parts) == 1
        adjacent = probability = None
        if probabilities is not None:
            adjacent = float(probabilities.adjacent[i, j])
            probability = float((probabilities.causes if directed else probabilities.shares)[i, j])
        scaled = _standardised(moments, fit, i, j, directed)
        cost = None
        if changes is not None:
            change = changes.without_edge(rows, columns, "->" if directed else "<->")
            cost = float(-2.0 * change.loglik - len(parts) * np.log(moments.n_samples))
        return EdgeEstimate(
            names[i],
            names[j],
            edge_kind,
            estimate=parts[0].estimate if single else None,
            standard_error=parts[0].standard_error if single else None,
            standardized=float(scaled[0, 0]) if single else float(np.linalg.norm(scaled, 2)),
            removal_cost=cost,
            adjacent=adjacent,
            probability=probability,
            chi_square=None if single else _wald(errors, which),
            df=None if single else len(parts),
            by_column=() if single else parts,
        )

    found = [estimated(i, j, True) for i, j in np.argwhere(admg.directed).tolist()]
    return (*found, *(estimated(i, j, False) for i, j in np.argwhere(np.triu(admg.bidirected)).tolist()))


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None


def _standardised(moments: GroupedMoments, fit: RICFResult, i: int, j: int, directed: bool) -> FloatArray:
    """Return the parameters between columns made uncorrelated, with variance 1, within each variable."""
    one, other = moments.grouping.places(i), moments.grouping.places(j)
    cov = moments.columns.cov if directed else fit.error_cov
    left, right = np.linalg.cholesky(cov[one, one]), np.linalg.cholesky(cov[other, other])
    if directed:
        inner: FloatArray = left.T @ fit.coef[one, other]
    else:
        inner = np.linalg.solve(left, fit.error_cov[one, other])
    scaled: FloatArray = np.linalg.solve(right, inner.T).T
    return scaled


def _wald(errors: StandardErrors, which: list[int]) -> float | None:
    """Return Wald's statistic of the hypothesis that some parameters are zero; None if they are not determined."""
    covariance = errors.covariance[np.ix_(which, which)]
    if not np.isfinite(covariance).all():
        return None
    values = errors.estimates[which]
    return float(values @ np.linalg.solve(covariance, values))

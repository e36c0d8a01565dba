"""The edges of a fitted graph in numbers: estimates, standard errors, costs of removal, probabilities.

>>> from lurking.data import Moments
>>> from lurking.graphs import ADMG
>>> from lurking.sem import ricf, standard_errors
>>> moments = Moments([[1, 0.5, 0.25], [0.5, 1, 0.5], [0.25, 0.5, 1]], 100, ["A", "B", "C"])
>>> fit = ricf(moments, ADMG.parse("A -> B -> C"))
>>> for edge in edge_estimates(moments, fit, standard_errors(moments, fit)):
...     print(edge.one, edge.arrow, edge.other, round(edge.estimate, 2), round(edge.removal_cost, 1))
A -> B 0.5 24.2
B -> C 0.5 24.2
"""

from __future__ import annotations

from math import isfinite

import numpy as np

from lurking.data import AnyMoments, GroupedMoments
from lurking.discovery.analysis_parts import EdgeEstimate
from lurking.discovery.beliefs import Beliefs
from lurking.discovery.grouped_edges import grouped_edge_estimates
from lurking.sem import RICFResult, StandardErrors
from lurking.sem.edge_changes import EdgeChanges

__all__ = ["edge_estimates"]


def edge_estimates(
    moments: AnyMoments,
    fit: RICFResult,
    errors: StandardErrors,
    beliefs: Beliefs | None = None,
    *,
    costs: bool = True,
) -> tuple[EdgeEstimate, ...]:
    """Return each edge of a fitted graph with its numbers, the directed edges first.

    Parameters
    ----------
    moments : Moments or GroupedMoments
        The data.
    fit : RICFResult
        The graph, fitted to them; of grouped moments its wide graph.
    errors : StandardErrors
        Its standard errors; one that is infinite becomes None.
    beliefs : Beliefs, optional
        Posterior probabilities of the same variables.
    costs : bool, default True
        Whether to compute what the removal of each edge costs, a fit of the districts that it touches; otherwise
        ``removal_cost`` is None.
    """
    if isinstance(moments, GroupedMoments):
        return grouped_edge_estimates(moments, fit, errors, beliefs, costs=costs)
    scales = moments.scales
    noise = np.sqrt(np.diag(fit.error_cov))
    probabilities = None if beliefs is None else beliefs.reorder(fit.names)
    changes = EdgeChanges(moments, fit.admg) if costs else None
    price = np.log(moments.n_samples)

    def estimated(i: int, j: int, directed: bool) -> EdgeEstimate:
        matrix, precision = (fit.coef, errors.coef) if directed else (fit.error_cov, errors.error_cov)
        estimate, error = float(matrix[i, j]), float(precision[i, j])
        per_unit = scales[i] / scales[j] if directed else 1.0 / (noise[i] * noise[j])
        adjacent = probability = None
        if probabilities is not None:
            adjacent = float(probabilities.adjacent[i, j])
            probability = float((probabilities.causes if directed else probabilities.shares)[i, j])
        cost = None
        if changes is not None:
            cost = float(-2.0 * changes.without_edge([i], [j], "->" if directed else "<->").loglik - price)
        return EdgeEstimate(
            fit.names[i],
            fit.names[j],
            "directed" if directed else "bidirected",
            estimate=estimate,
            standard_error=error if isfinite(error) else None,
            standardized=float(estimate * per_unit),
            removal_cost=cost,
            adjacent=adjacent,
            probability=probability,
        )

    found = [estimated(i, j, True) for i, j in np.argwhere(fit.admg.directed).tolist()]
    return (*found, *(estimated(i, j, False) for i, j in np.argwhere(np.triu(fit.admg.bidirected)).tolist()))

r"""What the likelihood of a graph changes by with one edge more or less, from fits of the districts that it touches.

The log-likelihood is a sum over districts (:mod:`lurking.sem.score`), and an edge belongs to the district of the
variable that it points to; ``<->`` joins two districts. All other districts keep their parameters and their part of the
sum. So the change costs a fit of one or two districts and not of the whole graph, and is the same number: every fit
starts as :func:`lurking.sem.ricf` starts.

>>> moments = Moments([[1.0, 0.5, 0.3], [0.5, 1.0, 0.4], [0.3, 0.4, 1.0]], 200, ["A", "B", "C"])
>>> changes = EdgeChanges(moments, ADMG.parse("A -> B; C"))
>>> from lurking.sem.ricf import ricf
>>> change = changes.with_edge([1], [2], "->")
>>> direct = ricf(moments, ADMG.parse("A -> B -> C")).loglik - ricf(moments, ADMG.parse("A -> B; C")).loglik
>>> round(change.loglik, 6) == round(direct, 6), change.converged
(True, True)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from lurking._typing import IntArray
from lurking.data import Moments
from lurking.graphs import ADMG
from lurking.sem.criterion import criterion_for
from lurking.sem.kernels.district_fit import CONVERGED
from lurking.sem.kernels.fit_call import LOSS, MAX_ITERATIONS, STATUS
from lurking.sem.kernels.score_state import clear_cache, new_score_state, new_scored_graph
from lurking.sem.kernels.scores import MARKED, district_score, score_graph
from lurking.sem.ricf import USUAL_ITERATIONS, bow_free_graph_of

__all__ = ["EdgeChanges", "LikelihoodChange"]

_TOLERANCE = 2e-10  # on the scale of minus twice the log-likelihood: that of ricf


class LikelihoodChange(NamedTuple):
    """How much larger the log-likelihood becomes, and whether all fits reached a maximum."""

    loglik: float
    converged: bool


class EdgeChanges:
    """The changes of the likelihood around one graph.

    Parameters
    ----------
    moments : Moments
        The data.
    admg : ADMG
        A bow-free graph on the same variables; it is fitted once. Places below are those of the moments.
    """

    def __init__(self, moments: Moments, admg: ADMG) -> None:
        graph = bow_free_graph_of(moments, admg)
        criterion = criterion_for("bic", moments.n_samples, moments.n_variables)
        self._state = new_score_state(
            moments.correlation,
            moments.scales,
            moments.n_samples,
            criterion.prices,
            criterion.adjacency_costs,
            cache_size=1,
            tolerance=_TOLERANCE,
        )
        self._state.settings[MAX_ITERATIONS] = USUAL_ITERATIONS
        self._graph = new_scored_graph(moments.n_variables)
        self._graph.directed[:], self._graph.bidirected[:] = graph.directed, graph.bidirected
        score_graph(self._state, self._graph, 0)
        labels = np.unique(self._graph.district)
        self._base_converged = bool((self._graph.local[labels, STATUS] == CONVERGED).all())

    def with_edge(self, ones: Sequence[int], others: Sequence[int], kind: Literal["->", "<->"]) -> LikelihoodChange:
        """Return the change if edges from each of ``ones`` to each of ``others`` are added."""
        return self._change(ones, others, kind, 1)

    def without_edge(self, ones: Sequence[int], others: Sequence[int], kind: Literal["->", "<->"]) -> LikelihoodChange:
        """Return the change if the edges from each of ``ones`` to each of ``others`` are removed."""
        return self._change(ones, others, kind, 0)

    def _change(self, ones: Sequence[int], others: Sequence[int], kind: str, edge: int) -> LikelihoodChange:
        graph = self._graph
        at, back = np.ix_(ones, others), np.ix_(others, ones)
        if kind == "->":
            before = graph.directed[at].copy()
            graph.directed[at] = edge
            heads = list(others)
        else:
            before = graph.bidirected[at].copy()
            graph.bidirected[at] = edge
            graph.bidirected[back] = edge
            heads = [*ones, *others]
        try:
            return self._refitted(np.unique(graph.district[heads]))
        finally:
            if kind == "->":
                graph.directed[at] = before
            else:
                graph.bidirected[at] = before
                graph.bidirected[back] = before.T

    def _refitted(self, touched: IntArray) -> LikelihoodChange:
        """Fit the districts that the members of some former districts form now, and compare."""
        state, graph = self._state, self._graph
        loss = -float(graph.local[touched, LOSS].sum())
        converged = self._base_converged
        left = np.isin(graph.district, touched)
        while left.any():
            clear_cache(state)  # the table has no status
            start = int(np.argmax(left))
            district_score(state, graph.directed, graph.bidirected, start, 0, graph.coef, graph.error_cov, np.inf)
            loss += float(state.found[LOSS])
            converged &= bool(state.found[STATUS] == CONVERGED)
            left &= state.lists[MARKED] == 0
        return LikelihoodChange(-0.5 * loss, converged)

"""Greedy search over single edges by exact BIC: the loop that score-based baselines have in common.

From a start, the change of one pair's edge (none, ->, <-, <->) that lowers the BIC most is made, as long as one lowers
it and the graph stays in its class. Changes are tried in the order of their predicted gain, each fitted exactly, and a
step is settled when ``patience`` of them in a row brought nothing better; where that finds no gain at all, every change
is tried, so that the end is a local optimum. Districts that were met before come from a table that all starts share
(:mod:`lurking.sem.score`). With ``tabu_steps`` the search goes on behind a local optimum.
"""

from __future__ import annotations

import math

import numpy as np

from lurking._compile import from_python
from lurking._typing import BoolMatrix, GraphClass
from lurking.data import Moments
from lurking.graphs import ADMG
from lurking.search.allowed_edges import all_edges_allowed
from lurking.search.kernels import climb
from lurking.search.kernels.climb import EVERY_MOVE, ClimbSteps, copy_graph, new_climb_work
from lurking.search.kernels.moves import CLASS_CODE
from lurking.sem.criterion import Criterion
from lurking.sem.kernels.score_state import ScoredGraph, new_scored_graph
from lurking.sem.kernels.scores import score_graph
from lurking.sem.score import DistrictScore

__all__ = ["EdgeDescent"]

_climb = from_python(climb.climb)
_PATIENCE = 20
_TENURE = 5  # steps for which a pair is left alone after a change, if there are enough other pairs


class EdgeDescent:
    """Descend on the BIC, one edge at a time, from as many starts as one likes.

    Parameters
    ----------
    moments : Moments
        The data.
    graph_class : {"ancestral", "arid", "bow-free"}
        Every graph on the way is in this class.
    pairs : ndarray of bool, shape (d, d), optional
        The pairs that may have an edge, symmetric; by default all.
    penalty : float, optional
        What one parameter costs; by default ln(n).

    Examples
    --------
    >>> chain = Moments([[1.0, 0.8, 0.64], [0.8, 1.0, 0.8], [0.64, 0.8, 1.0]], 500, ["A", "B", "C"])
    >>> graph, bic = EdgeDescent(chain, "ancestral").run(ADMG.empty(chain.names))
    >>> graph.n_edges, round(bic, 2)
    (2, 3266.24)
    """

    def __init__(
        self,
        moments: Moments,
        graph_class: GraphClass,
        pairs: BoolMatrix | None = None,
        penalty: float | None = None,
    ) -> None:
        d = moments.n_variables
        self._score = DistrictScore(moments, criterion=_with_price(moments, penalty))
        self._class = CLASS_CODE[graph_class]
        self._work = new_climb_work(d)
        self._best = new_scored_graph(d)
        self._allowed = all_edges_allowed(d)
        if pairs is not None:
            self._allowed[~pairs, 1:] = 0
        n_pairs = d * (d - 1) // 2 if pairs is None else int(np.triu(pairs, 1).sum())
        self._tenure = min(_TENURE, n_pairs)  # with few pairs each has its turn, and one is always free

    def run(self, start: ADMG, tabu_steps: int = 0) -> tuple[ADMG, float]:
        """Return the graph at which the descent from ``start`` ends, or the best one met, and its score."""
        graph = self._score.scored_graph(start)
        score_graph(self._score.state, graph, 0)
        self._descend(graph)
        if tabu_steps:
            self._climb(graph, _PATIENCE, tabu_steps, self._tenure)
            copy_graph(self._best, graph)
            self._descend(graph)  # a pair that was tabu at the end may have a better edge
        found = ADMG(self._score.moments.names, graph.directed.astype(bool), graph.bidirected.astype(bool))
        return found, self._score.score(found)

    def _descend(self, graph: ScoredGraph) -> None:
        self._climb(graph, _PATIENCE)
        self._climb(graph, EVERY_MOVE)

    def _climb(self, graph: ScoredGraph, patience: int, tabu_steps: int = 0, tenure: int = 0) -> None:
        everywhere = np.ones(len(graph.directed), dtype=np.uint8)
        _climb(
            self._score.state, graph, self._best, self._work, self._allowed, everywhere, self._class,
            ClimbSteps(patience, tabu_steps, tenure),
        )  # fmt: skip


def _with_price(moments: Moments, penalty: float | None) -> Criterion:
    """Return the BIC, with another price of a parameter if one is given."""
    price = math.log(moments.n_samples) if penalty is None else penalty
    return Criterion.linear("bic", moments.n_variables, parameter=price, edge=price)

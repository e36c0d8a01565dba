"""The distinct good graphs that a search has met, in plain arrays.

A pool keeps the graphs with the lowest scores, each once: a graph is recognised by the exclusive or of the Zobrist
numbers of its edges. How often a graph was met is counted; many independent meetings of the best one
are evidence that there is nothing better.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lurking._compile import compiled
from lurking._typing import FloatArray, IntArray
from lurking.graphs.edge_kinds import edge_of
from lurking.search.ties import SMALLEST_GAIN
from lurking.sem.kernels.score_state import ScoredGraph, ScoreState, district_key

__all__ = ["Pool", "add_to_pool", "new_pool"]


class Pool(NamedTuple):
    """Good graphs, in no order; a slot is free where the score is infinite."""

    key: NDArray[np.uint64]
    score: FloatArray
    visits: IntArray
    edges: NDArray[np.uint8]
    """``edges[k, i, j]`` for i < j: the edge of the pair, in the code of :mod:`lurking.graphs.edge_kinds`."""


def new_pool(d: int, size: int) -> Pool:
    """Allocate an empty pool."""
    return Pool(
        key=np.zeros(size, dtype=np.uint64),
        score=np.full(size, np.inf),
        visits=np.zeros(size, dtype=np.int64),
        edges=np.zeros((size, d, d), dtype=np.uint8),
    )


@compiled
def add_to_pool(pool: Pool, state: ScoreState, graph: ScoredGraph, score: float) -> None:
    """Count a graph that is in the pool, or put it in the place of the worst one if it is better."""
    d = graph.district.shape[0]
    key = district_key(state, graph.directed, graph.bidirected, np.arange(d), d)
    worst = 0
    for k in range(pool.key.shape[0]):
        if pool.key[k] == key and pool.score[k] < np.inf:
            pool.visits[k] += 1
            pool.score[k] = min(pool.score[k], score)
            return
        if pool.score[k] > pool.score[worst] + SMALLEST_GAIN:
            worst = k
    if not score < pool.score[worst] - SMALLEST_GAIN:
        return
    pool.key[worst] = key
    pool.score[worst] = score
    pool.visits[worst] = 1
    for i in range(d):
        for j in range(i + 1, d):
            pool.edges[worst, i, j] = edge_of(graph.directed, graph.bidirected, i, j)

"""All graphs of a class, one after the other, compiled.

The pairs are visited in order, and each gets every edge that it may have. A class is closed under the removal of
edges, so as soon as the edges chosen so far leave the class, everything that would follow is skipped.
"""

from __future__ import annotations

import numpy as np

from lurking._compile import compiled, exact_part
from lurking._typing import FloatArray, IntArray
from lurking.graphs.edge_kinds import NO_EDGE, set_edge
from lurking.search.kernels.climb import AllowedEdges
from lurking.search.kernels.moves import may_set
from lurking.search.kernels.pool import Pool, add_to_pool
from lurking.sem.kernels.score_state import ScoredGraph, ScoreState
from lurking.sem.kernels.scores import MARKED, count_adjacencies, district_score, find_district

__all__ = ["enumerate_graphs"]


@exact_part
def _score(state: ScoreState, graph: ScoredGraph, threshold: float) -> float:
    """Return the score of the graph, from cold fits; if it is above ``threshold`` it may be inexact."""
    d = graph.district.shape[0]
    seen = np.zeros(d, dtype=np.uint8)
    marked = state.lists[MARKED]
    total = float(state.adjacency_costs[count_adjacencies(graph.directed, graph.bidirected)])
    for start in range(d):
        if seen[start]:
            continue
        bound = threshold - total if find_district(state, graph.bidirected, start) == d else np.inf
        total += district_score(state, graph.directed, graph.bidirected, start, 0, graph.coef, graph.error_cov, bound)
        for other in range(d):
            seen[other] |= marked[other]
    return total


@compiled
def enumerate_graphs(
    state: ScoreState,
    graph: ScoredGraph,
    pool: Pool,
    allowed_edges: AllowedEdges,
    graph_class: int,
    first_edges: IntArray,
    pairs: IntArray,
    window: float,
    best_score: FloatArray,
) -> int:
    """Put all graphs that begin with the given edges and are within ``window`` of the best into the pool; count all.

    ``pairs`` lists the pairs (i, j); the first ones get ``first_edges``. ``best_score[0]`` is the best score so far.
    """
    n_pairs = pairs.shape[0]
    fixed = first_edges.shape[0]
    for k in range(n_pairs):
        set_edge(graph.directed, graph.bidirected, pairs[k, 0], pairs[k, 1], NO_EDGE)
    for k in range(fixed):
        i, j, edge = int(pairs[k, 0]), int(pairs[k, 1]), int(first_edges[k])
        if not allowed_edges[i, j, edge] or not may_set(graph.directed, graph.bidirected, i, j, edge, graph_class):
            return 0
        set_edge(graph.directed, graph.bidirected, i, j, edge)
    count = 0
    edge_at = np.full(n_pairs + 1, -1, dtype=np.int64)
    k = fixed
    while k >= fixed:
        if k == n_pairs:
            count += 1
            score = _score(state, graph, best_score[0] + window)
            if score < best_score[0] + window:
                add_to_pool(pool, state, graph, score)
                best_score[0] = min(best_score[0], score)
            k -= 1
            continue
        i, j = int(pairs[k, 0]), int(pairs[k, 1])
        edge_at[k] += 1
        if edge_at[k] == 4:
            edge_at[k] = -1
            set_edge(graph.directed, graph.bidirected, i, j, NO_EDGE)
            k -= 1
            continue
        set_edge(graph.directed, graph.bidirected, i, j, NO_EDGE)
        edge = int(edge_at[k])
        if allowed_edges[i, j, edge] and may_set(graph.directed, graph.bidirected, i, j, edge, graph_class):
            set_edge(graph.directed, graph.bidirected, i, j, edge)
            k += 1
    return count

"""Rounds of vertex re-insertion, compiled; :mod:`lurking.search.reinsertion` explains the method."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lurking._compile import inlined, part
from lurking._typing import FloatArray
from lurking.graphs.edge_kinds import NO_EDGE, set_edge
from lurking.search.kernels.climb import AllowedEdges, ClimbSteps, ClimbWork, climb, copy_graph
from lurking.search.kernels.moves import may_set
from lurking.search.kernels.pool import Pool, add_to_pool
from lurking.search.ties import SMALLEST_GAIN
from lurking.sem.kernels.score_state import ScoredGraph, ScoreState
from lurking.sem.kernels.scores import refit_graph, total_score

__all__ = ["Chain", "RoundSettings", "run_rounds"]


class Chain(NamedTuple):
    """Where one chain of rounds stands, and what it works with."""

    state: ScoreState
    graph: ScoredGraph
    """The current local optimum."""
    previous: ScoredGraph
    """Where to go back to when a round is not accepted."""
    best: ScoredGraph
    work: ClimbWork
    pool: Pool
    allowed_edges: AllowedEdges
    graph_class: int


class RoundSettings(NamedTuple):
    """How rounds are made; :mod:`lurking.search.reinsertion` says what the numbers mean."""

    temperature: float
    most_vertices: int


@part
def _take_out(chain: Chain, vertex: int) -> None:
    """Remove all edges of a vertex that may be removed."""
    graph = chain.graph
    for other in range(graph.district.shape[0]):
        i, j = min(vertex, other), max(vertex, other)
        if i != j and chain.allowed_edges[i, j, NO_EDGE]:
            set_edge(graph.directed, graph.bidirected, i, j, NO_EDGE)


@part
def _put_random_edge(chain: Chain, vertex: int, rng: np.random.Generator) -> None:
    """Give the pair of a vertex and a random other one a random edge, if knowledge and class permit it."""
    graph = chain.graph
    d = graph.district.shape[0]
    other = (vertex + 1 + int(rng.random() * (d - 1))) % d
    i, j = min(vertex, other), max(vertex, other)
    edge = 1 + int(rng.random() * 3)
    fine = i != j and chain.allowed_edges[i, j, edge]
    if fine and may_set(graph.directed, graph.bidirected, i, j, edge, chain.graph_class):
        set_edge(graph.directed, graph.bidirected, i, j, edge)


@part
def _draw_tie_breaks(work: ClimbWork, rng: np.random.Generator) -> None:
    """Draw new tie-breaks: many graphs score the same, and any of the equally good moves may be taken."""
    tie_breaks = work.tie_break.ravel()
    for k in range(tie_breaks.shape[0]):
        tie_breaks[k] = rng.random()


@inlined
def run_rounds(
    chain: Chain,
    steps: ClimbSteps,
    settings: RoundSettings,
    rng: np.random.Generator,
    best_scores: FloatArray,
) -> None:
    """Run one round for each entry of ``best_scores`` and write the best score so far there."""
    state, graph, work, allowed_edges, graph_class = (
        chain.state,
        chain.graph,
        chain.work,
        chain.allowed_edges,
        chain.graph_class,
    )
    d = graph.district.shape[0]
    focus = np.zeros(d, dtype=np.uint8)
    order = np.arange(d)
    best = total_score(state, chain.best)
    for r in range(best_scores.shape[0]):
        best_scores[r] = best
        if work.stop[0]:
            continue
        _draw_tie_breaks(work, rng)
        before = total_score(state, graph)
        copy_graph(graph, chain.previous)
        count = min(d, 1 + int(rng.random() * settings.most_vertices))
        for k in range(count):
            other = k + int(rng.random() * (d - k))
            order[k], order[other] = order[other], order[k]
            _take_out(chain, order[k])
        _put_random_edge(chain, order[0], rng)
        refit_graph(state, graph, chain.previous)
        for k in range(count):
            focus[:] = 0
            focus[order[k]] = 1
            climb(state, graph, chain.best, work, allowed_edges, focus, graph_class, steps)
        focus[:] = 1
        score = climb(state, graph, chain.best, work, allowed_edges, focus, graph_class, steps)
        add_to_pool(chain.pool, state, graph, score)
        if score < best - SMALLEST_GAIN:
            best = score
            copy_graph(graph, chain.best)
        best_scores[r] = best
        chance = rng.random()  # drawn in any case; see lurking.search.ties
        if chance >= np.exp((before - score) / settings.temperature):
            copy_graph(chain.previous, graph)

"""A Metropolis walk among the graphs of a class, compiled; :mod:`lurking.search.posterior` says what it is for.

A step draws a pair and another edge for it, all with equal chances, and takes it with probability
min(1, exp(-change / 2)), where the change is that of the score plus what the prior says of an edge. The number that
decides is drawn first. So most steps, which are rejected, cost very little: those whose predicted change
(:mod:`lurking.search.kernels.screen`) is far above it are not fitted at all, others only as far as it
takes to see on which side they end (:func:`~lurking.sem.kernels.scores.change_delta` with ``threshold``).

Measured at 10 variables (``benchmarks/screen.py``): with the margins taken here the screen saves the fits of 83 to
98 % of the rejected steps, and loses 0 to 0.5 % of those that should be accepted; with similar noise 76 to 98 %
and 0 to 1.2 %.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lurking._compile import inlined
from lurking._typing import FloatArray
from lurking.graphs.edge_kinds import NO_EDGE, edge_of
from lurking.search.kernels.block_screen import has_blocks, predict_block_move, prepare_block_screen
from lurking.search.kernels.climb import copy_graph
from lurking.search.kernels.moves import may_set
from lurking.search.kernels.pool import add_to_pool
from lurking.search.kernels.reinsertion_rounds import Chain
from lurking.search.kernels.screen import predict_move, prepare_screen
from lurking.search.ties import SMALLEST_GAIN
from lurking.sem.kernels.fit_call import NOISE_STRENGTH
from lurking.sem.kernels.scores import change_delta, change_pair, take_last, total_score

__all__ = ["MARGIN", "NOISE_MARGIN", "walk"]

MARGIN = 4.0
"""A step that is predicted to miss by more is not fitted."""
NOISE_MARGIN = 15.0
"""The same for an edge put in the place of another with similar noise, which predictions are less sure of."""


@inlined
def walk(
    chain: Chain,
    edge_cost: float,
    rng: np.random.Generator,
    edges: NDArray[np.uint8],
    scores: FloatArray,
) -> int:
    """Walk from the current graph, and note where it is after every sweep, that is as many steps as there are pairs.

    ``edges[k, i, j]`` for i < j and ``scores[k]`` get the edges and the score after sweep k. Returns the number of
    sweeps, fewer than asked for if the walk was stopped. If it meets a graph that is better than the best one of
    the chain, that graph takes its place.
    """
    state, graph, allowed_edges = chain.state, chain.graph, chain.allowed_edges
    directed, bidirected = graph.directed, graph.bidirected
    d = directed.shape[0]
    score = total_score(state, graph)
    best = total_score(state, chain.best)
    screen, blocks = chain.work.screen, chain.work.blocks
    grouped = has_blocks(blocks)
    noise = state.settings[NOISE_STRENGTH] > 0.0
    ready = usable = False  # whether the screen is that of the current graph, and of use
    swept = 0
    while swept < scores.shape[0]:
        for _ in range(d * (d - 1) // 2):
            one = int(rng.random() * d)
            other = (one + 1 + int(rng.random() * (d - 1))) % d
            i, j = min(one, other), max(one, other)
            now = edge_of(directed, bidirected, i, j)
            edge = (now + 1 + int(rng.random() * 3)) % 4
            threshold = -2.0 * np.log(1.0 - rng.random()) + edge_cost * (int(edge == NO_EDGE) - int(now == NO_EDGE))
            if not allowed_edges[i, j, edge]:
                continue
            if not ready:
                if grouped:
                    usable = prepare_block_screen(state, graph, screen, blocks)
                else:
                    usable = prepare_screen(state, graph, screen)
                ready = True
            margin = NOISE_MARGIN if noise and NO_EDGE not in (now, edge) else MARGIN
            if usable:
                if grouped:
                    predicted = predict_block_move(state, graph, screen, blocks, i, j, edge)
                else:
                    predicted = predict_move(state, graph, screen, i, j, edge)
                if predicted > threshold + margin:
                    continue
            if not may_set(directed, bidirected, i, j, edge, chain.graph_class):
                continue
            if change_delta(state, graph, i, j, edge, threshold) < threshold:
                if not take_last(state, graph, i, j, edge):
                    change_pair(state, graph, i, j, edge)
                score = total_score(state, graph)
                ready = False
                if score < best - SMALLEST_GAIN:
                    best = score
                    copy_graph(graph, chain.best)
                    add_to_pool(chain.pool, state, graph, score)
        if chain.work.stop[0]:
            break
        scores[swept] = score
        for i in range(d):
            for j in range(i + 1, d):
                edges[swept, i, j] = edge_of(directed, bidirected, i, j)
        swept += 1
    return swept

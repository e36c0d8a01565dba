r"""Coordinates: how far to the right each member of a row stands.

The order in each row is given; distances are wanted at which strokes run as straight down as possible:

.. math:: \min_x \sum_{\text{links } uv} w_{uv} (x_u - x_v)^2 \quad\text{such that neighbours keep their distance.}

Links between two bends weigh most, so that long strokes are straight. One row at a time this is an *isotonic
regression*: with every other row held fixed, each member wants to stand at the weighted average of its neighbours, and
subtracting the distances from the left turns "keep your distance" into "stay in order", which the
pool-adjacent-violators algorithm solves exactly. Rows are swept down and up until they hardly move.

>>> in_order([3.0, 1.0, 2.0, 5.0], [1.0, 1.0, 1.0, 1.0])
[2.0, 2.0, 2.0, 5.0]

References
----------
Barlow, R. E., Bartholomew, D. J., Bremner, J. M. and Brunk, H. D. (1972). Statistical Inference under Order
Restrictions. Wiley.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from lurking.graphs.drawing.ordering import LayeredGraph

__all__ = ["horizontal_positions", "in_order"]

VERTEX_GAP, FLAT_GAP, BEND_GAP = 34.0, 58.0, 17.0
"""Free room between two vertices, between two that a flat stroke joins, and around a bend."""

_SWEEPS = 80
_WEIGHTS = (1.0, 2.0, 8.0)
"""Of a link between two vertices, a vertex and a bend, two bends."""


def horizontal_positions(graph: LayeredGraph, widths: Sequence[float]) -> list[float]:
    """Return the x of every element, bends included, leftmost border at 0.

    Parameters
    ----------
    graph : LayeredGraph
        With its rows in order.
    widths : sequence of float
        The width of each vertex.
    """
    n_elements = sum(map(len, graph.rows))
    width = [*widths, *[0.0] * (n_elements - graph.n_vertices)]
    pulls: list[list[tuple[int, float]]] = [[] for _ in range(n_elements)]
    for links in graph.links:
        for u, v in links:
            weight = _WEIGHTS[(u >= graph.n_vertices) + (v >= graph.n_vertices)]
            pulls[u].append((v, weight))
            pulls[v].append((u, weight))
    starts = [_distances(graph, r, width) for r in range(len(graph.rows))]
    x = [0.0] * n_elements
    for row, start in zip(graph.rows, starts, strict=True):
        for v, distance in zip(row, start, strict=True):
            x[v] = distance - (start[0] + start[-1]) / 2
    for sweep in range(_SWEEPS):
        moved = 0.0
        sequence = range(len(graph.rows)) if sweep % 2 == 0 else range(len(graph.rows) - 1, -1, -1)
        for r in sequence:
            row, start = graph.rows[r], starts[r]
            wanted, weights = [], []
            for v, distance in zip(row, start, strict=True):
                total = sum(weight for _, weight in pulls[v])
                target = sum(weight * x[u] for u, weight in pulls[v]) / total if total else x[v]
                wanted.append(target - distance)
                weights.append(total or 0.01)
            for v, distance, place in zip(row, start, in_order(wanted, weights), strict=True):
                moved = max(moved, abs(place + distance - x[v]))
                x[v] = place + distance
        if moved < 0.05:
            break
    left = min((x[v] - width[v] / 2 for v in range(n_elements)), default=0.0)
    return [place - left for place in x]


def _distances(graph: LayeredGraph, r: int, width: Sequence[float]) -> list[float]:
    """Return how far each member of a row must at least stand from the first one."""
    joined = {frozenset(pair) for pair in graph.flat[r]}
    row = graph.rows[r]
    distances = [0.0] * len(row)
    for k, (u, v) in enumerate(pairwise(row), start=1):
        if u >= graph.n_vertices or v >= graph.n_vertices:
            gap = BEND_GAP
        else:
            gap = FLAT_GAP if frozenset((u, v)) in joined else VERTEX_GAP
        distances[k] = distances[k - 1] + (width[u] + width[v]) / 2 + gap
    return distances


def in_order(wanted: Sequence[float], weights: Sequence[float]) -> list[float]:
    """Return the non-decreasing sequence that is nearest, in weighted squares, to the one wanted."""
    blocks: list[tuple[float, float, int]] = []  # mean, weight, length
    for value, weight in zip(wanted, weights, strict=True):
        mean, total, length = value, weight, 1
        while blocks and blocks[-1][0] > mean:
            earlier, its_weight, its_length = blocks.pop()
            mean = (mean * total + earlier * its_weight) / (total + its_weight)
            total += its_weight
            length += its_length
        blocks.append((mean, total, length))
    return [mean for mean, _, length in blocks for _ in range(length)]

"""Which edges each pair may have, as every solver reads it.

The mask is an array of shape (d, d, 4). ``allowed_edges[i, j]`` for i < j says whether the pair may have no edge, i ->
j, j -> i, i <-> j, in the code of :mod:`lurking.graphs.edge_kinds`. Background knowledge becomes such a mask; a
demanded edge is a pair with a single allowed one.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from lurking._errors import KnowledgeError
from lurking._typing import BoolMatrix, Edges, GraphClass
from lurking.graphs.edge_kinds import ARROW_BACK, ARROW_ON, BIDIRECTED, NO_EDGE, set_edge
from lurking.search.kernels.climb import AllowedEdges
from lurking.search.kernels.moves import CLASS_CODE, may_set

__all__ = ["all_edges_allowed", "allowed_arrows", "allowed_lines", "demanded_graph", "reordered"]


def all_edges_allowed(d: int) -> AllowedEdges:
    """Return the mask that forbids nothing."""
    return np.ones((d, d, 4), dtype=np.uint8)


def reordered(allowed_edges: AllowedEdges, order: list[int]) -> AllowedEdges:
    """Bring a mask to another order of the variables."""
    full = allowed_edges.copy()  # with both halves filled in
    for i, j in combinations(range(len(order)), 2):
        full[j, i] = allowed_edges[i, j][[NO_EDGE, ARROW_BACK, ARROW_ON, BIDIRECTED]]
    return np.ascontiguousarray(full[np.ix_(order, order)])


def allowed_arrows(allowed_edges: AllowedEdges) -> BoolMatrix:
    """Return the matrix of directed edges that are allowed."""
    arrows: BoolMatrix = np.triu(allowed_edges[:, :, ARROW_ON], 1) + np.triu(allowed_edges[:, :, ARROW_BACK], 1).T > 0
    return arrows


def allowed_lines(allowed_edges: AllowedEdges) -> BoolMatrix:
    """Return the symmetric matrix of bidirected edges that are allowed."""
    upper = np.triu(allowed_edges[:, :, BIDIRECTED], 1) > 0
    lines: BoolMatrix = upper | upper.T
    return lines


def demanded_graph(allowed_edges: AllowedEdges, names: tuple[str, ...], graph_class: GraphClass) -> tuple[Edges, Edges]:
    """Return the graph that has an edge only where one is demanded.

    Pairs with a single allowed edge come first; the others have the first one that fits the class.

    Raises
    ------
    KnowledgeError
        If a demanded edge cannot be had in the class together with the ones before it.
    """
    d = len(names)
    directed, bidirected = np.zeros((d, d), dtype=np.uint8), np.zeros((d, d), dtype=np.uint8)
    demanded = [(i, j) for i, j in combinations(range(d), 2) if not allowed_edges[i, j, NO_EDGE]]
    for i, j in sorted(demanded, key=lambda pair: int(allowed_edges[pair].sum())):
        for edge in (ARROW_ON, ARROW_BACK, BIDIRECTED):
            if allowed_edges[i, j, edge] and may_set(directed, bidirected, i, j, edge, CLASS_CODE[graph_class]):
                set_edge(directed, bidirected, i, j, edge)
                break
        else:
            raise KnowledgeError(
                f"No edge between {names[i]} and {names[j]} agrees with the knowledge and the graph class; drop one of "
                "the requirements on these two variables."
            )
    return directed, bidirected

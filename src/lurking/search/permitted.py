"""Which edges each pair may have, as every solver reads it.

The mask is an array of shape (d, d, 4). ``permitted[i, j]`` for i < j says whether the pair may have no edge, i -> j,
j -> i, i <-> j, in the code of :mod:`lurking.sem._edges`. Background knowledge becomes such a mask; a demanded edge
is a pair with a single permitted one.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from lurking._errors import KnowledgeError
from lurking._typing import BoolMatrix, GraphClass
from lurking.search._climb import Permitted
from lurking.search._moves import CLASS_CODE, may_set
from lurking.sem._edges import ARROW_BACK, ARROW_ON, BIDIRECTED, NO_EDGE, Edges, set_edge

__all__ = ["demanded_graph", "everything_permitted", "permitted_arrows", "permitted_lines", "reordered"]


def everything_permitted(d: int) -> Permitted:
    """Return the mask that forbids nothing."""
    return np.ones((d, d, 4), dtype=np.uint8)


def reordered(permitted: Permitted, order: list[int]) -> Permitted:
    """Bring a mask to another order of the variables."""
    full = permitted.copy()  # with both halves filled in
    for i, j in combinations(range(len(order)), 2):
        full[j, i] = permitted[i, j][[NO_EDGE, ARROW_BACK, ARROW_ON, BIDIRECTED]]
    return np.ascontiguousarray(full[np.ix_(order, order)])


def permitted_arrows(permitted: Permitted) -> BoolMatrix:
    """Return the matrix of directed edges that are permitted."""
    arrows: BoolMatrix = np.triu(permitted[:, :, ARROW_ON], 1) + np.triu(permitted[:, :, ARROW_BACK], 1).T > 0
    return arrows


def permitted_lines(permitted: Permitted) -> BoolMatrix:
    """Return the symmetric matrix of bidirected edges that are permitted."""
    upper = np.triu(permitted[:, :, BIDIRECTED], 1) > 0
    lines: BoolMatrix = upper | upper.T
    return lines


def demanded_graph(permitted: Permitted, names: tuple[str, ...], graph_class: GraphClass) -> tuple[Edges, Edges]:
    """Return the graph that has an edge only where one is demanded.

    Pairs with a single permitted edge come first; the others have the first one that fits the class.

    Raises
    ------
    KnowledgeError
        If a demanded edge cannot be had in the class together with the ones before it.
    """
    d = len(names)
    directed, bidirected = np.zeros((d, d), dtype=np.uint8), np.zeros((d, d), dtype=np.uint8)
    demanded = [(i, j) for i, j in combinations(range(d), 2) if not permitted[i, j, NO_EDGE]]
    for i, j in sorted(demanded, key=lambda pair: int(permitted[pair].sum())):
        for edge in (ARROW_ON, ARROW_BACK, BIDIRECTED):
            if permitted[i, j, edge] and may_set(directed, bidirected, i, j, edge, CLASS_CODE[graph_class]):
                set_edge(directed, bidirected, i, j, edge)
                break
        else:
            raise KnowledgeError(
                f"No edge between {names[i]} and {names[j]} agrees with the knowledge and the graph class; drop one of "
                "the requirements on these two variables."
            )
    return directed, bidirected

"""Maximal ancestral graphs with undirected edges: what they are, and why a graph is not one.

A graph of directed, bidirected and undirected edges, one per pair at most, is *ancestral* (Richardson and Spirtes 2002)
if

1. there is no directed cycle a -> ... -> b -> a;
2. there is no almost directed cycle: a -> ... -> b with a <-> b;
3. no vertex with an undirected edge has an arrowhead at it.

It is *maximal* if every pair that is not adjacent is m-separated by some set, that is, if no inducing path joins it. An
undirected edge is never part of such a path beyond its ends being adjacent: inner vertices are colliders, and by (3)
colliders have no undirected edge. So the search for inducing paths can look at the other edges alone. An ancestral
graph becomes maximal, and keeps its m-separations, if a <-> b is added for every such pair (their theorem 5.1).

The *anterior* of a set are the vertices from which a path of undirected and directed edges, all pointing towards the
set, leads to it. In a maximal ancestral graph two vertices that are not adjacent are m-separated by their anterior
without themselves (Richardson and Spirtes 2002).

>>> names = ("A", "B", "C")
>>> check_maximal_ancestral(names, np.array([[0, 3, 0], [3, 0, 2], [0, 3, 0]], dtype=np.int8))        # A -- B -> C
>>> check_maximal_ancestral(names, np.array([[0, 3, 0], [3, 0, 3], [0, 2, 0]], dtype=np.int8))        # A -- B <- C
Traceback (most recent call last):
    ...
lurking.errors.GraphClassError: B has the undirected edge A -- B and an arrowhead on its edge with C; \
an ancestral graph allows only one of the two: change one of these edges.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from lurking._errors import CycleError, GraphClassError
from lurking.graphs.bits import members, reach
from lurking.graphs.classes import AlmostDirectedCycle, find_almost_directed_cycle
from lurking.graphs.marks import Mark, MarkMatrix, MarkSets
from lurking.graphs.relations import directed_cycle, topological_order
from lurking.graphs.separation import inducing_path

__all__ = ["anterior", "check_maximal_ancestral"]


def check_maximal_ancestral(names: Sequence[str], marks: MarkMatrix) -> None:
    """Say why a graph is not a maximal ancestral graph; return if it is one.

    Parameters
    ----------
    names : sequence of str
        The variables, for the message.
    marks : ndarray of int8, shape (d, d)
        ``marks[i, j]`` is the mark at j; two marks per edge, as :class:`~lurking.graphs.PAG` makes sure.

    Raises
    ------
    GraphClassError
        If there is a circle, an arrowhead next to an undirected edge, an almost directed cycle, or an inducing path
        between two vertices that are not adjacent.
    CycleError
        If there is a directed cycle.
    """
    circles = np.argwhere(marks == Mark.CIRCLE)
    if circles.size:
        other, at = (names[i] for i in circles[0])
        raise GraphClassError(
            f"The edge between {at} and {other} has a circle at {at}; a maximal ancestral graph has tails and "
            "arrowheads only: decide this mark."
        )
    sets = MarkSets(marks)
    for vertex, into in enumerate(sets.near[Mark.ARROW]):
        beside = sets.undirected(vertex)
        if into and beside:
            name, partner, source = (names[i] for i in (vertex, next(members(beside)), next(members(into))))
            raise GraphClassError(
                f"{name} has the undirected edge {partner} -- {name} and an arrowhead on its edge with {source}; an "
                "ancestral graph allows only one of the two: change one of these edges."
            )
    graph = sets.to_bit_graph()
    if topological_order(graph) is None:
        raise CycleError(tuple(names[i] for i in directed_cycle(graph) or []))
    almost = find_almost_directed_cycle(graph)
    if almost is not None:
        witness = AlmostDirectedCycle(tuple(names[i] for i in almost))
        raise GraphClassError(f"An ancestral graph cannot have {witness}: remove or turn one of these edges.")
    for one, other in combinations(range(sets.n_vertices), 2):
        path = None if sets.adjacent[one] >> other & 1 else inducing_path(graph, one, other)
        if path is not None:
            raise GraphClassError(
                f"{names[one]} and {names[other]} are not adjacent, but no set separates them, because of the inducing "
                f"path {', '.join(names[i] for i in path)}: add the edge {names[one]} <-> {names[other]}."
            )


def anterior(graph: MarkSets, vertices: int) -> int:
    """Return the vertices from which directed and undirected edges lead to a set, the set itself included.

    >>> sets = MarkSets(np.array([[0, 3, 0], [3, 0, 2], [0, 3, 0]], dtype=np.int8))                  # 0 -- 1 -> 2
    >>> list(members(anterior(sets, 0b100)))
    [0, 1, 2]
    """
    # At the far end of such an edge there is a tail, whatever the near end is.
    return reach(graph.far[Mark.TAIL], vertices)

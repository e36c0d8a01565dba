"""Markov equivalence: whether two maximal ancestral graphs have the same m-separations.

Two maximal ancestral graphs are Markov equivalent if and only if (Spirtes and Richardson 1996)

1. the same pairs are adjacent;
2. they have the same unshielded colliders (a *-> b <-* c with a and c not adjacent);
3. wherever a path discriminates for b in both of them, b is a collider on it in both or in neither.

There can be very many discriminating paths, but the rules R1 to R4 of :mod:`lurking.graphs.orientation` ask about few:
at most one for each end of an edge. So both graphs are oriented at the same time. As long as they give the same
answers, the partly oriented graph is the same for both, and so is the next question. If all answers agree, both have
the same PAG, and are equivalent; if one differs, its path discriminates in both graphs, and they are not. The cost is
that of R1 to R4.

A difference is always shown by one separation that holds in one of the graphs and not in the other: that of the two
vertices that are adjacent in one graph only, of the ends of the unshielded triple, or of the ends of the discriminating
path, given their anterior in the graph that has the missing edge or the collider. (Every set that separates the ends
excludes the middle vertex where it is a collider, and includes it where it is not.)

>>> chain = marks_of_graph(BitGraph.from_edges(3, directed=[(0, 1), (1, 2)]))
>>> fork = marks_of_graph(BitGraph.from_edges(3, directed=[(1, 0), (1, 2)]))
>>> collider = marks_of_graph(BitGraph.from_edges(3, directed=[(0, 1), (2, 1)]))
>>> distinguishing_separation(chain, fork)
>>> distinguishing_separation(chain, collider)                  # 0 and 2 given nothing
(0, 2, 0)

References
----------
P. Spirtes and T. Richardson (1996), A polynomial time algorithm for determining DAG equivalence in the presence of
latent variables and selection bias, AISTATS. R. A. Ali, T. Richardson and P. Spirtes (2009), Markov equivalence for
ancestral graphs, Annals of Statistics 37.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from lurking.graphs.bits import BitGraph, members, singleton
from lurking.graphs.marks import Mark, MarkMatrix, MarkSets, marks_of_graph
from lurking.graphs.mixed_ancestral import anterior
from lurking.graphs.orientation import orient

__all__ = ["distinguishing_separation", "markov_equivalent_mags"]

_ARROWHEAD_RULES = (1, 2, 3, 4)


def markov_equivalent_mags(one: BitGraph, other: BitGraph) -> bool:
    """Tell whether two maximal ancestral graphs without undirected edges have the same m-separations.

    Parameters
    ----------
    one, other : BitGraph
        Maximal ancestral graphs on the same vertices, as :func:`~lurking.graphs.projection.mag_projection` makes them.

    Examples
    --------
    >>> markov_equivalent_mags(BitGraph.from_edges(2, [(0, 1)]), BitGraph.from_edges(2, [], [(0, 1)]))
    True
    """
    return distinguishing_separation(marks_of_graph(one), marks_of_graph(other)) is None


def distinguishing_separation(one: MarkMatrix, other: MarkMatrix) -> tuple[int, int, int] | None:
    """Return a separation that holds in one of two maximal ancestral graphs only, or None if they are equivalent.

    Parameters
    ----------
    one, other : ndarray of int8, shape (d, d)
        Marks of two maximal ancestral graphs on the same vertices, undirected edges allowed; not checked.

    Returns
    -------
    separation : (int, int, int) or None
        Two vertices and the set that m-separates them in one graph but not in the other.
    """
    graphs = MarkSets(one), MarkSets(other)
    for v, (here, there) in enumerate(zip(graphs[0].adjacent, graphs[1].adjacent, strict=True)):
        for w in members(here ^ there):
            return _separated_in(graphs[0] if there >> w & 1 else graphs[1], v, w)
    for b, neighbours in enumerate(graphs[0].adjacent):
        into = graphs[0].near[Mark.ARROW][b], graphs[1].near[Mark.ARROW][b]
        for a, c in combinations(members(neighbours) if into[0] != into[1] else (), 2):
            collides = [arrows >> a & arrows >> c & 1 for arrows in into]
            if collides[0] != collides[1] and not graphs[0].adjacent[a] >> c & 1:
                return _separated_in(graphs[0] if collides[0] else graphs[1], a, c)
    return _differing_path(graphs, one)


def _differing_path(graphs: tuple[MarkSets, MarkSets], marks: MarkMatrix) -> tuple[int, int, int] | None:
    """Orient by the first graph and note the first discriminating path on which the second one disagrees."""
    noted: list[tuple[int, int, int]] = []

    def ends_in_collider(path: Sequence[int]) -> bool:
        b, c = path[-2:]
        answers = [graph.near[Mark.ARROW][b] >> c & 1 for graph in graphs]
        if answers[0] != answers[1] and not noted:
            noted.append(_separated_in(graphs[0] if answers[0] else graphs[1], path[0], c))
        return bool(answers[0])

    into = graphs[0].near[Mark.ARROW]
    orient(
        marks != Mark.NONE,
        is_collider=lambda a, b, c: bool(into[b] >> a & into[b] >> c & 1),
        ends_in_collider=ends_in_collider,
        rules=_ARROWHEAD_RULES,
    )
    return noted[0] if noted else None


def _separated_in(graph: MarkSets, one: int, other: int) -> tuple[int, int, int]:
    pair = singleton(one) | singleton(other)
    return min(one, other), max(one, other), anterior(graph, pair) & ~pair

"""Which edge to add between two variables that have none, so that the larger graph stays in the class of the smaller.

The edge follows the ancestors: if one variable is an ancestor of the other it is ``->`` in that direction, otherwise
``<->``, then ``->`` in either direction. The first one counts with which a graph that is ancestral stays ancestral, and
one that is arid stays arid.

*Nothing but a district has to be looked at.* A graph that is ancestral stays so with the first choice: it makes no new
ancestor, and joins by ``<->`` only what no directed path joins. A c-tree, the reason why a graph is not arid, lies
inside one district with its directed edges. So a new edge can make one only in the district that holds both of its ends
afterwards, and a directed edge between two districts makes none.

>>> choice = AddedEdges(BitGraph.from_edges(3, directed=[(0, 1), (1, 2)]))
>>> choice.between(0, 2)
AddedEdge(cause=0, effect=2, kind='->', arid=True)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from lurking.graphs.bits import BitGraph, members, singleton
from lurking.graphs.classes import find_almost_directed_cycle, find_c_tree
from lurking.graphs.relations import ancestors, districts

__all__ = ["AddedEdge", "AddedEdges"]


class AddedEdge(NamedTuple):
    """An edge, its ends in the order of the vertices if it is ``<->``, and whether the graph with it is arid."""

    cause: int
    effect: int
    kind: Literal["->", "<->"]
    arid: bool


class AddedEdges:
    """The edges that can be added to a bow-free graph.

    Parameters
    ----------
    graph : BitGraph
        A bow-free graph.
    """

    def __init__(self, graph: BitGraph) -> None:
        self._graph = graph
        self._above = [ancestors(graph, singleton(v)) for v in range(graph.n_vertices)]
        self._district = [0] * graph.n_vertices
        for inside in districts(graph):
            for v in members(inside):
                self._district[v] = inside
        self._is_ancestral = find_almost_directed_cycle(graph) is None
        self._is_arid = find_c_tree(graph) is None

    def between(self, i: int, j: int) -> AddedEdge:
        """Return the edge for two vertices i < j without one."""
        options = (AddedEdge(*option, self._stays_arid(*option)) for option in self._options(i, j))
        first = next(options)
        if first.arid or self._is_ancestral or not self._is_arid:
            return first
        return next((option for option in options if option.arid), first)

    def _options(self, i: int, j: int) -> Iterator[tuple[int, int, Literal["->", "<->"]]]:
        """Yield the kinds of edge in the order of preference; all of them keep the graph acyclic."""
        forwards, backwards = self._above[j] >> i & 1, self._above[i] >> j & 1
        if forwards:
            yield i, j, "->"
        elif backwards:
            yield j, i, "->"
        yield i, j, "<->"
        if not forwards and not backwards:
            yield i, j, "->"
            yield j, i, "->"

    def _stays_arid(self, cause: int, effect: int, kind: str) -> bool:
        """Tell whether the graph is arid and the edge makes no c-tree in the district that holds both ends."""
        if not self._is_arid:
            return False
        inside = self._district[cause] | self._district[effect]
        if kind == "->" and self._district[cause] != self._district[effect]:
            return True
        parents = [self._graph.parents[v] & inside if inside >> v & 1 else 0 for v in range(self._graph.n_vertices)]
        siblings = [self._graph.siblings[v] if inside >> v & 1 else 0 for v in range(self._graph.n_vertices)]
        if kind == "->":
            parents[effect] |= singleton(cause)
        else:
            siblings[cause] |= singleton(effect)
            siblings[effect] |= singleton(cause)
        return find_c_tree(BitGraph(tuple(parents), tuple(siblings))) is None

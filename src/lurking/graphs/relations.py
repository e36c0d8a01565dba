"""Who is related to whom: families, districts, orders, blankets.

Definitions (Richardson 2003; Richardson, Evans, Robins and Shpitser 2023). In a mixed graph with directed and
bidirected edges

- a is an *ancestor* of b if a = b or there is a directed path a -> ... -> b;
- the *district* of a is the set of vertices that bidirected edges connect to a, a included;
- a *topological order* lists every vertex after all of its parents;
- the *Markov blanket* of a is the smallest set that m-separates a from everything else. It consists of the
  vertices that a collider path connects to a: with C the district of a together with the districts of its
  children, it is C and the parents of C, without a itself.

All functions work on the sets of :mod:`lurking.graphs.bits` and can be restricted to an induced subgraph by
``within``.
"""

from __future__ import annotations

from heapq import heappop, heappush

from lurking.graphs.bits import EVERYTHING, BitGraph, members, reach, singleton

__all__ = [
    "ancestors",
    "collider_connected",
    "descendants",
    "directed_cycle",
    "directed_path",
    "district",
    "districts",
    "parents_of_set",
    "topological_order",
]


def ancestors(graph: BitGraph, vertices: int, within: int = EVERYTHING) -> int:
    """Return the ancestors of a set of vertices, the set itself included."""
    return reach(graph.parents, vertices, within)


def descendants(graph: BitGraph, vertices: int, within: int = EVERYTHING) -> int:
    """Return the descendants of a set of vertices, the set itself included."""
    return reach(graph.children, vertices, within)


def district(graph: BitGraph, vertices: int, within: int = EVERYTHING) -> int:
    """Return the union of the districts of a set of vertices."""
    return reach(graph.siblings, vertices, within)


def districts(graph: BitGraph, within: int = EVERYTHING) -> list[int]:
    """Return the districts, ordered by their first vertex."""
    left = graph.everything & within
    found = []
    while left:
        found.append(district(graph, left & -left, left))
        left &= ~found[-1]
    return found


def parents_of_set(graph: BitGraph, vertices: int) -> int:
    """Return the union of the parents of a set; members of the set can be among them."""
    union = 0
    for vertex in members(vertices):
        union |= graph.parents[vertex]
    return union


def collider_connected(graph: BitGraph, vertex: int, within: int = EVERYTHING) -> int:
    """Return the Markov blanket of ``vertex`` in the subgraph induced by ``within``.

    These are the vertices that a path on which every inner vertex is a collider connects to ``vertex``.
    """
    inner = district(graph, (singleton(vertex) | graph.children[vertex]) & within, within)
    return (inner | parents_of_set(graph, inner)) & within & ~singleton(vertex)


def topological_order(graph: BitGraph) -> list[int] | None:
    """Return the topological order that takes the smallest vertex first, or None if there is a cycle."""
    placed, order = 0, []
    ready = [v for v, parents in enumerate(graph.parents) if not parents]  # sorted, hence a heap
    while ready:
        vertex = heappop(ready)
        order.append(vertex)
        placed |= singleton(vertex)
        for child in members(graph.children[vertex]):
            if not graph.parents[child] & ~placed:
                heappush(ready, child)
    return order if len(order) == graph.n_vertices else None


def directed_path(graph: BitGraph, start: int, end: int) -> list[int] | None:
    """Return a shortest directed path of at least one edge from ``start`` to ``end``, or None."""
    came_from: dict[int, int] = {}
    layer = [start]
    while layer:
        following = []
        for vertex in layer:
            for child in members(graph.children[vertex]):
                if child in came_from:
                    continue
                came_from[child] = vertex
                if child == end:
                    return _walk_back(came_from, start, end)
                following.append(child)
        layer = following
    return None


def directed_cycle(graph: BitGraph) -> list[int] | None:
    """Return a shortest directed cycle, its first vertex repeated at the end, or None."""
    cycles = (directed_path(graph, v, v) for v in range(graph.n_vertices))
    return min((c for c in cycles if c), key=len, default=None)


def _walk_back(came_from: dict[int, int], start: int, end: int) -> list[int]:
    path = [end, came_from[end]]
    while path[-1] != start:
        path.append(came_from[path[-1]])
    return path[::-1]

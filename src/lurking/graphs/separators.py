"""The smallest set that separates two vertices.

Two vertices can be m-separated if and only if no inducing path joins them. If they can, the vertices of every
*minimal* separating set are ancestors of the two, and inside these ancestors m-separation is plain separation in
the *augmented graph*, where two vertices are joined if a path on which every inner vertex is a collider connects
them (Richardson 2003). So a separating set with the fewest members is a minimum vertex cut of that undirected
graph (van der Zander, Liśkiewicz and Textor 2019), found here by augmenting paths (Menger's theorem): the cut is as
large as the largest number of paths between the two that share no inner vertex.

::

    A -> B -> D,  A -> C -> D        {B, C} separates A from D; two paths need two vertices

>>> graph = BitGraph.from_edges(4, directed=[(0, 1), (1, 3), (0, 2), (2, 3)])
>>> list(members(minimum_separator(graph, 0, 3)))
[1, 2]

References
----------
B. van der Zander, M. Liśkiewicz and J. Textor (2019). Separators and adjustment sets in causal graphs: complete
criteria and an algorithmic framework. Artificial Intelligence 270.
"""

from __future__ import annotations

from collections.abc import Sequence

from lurking.graphs.bits import EVERYTHING, BitGraph, mask_of, members, singleton
from lurking.graphs.relations import ancestors, collider_connected

__all__ = ["minimum_separator"]


def minimum_separator(graph: BitGraph, one: int, other: int, allowed: int = EVERYTHING) -> int | None:
    """Return a smallest set inside ``allowed`` that m-separates two vertices, or None if no set does.

    Of several smallest sets it is the one nearest to ``one``. The cost is at most (number of vertices)³.
    """
    within = ancestors(graph, singleton(one) | singleton(other))
    augmented = [collider_connected(graph, v, within) if within >> v & 1 else 0 for v in range(graph.n_vertices)]
    return _minimum_vertex_cut(augmented, one, other, allowed)


def _minimum_vertex_cut(neighbours: Sequence[int], source: int, sink: int, allowed: int) -> int | None:
    """Return the minimum cut nearest to ``source``, or None if ``allowed`` holds no cut.

    Every vertex v is split into an entrance 2v and an exit 2v+1; the passage between them carries one path if v may
    be cut, and any number otherwise.
    """
    n = len(neighbours)
    unlimited = n + 1
    room: list[dict[int, int]] = [{} for _ in range(2 * n)]
    for v in range(n):
        may_cut = allowed >> v & 1 and v not in (source, sink)
        room[2 * v][2 * v + 1] = 1 if may_cut else unlimited
        room[2 * v + 1].setdefault(2 * v, 0)
        for w in members(neighbours[v]):
            room[2 * v + 1][2 * w] = unlimited
            room[2 * w].setdefault(2 * v + 1, 0)
    for _ in range(unlimited):
        came_from = _search(room, 2 * source + 1)
        if 2 * sink not in came_from:
            return mask_of(v for v in range(n) if 2 * v in came_from and 2 * v + 1 not in came_from)
        node = 2 * sink
        while node != 2 * source + 1:
            previous = came_from[node]
            room[previous][node] -= 1
            room[node][previous] += 1
            node = previous
    return None  # more paths than vertices: one of them meets no vertex that may be cut


def _search(room: Sequence[dict[int, int]], start: int) -> dict[int, int]:
    """Return, for every node that can still be reached from ``start``, the node before it."""
    came_from = {start: start}
    waiting = [start]
    for node in waiting:
        for following, left in room[node].items():
            if left and following not in came_from:
                came_from[following] = node
                waiting.append(following)
    return came_from

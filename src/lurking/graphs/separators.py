"""Sets that separate: the smallest one, a minimal one, all minimal ones.

Two vertices can be m-separated if and only if no inducing path joins them. If they can, the vertices of every *minimal*
separating set are ancestors of the two, and inside these ancestors m-separation is plain separation in the *augmented
graph*, where two vertices are joined if a path on which every inner vertex is a collider connects them (Richardson
2003). The same holds for two sets X and Y, and for separating sets that must include a set I: a set that is minimal
among those lies in the ancestors of X, Y and I, and is I together with a cut of the augmented graph of these ancestors
without I (van der Zander, Liśkiewicz and Textor 2019). So

- a separating set with the fewest members is a minimum vertex cut, found by augmenting paths (Menger's theorem): it is
  as large as the largest number of paths between the two that share no inner vertex;
- all minimal separating sets are the minimal vertex cuts, of which the next ones are found from each by moving one of
  its vertices to the side of X (Berry, Bordat and Cogis 2000). There can be exponentially many; the work for each is
  small.

::

    A -> B -> D,  A -> C -> D        {B, C} separates A from D; two paths need two vertices

>>> graph = BitGraph.from_edges(4, directed=[(0, 1), (1, 3), (0, 2), (2, 3)])
>>> list(members(minimum_separator(graph, 0, 3)))
[1, 2]
>>> longer = BitGraph.from_edges(4, directed=[(0, 1), (1, 2), (2, 3)])
>>> [list(members(found)) for found in minimal_separators(longer, 0b0001, 0b1000)]
[[1], [2]]

References
----------
A. Berry, J.-P. Bordat and O. Cogis (2000). Generating all the minimal separators of a graph. International Journal of
Foundations of Computer Science 11.
B. van der Zander, M. Liśkiewicz and J. Textor (2019). Separators and adjustment sets in causal graphs: complete
criteria and an algorithmic framework. Artificial Intelligence 270.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lurking.graphs.bits import EVERYTHING, BitGraph, mask_of, members, reach, singleton
from lurking.graphs.relations import ancestors, collider_connected

__all__ = ["minimal_separators", "minimum_separating_set", "minimum_separator"]


def minimum_separator(graph: BitGraph, one: int, other: int, allowed: int = EVERYTHING) -> int | None:
    """Return a smallest set inside ``allowed`` that m-separates two vertices, or None if no set does.

    Of several smallest sets it is the one nearest to ``one``. The cost is at most (number of vertices)³.
    """
    within = ancestors(graph, singleton(one) | singleton(other))
    augmented = [collider_connected(graph, v, within) if within >> v & 1 else 0 for v in range(graph.n_vertices)]
    return _minimum_vertex_cut(augmented, one, other, allowed)


def minimum_separating_set(
    graph: BitGraph, ones: int, others: int, include: int = 0, allowed: int = EVERYTHING
) -> int | None:
    """Return a smallest set that holds ``include``, otherwise lies inside ``allowed``, and m-separates two sets.

    ``include`` and the two sets are disjoint. Of several smallest sets it is the one nearest to ``ones``.
    """
    augmented = _augmented(graph, ones, others, include)
    source, sink = graph.n_vertices, graph.n_vertices + 1
    for v in members(ones):
        augmented[v] |= singleton(source)
    for v in members(others):
        augmented[v] |= singleton(sink)
    cut = _minimum_vertex_cut([*augmented, ones, others], source, sink, allowed & ~ones & ~others)
    return None if cut is None else cut | include


def minimal_separators(
    graph: BitGraph, ones: int, others: int, include: int = 0, allowed: int = EVERYTHING
) -> Iterator[int]:
    """Yield every separating set that holds ``include``, otherwise lies in ``allowed``, and can lose no other member.

    Parameters
    ----------
    graph : BitGraph
        An acyclic graph.
    ones, others : int
        Two sets that are to be separated; they, ``include`` and each other are disjoint.
    include : int
        What each set must hold.
    allowed : int
        What else it may hold.
    """
    near = _augmented(graph, ones, others, include)
    # A vertex that may not be cut passes everything on: its neighbours become neighbours of each other.
    for vertex in members(graph.everything & ~allowed & ~ones & ~others & ~include):
        passed_on = near[vertex] & ~singleton(vertex)
        for v in members(passed_on):
            near[v] = (near[v] | passed_on) & ~singleton(v) & ~singleton(vertex)
        near[vertex] = 0

    def around(vertices: int) -> int:
        found = 0
        for v in members(vertices):
            found |= near[v]
        return found & ~vertices

    def cut_beyond(side: int) -> int | None:
        """Return the minimal cut nearest to a connected side, or None if the side touches the other end."""
        border = around(side)
        if border & others:
            return None
        return around(reach(near, others, ~(side | border)))

    first = cut_beyond(ones)
    waiting = [] if first is None else [first]
    seen = set(waiting)
    for cut in waiting:
        yield cut | include
        side = reach(near, ones, ~cut)
        for vertex in members(cut):
            following = cut_beyond(side | singleton(vertex))
            if following is not None and following not in seen:
                seen.add(following)
                waiting.append(following)


def _augmented(graph: BitGraph, ones: int, others: int, include: int) -> list[int]:
    """Return who is joined in the augmented graph of the ancestors of all three sets, without ``include``."""
    within = ancestors(graph, ones | others | include)
    return [
        collider_connected(graph, v, within) & ~include if (within & ~include) >> v & 1 else 0
        for v in range(graph.n_vertices)
    ]


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

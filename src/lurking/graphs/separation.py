"""m-separation and inducing paths.

On a path, an inner vertex is a *collider* if both of its edges have an arrowhead at it: ``-> c <-``,
``<-> c <-``, ``<-> c <->``. A path between x and y is *open* given a set Z if every collider on it is in Z or
has a descendant in Z, and no other inner vertex is in Z. x and y are *m-separated* by Z if no path between
them is open (Richardson and Spirtes 2002; Richardson 2003). In a linear Gaussian model it then holds that the
partial correlation of x and y given Z is zero.

::

    A -> B <-> C <- D        A and D: separated by {}, connected given {B, C}

An *inducing path* between x and y is a path on which every inner vertex is a collider **and** an ancestor of x
or of y. It stays open whatever we condition on, so no set separates its ends (Verma and Pearl 1990). An edge is
an inducing path. If two vertices are not adjacent but joined by an inducing path, their missing edge is not an
ordinary independence; it may be a Verma constraint.

>>> graph = BitGraph.from_edges(4, directed=[(0, 1), (3, 2)], bidirected=[(1, 2)])
>>> m_separated(graph, 0b0001, 0b1000, 0b0000), m_separated(graph, 0b0001, 0b1000, 0b0110)
(True, False)
"""

from __future__ import annotations

from lurking.graphs.bits import BitGraph, mask_of, members, singleton
from lurking.graphs.relations import ancestors, collider_connected, parents_of_set

__all__ = ["inducing_path", "joined_by_inducing_path", "m_connected", "m_separated", "open_walk"]


def m_connected(graph: BitGraph, start: int, given: int) -> int:
    """Return all vertices outside ``given`` that an open path joins to a vertex of ``start``.

    The search walks over pairs (vertex, last edge had an arrowhead at it), both kept as sets, and so takes at
    most two visits to each vertex.
    """
    opens_colliders = ancestors(graph, given)
    seen_into = seen_out = 0  # reached through an arrowhead, or through a tail, at the vertex
    # A start vertex may leave by every edge, as if it had been reached through a tail and were not given.
    into, out = 0, start
    while into or out:
        seen_into |= into
        seen_out |= out
        leaves_by_tail = (out | into) & ~given
        leaves_by_arrow = (out & ~given) | (into & opens_colliders)
        next_into, next_out = 0, parents_of_set(graph, leaves_by_arrow)
        for vertex in members(leaves_by_tail):
            next_into |= graph.children[vertex]
        for vertex in members(leaves_by_arrow):
            next_into |= graph.siblings[vertex]
        into, out = next_into & ~seen_into, next_out & ~seen_out
    return (seen_into | seen_out) & ~given


def m_separated(graph: BitGraph, one: int, other: int, given: int) -> bool:
    """Tell whether ``given`` m-separates the sets ``one`` and ``other`` (the three sets are disjoint)."""
    return not m_connected(graph, one, given) & other


def open_walk(graph: BitGraph, one: int, other: int, given: int) -> list[int | str] | None:
    """Return a shortest open walk between two sets as vertices and arrows in turn, or None if they are m-separated.

    >>> open_walk(BitGraph.from_edges(3, directed=[(0, 1), (2, 1)]), 0b001, 0b100, 0b010)
    [0, '->', 1, '<-', 2]
    """
    opens_colliders = ancestors(graph, given)
    # A state is a vertex, and whether the last edge has an arrowhead at it.
    came_from: dict[tuple[int, bool], tuple[tuple[int, bool], str] | None] = {(v, False): None for v in members(one)}
    waiting = list(came_from)
    for state in waiting:
        vertex, into = state
        if other >> vertex & 1:
            walk: list[int | str] = [vertex]
            step = came_from[state]
            while step is not None:
                walk += [step[1], step[0][0]]
                step = came_from[step[0]]
            return walk[::-1]
        steps: list[tuple[int, bool, str]] = []
        if not given >> vertex & 1:
            steps += [(child, True, "->") for child in members(graph.children[vertex])]
        if opens_colliders >> vertex & 1 if into else not given >> vertex & 1:
            steps += [(parent, False, "<-") for parent in members(graph.parents[vertex])]
            steps += [(sibling, True, "<->") for sibling in members(graph.siblings[vertex])]
        for following, arrives_into, arrow in steps:
            if (following, arrives_into) not in came_from:
                came_from[following, arrives_into] = (state, arrow)
                waiting.append((following, arrives_into))
    return None


def joined_by_inducing_path(graph: BitGraph, one: int, other: int) -> bool:
    """Tell whether an inducing path joins two vertices.

    Inside the ancestors of the two, "every inner vertex is a collider" is all that is left of the definition.
    """
    among = ancestors(graph, singleton(one) | singleton(other))
    return bool(collider_connected(graph, one, among) & singleton(other))


def inducing_path(graph: BitGraph, one: int, other: int) -> list[int] | None:
    """Return a shortest inducing path from ``one`` to ``other`` (an edge, if there is one), or None."""
    among = ancestors(graph, singleton(one) | singleton(other))
    goal = singleton(other)
    if goal & (graph.parents[one] | graph.children[one] | graph.siblings[one]):
        return [one, other]
    # Every inner step goes from arrowhead to arrowhead; the first may start, and the last may end, in a tail.
    came_from = dict.fromkeys(members((graph.children[one] | graph.siblings[one]) & among), one)
    layer = mask_of(came_from)
    seen = layer | singleton(one)
    while layer:
        for vertex in members(layer):
            if (graph.siblings[vertex] | graph.parents[vertex]) & goal:
                path = [other, vertex]
                while path[-1] != one:
                    path.append(came_from[path[-1]])
                return path[::-1]
        following = 0
        for vertex in members(layer):
            new = graph.siblings[vertex] & among & ~seen
            came_from.update(dict.fromkeys(members(new), vertex))
            seen |= new
            following |= new
        layer = following
    return None

"""Projections: smaller or simpler graphs that keep what the distribution can show.

*Latent projection* (Verma and Pearl 1990) removes hidden vertices: a -> b if a directed path leads from a to b
through hidden vertices only; a <-> b if a path without colliders, with hidden inner vertices and arrowheads at
both ends, joins them. It keeps every equality constraint on the margin.

*MAG projection* (Richardson and Spirtes 2002) gives the maximal ancestral graph with the same m-separations: a
and b are adjacent if an inducing path joins them; the edge is a -> b if a is an ancestor of b, and a <-> b if
neither is an ancestor of the other. Verma constraints are lost.

*Maximal arid projection* (Shpitser, Evans and Richardson 2018) gives the arid graph with the same nested Markov
model, Verma constraints included: with ⟨A⟩ the reachable closure, a -> b if a is a parent of ⟨b⟩; a <-> b if
neither is such a parent of the other and ⟨{a, b}⟩ is connected by bidirected edges.

::

    A -> C -> D -> B, A <-> B, A <-> D, C <-> B            not arid: the district {A, B, C, D} is a c-tree
    A -> C -> D -> B, A -> B, C -> B, A <-> D              its maximal arid projection

>>> graph = BitGraph.from_edges(3, directed=[(0, 1), (0, 2)])
>>> latent_projection(graph, hidden=0b001)
BitGraph(parents=(0, 0, 0), siblings=(0, 4, 2))
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from lurking.graphs.bits import BitGraph, members, singleton
from lurking.graphs.nested import reachable_closure
from lurking.graphs.relations import ancestors, collider_connected, district, districts, parents_of_set

__all__ = ["arid_projection", "latent_projection", "mag_projection"]


def latent_projection(graph: BitGraph, hidden: int) -> BitGraph:
    """Remove the hidden vertices one by one; they stay in the result as isolated vertices.

    The order of removal does not matter: projections commute.
    """
    parents, siblings, children = list(graph.parents), list(graph.siblings), list(graph.children)
    for vertex in members(hidden):
        below, above, beside = children[vertex], parents[vertex], siblings[vertex]
        for child in members(below):
            parents[child] = (parents[child] | above) & ~singleton(vertex)
            siblings[child] |= (below | beside) & ~singleton(child)
        for parent in members(above):
            children[parent] = (children[parent] | below) & ~singleton(vertex)
        for sibling in members(beside):
            siblings[sibling] = (siblings[sibling] | below) & ~(singleton(vertex) | singleton(sibling))
        parents[vertex] = children[vertex] = siblings[vertex] = 0
    return BitGraph(tuple(parents), tuple(siblings))


def mag_projection(graph: BitGraph) -> BitGraph:
    """Return the maximal ancestral graph with the same m-separations."""
    above = [ancestors(graph, singleton(v)) for v in range(graph.n_vertices)]
    joined = [p | c | s for p, c, s in zip(graph.parents, graph.children, graph.siblings, strict=True)]
    near = _ends_of_inducing_paths(graph, joined)
    directed, bidirected = [], []
    for one, other in ((v, w) for v in range(graph.n_vertices) for w in members(near[v] >> (v + 1) << (v + 1))):
        among = above[one] | above[other]
        if not (joined[one] | collider_connected(graph, one, among)) & singleton(other):
            continue
        if above[other] & singleton(one):
            directed.append((one, other))
        elif above[one] & singleton(other):
            directed.append((other, one))
        else:
            bidirected.append((one, other))
    return BitGraph.from_edges(graph.n_vertices, directed, bidirected)


def _ends_of_inducing_paths(graph: BitGraph, joined: Sequence[int]) -> list[int]:
    """Return for each vertex all vertices that an inducing path may join to it, those with an edge to it, and others.

    A path without an edge between its ends has only colliders inside. They are in one district, and each end is in that
    district or a parent of it. If the district has a single member, both ends are its parents, and it is no ancestor of
    them; so only districts of two and more count.
    """
    near = list(joined)
    for inside in districts(graph):
        if inside & (inside - 1):
            ends = inside | parents_of_set(graph, inside)
            for vertex in members(ends):
                near[vertex] |= ends
    return near


def arid_projection(graph: BitGraph) -> BitGraph:
    """Return the maximal arid graph with the same nested Markov model."""
    vertices = range(graph.n_vertices)
    parents = tuple(parents_of_set(graph, reachable_closure(graph, singleton(v))) & ~singleton(v) for v in vertices)
    bidirected = []
    for one, other in combinations(vertices, 2):
        pair = singleton(one) | singleton(other)
        if parents[one] & pair or parents[other] & pair:
            continue
        closure = reachable_closure(graph, pair)
        if district(graph, singleton(one), closure) == closure:
            bidirected.append((one, other))
    return BitGraph(parents, BitGraph.from_edges(graph.n_vertices, bidirected=bidirected).siblings)

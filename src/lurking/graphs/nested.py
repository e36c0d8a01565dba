"""Fixing: the operation behind Verma constraints, arid graphs and their projections.

A *conditional* ADMG (CADMG) has random vertices and fixed ones; no arrowhead points at a fixed vertex. *Fixing* a
random vertex v removes all edges with an arrowhead at v, as an intervention would. It is allowed

- by *fixing* (Richardson et al. 2023), if no descendant of v other than v is in the district of v;
- by *primal fixing* (Bhattacharya, Nabi and Shpitser 2022), if no child of v is in the district of v.

Both questions see only the subgraph induced by the random vertices, because a fixed vertex has no incoming edge
left and lies on no district. So a CADMG reached from a graph is just that graph with a set of random vertices,
the argument ``within`` below.

A set is *reachable* if everything else can be fixed, in some order. The *reachable closure* ⟨A⟩ is the smallest
reachable set that contains A: fix whatever outside A can be fixed until nothing can; the order does not matter. A
reachable set that bidirected edges connect is *intrinsic*; the conditional distributions of intrinsic sets given
their parents are what the nested Markov factorisation consists of.

>>> verma = BitGraph.from_edges(4, directed=[(0, 1), (1, 2), (2, 3)], bidirected=[(1, 3)])
>>> [list(members(s)) for s in intrinsic_sets(verma)]
[[0], [1], [2], [3], [1, 3]]
"""

from __future__ import annotations

from lurking.graphs.bits import EVERYTHING, BitGraph, members, singleton
from lurking.graphs.relations import ancestors, descendants, district, districts

__all__ = ["fixable", "intrinsic_sets", "primal_fixable", "reachable_closure"]


def fixable(graph: BitGraph, vertex: int, within: int = EVERYTHING) -> bool:
    """Tell whether no descendant of ``vertex`` lies in its own district."""
    itself = singleton(vertex)
    return district(graph, itself, within) & descendants(graph, itself, within) == itself & within


def primal_fixable(graph: BitGraph, vertex: int, within: int = EVERYTHING) -> bool:
    """Tell whether no child of ``vertex`` lies in its own district."""
    return not district(graph, singleton(vertex), within) & graph.children[vertex]


def reachable_closure(graph: BitGraph, vertices: int, within: int = EVERYTHING, *, primal: bool = False) -> int:
    """Return what is left when everything outside ``vertices`` that can be fixed has been fixed.

    Parameters
    ----------
    graph : BitGraph
        The graph.
    vertices : int
        The set that must stay random.
    within : int
        The vertices that are random at the start.
    primal : bool
        Use primal fixing in place of fixing.
    """
    may_fix = primal_fixable if primal else fixable
    random = _ancestral_districts(graph, vertices, graph.everything & within)
    if district(graph, random & -random, random) == random:
        # One district, and everything in it leads to the set: each vertex outside the set has a child here.
        return random
    waiting = random & ~vertices
    while True:
        stuck = 0
        for vertex in members(waiting):
            if may_fix(graph, vertex, random):
                random ^= singleton(vertex)
            else:
                stuck |= singleton(vertex)
        if stuck == waiting:
            return random
        waiting = stuck


def _ancestral_districts(graph: BitGraph, vertices: int, random: int) -> int:
    """Fix in bulk what both kinds of fixing always allow.

    A vertex without children can be fixed, so everything that is no ancestor of the set can, children first. The
    last vertex of a district in topological order can be fixed, so every district without a vertex of the set can.
    """
    while True:
        left = district(graph, vertices, ancestors(graph, vertices, random))
        if left == random:
            return random
        random = left


def intrinsic_sets(graph: BitGraph) -> list[int]:
    """Return all intrinsic sets, smaller ones first.

    Every intrinsic set comes from a district by removing a vertex without children inside the set, splitting
    what is left into districts, and so on (Tian and Pearl 2002). There can be exponentially many in the size
    of the largest district.
    """
    found: set[int] = set()
    waiting = districts(graph)
    while waiting:
        current = waiting.pop()
        if current in found:
            continue
        found.add(current)
        for vertex in members(current):
            if not graph.children[vertex] & current:
                waiting.extend(districts(graph, current ^ singleton(vertex)))
    return sorted(found, key=lambda mask: (mask.bit_count(), mask))

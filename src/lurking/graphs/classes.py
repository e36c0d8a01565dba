"""The three graph classes, each with a witness when a graph is outside it.

An ADMG is

- *bow-free* if no pair has both a -> b and a <-> b (the pair is then a *bow*);
- *ancestral* if no directed path a -> ... -> b has a <-> b between its ends (an *almost directed cycle*);
- *arid* if it has no *c-tree*: two or more vertices that bidirected edges connect and from which directed paths
  inside the set lead to one of them, the root.

A bow is a c-tree of two vertices, and the ends of an almost directed cycle need not be a c-tree, so
ancestral ⊂ arid ⊂ bow-free. Linear Gaussian models of bow-free graphs are identified almost everywhere, those of
arid graphs everywhere (Drton, Foygel and Sullivant 2011).

::

    A -> C -> D -> B, A <-> B, A <-> D             arid, not ancestral (A -> C -> D with A <-> D)
    the same and C <-> B                           bow-free, not arid (c-tree with root B)

Aridity is decided by primal fixing (Bhattacharya et al. 2021, appendix A): take a root, remove again and again a
vertex other than the root with no child in its own district, and see what cannot be removed. It is the root
alone, or a c-tree.

>>> graph = BitGraph.from_edges(4, directed=[(0, 1), (1, 2), (2, 3)], bidirected=[(0, 2), (0, 3), (1, 3)])
>>> root, vertices = find_c_tree(graph)
>>> root, list(members(vertices))
(3, [0, 1, 2, 3])
"""

from __future__ import annotations

from dataclasses import dataclass

from lurking.graphs.bits import BitGraph, members, singleton
from lurking.graphs.nested import reachable_closure
from lurking.graphs.relations import descendants, directed_path, district

__all__ = [
    "AlmostDirectedCycle",
    "Bow",
    "CTree",
    "Witness",
    "find_almost_directed_cycle",
    "find_bow",
    "find_c_tree",
]


@dataclass(frozen=True, slots=True)
class Bow:
    """A pair with both edges: the reason why a graph is not bow-free."""

    parent: str
    child: str

    def __str__(self) -> str:
        return f"the bow {self.parent} -> {self.child} with {self.parent} <-> {self.child}"


@dataclass(frozen=True, slots=True)
class AlmostDirectedCycle:
    """A directed path whose ends share a bidirected edge: the reason why a graph is not ancestral."""

    path: tuple[str, ...]

    def __str__(self) -> str:
        return f"the path {' -> '.join(self.path)} with {self.path[0]} <-> {self.path[-1]}"


@dataclass(frozen=True, slots=True)
class CTree:
    """Vertices in one district that all lead to a root: the reason why a graph is not arid."""

    root: str
    vertices: frozenset[str]

    def __str__(self) -> str:
        return f"the c-tree on {{{', '.join(sorted(self.vertices))}}} with root {self.root}"


Witness = Bow | AlmostDirectedCycle | CTree


def find_bow(graph: BitGraph) -> tuple[int, int] | None:
    """Return the parent and child of the first bow, or None if the graph is bow-free."""
    for child, (parents, siblings) in enumerate(zip(graph.parents, graph.siblings, strict=True)):
        if parents & siblings:
            return next(members(parents & siblings)), child
    return None


def find_almost_directed_cycle(graph: BitGraph) -> list[int] | None:
    """Return a directed path whose ends are siblings, or None if the graph is ancestral."""
    for vertex, siblings in enumerate(graph.siblings):
        ends = siblings & descendants(graph, singleton(vertex))
        if ends:
            return directed_path(graph, vertex, next(members(ends)))
    return None


def find_c_tree(graph: BitGraph) -> tuple[int, int] | None:
    """Return the root and the vertices of a c-tree, or None if the graph is arid.

    Only the district of the root can hold its c-tree, so the search starts there.
    """
    for root in range(graph.n_vertices):
        if not graph.siblings[root] or not graph.parents[root]:
            continue
        start = district(graph, singleton(root))
        tree = reachable_closure(graph, singleton(root), within=start, primal=True)
        if tree != singleton(root):
            return root, tree
    return None

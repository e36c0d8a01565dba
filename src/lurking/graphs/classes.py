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

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from lurking._typing import Edges
from lurking.graphs.bits import BitGraph, members, singleton
from lurking.graphs.nested import reachable_closure
from lurking.graphs.relations import descendants, directed_path, district

__all__ = [
    "CLASSES",
    "AlmostDirectedCycle",
    "Bow",
    "CTree",
    "ClassRules",
    "Offence",
    "Witness",
    "find_almost_directed_cycle",
    "find_bow",
    "find_c_tree",
]


WitnessEdge: TypeAlias = tuple[int, int, bool]
"""An edge of a witness: its two ends, and whether it is bidirected."""


class Offence(NamedTuple):
    """What keeps a graph out of a class, in numbers of vertices."""

    edges: tuple[WitnessEdge, ...]
    """Edges of which one has to go, for the witness to be gone."""
    named: Callable[[Sequence[str]], Witness]
    """The witness, once it is known what the vertices are called."""


class ClassRules(NamedTuple):
    """All that lurking needs to know of a class of graphs.

    The class is a set of acyclic graphs without bows from which no removal of an edge leads out. Only its constraint
    for the paper's solver is elsewhere, in :data:`lurking.constraints.CONSTRAINTS`.
    """

    words: str
    """What its graphs are called."""
    find: Callable[[BitGraph], Offence | None]
    """Returns what keeps an acyclic graph out of the class, None if it is inside."""
    bibtex: str
    """The work to cite."""
    stays: Callable[[Edges, Edges, int, int, bool], bool] | None = None
    """Tells whether an acyclic graph without bows, given by its two matrices, is in the class although it has the edge
    one -> other, or one <-> other if the last argument is true; without that edge it is. The function is compiled, so
    it has to be one that numba compiles. None for the classes that :mod:`lurking.search.kernels.moves` knows."""


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


Witness: TypeAlias = Bow | AlmostDirectedCycle | CTree | str


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


def _bow(graph: BitGraph) -> Offence | None:
    found = find_bow(graph)
    if found is None:
        return None
    parent, child = found
    return Offence(((parent, child, False), (parent, child, True)), lambda names: Bow(names[parent], names[child]))


def _almost_directed_cycle(graph: BitGraph) -> Offence | None:
    path = find_almost_directed_cycle(graph)
    if path is None:
        return None
    directed = tuple((one, other, False) for one, other in pairwise(path))
    return Offence(
        (*directed, (path[0], path[-1], True)), lambda names: AlmostDirectedCycle(tuple(names[v] for v in path))
    )


def _c_tree(graph: BitGraph) -> Offence | None:
    found = find_c_tree(graph)
    if found is None:
        return None
    root, tree = found
    return Offence(
        tuple(_edges_inside(graph, tree)), lambda names: CTree(names[root], frozenset(names[v] for v in members(tree)))
    )


def _edges_inside(graph: BitGraph, vertices: int) -> Iterator[WitnessEdge]:
    for one in members(vertices):
        for other in members(vertices):
            if graph.children[one] >> other & 1:
                yield one, other, False
            if one < other and graph.siblings[one] >> other & 1:
                yield one, other, True


CLASSES: dict[str, ClassRules] = {
    "ancestral": ClassRules(
        "ancestral graphs",
        _almost_directed_cycle,
        """@article{richardson2002ancestral,
  title   = {Ancestral Graph {M}arkov Models},
  author  = {Richardson, Thomas and Spirtes, Peter},
  journal = {The Annals of Statistics},
  volume  = {30},
  number  = {4},
  pages   = {962--1030},
  year    = {2002}
}""",
    ),
    "arid": ClassRules(
        "arid graphs",
        _c_tree,
        """@inproceedings{shpitser2018acyclic,
  title     = {Acyclic Linear {SEM}s Obey the Nested {M}arkov Property},
  author    = {Shpitser, Ilya and Evans, Robin J. and Richardson, Thomas S.},
  booktitle = {Proceedings of the 34th Conference on Uncertainty in Artificial Intelligence},
  year      = {2018}
}""",
    ),
    "bow-free": ClassRules(
        "bow-free graphs",
        _bow,
        """@article{brito2002new,
  title   = {A New Identification Condition for Recursive Models With Correlated Errors},
  author  = {Brito, Carlos and Pearl, Judea},
  journal = {Structural Equation Modeling},
  volume  = {9},
  number  = {4},
  pages   = {459--474},
  year    = {2002}
}""",
    ),
}
"""The classes by name, the smaller first. Searches, options and checks of parameters take their names from here."""

"""The three graph classes from their definitions: list every forbidden subgraph and look for it."""

from __future__ import annotations

from functools import cache
from itertools import combinations, pairwise, permutations, product

import numpy as np

from oracles.graph_listing import Bools, Graphs, subsets
from oracles.graph_paths import vertex_paths

Pairs = tuple[tuple[int, int], ...]


def bow_free(graphs: Graphs) -> Bools:
    return ~np.asarray((graphs.directed & graphs.bidirected).any(axis=(1, 2)))


def ancestral(graphs: Graphs) -> Bools:
    """Tell which graphs have no directed path, of those listed, with a bidirected edge between its ends."""
    offending = np.zeros(len(graphs), dtype=bool)
    for a, b in permutations(range(graphs.n_vertices), 2):
        for path in vertex_paths(graphs.n_vertices, a, b):
            along = [graphs.directed[:, i, j] for i, j in pairwise(path)]
            offending |= graphs.bidirected[:, a, b] & np.all(along, axis=0)
    return ~offending


@cache
def arborescences(vertices: tuple[int, ...], root: int) -> list[Pairs]:
    """Return every directed tree on the vertices in which all of them lead to the root."""
    others = [v for v in vertices if v != root]
    found = []
    for choice in product(vertices, repeat=len(others)):
        following = dict(zip(others, choice, strict=True))
        if all(_arrives(following, v, root) for v in others):
            found.append(tuple(following.items()))
    return found


def _arrives(following: dict[int, int], vertex: int, root: int) -> bool:
    for _ in following:
        if vertex != root:
            vertex = following[vertex]
    return vertex == root


@cache
def spanning_trees(vertices: tuple[int, ...]) -> list[Pairs]:
    """Return every undirected tree on the vertices, as sets of pairs."""
    # Directed towards the first vertex, each undirected tree is exactly one arborescence.
    return arborescences(vertices, vertices[0])


def c_trees(graphs: Graphs, vertices: tuple[int, ...], root: int) -> Bools:
    """Tell which graphs hold an arborescence to the root and a bidirected spanning tree, both on these vertices."""
    rooted = [np.all([graphs.directed[:, i, j] for i, j in tree], axis=0) for tree in arborescences(vertices, root)]
    joined = [np.all([graphs.bidirected[:, i, j] for i, j in tree], axis=0) for tree in spanning_trees(vertices)]
    found: Bools = np.any(rooted, axis=0) & np.any(joined, axis=0)
    return found


def arid(graphs: Graphs) -> Bools:
    """Tell which graphs hold no c-tree on any two or more vertices with any root."""
    offending = np.zeros(len(graphs), dtype=bool)
    for vertices in subsets(range(graphs.n_vertices)):
        if len(vertices) >= 2:
            for root in vertices:
                offending |= c_trees(graphs, vertices, root)
    return ~offending


def districts_of(bidirected: Bools, vertices: tuple[int, ...]) -> set[frozenset[int]]:
    """Return the connected components of one graph's bidirected part, merged edge by edge."""
    blocks = {frozenset([v]) for v in vertices}
    for a, b in combinations(vertices, 2):
        if bidirected[a, b]:
            touching = {block for block in blocks if a in block or b in block}
            blocks = (blocks - touching) | {frozenset().union(*touching)}
    return blocks

"""Separation and kinship from the definitions: list every path and look at it.

A path is a sequence of different vertices with a choice of edge for each step. Both are listed outright; nothing is
searched. Each candidate path is tried on a whole stack of graphs at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, pairwise, permutations, product
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from oracles.graph_listing import Bools, Graphs, mask, subsets

Edge = Literal["->", "<-", "<->"]
EDGES: tuple[Edge, ...] = ("->", "<-", "<->")


def vertex_paths(n_vertices: int, start: int, end: int) -> Iterator[tuple[int, ...]]:
    """Yield every sequence of different vertices from ``start`` to ``end``."""
    others = [v for v in range(n_vertices) if v not in (start, end)]
    for length in range(len(others) + 1):
        for inner in permutations(others, length):
            yield (start, *inner, end)


def has_edge(graphs: Graphs, one: int, edge: Edge, other: int) -> Bools:
    if edge == "->":
        return graphs.directed[:, one, other]
    if edge == "<-":
        return graphs.directed[:, other, one]
    return graphs.bidirected[:, one, other]


def edge_paths(graphs: Graphs, start: int, end: int) -> Iterator[tuple[tuple[int, ...], tuple[Edge, ...], Bools]]:
    """Yield every path as its vertices, its edges, and which of the graphs contain it (at least one does)."""
    for path in vertex_paths(graphs.n_vertices, start, end):
        for edges in product(EDGES, repeat=len(path) - 1):
            steps = zip(pairwise(path), edges, strict=True)
            present = np.all([has_edge(graphs, a, edge, b) for (a, b), edge in steps], axis=0)
            if present.any():
                yield path, edges, present


def colliders_of(path: tuple[int, ...], edges: tuple[Edge, ...]) -> list[int]:
    """Return the inner vertices at which both edges of the path have an arrowhead."""
    ends = zip(path[1:-1], pairwise(edges), strict=True)
    return [vertex for vertex, (before, after) in ends if before.endswith(">") and after.startswith("<")]


@lru_cache(maxsize=4)
def ancestry(graphs: Graphs) -> Bools:
    """Return ``[g, a, b]``: a = b, or one of the listed directed paths leads from a to b."""
    d = graphs.n_vertices
    reaches = np.zeros((len(graphs), d, d), dtype=bool)
    reaches[:, np.arange(d), np.arange(d)] = True
    for a, b in permutations(range(d), 2):
        for path in vertex_paths(d, a, b):
            reaches[:, a, b] |= np.all([graphs.directed[:, i, j] for i, j in pairwise(path)], axis=0)
    return reaches


def bidirected_reach(graphs: Graphs) -> Bools:
    """Return ``[g, a, b]``: a = b, or one of the listed bidirected paths joins a and b."""
    return ancestry(Graphs(graphs.bidirected, graphs.bidirected))


@lru_cache(maxsize=4)
def m_connections(graphs: Graphs) -> Bools:
    """Return ``[g, a, b, Z]``: an open path joins a and b given the set with bit mask Z (False if a or b is in Z)."""
    d = graphs.n_vertices
    reaches = ancestry(graphs)
    leads_into = np.zeros((len(graphs), d, 1 << d), dtype=bool)  # [g, c, Z]: c or a descendant of it is in Z
    for given in subsets(range(d)):
        leads_into[:, :, mask(given)] = reaches[:, :, list(given)].any(axis=2)
    connected = np.zeros((len(graphs), d, d, 1 << d), dtype=bool)
    for a, b in combinations(range(d), 2):
        sets = subsets(tuple(v for v in range(d) if v not in (a, b)))
        for path, edges, present in edge_paths(graphs, a, b):
            colliders = colliders_of(path, edges)
            blockers = set(path[1:-1]).difference(colliders)
            for given in sets:
                if blockers.isdisjoint(given):
                    opened = [leads_into[:, c, mask(given)] for c in colliders]
                    connected[:, a, b, mask(given)] |= np.all([present, *opened], axis=0)
        connected[:, b, a] = connected[:, a, b]
    return connected


@lru_cache(maxsize=4)
def inducing_lengths(graphs: Graphs) -> NDArray[np.int64]:
    """Return ``[g, a, b]``: the number of edges of a shortest inducing path from a to b, or 0 if there is none.

    On an inducing path each inner vertex is a collider and an ancestor of a or b.
    """
    d = graphs.n_vertices
    reaches = ancestry(graphs)
    lengths = np.zeros((len(graphs), d, d), dtype=np.int64)
    for a, b in permutations(range(d), 2):
        for path, edges, present in edge_paths(graphs, a, b):  # shorter paths come first
            inner = path[1:-1]
            if len(colliders_of(path, edges)) == len(inner):
                above = [reaches[:, v, a] | reaches[:, v, b] for v in inner]
                inducing = np.all([present, *above], axis=0)
                lengths[inducing & (lengths[:, a, b] == 0), a, b] = len(edges)
    return lengths


def latent_projections(graphs: Graphs, hidden: tuple[int, ...]) -> Graphs:
    """Return the latent projections over the other vertices; the hidden ones stay as isolated vertices."""
    d = graphs.n_vertices
    projected = Graphs(np.zeros_like(graphs.directed), np.zeros_like(graphs.bidirected))
    for a, b in permutations([v for v in range(d) if v not in hidden], 2):
        for path, edges, present in edge_paths(graphs, a, b):
            if not set(path[1:-1]) <= set(hidden) or colliders_of(path, edges):
                continue
            if set(edges) == {"->"}:
                projected.directed[:, a, b] |= present
            elif edges[0].startswith("<") and edges[-1].endswith(">"):
                projected.bidirected[:, a, b] |= present
    return projected

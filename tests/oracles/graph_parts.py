"""Graphs up to relabelling, graphs with one edge more, and covariances of one graph at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations, permutations, product

import numpy as np
from numpy.typing import NDArray

from lurking.graphs.bits import BitGraph, mask_of, members
from lurking.graphs.classes import find_c_tree
from lurking.graphs.projection import arid_projection
from lurking.graphs.relations import topological_order

Floats = NDArray[np.float64]


@cache
def bow_free_in_order(n_vertices: int) -> tuple[BitGraph, ...]:
    """Every bow-free graph whose directed edges point from smaller to larger numbers; all others are relabellings."""
    pairs = list(combinations(range(n_vertices), 2))
    graphs = []
    for kinds in product(range(3), repeat=len(pairs)):
        chosen = list(zip(pairs, kinds, strict=True))
        graphs.append(
            BitGraph.from_edges(
                n_vertices, [pair for pair, kind in chosen if kind == 1], [pair for pair, kind in chosen if kind == 2]
            )
        )
    return tuple(graphs)


@cache
def bow_free_graphs(n_vertices: int) -> tuple[BitGraph, ...]:
    """Every acyclic bow-free graph on labelled vertices."""
    relabellings = list(permutations(range(n_vertices)))
    found = {relabelled(graph, order) for graph in bow_free_in_order(n_vertices) for order in relabellings}
    return tuple(sorted(found, key=lambda g: (g.parents, g.siblings)))


def relabelled(graph: BitGraph, order: tuple[int, ...]) -> BitGraph:
    """Vertex v becomes ``order[v]``."""
    parents, siblings = [0] * len(order), [0] * len(order)
    for v, new in enumerate(order):
        parents[new] = mask_of(order[p] for p in members(graph.parents[v]))
        siblings[new] = mask_of(order[s] for s in members(graph.siblings[v]))
    return BitGraph(tuple(parents), tuple(siblings))


def one_per_shape(graphs: Iterable[BitGraph]) -> list[BitGraph]:
    """Keep one graph of each set that relabelling turns into each other."""
    seen: set[BitGraph] = set()
    kept = []
    for graph in graphs:
        if graph not in seen:
            kept.append(graph)
            seen.update(relabelled(graph, order) for order in permutations(range(graph.n_vertices)))
    return kept


@cache
def maximal_arid_shapes(n_vertices: int) -> tuple[BitGraph, ...]:
    """One maximal arid graph of each shape."""
    in_order = bow_free_in_order(n_vertices)
    return tuple(one_per_shape({arid_projection(g): None for g in in_order if find_c_tree(g) is None}))


def with_edge(graph: BitGraph, one: int, other: int) -> Iterator[tuple[str, BitGraph]]:
    """Yield the acyclic graphs that have one more edge between two vertices, with the kind of edge."""
    kinds = {"->": ([(one, other)], []), "<-": ([(other, one)], []), "<->": ([], [(one, other)])}
    for kind, (directed, bidirected) in kinds.items():
        extra = BitGraph.from_edges(graph.n_vertices, directed, bidirected)
        added = BitGraph(
            tuple(a | b for a, b in zip(graph.parents, extra.parents, strict=True)),
            tuple(a | b for a, b in zip(graph.siblings, extra.siblings, strict=True)),
        )
        if topological_order(added) is not None:
            yield kind, added


def missing_edges(graph: BitGraph) -> list[tuple[int, int]]:
    return [
        (i, j)
        for i, j in combinations(range(graph.n_vertices), 2)
        if not (graph.parents[i] | graph.children[i] | graph.siblings[i]) >> j & 1
    ]


def random_covariance(graph: BitGraph, generator: np.random.Generator) -> Floats:
    """A covariance of the linear model of a graph, no parameter near zero."""
    d = graph.n_vertices
    directed, bidirected = graph.to_matrices()
    coef, omega = generator.uniform(0.5, 1.5, (2, d, d)) * generator.choice((-1.0, 1.0), (2, d, d))
    omega = np.tril(omega, -1) / d * bidirected
    omega = omega + omega.T + np.diag(generator.uniform(1.5, 2.5, d))
    total = np.linalg.inv(np.eye(d) - coef * directed)
    covariance: Floats = total.T @ omega @ total
    return covariance

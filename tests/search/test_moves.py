"""Moves between graphs: every move from every small graph, against the predicates of the graphs layer."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

from lurking._typing import GRAPH_CLASSES, Edges, GraphClass
from lurking.graphs.bits import BitGraph
from lurking.graphs.classes import find_almost_directed_cycle, find_c_tree
from lurking.graphs.edge_kinds import edge_of, set_edge
from lurking.graphs.relations import topological_order
from lurking.search.kernels.moves import CLASS_CODE, may_set


def in_class(directed: Edges, bidirected: Edges, graph_class: GraphClass) -> bool:
    bits = BitGraph.from_matrices(directed.astype(bool), bidirected.astype(bool))
    if topological_order(bits) is None:
        return False
    if graph_class == "ancestral":
        return find_almost_directed_cycle(bits) is None
    return graph_class == "bow-free" or find_c_tree(bits) is None


def build(d: int, states: tuple[int, ...]) -> tuple[Edges, Edges]:
    directed, bidirected = np.zeros((d, d), dtype=np.uint8), np.zeros((d, d), dtype=np.uint8)
    for (i, j), state in zip(combinations(range(d), 2), states, strict=True):
        set_edge(directed, bidirected, i, j, state)
    return directed, bidirected


@pytest.mark.parametrize("graph_class", GRAPH_CLASSES)
def test_moves_on_all_graphs_with_four_vertices(graph_class: GraphClass) -> None:
    pairs = list(combinations(range(4), 2))
    graphs = {states: build(4, states) for states in product(range(4), repeat=6)}
    member = {states: in_class(*graph, graph_class) for states, graph in graphs.items()}
    for states, (directed, bidirected) in graphs.items():
        if not member[states]:
            continue
        before = directed.copy(), bidirected.copy()
        for position, (i, j) in enumerate(pairs):
            assert edge_of(directed, bidirected, i, j) == states[position]
            for state in range(4):
                after = (*states[:position], state, *states[position + 1 :])
                assert may_set(directed, bidirected, i, j, state, CLASS_CODE[graph_class]) == member[after]
        assert np.array_equal(before[0], directed)
        assert np.array_equal(before[1], bidirected)


@pytest.mark.parametrize("graph_class", GRAPH_CLASSES)
def test_moves_along_random_walks_on_eight_vertices(graph_class: GraphClass) -> None:
    rng = np.random.default_rng(0)
    directed, bidirected = build(8, (0,) * 28)
    refused = 0
    for _ in range(1500):
        i, j = sorted(rng.choice(8, size=2, replace=False).tolist())
        state = int(rng.integers(4))
        after = directed.copy(), bidirected.copy()
        set_edge(*after, i, j, state)
        allowed = may_set(directed, bidirected, i, j, state, CLASS_CODE[graph_class])
        assert allowed == in_class(*after, graph_class)
        refused += not allowed
        if allowed:
            directed, bidirected = after
    assert refused > 50

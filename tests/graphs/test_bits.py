from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lurking.graphs.bits import EVERYTHING, BitGraph, mask_of, members, reach, singleton
from oracles.graph_classes import districts_of
from oracles.graph_listing import all_admgs, mask, sampled_admgs, subsets
from oracles.graph_paths import ancestry


@given(st.frozensets(st.integers(0, 300)))
def test_a_mask_and_its_members_are_the_same_set(vertices: frozenset[int]) -> None:
    listed = list(members(mask_of(vertices)))
    assert listed == sorted(vertices)
    assert mask_of(vertices) == sum(singleton(v) for v in vertices)


def test_everything_holds_every_vertex() -> None:
    assert all(EVERYTHING >> v & 1 for v in (0, 63, 64, 1000))


def test_reach_inside_a_subgraph_is_what_the_paths_inside_it_reach() -> None:
    graphs = sampled_admgs(5, 60, seed=1)
    for inside in subsets(range(5)):
        outside = [v for v in range(5) if v not in inside]
        cut = graphs.directed.copy()
        cut[:, outside, :] = cut[:, :, outside] = False
        reaches = ancestry(type(graphs)(cut, graphs.bidirected))
        for row, graph in enumerate(graphs.bits):
            for start in inside:
                expected = mask_of(np.flatnonzero(reaches[row, start]).tolist())
                assert reach(graph.children, singleton(start), mask(inside)) == expected


def test_reach_ignores_starts_outside_the_subgraph() -> None:
    graph = BitGraph.from_edges(3, directed=[(0, 1), (1, 2)])
    assert reach(graph.children, 0b001, within=0b110) == 0
    assert reach(graph.children, 0b011, within=0b110) == 0b110


def test_matrices_and_edges_give_the_same_graph() -> None:
    graphs = all_admgs(3)
    for directed, bidirected, graph in zip(graphs.directed, graphs.bidirected, graphs.bits, strict=True):
        assert BitGraph.from_matrices(directed, bidirected) == graph
        assert np.array_equal(graph.to_matrices(), [directed, bidirected])
        edges = [[(i, j) for i in range(3) for j in range(3) if m[i, j]] for m in (directed, np.triu(bidirected))]
        assert BitGraph.from_edges(3, edges[0], edges[1]) == graph
        assert graph.children == BitGraph.from_matrices(directed.T, bidirected).parents
        assert graph.n_vertices == 3
        assert graph.everything == 0b111


def test_hundreds_of_vertices_fit() -> None:
    graph = BitGraph.from_edges(500, directed=[(i, i + 1) for i in range(499)], bidirected=[(0, 499)])
    assert reach(graph.children, singleton(0)) == graph.everything
    assert reach(graph.siblings, singleton(0)) == singleton(0) | singleton(499)


def test_the_oracle_of_districts_merges_blocks() -> None:
    bidirected = np.zeros((4, 4), dtype=bool)
    bidirected[0, 3] = bidirected[3, 0] = bidirected[1, 3] = bidirected[3, 1] = True
    assert districts_of(bidirected, (0, 1, 2, 3)) == {frozenset({0, 1, 3}), frozenset({2})}

from __future__ import annotations

from itertools import combinations

import pytest

from lurking.graphs.bits import BitGraph, members
from lurking.graphs.separation import m_separated
from lurking.graphs.separators import minimum_separator
from oracles.graph_listing import all_admgs, sampled_admgs


def _brute_force_size(graph: BitGraph, one: int, other: int, allowed: int) -> int | None:
    """Try all subsets of the allowed vertices, smaller ones first."""
    rest = [v for v in members(allowed & graph.everything) if v not in (one, other)]
    for size in range(len(rest) + 1):
        for chosen in combinations(rest, size):
            if m_separated(graph, 1 << one, 1 << other, sum(1 << v for v in chosen)):
                return size
    return None


@pytest.mark.parametrize("allowed", [0b111111, 0b011011])
def test_the_set_separates_and_none_is_smaller(allowed: int) -> None:
    graphs = [*all_admgs(4).bits[::17], *sampled_admgs(6, 300, seed=3).bits]
    separable = 0
    for graph in graphs:
        for one, other in combinations(range(graph.n_vertices), 2):
            found = minimum_separator(graph, one, other, allowed)
            expected = _brute_force_size(graph, one, other, allowed)
            assert (found is None) == (expected is None)
            if found is not None:
                separable += 1
                assert found & ~allowed == 0
                assert found.bit_count() == expected
                assert m_separated(graph, 1 << one, 1 << other, found)
    assert separable > 1000


def test_of_equal_sets_the_nearest_to_the_first_vertex_is_taken() -> None:
    chain = BitGraph.from_edges(4, directed=[(0, 1), (1, 2), (2, 3)])
    assert minimum_separator(chain, 3, 0) == 0b0100
    assert minimum_separator(chain, 0, 3) == 0b0010


def test_several_vertices_are_cut_where_several_paths_run() -> None:
    # Three disjoint chains of length two from 0 to 7, one of them through the confounder of 5 and 6.
    graph = BitGraph.from_edges(
        8, directed=[(0, 1), (1, 2), (2, 7), (0, 3), (3, 4), (4, 7), (0, 5), (6, 7), (5, 7)], bidirected=[(0, 6)]
    )
    found = minimum_separator(graph, 7, 0)
    assert found is not None
    assert sorted(members(found)) == [2, 4, 5, 6]

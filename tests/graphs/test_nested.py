"""Fixing, reachable closure and intrinsic sets against an oracle that follows every order of fixing."""

from __future__ import annotations

import numpy as np
import pytest

from lurking import ADMG
from lurking.graphs import nested
from lurking.graphs.bits import BitGraph
from oracles.graph_fixing import after_fixing, connected_sets, reachable_sets, smallest_supersets
from oracles.graph_listing import Graphs, all_admgs, sampled_admgs
from oracles.graph_paths import ancestry, bidirected_reach

SMALL_AND_LARGER = pytest.mark.parametrize(
    "graphs", [all_admgs(3), all_admgs(4), sampled_admgs(5, 600, seed=30)], ids=lambda g: g.n_vertices
)


@pytest.mark.parametrize("primal", [False, True])
def test_a_vertex_can_be_fixed_exactly_if_the_definition_says_so(primal: bool) -> None:
    graphs = sampled_admgs(4, 400, seed=31)
    may_fix = nested.primal_fixable if primal else nested.fixable
    for random in range(1, 16):
        left = after_fixing(graphs, tuple(v for v in range(4) if not random >> v & 1))
        kin = bidirected_reach(left) & (left.directed if primal else ancestry(left))
        for v in (v for v in range(4) if random >> v & 1):
            allowed = ~kin[:, v, [u for u in range(4) if u != v and random >> u & 1]].any(axis=1)
            assert [may_fix(graph, v, random) for graph in graphs.bits] == allowed.tolist()


@SMALL_AND_LARGER
@pytest.mark.parametrize("primal", [False, True])
def test_the_closure_is_the_smallest_reachable_set_whatever_the_order(graphs: Graphs, primal: bool) -> None:
    reached = reachable_sets(graphs, primal=primal)
    for vertices in range(1, 1 << graphs.n_vertices):
        smallest = smallest_supersets(reached, vertices)
        # That the intersection of all reachable sets around A is itself reachable is why the order does not matter.
        assert reached[np.arange(len(graphs)), smallest].all()
        found = [nested.reachable_closure(graph, vertices, primal=primal) for graph in graphs.bits]
        assert np.array_equal(found, smallest)


def test_the_closure_inside_a_subgraph_starts_from_what_is_random_there() -> None:
    graphs = sampled_admgs(5, 200, seed=32)
    for random in (0b10111, 0b01101, 0b11110):
        outside = tuple(v for v in range(5) if not random >> v & 1)
        reached = reachable_sets(after_fixing(graphs, outside))
        for vertices in range(1, 32):
            if vertices & ~random:
                continue
            # In the cut graph the outside vertices are single districts without parents: they can always be fixed.
            smallest = smallest_supersets(reached, vertices)
            found = [nested.reachable_closure(graph, vertices, within=random) for graph in graphs.bits]
            assert np.array_equal(found, smallest)


@SMALL_AND_LARGER
def test_intrinsic_sets_are_the_connected_reachable_sets(graphs: Graphs) -> None:
    intrinsic = reachable_sets(graphs) & connected_sets(graphs)
    for row, graph in enumerate(graphs.bits):
        found = nested.intrinsic_sets(graph)
        assert sorted(found) == np.flatnonzero(intrinsic[row]).tolist()
        assert [mask.bit_count() for mask in found] == sorted(mask.bit_count() for mask in found)


def test_primal_fixing_reaches_more_sets_than_fixing() -> None:
    graph = BitGraph.from_edges(3, directed=[(0, 1), (1, 2)], bidirected=[(0, 2)])  # the front-door graph
    assert not nested.fixable(graph, 0)
    assert nested.primal_fixable(graph, 0)
    assert nested.reachable_closure(graph, 0b110) == 0b111
    assert nested.reachable_closure(graph, 0b110, primal=True) == 0b110


def test_the_empty_set_is_reachable() -> None:
    graph = BitGraph.from_edges(3, directed=[(0, 1), (0, 2)], bidirected=[(0, 1), (1, 2)])
    assert nested.reachable_closure(graph, 0) == 0
    assert nested.intrinsic_sets(BitGraph((), ())) == []


def test_names_are_put_on_closures_and_intrinsic_sets() -> None:
    verma = ADMG.parse("A -> B -> C -> D; B <-> D")
    assert verma.reachable_closure("D") == {"D"}
    assert verma.reachable_closure(["A", "D"]) == {"A", "D"}
    assert verma.reachable_closure(["C", "D"]) == {"B", "C", "D"}
    assert set(verma.intrinsic_sets()) == {frozenset(s) for s in ("A", "B", "C", "D", "BD")}
    bow = ADMG.parse("A -> B; A <-> B")
    assert list(map(set, bow.intrinsic_sets())) == [{"A"}, {"A", "B"}]
    assert bow.reachable_closure("B") == {"A", "B"}

"""Fixing by name, and kernels as objects."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lurking import ADMG
from lurking._errors import GraphError, UnknownVertexError
from lurking.graphs import CADMG
from oracles.graph_fixing import after_fixing, reachable_sets
from oracles.graph_listing import Graphs, mask, sampled_admgs, subsets
from oracles.graph_paths import m_connections
from strategies import admgs, badly_named_admgs

VERMA = "A -> B -> C -> D; B <-> D"
NAMES = ("A", "B", "C", "D")


def named(vertices: tuple[int, ...]) -> list[str]:
    return [NAMES[v] for v in vertices]


def test_fixing_cuts_the_edges_that_point_at_the_vertex() -> None:
    kernel = CADMG(ADMG.parse(VERMA)).fix("C")
    assert kernel.random == {"A", "B", "D"}
    assert kernel.fixed == {"C"}
    assert np.argwhere(kernel.directed).tolist() == [[0, 1], [2, 3]]
    assert np.argwhere(kernel.bidirected).tolist() == [[1, 3], [3, 1]]
    assert list(map(set, kernel.districts())) == [{"A"}, {"B", "D"}]
    both = kernel.fix("B")
    assert np.argwhere(both.directed).tolist() == [[2, 3]]
    assert not both.bidirected.any()


@pytest.mark.parametrize("fixed", subsets(range(4)))
def test_edges_and_separations_of_a_kernel_follow_from_the_definition(fixed: tuple[int, ...]) -> None:
    graphs = sampled_admgs(4, 60, seed=70)
    left = after_fixing(graphs, fixed)
    # Nothing is said about the joint distribution of fixed vertices: they are joined to each other.
    joined = Graphs(left.directed, left.bidirected.copy())
    for v in fixed:
        for u in fixed:
            joined.bidirected[:, v, u] |= u != v
    connected = m_connections(joined)
    for row in range(len(graphs)):
        kernel = CADMG(ADMG(NAMES, graphs.directed[row], graphs.bidirected[row]), named(fixed))
        assert np.array_equal(kernel.directed, left.directed[row])
        assert np.array_equal(kernel.bidirected, left.bidirected[row])
        for a in range(4):
            for b in range(a):
                for given_ in subsets(tuple(v for v in range(4) if v not in (a, b))):
                    separated = kernel.m_separated(NAMES[a], NAMES[b], named(given_))
                    assert separated == (not connected[row, a, b, mask(given_)])


@pytest.mark.parametrize("primal", [False, True])
def test_following_fixable_vertices_by_name_reaches_exactly_the_reachable_sets(primal: bool) -> None:
    graphs = sampled_admgs(4, 60, seed=71)
    reached = reachable_sets(graphs, primal=primal)
    for row in range(len(graphs)):
        start = CADMG(ADMG(NAMES, graphs.directed[row], graphs.bidirected[row]))
        found, waiting = {start}, [start]
        while waiting:
            kernel = waiting.pop()
            following = {kernel.fix(name, primal=primal) for name in kernel.fixable(primal=primal)} - found
            found |= following
            waiting.extend(following)
        masks = {sum(1 << NAMES.index(name) for name in kernel.random) for kernel in found}
        assert sorted(masks) == np.flatnonzero(reached[row]).tolist()


def test_the_missing_edge_of_the_verma_graph_is_an_independence_in_a_kernel() -> None:
    graph = ADMG.parse(VERMA)
    assert not any(graph.m_separated("A", "D", given_) for given_ in ([], ["B"], ["C"], ["B", "C"]))
    assert CADMG(graph).fix("C").m_separated("A", "D", given="C")
    assert not CADMG(graph).fix("C").m_separated("A", "D", given=["B", "C"])


def test_figure_1c_of_the_paper_b_and_c_are_separated_by_d_once_c_is_fixed() -> None:
    kernel = CADMG(ADMG.parse("A -> C -> D -> B; A <-> B; A <-> D")).fix("C")
    assert kernel.m_separated("B", "C", given="D")
    graph = kernel.graph
    assert not any(graph.m_separated("B", "C", given_) for given_ in ([], ["A"], ["D"], ["A", "D"]))


def test_the_primal_fixing_of_appendix_a() -> None:
    a = CADMG(ADMG.parse("V1 -> V2 -> V3 -> V4; V1 <-> V4; V1 <-> V3"))
    assert a.fixable(primal=True) == {"V1", "V2", "V4"}
    assert "V1" not in a.fixable()
    last = a.fix("V1", primal=True)
    assert not last.bidirected.any()
    assert last.fixable(primal=True) == {"V2", "V3", "V4"}
    assert last.fix("V2", "V3", primal=True).random == {"V4"}
    b = CADMG(ADMG.parse("V1 -> V2 -> V3 -> V4; V1 <-> V4; V1 <-> V3; V2 <-> V4"))
    assert b.fixable(primal=True) == {"V4"}


def test_the_closure_of_a_kernel() -> None:
    kernel = CADMG(ADMG.parse(VERMA))
    assert kernel.reachable_closure("D").random == {"D"}
    assert kernel.reachable_closure(["C", "D"]).random == {"B", "C", "D"}
    assert kernel.fix("C").reachable_closure(["A", "D"]).random == {"A", "D"}
    with pytest.raises(GraphError, match="C is fixed already; a closure is of random vertices"):
        kernel.fix("C").reachable_closure(["C", "D"])


def test_what_cannot_be_fixed_is_refused_with_what_can() -> None:
    kernel = CADMG(ADMG.parse(VERMA))
    with pytest.raises(
        GraphError, match="B cannot be fixed: its district holds a descendant of it; fixable are: A, C, D"
    ):
        kernel.fix("B")
    bow = CADMG(ADMG.parse("A -> B; A <-> B"))
    with pytest.raises(GraphError, match="A cannot be fixed: its district holds a child of it; fixable are: B"):
        bow.fix("A", primal=True)
    with pytest.raises(GraphError, match="C is fixed already; fix each vertex once"):
        kernel.fix("C", "C")
    with pytest.raises(UnknownVertexError, match="no variable named 'E'"):
        kernel.fix("E")
    with pytest.raises(UnknownVertexError, match="no variable named 'E'"):
        CADMG(kernel.graph, fixed="E")
    with pytest.raises(GraphError, match="must not overlap, but share A"):
        kernel.m_separated("A", "B", "A")


def test_the_order_of_fixing_matters_for_what_is_allowed_not_for_what_is_left() -> None:
    kernel = CADMG(ADMG.parse(VERMA))
    assert kernel.fix("C", "B").random == {"A", "D"}
    with pytest.raises(GraphError, match="B cannot be fixed"):
        kernel.fix("B", "C")
    assert kernel.fix("A", "C") == kernel.fix("C", "A")
    assert kernel.fix() == kernel


@given(badly_named_admgs(), st.data())
def test_repr_pickle_and_copies_round_trip(graph: ADMG, data: st.DataObject) -> None:
    fixed = data.draw(st.lists(st.sampled_from(graph.names), unique=True)) if graph.names else []
    kernel = CADMG(graph, fixed)
    evaluated = eval(repr(kernel), {"ADMG": ADMG, "CADMG": CADMG})
    for again in (evaluated, pickle.loads(pickle.dumps(kernel)), copy.copy(kernel), copy.deepcopy(kernel)):
        assert again == kernel
        assert hash(again) == hash(kernel)
        assert again.fixed == frozenset(fixed)
        assert again.names == graph.names


@given(admgs(max_size=5), st.data())
def test_equality_does_not_depend_on_the_order_of_the_names(graph: ADMG, data: st.DataObject) -> None:
    shuffled = graph.subgraph(data.draw(st.permutations(graph.names)))
    assert CADMG(graph, graph.names[:2]) == CADMG(shuffled, graph.names[:2])
    assert hash(CADMG(graph, graph.names[:2])) == hash(CADMG(shuffled, graph.names[:2]))
    if graph.names:
        assert CADMG(graph, graph.names[0]) != CADMG(graph)
    assert CADMG(graph) != graph


def test_a_kernel_cannot_be_changed() -> None:
    kernel: Any = CADMG(ADMG.parse(VERMA))
    for attribute in ("graph", "_random", "colour"):
        with pytest.raises(AttributeError, match=f"CADMG cannot be changed; build a new one to set '{attribute}'"):
            setattr(kernel, attribute, None)
    kernel.directed[:] = True
    assert kernel == CADMG(ADMG.parse(VERMA))

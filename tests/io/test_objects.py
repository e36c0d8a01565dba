"""Graphs handed over to other libraries and back, in memory."""

from __future__ import annotations

import subprocess
import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from lurking import ADMG, CPDAG, PAG
from lurking._errors import CycleError, FormatError, GraphError, ParameterError
from lurking.io import (
    from_causal_learn,
    from_edge_lists,
    from_latent_dag,
    from_networkx,
    to_causal_learn,
    to_edge_lists,
    to_latent_dag,
    to_networkx,
)
from lurking.io.marked_edges import Graph, edges_of, kind_of
from lurking.io.optional import require
from strategies import admgs, badly_named_admgs
from strategies_pag import badly_named_marked_graphs, marked_graphs

# ------------------------------------------------------------------------------------------------------- edge lists


@given(graph=badly_named_admgs())
def test_edge_lists_come_back(graph: ADMG) -> None:
    lists = to_edge_lists(graph)
    again = from_edge_lists(lists)
    assert again == graph
    assert again.names == graph.names


def test_edge_lists_need_no_vertices_and_refuse_other_words() -> None:
    assert from_edge_lists({"bidirected": [("A", "B")]}) == ADMG.parse("A <-> B")
    assert from_edge_lists({"vertices": iter("ABC"), "directed": {("A", "B")}}) == ADMG.parse("A -> B; C")
    with pytest.raises(ParameterError, match="Got 'di_edges' instead"):
        from_edge_lists({"di_edges": []})


# --------------------------------------------------------------------------------------------------------- networkx


@pytest.fixture(scope="module")
def networkx() -> Any:
    return pytest.importorskip("networkx")


@given(graph=badly_named_admgs())
def test_networkx_pairs_come_back(networkx: ModuleType, graph: ADMG) -> None:
    causes, confounding = to_networkx(graph)
    assert isinstance(causes, networkx.DiGraph)
    assert list(causes.nodes) == list(confounding.nodes) == list(graph.names)
    assert sorted(causes.edges) == sorted(graph.directed_edges())
    assert from_networkx(causes, confounding) == graph


@given(graph=badly_named_admgs())
def test_the_canonical_dag_projects_back(networkx: ModuleType, graph: ADMG) -> None:
    dag = to_latent_dag(graph)
    assert networkx.is_directed_acyclic_graph(dag)
    assert len(dag) == len(graph) + len(graph.bidirected_edges())
    assert from_latent_dag(dag) == graph


@given(graph=admgs(max_size=4))
def test_the_canonical_dag_has_the_same_separations(networkx: ModuleType, graph: ADMG) -> None:
    dag = to_latent_dag(graph)
    for a in graph.names:
        for b in graph.names:
            rest = {name for name in graph.names if name not in (a, b)}
            if a < b:
                assert graph.m_separated(a, b) == networkx.is_d_separator(dag, {a}, {b}, set())
                assert graph.m_separated(a, b, rest) == networkx.is_d_separator(dag, {a}, {b}, rest)


def test_latent_vertices_have_names_that_are_free(networkx: ModuleType) -> None:
    graph = ADMG.from_edges([("U_A_B", "A")], [("A", "B"), ("A_B", "C"), ("A", "B_C")])
    dag = to_latent_dag(graph)
    assert dag.nodes["U_A_B"]["observed"] == "yes"
    assert sorted(v for v in dag if dag.nodes[v]["observed"] == "no") == ["U_A_B_1", "U_A_B_C", "U_A_B_C_1"]
    assert from_latent_dag(dag) == graph


def test_any_dag_with_latent_vertices_can_be_projected(networkx: ModuleType) -> None:
    dag = networkx.DiGraph([("U", "A"), ("U", "V"), ("V", "B"), ("A", "M"), ("M", "B")])
    assert from_latent_dag(dag, latent=["U", "V"]) == ADMG.parse("A -> M -> B; A <-> B")
    assert from_latent_dag(dag, latent=["U", "V", "M"]) == ADMG.parse("A -> B; A <-> B")
    assert from_latent_dag(dag) == from_networkx(dag)


def test_networkx_graphs_that_are_no_admg(networkx: ModuleType) -> None:
    with pytest.raises(GraphError, match=r"The causes must be a networkx.DiGraph"):
        from_networkx(networkx.Graph([("A", "B")]))
    with pytest.raises(GraphError, match=r"The confounding must be a networkx.Graph"):
        from_networkx(networkx.DiGraph(), networkx.DiGraph([("A", "B")]))
    with pytest.raises(GraphError, match=r"one is 1; rename by networkx.relabel_nodes"):
        from_networkx(networkx.DiGraph([(1, 2)]))
    with pytest.raises(CycleError, match="A -> B -> A"):
        from_networkx(networkx.DiGraph([("A", "B"), ("B", "A")]))


# ----------------------------------------------------------------------------------------------------- causal-learn


@pytest.fixture(scope="module")
def causal_learn() -> Any:
    pytest.importorskip("causallearn")
    return require("causallearn.graph.GeneralGraph", "causal-learn")


@given(graph=badly_named_admgs() | badly_named_marked_graphs())
def test_general_graphs_come_back(causal_learn: ModuleType, graph: Graph) -> None:
    general_graph = to_causal_learn(graph)
    assert isinstance(general_graph, causal_learn.GeneralGraph)
    assert general_graph.is_pag() == (kind_of(graph) == "pag")
    assert from_causal_learn(general_graph) == graph


@given(graph=admgs() | marked_graphs())
def test_causal_learn_sees_the_same_marks(causal_learn: ModuleType, graph: Graph) -> None:
    theirs = [
        {
            (edge.get_node1().get_name(), str(edge.get_endpoint1())),
            (edge.get_node2().get_name(), str(edge.get_endpoint2())),
        }
        for edge in to_causal_learn(graph).get_graph_edges()
    ]
    ours = [{(edge.one, edge.at_one.name), (edge.other, edge.at_other.name)} for edge in edges_of(graph)]
    assert len(theirs) == len(ours)
    assert all(edge in theirs for edge in ours)


@given(graph=admgs())
def test_causal_learn_sees_the_same_ancestors(causal_learn: ModuleType, graph: ADMG) -> None:
    general_graph = to_causal_learn(graph)
    for one in graph.names:
        node = general_graph.get_node(one)
        assert {parent.get_name() for parent in general_graph.get_parents(node)} == graph.parents(one)
        for other in graph.names:
            is_ancestor = general_graph.is_ancestor_of(node, general_graph.get_node(other))
            assert is_ancestor == (one in graph.ancestors(other))


def test_causal_learn_builds_the_same_graph_by_its_own_methods(causal_learn: ModuleType) -> None:
    edge = require("causallearn.graph.Edge", "causal-learn").Edge
    end = require("causallearn.graph.Endpoint", "causal-learn").Endpoint
    node = require("causallearn.graph.GraphNode", "causal-learn").GraphNode
    a, b, c = nodes = [node(name) for name in "ABC"]
    general_graph = causal_learn.GeneralGraph(nodes)
    general_graph.add_directed_edge(a, b)
    general_graph.add_edge(edge(a, b, end.ARROW, end.ARROW))
    general_graph.add_edge(edge(b, c, end.ARROW, end.ARROW))
    assert from_causal_learn(general_graph) == ADMG.parse("A -> B; A <-> B; B <-> C")
    assert general_graph == to_causal_learn(ADMG.parse("A -> B; A <-> B; B <-> C"))
    marked = causal_learn.GeneralGraph(nodes)
    marked.add_edge(edge(a, b, end.CIRCLE, end.ARROW))
    marked.add_edge(edge(b, c, end.CIRCLE, end.CIRCLE))
    assert from_causal_learn(marked) == PAG(["A", "B", "C"], [[0, 2, 0], [1, 0, 1], [0, 1, 0]])


def test_a_pattern_of_causal_learn_is_a_cpdag(causal_learn: ModuleType) -> None:
    general_graph = to_causal_learn(PAG(["A", "B"], [[0, 3], [3, 0]]))
    general_graph.set_pag(False)
    assert from_causal_learn(general_graph) == CPDAG.parse("A -- B")
    assert from_causal_learn(general_graph, kind="pag") == PAG(["A", "B"], [[0, 3], [3, 0]])
    general_graph.graph[:] = [[0, 4], [4, 0]]
    with pytest.raises(FormatError, match="the codes 4 and 4 between 'A' and 'B'"):
        from_causal_learn(general_graph)


# ---------------------------------------------------------------------------------------------- libraries not there


def test_a_library_that_is_not_installed_is_named() -> None:
    with pytest.raises(ImportError, match="needs the package no-such-thing; install it by: pip install no-such-thing"):
        require("no_such_thing.graphs", "no-such-thing")


def test_no_other_library_is_imported_before_it_is_needed() -> None:
    check = "import sys, lurking.io; assert not {'networkx', 'causallearn'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", check], check=True)


def test_a_bare_matrix_of_causal_learn_needs_names() -> None:
    pc = np.array([[0, -1, 0], [1, 0, -1], [0, -1, 0]])
    assert from_causal_learn(pc, names=["A", "B", "C"]) == CPDAG.parse("A -> B -- C")
    fci = [[0, 2, 0], [1, 0, 1], [0, 1, 0]]
    assert from_causal_learn(fci, names=["A", "B", "C"]) == PAG.parse("A o-> B <-> C")
    with pytest.raises(FormatError, match=r"has no names; give them as names=\[...\]"):
        from_causal_learn(pc)
    with pytest.raises(FormatError, match=r"must have shape \(2, 2\), one row per name. Got \(3, 3\)"):
        from_causal_learn(pc, names=["A", "B"])

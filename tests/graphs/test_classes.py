"""The three classes on all 34,752 ADMGs with 4 vertices, against lists of every forbidden subgraph."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from lurking import ADMG
from lurking._errors import ParameterError
from lurking.graphs import AlmostDirectedCycle, Bow, CTree, classes
from lurking.graphs.bits import members
from oracles import graph_classes as oracle
from oracles.graph_listing import Graphs, all_admgs, all_dags, sampled_admgs

FIGURE_1C = "A -> C -> D -> B; A <-> B; A <-> D"
FIGURE_1E = FIGURE_1C + "; C <-> B"

SMALL_AND_LARGER = pytest.mark.parametrize(
    "graphs",
    [all_admgs(1), all_admgs(2), all_admgs(3), all_admgs(4), sampled_admgs(5, 5000, seed=10)],
    ids=lambda g: g.n_vertices,
)


def test_the_list_of_graphs_is_complete() -> None:
    assert [len(all_dags(d)) for d in (1, 2, 3, 4)] == [1, 3, 25, 543]  # Robinson 1973
    graphs = all_admgs(4)
    assert len(graphs) == len(graphs.place) == 543 * 64 == 34_752


def test_the_counts_among_bow_free_graphs_are_those_of_the_paper() -> None:
    graphs = all_admgs(4)
    bow_free = np.array([classes.find_bow(graph) is None for graph in graphs.bits])
    arid = np.array([classes.find_c_tree(graph) is None for graph in graphs.bits])
    ancestral = np.array([classes.find_almost_directed_cycle(graph) is None for graph in graphs.bits])
    assert (bow_free.sum(), arid.sum(), ancestral.sum()) == (3608, 3560, 2504)
    assert not (ancestral & ~arid).any()
    assert not (arid & ~bow_free).any()


@SMALL_AND_LARGER
def test_bows(graphs: Graphs) -> None:
    for row, (graph, bow_free) in enumerate(zip(graphs.bits, oracle.bow_free(graphs), strict=True)):
        bow = classes.find_bow(graph)
        assert (bow is None) == bow_free
        assert bow is None or (graphs.directed[row][bow] and graphs.bidirected[row][bow])


@SMALL_AND_LARGER
def test_almost_directed_cycles(graphs: Graphs) -> None:
    for row, (graph, ancestral) in enumerate(zip(graphs.bits, oracle.ancestral(graphs), strict=True)):
        path = classes.find_almost_directed_cycle(graph)
        assert (path is None) == ancestral
        if path:
            assert len(set(path)) == len(path) >= 2
            assert all(graph.children[i] >> j & 1 for i, j in pairwise(path))
            assert graphs.bidirected[row, path[0], path[-1]]


@SMALL_AND_LARGER
def test_c_trees(graphs: Graphs) -> None:
    for row, (graph, arid) in enumerate(zip(graphs.bits, oracle.arid(graphs), strict=True)):
        tree = classes.find_c_tree(graph)
        assert (tree is None) == arid
        if tree and row % 16 == 0:
            root, vertices = tree[0], tuple(members(tree[1]))
            assert len(vertices) >= 2
            assert root in vertices
            assert oracle.c_trees(graphs[row : row + 1], vertices, root).all()


def test_the_methods_of_a_named_graph_say_the_same() -> None:
    graphs = all_admgs(4)
    answers = zip(oracle.bow_free(graphs), oracle.arid(graphs), oracle.ancestral(graphs), strict=True)
    for row, (bow_free, arid, ancestral) in enumerate(answers):
        if row % 37:
            continue
        graph = ADMG(list("ABCD"), graphs.directed[row], graphs.bidirected[row])
        assert (graph.is_bow_free(), graph.is_arid(), graph.is_ancestral()) == (bow_free, arid, ancestral)
        assert (graph.witness("bow-free") is None) == bow_free
        assert (graph.witness("arid") is None) == arid
        assert (graph.witness("ancestral") is None) == ancestral


def test_the_graphs_of_figure_1_of_the_paper() -> None:
    b = ADMG.parse("A -> C; B -> D; C <-> D")
    assert b.is_ancestral()
    c = ADMG.parse(FIGURE_1C)
    assert c.is_arid()
    assert not c.is_ancestral()
    e = ADMG.parse(FIGURE_1E)
    assert e.is_bow_free()
    assert not e.is_arid()
    assert not e.is_ancestral()


def test_witnesses_name_the_vertices_and_read_as_words() -> None:
    graph = ADMG.parse("A -> B; B <-> A")
    assert graph.witness("bow-free") == Bow("A", "B")
    assert str(graph.witness("bow-free")) == "the bow A -> B with A <-> B"
    assert graph.witness("ancestral") == AlmostDirectedCycle(("A", "B"))
    assert graph.witness("arid") == CTree("B", frozenset("AB"))
    path = ADMG.parse(FIGURE_1C).witness("ancestral")
    assert path in (AlmostDirectedCycle(("A", "C", "D")), AlmostDirectedCycle(("A", "C", "D", "B")))
    tree = ADMG.parse(FIGURE_1E).witness("arid")
    assert tree == CTree("B", frozenset("ABCD"))
    assert str(tree) == "the c-tree on {A, B, C, D} with root B"
    assert ADMG.parse("A -> B").witness("arid") is None


def test_the_witness_is_a_path_not_only_its_ends() -> None:
    graph = ADMG.parse("A -> B -> C -> D; A <-> D")
    assert str(graph.witness("ancestral")) == "the path A -> B -> C -> D with A <-> D"


def test_an_unknown_class_is_named_with_the_known_ones() -> None:
    with pytest.raises(ParameterError, match=r"one of ancestral, arid, bow-free\. Got 'mag' instead"):
        ADMG.parse("A -> B").witness("mag")

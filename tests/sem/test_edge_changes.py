"""Likelihoods with one edge more or less from the districts that it touches, against fits of whole graphs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lurking import ADMG
from lurking._typing import GRAPH_CLASSES
from lurking.discovery.edges import edge_estimates
from lurking.graphs.bits import BitGraph
from lurking.sem import implied_tests, ricf, standard_errors, wide_fit
from lurking.sem.added_edge import AddedEdges
from lurking.sem.edge_changes import EdgeChanges
from sem.grouped_data import all_graphs, mixed_moments
from sem.random_data import random_graph, random_moments


def edge_by_the_classes(admg: ADMG, i: int, j: int) -> tuple[str, ADMG]:
    """The edge that fits the ancestors, if the graph with it is in the class, else the first kind that is."""
    one, other = admg.names[i], admg.names[j]
    forwards, backwards, confounded = f"{one} -> {other}", f"{other} -> {one}", f"{one} <-> {other}"
    if one in admg.ancestors(other):
        order = [forwards, confounded]
    elif other in admg.ancestors(one):
        order = [backwards, confounded]
    else:
        order = [confounded, forwards, backwards]
    larger = {edge: ADMG.parse(f"{admg}; {edge}", names=admg.names) for edge in order}
    for graph_class in GRAPH_CLASSES:
        if admg.witness(graph_class) is None:
            for edge, graph in larger.items():
                if graph.witness(graph_class) is None:
                    return edge, graph
    raise AssertionError("every bow-free graph can have one more edge")


def check_added_edges(admg: ADMG) -> None:
    added = AddedEdges(BitGraph.from_matrices(admg.directed, admg.bidirected))
    for i, j in np.argwhere(np.triu(~admg.skeleton, 1)).tolist():
        edge, larger = edge_by_the_classes(admg, i, j)
        found = added.between(i, j)
        assert f"{admg.names[found.cause]} {found.kind} {admg.names[found.effect]}" == edge, (str(admg), i, j)
        assert found.arid == larger.is_arid(), (str(admg), edge)


def test_the_added_edge_on_every_graph_with_four_vertices() -> None:
    graphs = all_graphs(("A", "B", "C", "D"))
    assert len(graphs) == 3608
    for admg in graphs:
        check_added_edges(admg)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10**6), st.floats(0.1, 0.5), st.floats(0.1, 0.8))
def test_the_added_edge_on_larger_graphs(seed: int, directed: float, bidirected: float) -> None:
    rng = np.random.default_rng(seed)
    check_added_edges(random_graph(rng, int(rng.integers(5, 9)), directed, bidirected))


@pytest.mark.parametrize("seed", range(8))
def test_tests_and_costs_are_those_of_fits_of_whole_graphs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    moments = random_moments(rng, 7)
    admg = random_graph(rng, 7, 0.25, 0.2)
    whole = ricf(moments, admg)
    for test in implied_tests(moments.reorder(moments.names[::-1]), admg):
        larger = ricf(moments, ADMG.parse(f"{admg}; {test.added}", names=admg.names))
        assert test.chi_square == pytest.approx(max(2.0 * (larger.loglik - whole.loglik), 0.0), abs=1e-5)
    for edge in edge_estimates(moments, whole, standard_errors(moments, whole)):
        directed, bidirected = admg.directed.copy(), admg.bidirected.copy()
        i, j = admg.index(edge.one), admg.index(edge.other)
        if edge.kind == "directed":
            directed[i, j] = False
        else:
            bidirected[i, j] = bidirected[j, i] = False
        smaller = ricf(moments, ADMG(admg.names, directed, bidirected))
        assert edge.removal_cost == pytest.approx(smaller.bic - whole.bic, abs=1e-5)


def test_edges_of_variables_of_several_columns_are_blocks() -> None:
    text = "A -> B -> C; A <-> D"
    moments = mixed_moments(text, {"B": 3, "D": 4})
    admg = ADMG.parse(text)
    whole = wide_fit(moments, admg)
    tests = implied_tests(moments, admg)
    assert {test.df for test in tests} == {1, 3, 6}
    for test in tests:
        larger = wide_fit(moments, ADMG.parse(f"{text}; {test.added}", names=admg.names))
        assert test.chi_square == pytest.approx(2.0 * (larger.loglik - whole.loglik), abs=1e-5)


def test_the_graph_itself_is_left_as_it_was() -> None:
    rng = np.random.default_rng(3)
    moments, admg = random_moments(rng, 5), random_graph(rng, 5, 0.3, 0.3)
    changes = EdgeChanges(moments, admg)
    i, j = np.argwhere(np.triu(~admg.skeleton, 1))[0].tolist()
    first = changes.with_edge([i], [j], "<->")
    changes.with_edge([i], [j], "->")
    assert changes.with_edge([i], [j], "<->") == first

"""The three Verma graphs of the paper."""

from __future__ import annotations

import numpy as np

from lurking.simulate import VERMA_CHAIN, VERMA_CONFOUNDED, VERMA_FIGURE_1C, VERMA_GRAPHS


def test_edges_are_those_of_the_paper() -> None:
    assert VERMA_GRAPHS == (VERMA_FIGURE_1C, VERMA_CHAIN, VERMA_CONFOUNDED)
    assert set(VERMA_FIGURE_1C.directed_edges()) == {("A", "C"), ("C", "D"), ("D", "B")}
    assert set(VERMA_FIGURE_1C.bidirected_edges()) == {("A", "B"), ("A", "D")}
    assert set(VERMA_CHAIN.directed_edges()) == {("A", "B"), ("B", "C"), ("C", "D")}
    assert set(VERMA_CHAIN.bidirected_edges()) == {("B", "D")}
    assert set(VERMA_CONFOUNDED.directed_edges()) == {("B", "C"), ("C", "D")}
    assert set(VERMA_CONFOUNDED.bidirected_edges()) == {("A", "B"), ("B", "D")}


def test_each_is_maximal_arid_and_has_a_missing_edge_without_an_independence() -> None:
    for graph, missing in zip(VERMA_GRAPHS, [("B", "C"), ("A", "D"), ("A", "D")], strict=True):
        assert graph.names == ("A", "B", "C", "D")
        assert graph.is_arid()
        assert not graph.is_ancestral()
        assert graph.arid_projection() == graph
        assert not graph.skeleton[graph.index(missing[0]), graph.index(missing[1])]
        assert graph.inducing_path(*missing) is not None
    assert np.count_nonzero(VERMA_FIGURE_1C.to_mag().skeleton) == 12


def test_the_last_two_are_equivalent() -> None:
    assert VERMA_CHAIN.markov_equivalent(VERMA_CONFOUNDED)
    assert not VERMA_CHAIN.markov_equivalent(VERMA_FIGURE_1C)

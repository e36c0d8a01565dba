"""ADMG to MAG: on all ADMGs with 4 vertices the result keeps what it promises."""

from __future__ import annotations

import numpy as np
import pytest

from lurking import ADMG
from lurking.graphs.projection import mag_projection
from oracles import graph_classes
from oracles.graph_listing import Graphs, all_admgs, sampled_admgs
from oracles.graph_paths import ancestry, inducing_lengths, m_connections


@pytest.mark.parametrize(
    "graphs", [all_admgs(3), all_admgs(4), sampled_admgs(5, 1000, seed=50)], ids=lambda g: g.n_vertices
)
def test_the_mag_is_ancestral_and_maximal_and_keeps_separations_and_ancestors(graphs: Graphs) -> None:
    mags = Graphs.from_bits([mag_projection(graph) for graph in graphs.bits])
    assert graph_classes.ancestral(mags).all()
    adjacent = mags.directed | mags.directed.transpose(0, 2, 1) | mags.bidirected
    assert np.array_equal(inducing_lengths(mags) > 0, adjacent)
    assert np.array_equal(m_connections(mags), m_connections(graphs))
    assert np.array_equal(ancestry(mags), ancestry(graphs))
    distinct = set(mags.bits)
    assert {mag: mag_projection(mag) for mag in distinct} == {mag: mag for mag in distinct}
    if graphs is all_admgs(4):
        assert len(distinct) == 2492


def test_of_the_2504_ancestral_graphs_12_are_not_maximal() -> None:
    graphs = all_admgs(4)
    ancestral = [graph for graph, kept in zip(graphs.bits, graph_classes.ancestral(graphs), strict=True) if kept]
    incomplete = {graph: mag_projection(graph) for graph in ancestral if mag_projection(graph) != graph}
    # Richardson and Spirtes 2002 in its 12 labellings: a <-> c <-> d <-> b with c -> b and d -> a lacks a <-> b.
    assert (len(ancestral), len(incomplete)) == (2504, 12)
    for graph, mag in incomplete.items():
        assert sorted(map(int.bit_count, graph.siblings)) == [1, 1, 2, 2]
        assert sorted(map(int.bit_count, mag.siblings)) == [2, 2, 2, 2]
        assert graph.parents == mag.parents


def test_examples_by_name() -> None:
    incomplete = ADMG.parse("A <-> C <-> D <-> B; C -> B; D -> A")
    assert incomplete.is_ancestral()
    assert not incomplete.is_maximal()
    assert not incomplete.is_mag()
    assert incomplete.to_mag() == ADMG.parse("A <-> C <-> D <-> B; C -> B; D -> A; A <-> B")
    assert incomplete.to_mag().is_mag()
    assert ADMG.parse("A -> B; A <-> B").to_mag() == ADMG.parse("A -> B")
    assert ADMG.parse("A -> B; A <-> B").is_maximal()
    assert not ADMG.parse("A -> B; A <-> B").is_mag()
    assert ADMG.parse("A -> B -> C -> D; B <-> D").to_mag() == ADMG.parse("A -> B -> C -> D; B -> D; A -> D")


def test_figure_1d_of_the_paper_is_the_ancestral_version_of_figure_1c() -> None:
    c = ADMG.parse("A -> C -> D -> B; A <-> B; A <-> D")
    d = ADMG.parse("A -> C -> D -> B; A -> B; A -> D; C -> B")
    assert c.to_mag() == d
    assert c.to_mag().names == c.names
    assert d.is_mag()

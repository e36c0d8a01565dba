"""Latent projection against its definition by listed paths, and what it must keep."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lurking import ADMG
from lurking._errors import UnknownVertexError
from lurking.graphs.bits import BitGraph
from lurking.graphs.projection import latent_projection
from oracles.graph_listing import Graphs, all_admgs, mask, sampled_admgs, subsets
from oracles.graph_paths import ancestry, latent_projections, m_connections
from strategies import admgs


@pytest.mark.parametrize("hidden", subsets(range(4))[1:])
def test_every_graph_with_4_vertices_projects_as_the_paths_say(hidden: tuple[int, ...]) -> None:
    graphs = all_admgs(4)[::3]
    expected = latent_projections(graphs, hidden).bits
    assert [latent_projection(graph, mask(hidden)) for graph in graphs.bits] == expected


@pytest.mark.parametrize("hidden", [(0,), (4,), (1, 3), (0, 2, 4), (1, 2, 3)])
def test_larger_graphs_project_as_the_paths_say(hidden: tuple[int, ...]) -> None:
    graphs = sampled_admgs(5, 1000, seed=40)
    expected = latent_projections(graphs, hidden).bits
    assert [latent_projection(graph, mask(hidden)) for graph in graphs.bits] == expected


@pytest.mark.parametrize("hidden", [(2,), (0, 3), (1, 4)])
def test_separations_and_ancestors_among_the_visible_vertices_stay(hidden: tuple[int, ...]) -> None:
    graphs = sampled_admgs(5, 700, seed=41)
    projected = Graphs.from_bits([latent_projection(graph, mask(hidden)) for graph in graphs.bits])
    visible = tuple(v for v in range(5) if v not in hidden)
    among = np.ix_(range(len(graphs)), visible, visible, [mask(s) for s in subsets(visible)])
    assert np.array_equal(m_connections(graphs)[among], m_connections(projected)[among])
    assert np.array_equal(ancestry(graphs)[among[:3]], ancestry(projected)[among[:3]])


def test_hiding_one_after_the_other_in_any_order_is_hiding_together() -> None:
    for graph in sampled_admgs(5, 150, seed=42).bits:
        together = latent_projection(graph, 0b01011)
        for order in permutations((0, 1, 3)):
            step = graph
            for vertex in order:
                step = latent_projection(step, 1 << vertex)
            assert step == together


@given(admgs(min_size=1, max_size=7), st.data())
def test_projections_of_named_graphs_commute(graph: ADMG, data: st.DataObject) -> None:
    hidden = data.draw(st.lists(st.sampled_from(graph.names), unique=True))
    first = data.draw(st.lists(st.sampled_from(hidden), unique=True)) if hidden else []
    rest = [name for name in hidden if name not in first]
    assert graph.latent_projection(first).latent_projection(rest) == graph.latent_projection(hidden)
    assert set(graph.latent_projection(hidden).names) == set(graph.names) - set(hidden)


def test_a_graph_with_its_confounders_drawn_projects_to_itself() -> None:
    for graph in sampled_admgs(4, 200, seed=43).bits:
        pairs = [(i, j) for i in range(4) for j in range(i) if graph.siblings[i] >> j & 1]
        directed = [(i, j) for j in range(4) for i in range(4) if graph.parents[j] >> i & 1]
        directed += [(4 + k, end) for k, pair in enumerate(pairs) for end in pair]
        canonical = BitGraph.from_edges(4 + len(pairs), directed)
        projected = latent_projection(canonical, canonical.everything & ~0b1111)
        assert projected.parents[:4] == graph.parents
        assert projected.siblings[:4] == graph.siblings


def test_textbook_projections() -> None:
    assert ADMG.parse("U -> A; U -> B; A -> B").latent_projection("U") == ADMG.parse("A -> B; A <-> B")
    assert ADMG.parse("A -> M -> B").latent_projection(["M"]) == ADMG.parse("A -> B")
    assert ADMG.parse("A <-> M -> B").latent_projection("M") == ADMG.parse("A <-> B")
    assert ADMG.parse("A <-> M <-> B").latent_projection("M") == ADMG.empty(["A", "B"])
    assert ADMG.parse("A -> M <- B").latent_projection("M") == ADMG.empty(["A", "B"])
    assert ADMG.parse("A -> B").latent_projection([]) == ADMG.parse("A -> B")
    assert ADMG.parse("A -> B").latent_projection(["A", "B"]) == ADMG.empty([])


def test_hiding_an_unknown_vertex_is_refused() -> None:
    with pytest.raises(UnknownVertexError, match="no variable named 'U'"):
        ADMG.parse("A -> B").latent_projection("U")

"""m-separation and inducing paths against an oracle that lists every path."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest

from lurking import ADMG
from lurking._errors import GraphError, UnknownVertexError
from lurking.graphs import separation
from lurking.graphs.bits import BitGraph, members, singleton
from oracles.graph_listing import Graphs, all_admgs, mask, sampled_admgs, subsets
from oracles.graph_paths import ancestry, inducing_lengths, m_connections


def found_connections(graphs: Graphs) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Return what the library says, in the form of the oracle."""
    d = graphs.n_vertices
    starts = [(v, given) for given in range(1 << d) for v in range(d) if not given >> v & 1]
    connected = np.zeros((len(graphs), d, 1 << d), dtype=np.int64)
    for row, graph in enumerate(graphs.bits):
        for v, given in starts:
            connected[row, v, given] = separation.m_connected(graph, 1 << v, given) & ~(1 << v)
    return np.stack([connected >> other & 1 for other in range(d)], axis=2).astype(bool)


@pytest.mark.parametrize(
    "graphs", [all_admgs(2), all_admgs(3), all_admgs(4), sampled_admgs(5, 1500, seed=20)], ids=lambda g: g.n_vertices
)
def test_every_pair_and_every_conditioning_set_agrees_with_the_listed_paths(graphs: Graphs) -> None:
    assert np.array_equal(found_connections(graphs), m_connections(graphs))


def test_sets_are_separated_if_all_their_pairs_are() -> None:
    graphs = sampled_admgs(5, 60, seed=21)
    connected = m_connections(graphs)
    for row, graph in enumerate(graphs.bits):
        for roles in product(range(4), repeat=5):
            one, other, given = (tuple(v for v in range(5) if roles[v] == role) for role in (0, 1, 2))
            if one and other and one[0] < other[0]:
                expected = not connected[row][np.ix_(one, other, [mask(given)])].any()
                assert separation.m_separated(graph, mask(one), mask(other), mask(given)) == expected


@pytest.mark.parametrize("graphs", [all_admgs(4), sampled_admgs(5, 1000, seed=22)], ids=lambda g: g.n_vertices)
def test_an_inducing_path_joins_exactly_the_pairs_that_no_set_separates(graphs: Graphs) -> None:
    d = graphs.n_vertices
    lengths, connected = inducing_lengths(graphs), m_connections(graphs)
    for a, b in product(range(d), repeat=2):
        if a == b:
            continue
        others = tuple(v for v in range(d) if v not in (a, b))
        always = connected[:, a, b, [mask(given) for given in subsets(others)]].all(axis=1)
        found = np.array([separation.joined_by_inducing_path(graph, a, b) for graph in graphs.bits])
        assert np.array_equal(found, lengths[:, a, b] > 0)
        assert np.array_equal(found, always)


@pytest.mark.parametrize("graphs", [all_admgs(4), sampled_admgs(5, 1000, seed=23)], ids=lambda g: g.n_vertices)
def test_the_inducing_path_shown_is_one_and_is_shortest(graphs: Graphs) -> None:
    d = graphs.n_vertices
    lengths, reaches = inducing_lengths(graphs).tolist(), ancestry(graphs).tolist()
    for row, graph in enumerate(graphs.bits):
        for a, b in product(range(d), repeat=2):
            if a == b:
                continue
            path = separation.inducing_path(graph, a, b)
            assert (len(path) - 1 if path else 0) == lengths[row][a][b]
            if path and len(path) > 2:
                assert len(set(path)) == len(path)
                assert (path[0], path[-1]) == (a, b)
                assert all(reaches[row][v][a] or reaches[row][v][b] for v in path[1:-1])
                assert all(points_at_inner_ends(graph, path, i, j) for i, j in pairwise(path))


def points_at_inner_ends(graph: BitGraph, path: list[int], i: int, j: int) -> bool:
    """Tell whether an edge joins i and j with an arrowhead at each of them that is not an end of the path."""
    if graph.siblings[i] >> j & 1:
        return True
    return bool((graph.parents[j] >> i & 1 and i == path[0]) or (graph.parents[i] >> j & 1 and j == path[-1]))


def test_long_paths_are_followed() -> None:
    d = 300
    chain = BitGraph.from_edges(d, directed=[(i, i + 1) for i in range(d - 1)])
    assert list(members(separation.m_connected(chain, singleton(0), 0))) == list(range(d))
    assert separation.m_separated(chain, singleton(0), singleton(d - 1), singleton(150))
    colliders = BitGraph.from_edges(d, bidirected=[(i, i + 1) for i in range(d - 1)])
    inner = ((1 << d) - 1) & ~singleton(0) & ~singleton(d - 1)
    assert not separation.m_separated(colliders, singleton(0), singleton(d - 1), inner)
    assert separation.m_separated(colliders, singleton(0), singleton(d - 1), inner & ~singleton(7))


def test_the_verma_graph_by_name() -> None:
    graph = ADMG.parse("A -> B -> C -> D; B <-> D")
    assert graph.m_separated("A", "C", "B")
    assert not graph.m_separated("A", "C")
    assert not any(graph.m_separated("A", "D", given) for given in ([], ["B"], ["C"], ["B", "C"]))
    assert graph.inducing_path("A", "D") == ("A", "B", "D")
    assert graph.inducing_path("D", "A") == ("D", "B", "A")
    assert graph.inducing_path("A", "B") == ("A", "B")
    assert graph.inducing_path("A", "C") is None
    assert graph.m_separated(["A"], ("C",), {"B"})


def test_separation_explains_what_is_wrong_with_its_sets() -> None:
    graph = ADMG.parse("age -> dose -> outcome")
    with pytest.raises(GraphError, match="must not overlap, but share dose; name each once"):
        graph.m_separated("age", "dose", "dose")
    with pytest.raises(GraphError, match="share age, outcome"):
        graph.m_separated(["age", "outcome"], ["outcome", "age"])
    with pytest.raises(GraphError, match="at least one variable on each side"):
        graph.m_separated([], "dose")
    with pytest.raises(GraphError, match="at least one variable on each side"):
        graph.m_separated("dose", ())
    with pytest.raises(UnknownVertexError, match="no variable named 'outcom'; did you mean 'outcome'"):
        graph.m_separated("age", "outcom")
    with pytest.raises(GraphError, match="joins two different variables, but both are 'age'"):
        graph.inducing_path("age", "age")

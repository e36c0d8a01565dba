"""Random graphs: frequencies, classes, seeds, names, bad arguments."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lurking._errors import GraphError, ParameterError
from lurking._typing import GRAPH_CLASSES, GraphClass
from lurking.simulate import random_admg, sparse_admg
from lurking.simulate.random_graphs import PairRule


@pytest.mark.parametrize(("pair_rule", "bidirected_share"), [("exclusive", 0.3), ("directed-first", 0.18)])
def test_frequencies_of_the_edges_are_the_papers(pair_rule: PairRule, bidirected_share: float) -> None:
    n_graphs = 1500
    graphs = [random_admg(6, pair_rule=pair_rule, random_state=seed) for seed in range(n_graphs)]
    directed = np.mean([g.directed for g in graphs], axis=0)
    bidirected = np.mean([g.bidirected for g in graphs], axis=0)
    off_diagonal = ~np.eye(6, dtype=bool)
    # Every ordered pair, not only on average: half of 0.4 each way, because all orders are equally likely.
    assert directed[off_diagonal] == pytest.approx(0.2, abs=5 * np.sqrt(0.2 * 0.8 / n_graphs))
    assert bidirected[off_diagonal] == pytest.approx(
        bidirected_share, abs=5 * np.sqrt(bidirected_share * (1 - bidirected_share) / n_graphs)
    )
    assert directed.sum() / 15 == pytest.approx(0.4, abs=0.013)
    assert bidirected.sum() / 30 == pytest.approx(bidirected_share, abs=0.012)


def test_directed_first_is_the_default() -> None:
    assert random_admg(8, random_state=0) == random_admg(8, pair_rule="directed-first", random_state=0)
    assert random_admg(8, random_state=0) != random_admg(8, pair_rule="exclusive", random_state=0)


def test_every_order_of_three_variables_is_equally_likely() -> None:
    complete = [random_admg(3, directed_probability=1, bidirected_probability=0, random_state=s) for s in range(1200)]
    orders = [graph.topological_order() for graph in complete]
    counts = np.array([orders.count(order) for order in set(orders)])
    assert len(counts) == 6
    assert counts == pytest.approx(200, abs=5 * np.sqrt(1200 * 5 / 36))


@settings(deadline=None, max_examples=60)
@given(
    seed=st.integers(0, 10**9),
    d=st.integers(1, 9),
    directed=st.floats(0, 1),
    bidirected=st.floats(0, 1),
    graph_class=st.sampled_from(GRAPH_CLASSES),
)
def test_every_graph_is_in_its_class(
    seed: int, d: int, directed: float, bidirected: float, graph_class: GraphClass
) -> None:
    graph = random_admg(
        d,
        graph_class=graph_class,
        directed_probability=directed,
        bidirected_probability=bidirected * (1 - directed),
        random_state=seed,
    )
    assert len(graph) == d
    assert graph.witness(graph_class) is None
    if graph_class == "ancestral":
        assert graph.is_mag()
    if graph_class == "arid":
        assert graph.arid_projection() == graph


@pytest.mark.parametrize("d", [10, 15])
@pytest.mark.parametrize("graph_class", ["arid", "ancestral"])
def test_paper_sizes_are_projections_of_the_same_bow_free_graph(d: int, graph_class: GraphClass) -> None:
    bow_free = random_admg(d, random_state=4)
    projected = random_admg(d, graph_class=graph_class, random_state=4)
    assert projected == (bow_free.arid_projection() if graph_class == "arid" else bow_free.to_mag())
    assert projected != bow_free
    for name in bow_free.names:
        assert projected.ancestors(name) == bow_free.ancestors(name)
    assert (projected.skeleton | ~bow_free.skeleton).all()


def test_seeds_and_generators() -> None:
    assert random_admg(random_state=3) == random_admg(random_state=np.random.default_rng(3))
    assert random_admg(random_state=3) != random_admg(random_state=4)
    rng = np.random.default_rng(3)
    assert random_admg(random_state=rng) != random_admg(random_state=rng)
    assert sparse_admg(20, 2, random_state=3) == sparse_admg(20, 2, random_state=3)


def test_names() -> None:
    assert random_admg(3).names == ("V1", "V2", "V3")
    assert random_admg(2, names=["gene", "protein"]).names == ("gene", "protein")
    with pytest.raises(GraphError, match="shape"):
        random_admg(3, names=["gene", "protein"])


@pytest.mark.parametrize(("average_degree", "bidirected_fraction"), [(2.0, 0.3), (5.0, 0.0), (3.0, 1.0)])
def test_sparse_graphs_have_the_average_degree(average_degree: float, bidirected_fraction: float) -> None:
    graphs = [
        sparse_admg(30, average_degree, bidirected_fraction=bidirected_fraction, random_state=seed)
        for seed in range(100)
    ]
    n_edges = np.array([graph.n_edges for graph in graphs])
    assert 2 * n_edges.mean() / 30 == pytest.approx(average_degree, abs=0.15)
    n_bidirected = sum(len(graph.bidirected_edges()) for graph in graphs)
    assert n_bidirected / n_edges.sum() == pytest.approx(bidirected_fraction, abs=0.03)
    assert all(graph.is_bow_free() for graph in graphs)


def test_sparse_graphs_can_be_projected() -> None:
    assert sparse_admg(12, 4, graph_class="ancestral", random_state=0).is_mag()
    assert sparse_admg(12, 4, graph_class="arid", random_state=0).is_arid()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_variables": 0}, "n_variables"),
        ({"n_variables": 2.5}, "n_variables"),
        ({"n_variables": True}, "n_variables"),
        ({"directed_probability": 1.5}, "directed_probability"),
        ({"bidirected_probability": -0.1}, "bidirected_probability"),
        ({"bidirected_probability": float("nan")}, "bidirected_probability"),
        ({"directed_probability": 0.8, "pair_rule": "exclusive"}, "at most 1"),
        ({"pair_rule": "both"}, "pair_rule"),
        ({"graph_class": "acyclic"}, "graph_class"),
        ({"random_state": "seed"}, "random_state"),
    ],
)
def test_bad_arguments(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        random_admg(**arguments)  # type: ignore[arg-type]


def test_directed_first_takes_any_two_probabilities() -> None:
    graph = random_admg(
        5, directed_probability=0.8, bidirected_probability=1.0, pair_rule="directed-first", random_state=0
    )
    assert graph.n_edges == 10


@pytest.mark.parametrize("arguments", [(1, 1.0), (5, 4.5), (5, -1)])
def test_bad_degrees(arguments: tuple[int, float]) -> None:
    with pytest.raises(ParameterError):
        sparse_admg(*arguments)
    with pytest.raises(ParameterError, match="bidirected_fraction"):
        sparse_admg(5, 2, bidirected_fraction=1.1)

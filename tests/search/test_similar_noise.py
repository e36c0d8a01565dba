"""Similar noise suggests an order of the variables, and a DAG along it to start from."""

from __future__ import annotations

import numpy as np
import pytest

from lurking import ADMG, Knowledge, Moments, simulate_admg
from lurking.search.allowed_edges import allowed_arrows
from lurking.search.similar_noise import dag_by_noise, order_by_noise
from lurking.sem import LinearSEM


def population(text: str, coefficient: float = 0.9) -> Moments:
    """Return the exact moments of a DAG with errors of variance 1."""
    admg = ADMG.parse(text)
    cov = LinearSEM(admg, coefficient * admg.directed, np.eye(len(admg))).implied_cov()
    return Moments(cov, 10_000, admg.names)


def everything(moments: Moments) -> np.ndarray:
    return np.ones((moments.n_variables, moments.n_variables), dtype=bool)


@pytest.mark.parametrize("text", ["C -> A -> B", "D -> B; D -> A -> B; B -> C", "A; C -> B", "B -> C; B -> A; D"])
def test_with_equal_errors_the_order_is_causal_and_the_dag_the_true_one(text: str) -> None:
    moments = population(text)
    truth = ADMG.parse(text).subgraph(moments.names)
    order = order_by_noise(moments, everything(moments))
    rank = np.argsort(order)
    assert sorted(order) == list(range(len(truth)))
    assert all(rank[i] < rank[j] for i, j in np.argwhere(truth.directed))
    assert dag_by_noise(moments, everything(moments), np.random.default_rng(0)) == truth


def test_units_matter() -> None:
    moments = population("C -> A -> B")
    scaled = Moments(moments.cov * np.outer([9, 1, 1], [9, 1, 1]), moments.n_samples, moments.names)
    assert order_by_noise(moments, everything(moments)) != order_by_noise(scaled, everything(scaled))


def test_knowledge_comes_before_the_noise() -> None:
    moments = population("C -> A -> B")  # in truth C is first
    arrows = allowed_arrows(Knowledge(tiers=(("B",), ("A", "C"))).allowed_edges(moments.names))
    assert [moments.names[i] for i in order_by_noise(moments, arrows)] == ["B", "C", "A"]
    dag = dag_by_noise(moments, arrows, np.random.default_rng(0))
    assert not dag.directed[:, dag.index("B")].any()
    assert dag.n_edges >= 2


def test_hidden_causes_blur_the_order_without_destroying_it() -> None:
    agreements = []
    for seed in range(10):
        simulation = simulate_admg(10, 1000, graph_class="arid", random_state=seed)
        moments = Moments.from_table(simulation.data)
        rank = np.argsort(order_by_noise(moments, everything(moments)))
        agreements += [rank[i] < rank[j] for i, j in np.argwhere(simulation.admg.directed)]
    assert np.mean(agreements) > 0.8


def test_rounding_does_not_order_standardised_data() -> None:
    table = simulate_admg(8, 400, standardize=True, random_state=0).data
    orders = set()
    for seed in range(20):
        digits = 1.0 + 1e-14 * np.random.default_rng(seed).standard_normal(table.shape)
        moments = Moments.from_table(table * digits)
        orders.add(tuple(order_by_noise(moments, everything(moments))))
    assert len(orders) == 1
